"""Compositions and the life of plugins, through script mode."""
import pathlib
import shutil
import tempfile
import unittest

import build
from loader import PARALLEL, SINGLE, Script, items, load_failure, run

TODO = "'@deepseek-ai/dsh-tool-todo'"
MISSING = "invalid config:\n  - $.allowParallelInProgress missing required value (at allowParallelInProgress)"


def wrong(shown):
    return f"invalid config:\n  - $.allowParallelInProgress expected boolean but got {shown} (at allowParallelInProgress)"


def entry(config=None, name=TODO, **fields):
    """One entry in YAML; `config` is its text, other fields as they are."""
    lines = [f"- name: {name}"] + [f"  {key}: {value}" for key, value in fields.items()]
    if config is not None:
        lines.append(f"  config: {config}")
    return "\n".join(lines) + "\n"


def tools(composition, **options):
    with Script(composition, **options) as script:
        return [tool["name"] for tool in script.ok("tools")["tools"]]


class Config(unittest.TestCase):
    def assert_config(self, config, expected):
        self.assertEqual(load_failure(entry(config)),
                         f"failed to apply loader entry entry-1 (@deepseek-ai/dsh-tool-todo): {expected}")

    def test_the_policy_has_no_default(self):
        for config in (None, "null", "", "{}", "{allowParallelInProgress: null}", "{allowParallelInProgress: }", "{other: true}"):
            with self.subTest(config=config):
                self.assert_config(config, MISSING)

    def test_the_policy_is_a_boolean_and_nothing_else(self):
        for value, shown in (("no", "no"), ("yes", "yes"), ("1", "1"), ("[1, 2]", "1,2"), ("{a: 1}", "[object Object]"),
                             ('"true"', "true"), ("on", "on"), ("0.5", "0.5"), ('""', ""), ("~true", "~true")):
            with self.subTest(value=value):
                self.assert_config("{allowParallelInProgress: %s}" % value, wrong(shown))

    def test_a_config_that_is_no_mapping(self):
        for config, shown in (("5", "5"), ("text", "text"), ("[1, [2, 3]]", "1,2,3"), ("true", "true")):
            with self.subTest(config=config):
                self.assert_config(config, f"invalid config:\n  - expected object but got {shown}")

    def test_unknown_keys_pass(self):
        self.assertEqual(tools(entry("{allowParallelInProgress: true, colour: blue}")), ["todo_write"])

    def test_each_spelling_of_a_boolean(self):
        for word, parallel in (("true", True), ("True", True), ("TRUE", True), ("false", False), ("False", False), ("!!bool true", True)):
            with self.subTest(word=word), Script(entry("{allowParallelInProgress: %s}" % word), without=["invariants"]) as script:
                script.ok("session/create", session="s")
                self.assertIs(script.call(items("a:i, b:i"), session="s")["isError"], not parallel)


class Yaml(unittest.TestCase):
    def test_the_top_is_a_list(self):
        for text in ("a: 1\n", "text\n", "5\n"):
            with self.subTest(text=text):
                self.assertIn("config file must be a top-level array", load_failure(text))

    def test_what_to_write_instead_is_told(self):
        self.assertRegex(load_failure("- name: @scope/package\n"), r":1:9: unknown token: a text that starts with @ has to be quoted, as in '@scope/package'$")
        path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), "c.yaml")
        path.touch()
        done = run("tools", "--composition", path)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1))
        self.assertRegex(done.stderr.decode(), r"config file must be a top-level array; write each plugin as an entry of a list")
        with Script(path) as script, self.assertRaises(Exception):  # what a program reads is the text alone
            self.assertTrue(script.answer()["error"].endswith("config file must be a top-level array"))
            script.answer()

    def test_errors_name_file_line_and_column(self):
        for text in ("- name: [\n", "- name: a\n  name: b\n", "- !!js x\n", "- name: \x01\n", "- a\n---\n- b\n"):
            with self.subTest(text=text):
                self.assertRegex(load_failure(text), r"composition\.yaml:\d+:\d+: ")

    def test_a_byte_order_mark_and_crlf_are_fine(self):
        self.assertEqual(tools(b"\xef\xbb\xbf" + PARALLEL.replace("\n", "\r\n").encode()), ["todo_write"])

    def test_the_shipped_compositions_load(self):
        for name in ("todo.yaml", "todo-single.yaml"):
            with self.subTest(name=name):
                self.assertEqual(tools(build.CONFIG / name), ["todo_write"])


