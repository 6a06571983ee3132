"""What the model reads: the same bytes everywhere, for prompt caches depend on it, and true.

The description is pinned word for word under both policies: a change of it is a change of every model's
behaviour, and has to be made here too.
"""
import os
import unittest

import build
import case_files
import javascript as js
import loader
from hosts import ScriptHost, raw_elements, raw_members

BEFORE = (
    "Record and update a structured todo list for the work at hand. Send the ENTIRE list with every call: it replaces "
    "the former one, there are no partial updates, and an item you leave out is gone. Write one item for each concrete "
    "step, before you start on it. ")
PARALLEL = (
    "Mark everything you are working on as in_progress: several items when work really runs in parallel, one when it is "
    "sequential, and at least one as long as work remains. ")
SINGLE = "Mark at most one item as in_progress, and exactly one as long as work remains. "
AFTER = (
    "Mark an item completed as soon as it is done, never several in a batch. Have none in_progress only when everything "
    "is done. Skip the list for a trivial task of a single step. The statuses: pending is not started yet, in_progress is "
    "being worked on, completed is done and finished.")

# What every description has to say, as the behaviour lists it.
SAID = (r"[Rr]ecord and update a structured todo list", r"(?i)entire list", r"replaces", r"no partial updates?",
        r"one item for each concrete step", r"before you start", r"completed as soon as it is done", r"batch",
        r"none in_progress only when", r"[Ss]kip .*trivial", r"pending is", r"in_progress is", r"completed is")

POLICIES = {"parallel": loader.PARALLEL, "single": loader.SINGLE}
TWO = {"todos": loader.items("a:i, b:i")}


def catalogue(host):
    """The raw text of the one tool in the catalogue."""
    tools = raw_elements(host.op("tools").raw("tools"))
    assert len(tools) == 1, tools
    return tools[0]


def without_descriptions(value):
    """A schema with the words replaced as the recorded one has them replaced."""
    if isinstance(value, dict):
        return {key: "(own words)" if key == "description" and isinstance(inner, str)
                else without_descriptions(inner) for key, inner in value.items()}
    return [without_descriptions(inner) for inner in value] if isinstance(value, list) else value


class Shape(unittest.TestCase):
    def test_schemas_are_the_recorded_ones(self):
        recorded = case_files.catalog()
        for composition in POLICIES.values():
            with ScriptHost(composition) as host:
                tool = host.op("tools")["tools"][0]
                self.assertEqual(list(tool), ["name", "description", "parameters", "output"])
                shape = {key: tool[key] for key in ("name", "description", "parameters")}
                self.assertEqual(js.stringify(without_descriptions(shape)), js.stringify(recorded["schema"]))
                self.assertEqual(js.stringify(tool["output"]), js.stringify(recorded["outputSchema"]))

    def test_cards_are_the_recorded_ones(self):
        with ScriptHost(loader.PARALLEL) as host:
            for case in case_files.catalog()["presentCall"]:
                with self.subTest(case["args"]):
                    answer = host.op("tool/present", name="todo_write", arguments=js.stringify(case["args"]))
                    self.assertEqual(answer.raw("card"), js.stringify(case["view"]))

    @unittest.skipIf(build.SANITIZER, "a sanitized library needs a sanitized program around it")
    def test_calls_are_exclusive(self):
        from native_plugin import Plugin
        self.assertEqual(case_files.catalog()["executionMode"], {"kind": "exclusive"})
        self.assertEqual(Plugin().tool.mode, 0)


