"""The command line: help, options, exit statuses, and what cannot be understood."""
import os
import re
import shutil
import subprocess
import unittest

import build
import loader
from command_line import CHATTY, CommandLineTest
from loader import PARALLEL

COMMANDS = ["tools", "plugins", "call", "run", "plan", "mcp", "sessions", "audit", "check"]


class MistypedOptions(unittest.TestCase):
    def test_the_option_is_named_whatever_it_upsets(self):
        for words, option in ((["--sesions", "x", "plan"], "--sesions"), (["--verbose"], "--verbose"), (["plan", "--sesion", "demo"], "--sesion"),
                              (["tools", "--jsn=1"], "--jsn=1")):
            with self.subTest(words):
                done = loader.run(*words)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(f"there is no option {option}; see loader-sample".encode(), done.stderr)
                self.assertEqual(done.stderr.count(b"\n"), 1)


class EmptyValues(unittest.TestCase):
    def test_an_option_with_nothing_behind_its_sign_takes_no_other_word(self):
        options = {command: re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+) [A-Z]+\b", loader.run(command, "--help").stdout.decode()) for command in COMMANDS}
        self.assertIn("--session", options["plan"])
        self.assertIn("--limit", options["check"])
        for command, names in options.items():
            for name in names:
                for words in ([command, name + "="], [command, name + "=", "--json"], [name + "=", command, "--json"]):
                    with self.subTest(words):
                        done = loader.run(*words)
                        self.assertEqual((done.returncode, done.stdout), (2, b""))
                        self.assertIn(f"{name} must ".encode(), done.stderr)
                        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"--session must not be empty; see loader-sample plan --help", loader.run("plan", "--session=", "--json").stderr)

    def test_a_word_behind_two_dashes_is_no_option(self):
        done = loader.run("call", "--no-agent", "--", "--session=", "{}")
        self.assertIn(b"unknown tool", done.stdout + done.stderr)


class Help(CommandLineTest):
    def test_the_program_and_each_command_help_with_an_example(self):
        for command in [[]] + [[command] for command in COMMANDS]:
            for words in (command + ["--help"], ["--help"] + command, command + ["-h"]):
                with self.subTest(words=words):
                    done = self.run_loader(*words)
                    self.assertEqual((done.returncode, done.stderr), (0, b""))
                    self.assertIn(b"Example", done.stdout)

    def test_no_word_of_the_library_that_reads_the_options(self):
        for command in [[]] + [[command] for command in COMMANDS]:
            with self.subTest(command=command):
                text = self.run_loader(*command, "--help").stdout.decode()
                self.assertNotRegex(text, r"TEXT|UINT|INT\b|FLOAT|REQUIRED|Excludes|Needs|Positionals|\{tools,|:\{| \.\.\.")

    def test_what_a_command_needs_is_in_its_usage(self):
        for command, usage in (("plan", "plan --session ID [OPTIONS]"), ("call", "call TOOL [ARGUMENTS] --session ID [OPTIONS]"),
                               ("audit", "audit PATH... [OPTIONS]"), ("check", "check LIBRARY... [OPTIONS]"), ("mcp", "mcp [--session ID] [OPTIONS]")):
            text = self.run_loader(command, "--help").stdout.decode()
            self.assertEqual(text.splitlines()[0], f"Usage: loader-sample {usage}")
        for command in ("plan", "call"):
            self.assertRegex(self.run_loader(command, "--help").stdout.decode(), r"(?m)^  --session ID +.*required")

    def test_the_examples_are_understood(self):
        """Each is run as it stands, in a directory that has what it names; none is a usage error."""
        bin = self.directory / "bin"
        bin.mkdir()
        (bin / "loader-sample").symlink_to(build.LOADER)
        self.write("todo.yaml", PARALLEL)
        self.write("list.json", '{"todos":[]}')
        self.write("script.jsonl", '{"op":"tools"}\n')
        shutil.copy(build.PLUGINS / "dsh-tool-todo.so", self.directory / "my-plugin.so")
        env = loader.environment(self.directory, PATH=f"{bin}:{os.environ['PATH']}")
        examples = [line[2:] for command in ([], *([one] for one in COMMANDS))
                    for line in self.run_loader(*command, "--help").stdout.decode().split("Example")[1].splitlines()
                    if line.startswith("  ")]
        self.assertGreater(len(examples), 15)
        for example in examples:
            if example.startswith("loader-sample check ./my-plugin.so") or "--watch" in example:
                example += " --help"  # it would take its time
            with self.subTest(example=example):
                done = subprocess.run(["bash", "-c", example], capture_output=True, env=env, cwd=self.directory, stdin=subprocess.DEVNULL, timeout=300)
                self.assertNotIn(b"; see loader-sample", done.stderr)

    def test_help_lists_every_command(self):
        text = self.run_loader("--help").stdout.decode()
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} +\S")

    def test_the_version(self):
        version = re.search(r"VERSION (\d+\.\d+\.\d+)", (build.SOURCE / "CMakeLists.txt").read_text())[1]
        self.assertEqual(self.run_loader("--version").stdout.decode(), f"loader-sample {version}\n")