class Entries(unittest.TestCase):
    def test_a_disabled_entry_is_never_opened(self):
        for word in ("true", '"false"', "1", "[]", "yes"):
            with self.subTest(word=word):
                self.assertEqual(tools(entry(name="no-such-plugin", disabled=word)), [])

    def test_what_javascript_takes_for_false_disables_nothing(self):
        for word in ("false", "0", "null", '""'):
            with self.subTest(word=word):
                self.assertEqual(tools(entry("{allowParallelInProgress: true}", disabled=word)), ["todo_write"])

    def test_groups_hold_nested_lists(self):
        nested = "- name: cordis:group\n  group: true\n  config:\n" + "".join("  " + line + "\n" for line in PARALLEL.splitlines())
        self.assertEqual(tools(nested), ["todo_write"])

    def test_group_beats_disabled(self):
        self.assertEqual(tools(entry("{allowParallelInProgress: true}", disabled="true", group="true")), ["todo_write"])

    def test_a_duplicate_id_is_an_error(self):
        text = entry("{allowParallelInProgress: true}", id="x") + entry(name="other", disabled="true", id="x")
        self.assertIn("duplicate loader entry id: x", load_failure(text))

    def test_two_entries_of_one_tool_are_refused(self):
        self.assertEqual(load_failure(entry("{allowParallelInProgress: true}", id="a") + entry("{allowParallelInProgress: false}", id="b")),
                         'failed to apply loader entry b (@deepseek-ai/dsh-tool-todo): tool "todo_write" is already registered')

    def test_what_is_no_entry_names_its_position(self):
        for text in ("- null\n", "- text\n", "- []\n", "- name: ''\n", "- id: a\n"):
            with self.subTest(text=text):
                self.assertIn("entry 1", load_failure(text))

    def test_unknown_fields_are_ignored(self):
        self.assertEqual(tools(entry("{allowParallelInProgress: true}", colour="blue")), ["todo_write"])

    def test_a_mistyped_field_is_told(self):
        with Script(entry("{allowParallelInProgress: true}", disable="true")) as script:
            self.assertEqual(len(script.ok("tools")["tools"]), 1)
            self.assertRegex(script.stderr(), r'\Awarning composition: .*composition\.yaml, entry 1: the key "disable" is ignored; '
                             r"an entry has id, name, config, disabled, inject and group\n\Z")

    def test_rows_of_services_that_the_host_provides_load_nothing(self):
        self.assertEqual(tools(entry(name="'@deepseek-ai/dsh-tools'") + entry(name="'@deepseek-ai/dsh-session'") + PARALLEL), ["todo_write"])

    def test_a_failing_entry_undoes_everything(self):
        failure = load_failure(PARALLEL + "- id: bad\n  name: no-such-plugin\n")
        self.assertTrue(failure.startswith("failed to apply loader entry bad (no-such-plugin): "), failure)


