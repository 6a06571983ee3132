"""Troubles with calls that users of such tools reported, each with the input that shows it, and the right behaviour.

A test stands for its whole kind and is named by it. `item` and `items` write lists short: `a:p, b:i,
c:c` are three items that are pending, in progress and completed.
"""
import json
import pathlib
import tempfile
import unittest

import build
import loader
from loader import PARALLEL, SINGLE, Script, items
from troubles import Trouble

MISSING_TODOS = 'Error: invalid arguments: missing required property "todos"'
NOT_A_LIST = 'Error: invalid arguments: "todos" must be an array'
NO_OBJECT = 'Error: invalid arguments: "arguments" must be an object'
ALLOWED = 'must be one of ["pending","in_progress","completed"]'
LIST_AS_TEXT = '{"todos":"[{\\"content\\":\\"a\\",\\"status\\":\\"pending\\"}]"}'


class ArgumentShape(Trouble):
    def test_list_sent_as_text_is_refused(self):
        self.refused(LIST_AS_TEXT, NOT_A_LIST)

    def test_the_same_bad_call_again_and_again_then_a_good_one(self):
        for _ in range(3):
            self.refused(LIST_AS_TEXT, NOT_A_LIST)
        self.accepted(items("a:p"))
        self.assertEqual(self.writes(), [items("a:p")])

    def test_prose_in_place_of_the_list_crashes_nothing(self):
        self.refused('{"todos":"not json"}', NOT_A_LIST)
        self.accepted(items("a:p"))

    def test_python_quoting_inside_the_text_is_never_evaluated(self):
        self.refused('{"todos":"[{\'content\':\'x\',\'status\':\'pending\'}]"}', NOT_A_LIST)

    def test_python_quoting_of_the_whole_arguments_is_refused(self):
        arguments = "{\"todos\":[{'content':'x','status':'pending'}]}"
        self.refused(arguments, NO_OBJECT)
        self.assertIsNone(self.script.ok("tool/present", name="todo_write", arguments=arguments)["card"])

    def test_missing_or_null_list_are_two_clean_errors(self):
        self.refused("{}", MISSING_TODOS)
        self.refused('{"todos":null}', NOT_A_LIST)
        for arguments in ("{}", '{"todos":null}', ""):
            self.assertIsNone(self.script.ok("tool/present", name="todo_write", arguments=arguments)["card"])

    def test_wrong_key_for_the_list_is_refused_and_the_root_is_open(self):
        self.refused('{"items":[{"content":"x","status":"pending"}]}', MISSING_TODOS)
        self.refused('{"tasks":[],"merge":true}', MISSING_TODOS)
        answer = self.call('{"items":[],"todos":[{"content":"x","status":"pending"}]}')
        self.assertFalse(answer["isError"])

    def test_bare_text_among_the_items_writes_none_of_them(self):
        self.refused('{"todos":["broken",{"content":"b","status":"pending"}]}', 'Error: invalid arguments: "todos[0]" must be an object')

    def test_extra_field_is_named(self):
        self.refused('{"todos":[{"content":"a","status":"pending","description":"see main.cpp"}]}',
                     'Error: invalid arguments: "todos[0].description" is not a declared property (additionalProperties: false)')

    def test_backslash_n_as_two_characters_is_kept_in_one_item(self):
        self.accepted([{"content": r"a\nb", "status": "pending"}])
        self.assertEqual(self.writes(), [[{"content": "a\\nb", "status": "pending"}]])

    def test_list_as_text_in_the_log_does_not_upset_the_view(self):
        """A viewer that meets the bad call in a stored log shows the plan that stands."""
        with tempfile.TemporaryDirectory() as root:
            self._call(root, json.dumps({"todos": items("kept:i")}))
            self.assertEqual(self._call(root, LIST_AS_TEXT).returncode, 1)
            plan = loader.run("plan", "--json", "--session", "s", "--sessions", root)
            self.assertEqual(plan.returncode, 0, plan.stderr)
            self.assertIsNone(json.loads(plan.stdout)["todos"])  # the refused call opened a turn of its own
            self.assertEqual(loader.run("plan", "--session", "s", "--sessions", root).returncode, 0)

    def test_raw_text_of_a_call_that_is_no_json_is_kept_in_the_log(self):
        arguments = "{\"todos\":[{'content':'x'}]}"
        with tempfile.TemporaryDirectory() as root:
            result = self._call(root, arguments)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(NO_OBJECT, result.stdout.decode())
            log = next(pathlib.Path(root).rglob("session.jsonl"))
            events = [json.loads(line) for line in log.read_text().splitlines()[1:]]
            self.assertEqual([event["data"]["arguments"] for event in events if event["type"] == "tool/call"], [arguments])
            self.assertEqual([event for event in events if event["type"] == "todo/write"], [])

    @staticmethod
    def _call(root, arguments):
        composition = pathlib.Path(root) / "composition.yaml"
        composition.write_text(PARALLEL)
        return loader.run("call", "todo_write", "-", "--session", "s", "--sessions", root, "--composition", composition,
                          "--plugins", build.PLUGINS, input=arguments)