class Options(CommandLineTest):
    def test_they_stand_before_or_after_the_command(self):
        options = ["--composition", self.composition, "--plugins", build.PLUGINS, "--json"]
        before, after = self.run_loader(*options, "tools"), self.run_loader("tools", *options)
        self.assertEqual((before.returncode, after.returncode), (0, 0), before.stderr + after.stderr)
        self.assertEqual(before.stdout, after.stdout)
        mixed = self.run_loader("--session", "a", f"--composition={self.composition}", "call", "--memory", "todo_write", '{"todos":[]}')
        self.assertEqual(mixed.returncode, 0, mixed.stderr)

    def test_a_tool_may_be_called_as_a_command_is(self):
        done = self.run_loader("call", "plan", "{}", "--no-agent", "--composition", self.composition)
        self.assertEqual((done.returncode, done.stdout), (1, b'Error: unknown tool "plan"\n'))

    def test_plugins_directories_repeat_and_the_first_that_has_the_file_wins(self):
        empty = self.directory / "empty"
        empty.mkdir()
        done = self.run_loader("plugins", "--plugins", empty, "--plugins", build.PLUGINS, "--composition", self.composition)
        self.assertIn(str(build.PLUGINS.resolve()), done.stdout.decode())

    def test_the_plugin_path_of_the_environment(self):
        copy = self.directory / "plugins"
        copy.mkdir()
        shutil.copy(build.PLUGINS / "dsh-tool-todo.so", copy / "other.so")
        composition = self.write("other.yaml", PARALLEL.replace("dsh-tool-todo", "other"))
        done = self.run_loader("tools", "--composition", composition,
                               env=loader.environment(self.directory, DSH_PLUGIN_PATH=f"/nonexistent::{copy}"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_default_composition_and_plugin_are_found(self):
        done = self.run_loader("plugins")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"todo_write", done.stdout)

    def test_log_levels(self):
        composition = self.write("chatty.yaml", "- name: chatty\n")
        for level, shown in (("debug", True), ("warn", True), ("error", False), ("off", False)):
            with self.subTest(level=level):
                done = self.run_loader("tools", "--composition", composition, "--plugins", CHATTY, "--log-level", level)
                self.assertEqual(b"red" in done.stderr, shown, done.stderr)
                self.assertNotIn(b"\x1b[31m", done.stderr)


class Usage(CommandLineTest):
    def test_what_cannot_be_understood_is_one_line(self):
        for words, part in ((["bogus"], "bogus"), ([], "command"), (["plan"], "--session"), (["call"], "TOOL"), (["audit"], "PATH"),
                            (["tools", "extra"], "extra"), (["tools", "--bogus"], "--bogus"), (["tools", "--composition"], "--composition"),
                            (["tools", "--log-level", "loud"], "loud"), (["tools", "--without", "mail"], "mail"),
                            (["sessions", "--memory", "--sessions", "x"], "--memory"), (["plan", "--session", "s", "--memory"], "--memory"),
                            (["plan", "--session", "s", "--watch", "--json"], "--json"), (["call", "todo_write"], "--session"),
                            (["plan", "--session", "s", "--markdown", "--history"], "--history"), (["sessions", "--without", "tools"], "--without"),
                            (["tools", "\x1b[31m\n"], "\\x1b")):
            with self.subTest(words=words):
                self.assert_cannot(self.run_loader(*words), part)


    def test_options_that_one_of_them_would_ignore_are_refused_together(self):
        plan, check = ["plan", "--session", "s"], ["check"]
        for words, first, second in ((plan + ["--markdown", "--json"], "--markdown", "--json"), (plan + ["--watch", "--json"], "--watch", "--json"),
                                     (plan + ["--wrap", "--json"], "--wrap", "--json"), (plan + ["--wrap", "--markdown"], "--wrap", "--markdown"),
                                     (plan + ["--wrap", "--history"], "--wrap", "--history"), (plan + ["--watch", "--history"], "--watch", "--history"),
                                     (plan + ["--watch", "--markdown"], "--watch", "--markdown"),
                                     (["call", "t", "--no-agent", "--session", "s"], "--no-agent", "--session"),
                                     (check + ["--list", "--only", "x"], "--list", "--only"), (check + ["--list", "x.so"], "--list", "LIBRARY"),
                                     (check + ["--list", "--seed", "3"], "--list", "--seed"), (check + ["--list", "--quiet"], "--list", "--quiet"),
                                     (check + ["--list", "--without", "tools"], "--list", "--without"),
                                     (check + ["x.so", "--quiet", "--json"], "--quiet", "--json"),
                                     (check + ["x.so", "--in-process", "--jobs", "2"], "--in-process", "--jobs"),
                                     (check + ["x.so", "--in-process", "--limit", "2"], "--in-process", "--limit"),
                                     (["sessions", "--memory", "--sessions", "x"], "--memory", "--sessions")):
            with self.subTest(words=words):
                self.assert_cannot(self.run_loader(*words), first, second, " does not go with ", f"; see loader-sample {words[0]} --help")

    def test_each_error_says_in_plain_words_what_is_wrong(self):
        for words, text in ((["tools", "extra"], "unexpected argument: extra"), (["run", "a", "b", "c"], "unexpected argument: b"),
                            (["tools", "--composition"], "--composition needs a value"), (["plan", "--session"], "--session needs a value"),
                            (["plan", "--session", "a", "--session", "b"], "--session may be given only once"),
                            (["tools", "--log-level", "loud"], '--log-level must be debug, info, warn, error or off, not "loud"'),
                            (["tools", "--without", "mail"], '--without must be tools, sessions, invariants or sessionProjections, not "mail"'),
                            (["check", "x", "--limit", "0"], '--limit must be a number from 1 to 3600, not "0"'),
                            (["check", "x", "--jobs", "1.5"], '--jobs must be a number from 1 to 256, not "1.5"'),
                            (["check", "x", "--seed", "-1"], '--seed must be a number from 1 to 18446744073709551615, not "-1"'),
                            (["check", "x", "--seed", "abc"], '--seed must be a number from 1 to 18446744073709551615, not "abc"'),
                            (["plan", "--session", "s", "--watch=3"], "--watch takes no value"), (["tools", "--json=false"], "--json takes no value"),
                            (["sessions", "--cwd", ""], "--cwd must not be empty"), (["call"], "TOOL is missing"), (["audit"], "PATH is missing"),
                            (["plan", "demo"], "unexpected argument: demo; a session is named with --session demo"),
                            (["call", "t", "{}", "x"], "unexpected argument: x"), ([], "a command is missing")):
            with self.subTest(words=words):
                done = self.run_loader(*words)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                command = f" {words[0]}" if words else ""
                self.assertEqual(done.stderr.decode(), f"loader-sample: {text}; see loader-sample{command} --help\n")

    def test_help_is_a_word_too(self):
        for words in ([], *([command] for command in COMMANDS)):
            self.assertEqual(self.run_loader("help", *words).stdout, self.run_loader(*words, "--help").stdout)
        self.assert_cannot(self.run_loader("help", "bogus"), 'there is no command "bogus"')

    def test_what_reads_the_disk_refuses_to_keep_sessions_in_memory(self):
        for words in (["plan", "--session", "s"], ["sessions"], ["audit", self.directory]):
            self.assert_cannot(self.run_loader(*words, "--memory"), "leave out --memory")

    def test_an_empty_value_is_not_the_default(self):
        """`--session "$UNSET"` means something else than no --session."""
        for words, option in ((["mcp", "--session", ""], "--session"), (["plan", "--session", ""], "--session"), (["call", "t", "--session", ""], "--session"),
                              (["sessions", "--sessions", ""], "--sessions"), (["sessions", "--cwd", ""], "--cwd"), (["tools", "--composition", ""], "--composition"),
                              (["tools", "--plugins", ""], "--plugins"), (["run", ""], "SCRIPT"), (["audit", ""], "PATH"), (["check", ""], "LIBRARY"),
                              (["sessions", "--sessions="], "--sessions")):
            with self.subTest(words=words):
                self.assert_cannot(self.run_loader(*words), option)
        self.assert_cannot(self.run_loader("check", "x.so", "--seed", "0"), "--seed")


if __name__ == "__main__":
    unittest.main()
