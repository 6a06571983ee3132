"""Plugins that cannot be loaded, and what the commands tell of those that can."""
import json
import re
import shutil
import unittest

import build
from command_line import CommandLineTest
from loader import PARALLEL


class BadPlugins(CommandLineTest):
    """Each kind is told apart, and names file, entry and cause."""

    def load(self, name, *directories, **more):
        composition = self.write("c.yaml", f"- id: it\n  name: {name}\n")
        options = [word for directory in directories or [build.LIBRARIES] for word in ("--plugins", directory)]
        return self.run_loader("tools", "--composition", composition, *options, **more)

    def test_contracts_that_are_broken(self):
        for name, cause in (("no_name", "undefined symbol: name"), ("no_inject", "undefined symbol: inject"), ("no_apply", "undefined symbol: apply"),
                            ("default_export", "`default`"), ("abi_newer", "revision 7"), ("undefined_symbol", "nobody_defines_this"),
                            ("needs_missing", "libmissing.so"), ("absent", "absent.so")):
            with self.subTest(name=name):
                self.assert_cannot(self.load(name), "c.yaml", f"failed to apply loader entry it ({name})", cause)

    def test_files_that_are_no_libraries(self):
        plugins = self.directory / "plugins"
        plugins.mkdir()
        (plugins / "text.so").write_text("not a library\n")
        (plugins / "empty.so").touch()
        (plugins / "folder.so").mkdir()
        whole = (build.PLUGINS / "dsh-tool-todo.so").read_bytes()
        (plugins / "half.so").write_bytes(whole[: len(whole) // 2])
        (plugins / "foreign.so").write_bytes(whole[:18] + b"\xb7\x00" + whole[20:])  # AArch64
        (plugins / "dangling.so").symlink_to("nowhere.so")
        causes = set()
        for name in ("text", "empty", "folder", "half", "foreign", "dangling"):
            with self.subTest(name=name):
                done = self.load(name, plugins)
                self.assert_cannot(done, f"loader entry it ({name})", f"{name}.so")
                causes.add(done.stderr.decode().replace(name, "NAME"))
        self.assertEqual(len(causes), 6, causes)

    def test_a_file_that_cannot_be_read(self):
        plugins = self.directory / "plugins"
        plugins.mkdir()
        shutil.copy(build.PLUGINS / "dsh-tool-todo.so", plugins / "secret.so")
        (plugins / "secret.so").chmod(0)
        self.assert_cannot(self.load("secret", plugins, as_anyone=True), "secret.so", "Permission denied")

    def test_files_that_others_may_write(self):
        plugins = self.directory / "plugins"
        plugins.mkdir()
        copy = plugins / "todo.so"
        shutil.copy(build.PLUGINS / "dsh-tool-todo.so", copy)
        copy.chmod(0o666)
        self.assert_cannot(self.load("todo", plugins), "todo.so", "chmod")
        copy.chmod(0o644)
        plugins.chmod(0o777)
        self.assert_cannot(self.load("todo", plugins), str(plugins))

    def test_a_config_that_is_refused(self):
        composition = self.write("c.yaml", "- name: '@deepseek-ai/dsh-tool-todo'\n")
        self.assert_cannot(self.run_loader("tools", "--composition", composition), "c.yaml", "@deepseek-ai/dsh-tool-todo",
                           "invalid config: - $.allowParallelInProgress missing required value (at allowParallelInProgress)")

    def test_a_composition_that_is_not_there_or_no_yaml(self):
        self.assert_cannot(self.run_loader("tools", "--composition", "/nonexistent.yaml"), "/nonexistent.yaml", "No such file")
        self.assert_cannot(self.run_loader("tools", "--composition", self.directory), str(self.directory))
        self.assert_cannot(self.run_loader("tools", "--composition", self.write("bad.yaml", "- [\n")), "bad.yaml:")

    def test_plugins_shows_which_entry_failed_and_why(self):
        composition = self.write("c.yaml", PARALLEL + "- id: it\n  name: no_apply\n")
        done = self.run_loader("plugins", "--composition", composition, "--plugins", build.PLUGINS, "--plugins", build.LIBRARIES)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout.decode(), r"no_apply \(it\): failed\n  failure +.*apply")
        self.assertIn("(entry-1): unloaded", done.stdout.decode())


class Tools(CommandLineTest):
    def test_the_text_shows_the_schemas_spread_out(self):
        (tool,) = json.loads(self.run_loader("tools", "--json").stdout)["tools"]
        text = self.run_loader("tools").stdout.decode()
        name, description, arguments, value = re.fullmatch(r"(\w+)\n    (.*)\n  arguments\n(.*)\n  value\n(.*)\n", text, re.DOTALL).groups()
        self.assertEqual((name, description), (tool["name"], tool["description"]))
        self.assertEqual((json.loads(arguments), json.loads(value)), (tool["parameters"], tool["output"]))
        self.assertGreater(len(arguments.splitlines()), 20)


class Plugins(CommandLineTest):
    def test_the_table_tells_what_each_entry_registered(self):
        composition = self.write("c.yaml", PARALLEL + "- id: off\n  name: whatever\n  disabled: true\n"
                                 "- id: later\n  name: sound\n  inject: [mail]\n- name: '@deepseek-ai/dsh-tools'\n")
        done = self.run_loader("plugins", "--json", "--composition", composition, "--plugins", build.PLUGINS, "--plugins", build.LIBRARIES)
        self.assertEqual(done.returncode, 0, done.stderr)
        todo, off, later, provided = json.loads(done.stdout)["plugins"]
        self.assertEqual((todo["state"], todo["label"], todo["abiVersion"]), ("active", "tool-todo", 1))
        self.assertEqual([(one["kind"], one["name"], one["active"]) for one in todo["registered"]],
                         [("tool", "todo_write", True), ("projection", "todos", True), ("invariant", "@deepseek-ai/dsh-tool-todo", True)])
        self.assertEqual((off["state"], later["state"], later["missing"], provided["state"]), ("disabled", "pending", ["mail"], "provided"))
        self.assertIn(b"later: sound is pending: it waits for mail", done.stderr)

    def test_the_text_says_what_each_state_means(self):
        composition = self.write("c.yaml", PARALLEL + "- id: off\n  name: whatever\n  disabled: true\n"
                                 "- id: later\n  name: sound\n  inject: [mail]\n- id: own\n  name: '@deepseek-ai/dsh-tools'\n")
        text = self.run_loader("plugins", "--composition", composition, "--plugins", build.PLUGINS, "--plugins", build.LIBRARIES).stdout.decode()
        for line in ("@deepseek-ai/dsh-tool-todo (entry-1): active\n", "whatever (off): disabled\n", "sound (later): pending, waits for mail\n",
                     "@deepseek-ai/dsh-tools (own): provided by this host: nothing is loaded for it\n"):
            self.assertIn(line, text)

    def test_a_registration_may_wait(self):
        done = self.run_loader("plugins", "--composition", self.composition, "--without", "invariants", "--without", "sessionProjections")
        self.assertRegex(done.stdout.decode(), r"invariant +\S+ \(waits for invariants\)")


if __name__ == "__main__":
    unittest.main()