class Names(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(build.PLUGINS / "dsh-tool-todo.so", self.directory / "libother.so")

    def test_a_scope_is_dropped_and_lib_is_tried(self):
        for name in ("'@me/other'", "other"):
            with self.subTest(name=name):
                self.assertEqual(tools(entry("{allowParallelInProgress: true}", name=name), plugins=[self.directory]), ["todo_write"])

    def test_a_dot_starts_a_path_relative_to_the_composition(self):
        composition = self.directory / "c.yaml"
        composition.write_text(entry("{allowParallelInProgress: true}", name="./libother.so"))
        self.assertEqual(tools(composition, plugins=[]), ["todo_write"])

    def test_any_other_path_is_refused(self):
        for name in (str(self.directory / "libother.so"), "sub/other", r"sub\other", "'@me/sub/other'", "'@me/../other'", "/etc/passwd"):
            with self.subTest(name=name):
                self.assertIn("plugin name", load_failure(entry(name=name), plugins=[self.directory]))

    def test_a_name_with_a_nul_hides_no_cause(self):
        composition = self.directory / "c.yaml"
        composition.write_text(entry(name=r'"a\0b"'))
        done = run("tools", "--composition", composition)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        said = done.stderr.decode()
        self.assertIn(r"failed to apply loader entry entry-1 (a\x00b): ", said)
        self.assertGreater(len(said.rstrip().partition(r"(a\x00b): ")[2]), 10, said)
        self.assertNotIn("\0", said)

    def test_nothing_outside_a_plugins_directory_is_opened(self):
        outside = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (outside / "leads-out.so").symlink_to(self.directory / "libother.so")
        self.assertIsNotNone(load_failure(entry("{allowParallelInProgress: true}", name="leads-out"), plugins=[outside]))


class Life(unittest.TestCase):
    def test_a_plugin_waits_for_what_it_needs(self):
        with Script(without=["tools"]) as script:
            self.assertEqual(script.op("tools"), {"ok": False, "error": 'service "tools" is absent'})
            self.assertIn("waits for tools", script.stderr())
            script.ok("service/add", name="tools")
            self.assertEqual([tool["name"] for tool in script.ok("tools")["tools"]], ["todo_write"])

    def test_a_plugin_waits_for_what_its_entry_needs(self):
        with Script(entry("{allowParallelInProgress: true}", inject="[sessionProjections, mail]"), without=["sessionProjections"]) as script:
            script.ok("service/add", name="sessionProjections")
            self.assertEqual(script.ok("tools")["tools"], [])

    def test_losing_a_required_service_unloads_and_its_return_applies_afresh(self):
        with Script() as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={"turn": 1})
            script.ok("service/remove", name="tools")
            self.assertEqual(script.ok("projection/read", session="s")["values"], {})
            script.ok("service/add", name="tools")
            self.assertIs(script.call(items("a:p"), session="s")["isError"], False)
            self.assertEqual(script.todos("s"), items("a:p"))

    def test_losing_an_optional_service_keeps_the_tool(self):
        with Script() as script:
            script.ok("session/create", session="s")
            for service in ("sessionProjections", "invariants"):
                script.ok("service/remove", name=service)
            self.assertIs(script.call(items("a:p"), session="s")["isError"], False)

    def test_everything_of_a_plugin_goes_with_it(self):
        with Script(entry("{allowParallelInProgress: true}", id="todo")) as script:
            script.ok("session/create", session="s")
            script.ok("plugin/unload", id="todo")
            self.assertEqual(script.ok("tools")["tools"], [])
            self.assertEqual(script.ok("projection/read", session="s")["values"], {})
            self.assertIs(script.op("session/append", session="s", type="todo/write", data={"todos": 5})["ok"], True)
            self.assertEqual(script.op("plugin/unload", id="todo")["ok"], False)
            # The rule refuses the log that it finds: the entry fails.
            self.assertIs(script.op("plugin/load", id="todo")["ok"], False)

    def test_a_plugin_is_loaded_again_by_its_id_or_its_name(self):
        with Script(entry("{allowParallelInProgress: true}", id="todo")) as script:
            for name in ("todo", "@deepseek-ai/dsh-tool-todo"):
                script.ok("plugin/unload", id=name)
                script.ok("plugin/load", id=name)
            self.assertEqual(len(script.ok("tools")["tools"]), 1)
            self.assertIs(script.op("plugin/load", id="todo")["ok"], False)
            self.assertIs(script.op("plugin/load", id="other")["ok"], False)

    def test_services_that_are_there_absent_or_unknown(self):
        with Script() as script:
            for op, name in (("service/add", "tools"), ("service/add", "mail"), ("service/remove", "mail")):
                self.assertIs(script.op(op, name=name)["ok"], False)
            script.ok("service/remove", name="invariants")
            self.assertIs(script.op("service/remove", name="invariants")["ok"], False)


class Registry(unittest.TestCase):
    def test_tools_are_listed_in_order_of_registration(self):
        composition = "- name: probe\n  config: tool other\n" + PARALLEL
        self.assertEqual(tools(composition, plugins=[build.LIBRARIES, build.PLUGINS]), ["probe", "other", "todo_write"])

    def test_an_unknown_tool_is_an_answer(self):
        with Script() as script:
            answer = script.op("tool/call", name="nope", arguments="{}")
            self.assertEqual((answer["ok"], answer["isError"], answer["text"]), (True, True, 'Error: unknown tool "nope"'))
            self.assertNotIn("errorInfo", answer)

    def test_two_policies_side_by_side_in_two_hosts(self):
        for composition, refused in ((PARALLEL, False), (SINGLE, True)):
            with Script(composition, without=["invariants"]) as script:
                script.ok("session/create", session="s")
                self.assertIs(script.call(items("a:i, b:i"), session="s")["isError"], refused)


if __name__ == "__main__":
    unittest.main()