class Bytes(unittest.TestCase):
    def test_the_same_across_processes_and_surroundings(self):
        for name, composition in POLICIES.items():
            seen = set()
            for more in ({}, {}, {"LC_ALL": "C"}, {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}, {"TZ": "Asia/Kathmandu"},
                         {"COLUMNS": "20", "NO_COLOR": "1"}, {"MALLOC_PERTURB_": "165"}):
                with ScriptHost(composition, env=loader.environment(**more)) as host:
                    seen.add(catalogue(host))
            self.assertEqual(len(seen), 1, name)

    def test_the_same_across_loads(self):
        for composition in POLICIES.values():
            with ScriptHost(composition) as host:
                first = catalogue(host)
                for _ in range(5):
                    for line, field, name in (("plugin/unload", "id", "@deepseek-ai/dsh-tool-todo"),
                                              ("plugin/load", "id", "@deepseek-ai/dsh-tool-todo"),
                                              ("service/remove", "name", "tools"), ("service/add", "name", "tools")):
                        self.assertTrue(host.op(line, **{field: name}).ok)
                    self.assertEqual(catalogue(host), first)

    def test_the_same_from_anywhere_and_under_any_name(self):
        composition = loader.PARALLEL.replace("config:", "id: 'another'\n  label: plan\n  config:")
        with ScriptHost(composition, cwd="/", without=["invariants"]) as host, ScriptHost(loader.PARALLEL) as plain:
            self.assertEqual(catalogue(host), catalogue(plain))

    def test_calls_do_not_change_it(self):
        with ScriptHost(loader.PARALLEL, without=["invariants"]) as host:
            first = catalogue(host)
            host.op("session/create", session="s")
            for arguments in ('{"todos":[]}', "", '{"todos":[1]}'):
                host.op("tool/call", name="todo_write", arguments=arguments, session="s")
            self.assertEqual(catalogue(host), first)

    def test_the_schemas_do_not_depend_on_the_policy(self):
        texts = []
        for composition in POLICIES.values():
            with ScriptHost(composition) as host:
                members = raw_members(catalogue(host))
                del members["description"]
                texts.append(members)
        self.assertEqual(texts[0], texts[1])


class Description(unittest.TestCase):
    def description(self, policy):
        with ScriptHost(POLICIES[policy]) as host:
            return host.op("tools")["tools"][0]["description"]

    def test_pinned_for_parallel_work(self):
        self.assertEqual(self.description("parallel"), BEFORE + PARALLEL + AFTER)

    def test_pinned_for_one_at_a_time(self):
        self.assertEqual(self.description("single"), BEFORE + SINGLE + AFTER)

    def test_says_all_that_it_must(self):
        for policy in POLICIES:
            description = self.description(policy)
            self.assertNotIn("\n", description, "one paragraph")
            for pattern in SAID:
                with self.subTest(policy=policy, pattern=pattern):
                    self.assertRegex(description, pattern)

    def test_only_the_active_status_clause_differs(self):
        parallel, single = self.description("parallel"), self.description("single")
        start = os.path.commonprefix([parallel, single])
        end = os.path.commonprefix([parallel[::-1], single[::-1]])[::-1]
        self.assertIn(". ", start)
        self.assertRegex(parallel[len(start) - 40:len(parallel) - len(end)], "several")
        self.assertRegex(single[len(start) - 40:len(single) - len(end)], "at most one")
        self.assertNotRegex(parallel, "at most one|exactly one")
        self.assertRegex(single, "exactly one")

    def test_agrees_with_what_is_accepted(self):
        """Who does as the description says is never refused; what it forbids is."""
        for policy, composition in POLICIES.items():
            with ScriptHost(composition, without=["invariants"]) as host:
                host.op("session/create", session="s")
                two = host.op("tool/call", name="todo_write", arguments=js.stringify(TWO), session="s")
                allows_several = "several items when" in host.op("tools")["tools"][0]["description"]
                self.assertEqual(two["isError"], not allows_several, policy)
                for todos in ("", "a:i", "a:i, b:p", "a:c, b:c"):  # as either clause wants it
                    arguments = js.stringify({"todos": loader.items(todos)})
                    self.assertFalse(host.op("tool/call", name="todo_write", arguments=arguments, session="s")["isError"])


if __name__ == "__main__":
    unittest.main()