class FieldValues(Trouble):
    def test_foreign_statuses_are_refused_with_the_allowed_words(self):
        for status in ("done", "active", "unknown", "failed", "in-progress", "Pending", "", "cancelled"):
            self.refused([{"content": "a", "status": status}], f'Error: invalid arguments: "todos[0].status" {ALLOWED}')

    def test_bad_status_in_the_middle_writes_nothing_and_becomes_nothing_else(self):
        todos = items("a:p, b:p, c:c")
        todos[1]["status"] = "unknown"
        self.refused(todos, f'Error: invalid arguments: "todos[1].status" {ALLOWED}')

    def test_blank_content_makes_no_placeholder_row(self):
        for content in ("", " ", "\t\n", "\u3000", "\ufeff"):
            self.refused([{"content": content, "status": "pending"}], "Error: invalid todo: `content` must be a non-empty string")

    def test_duplicates_after_trimming_are_refused_and_quoted(self):
        todos = [{"content": "Run tests", "status": "pending"}, {"content": "  Run tests ", "status": "in_progress"}]
        self.refused(todos, 'Error: invalid todos: duplicate content "Run tests"')

    def test_several_active_items_are_legitimate_under_the_parallel_policy(self):
        answer = self.accepted(items("a:i, b:i, c:i"), "Updated todo list: 0 pending, 3 in progress, 0 completed.")
        self.assertEqual(answer["value"]["counts"], {"pending": 0, "inProgress": 3, "completed": 0})

    def test_order_is_kept_whatever_the_statuses(self):
        self.accepted(items("a:p, b:i, c:c, d:i"))
        self.assertEqual(self.script.todos("s"), items("a:p, b:i, c:c, d:i"))


class OneActivePolicy(Trouble):
    composition = SINGLE

    def test_retry_against_the_one_active_rule_ends(self):
        for _ in range(2):
            self.refused(items("a:i, b:i"), "Error: invalid todos: at most one task may be in_progress (got 2)")
        self.accepted(items("a:c, b:i"))
        self.assertRegex(self.script.ok("tools")["tools"][0]["description"], "at most one")


class HalfLoaded(unittest.TestCase):
    def test_missing_or_wrong_flag_fails_the_load_and_names_the_field(self):
        field = "allowParallelInProgress"
        for config, problem in (("{}", "missing required value"), (f'{{{field}: "true"}}', "expected boolean but got true"),
                                (f"{{{field}: 1}}", "expected boolean but got 1"), (f"{{{field}: null}}", "missing required value")):
            error = loader.load_failure(f"- name: '@deepseek-ai/dsh-tool-todo'\n  config: {config}\n")
            self.assertRegex(error, r"\Afailed to apply loader entry \S+ \(@deepseek-ai/dsh-tool-todo\): invalid config:\n")
            self.assertTrue(error.endswith(f"  - $.{field} {problem} (at {field})"), error)

    def test_after_a_failed_entry_no_tool_is_left(self):
        """The first entry had registered the tool; the second fails the load, and nothing stays."""
        composition = PARALLEL + "- name: '@deepseek-ai/dsh-tool-todo'\n  config: {}\n"
        self.assertIsNotNone(loader.load_failure(composition))
        with Script(composition) as script:
            script.process.stdin.close()
            self.assertFalse(script.answer()["ok"])
            self.assertRaises(loader.Ended, script.answer)

    def test_what_the_plugin_registered_is_printed(self):
        with tempfile.TemporaryDirectory() as scratch:
            composition = pathlib.Path(scratch) / "composition.yaml"
            composition.write_text(PARALLEL)
            shown = loader.run("plugins", "--composition", composition, "--plugins", build.PLUGINS)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            for part in ("active", "dsh-tool-todo.so", "todo_write", "todos", "@deepseek-ai/dsh-tool-todo"):
                self.assertIn(part, shown.stdout.decode())
            waiting = loader.run("plugins", "--composition", composition, "--plugins", build.PLUGINS, "--without", "tools")
            self.assertRegex(waiting.stdout.decode(), r"pending.*\btools\b")


class ReplaceAndClear(Trouble):
    def test_empty_list_clears(self):
        self.accepted(items("a:p"))
        answer = self.accepted([], "Updated todo list: 0 pending, 0 in progress, 0 completed.")
        self.assertEqual(answer["value"], {"todos": [], "counts": {"pending": 0, "inProgress": 0, "completed": 0}})
        self.assertEqual(self.script.todos("s"), [])
        self.assertEqual(self.writes(), [items("a:p"), []])

    def test_clearing_is_one_change(self):
        self.accepted(items("a:c"))
        self.script.ok("projection/subscribe")
        self.assertEqual([change["value"] for change in self.call([])["notified"]], [[]])

    def test_subset_replaces_and_the_log_remembers(self):
        self.accepted(items("a:p, b:p, c:p"))
        answer = self.accepted(items("a:c"), "Updated todo list: 0 pending, 0 in progress, 1 completed.")
        self.assertEqual(answer["value"]["todos"], items("a:c"))
        self.assertEqual(self.script.todos("s"), items("a:c"))
        self.assertEqual(self.writes(), [items("a:p, b:p, c:p"), items("a:c")])

    def test_dropped_unfinished_items_add_no_word_to_the_result(self):
        self.accepted(items("a:p, b:i"))
        self.accepted(items("c:p"), "Updated todo list: 1 pending, 0 in progress, 0 completed.")

    def test_storm_of_identical_writes_is_stored_whole(self):
        answers = {json.dumps(self.call(items("a:i"))) for _ in range(500)}
        self.assertEqual(len(answers), 1)
        self.assertEqual(self.writes(), [items("a:i")] * 500)
        self.assertEqual(self.script.todos("s"), items("a:i"))

    def test_six_writes_show_one_list(self):
        self.script.ok("projection/subscribe")
        seen = [self.call(items(f"step {n}:i"))["notified"] for n in range(6)]
        self.assertEqual([[change["value"] for change in changes] for changes in seen], [[items(f"step {n}:i")] for n in range(6)])
        self.assertEqual(self.script.todos("s"), items("step 5:i"))


class NoReminders(Trouble):
    def test_results_carry_the_counts_and_never_a_reminder(self):
        for _ in range(12):
            self.assertEqual(self.call(items("a:p"))["text"], "Updated todo list: 1 pending, 0 in progress, 0 completed.")
        self.script.ok("session/append", session="s", type="turn/end", data={"turn": 1})
        self.assertEqual({event["type"] for event in self.script.events("s")}, {"todo/write", "turn/end"})

    def test_completion_is_never_inferred(self):
        self.accepted(items("a:i"))
        for kind in ("tool/call", "step/end", "turn/end", "session/title"):
            self.script.ok("session/append", session="s", type=kind, data={})
        self.assertEqual(self.script.todos("s"), items("a:i"))


if __name__ == "__main__":
    unittest.main()
