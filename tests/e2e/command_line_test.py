"""The command line: help, options, exit statuses, bad input of every kind, and what reaches stdout."""
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import build
import loader
from loader import PARALLEL

COMMANDS = ["tools", "plugins", "call", "run", "plan", "mcp", "sessions", "audit", "check"]
CHATTY = pathlib.Path(build.BUILD, "tests", "e2e", "plugins")


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


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.composition = self.write("c.yaml", PARALLEL)

    def write(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path

    def run_loader(self, *arguments, **more):
        more.setdefault("env", loader.environment(self.directory))
        return loader.run(*arguments, **more)

    def assert_cannot(self, done, *parts):
        """Exit status 2, one line on stderr that holds the parts, nothing on stdout."""
        self.assertEqual((done.returncode, done.stdout), (2, b""), done)
        lines = done.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith("loader-sample: "), lines)
        for part in parts:
            self.assertIn(part, lines[0])


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


class Stdout(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.options = ["--composition", self.write("chatty.yaml", "- name: chatty\n"), "--plugins", CHATTY]

    def test_what_a_plugin_prints_never_gets_between_results(self):
        done = self.run_loader("call", "chat", "hello", "--memory", *self.options)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"))
        for when in (b"opening", b"applying", b"running", b"closing"):
            self.assertIn(b"chatter while " + when, done.stderr)
        self.assertEqual(self.run_loader("tools", "--json", *self.options).stdout[:10], b'{"tools":[')

    def test_script_mode_stays_json(self):
        done = self.run_loader("run", *self.options, input='{"op":"tool/call","name":"chat","arguments":"hi"}\n')
        self.assertEqual(done.stdout, b'{"ok":true,"isError":false,"text":"hi"}\n')

    def test_a_closed_stdout_or_a_full_disk_is_an_error(self):
        for redirection, cause in ((">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")):
            with self.subTest(redirection=redirection):
                done = subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", str(build.LOADER), "tools", "--composition", str(self.composition)],
                                      capture_output=True, env=loader.environment(self.directory))
                self.assertEqual(done.returncode, 2)
                self.assertIn(cause, done.stderr.decode())

    def test_a_reader_that_has_seen_enough_ends_it_in_silence(self):
        sessions = self.directory / "sessions"
        with loader.Script(sessions=sessions) as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={})
            for i in range(200):
                script.call([{"content": f"{i} " + "x" * 1000, "status": "pending"}], session="s")
        for command in (["plan", "--session", "s"], ["plan", "--session", "s", "--history"], ["plan", "--session", "s", "--json"],
                        ["tools"], ["sessions"], ["audit", sessions], ["--help"]):
            with self.subTest(command=command):
                words = [str(word) for word in (build.LOADER, *command)]
                if command[0] in ("plan", "tools", "sessions"):
                    words += ["--sessions", str(sessions)]
                if command[0] in ("plan", "tools"):
                    words += ["--composition", str(self.composition)]
                reader, writer = os.pipe()
                os.close(reader)
                done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, env=loader.environment(self.directory))
                os.close(writer)
                self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, b""))

    def test_a_full_disk_is_no_fault_of_the_log(self):
        sessions = self.directory / "sessions"
        with loader.Script(sessions=sessions) as script:
            script.ok("session/create", session="s")
            script.ok("session/append", session="s", type="turn/start", data={})
            script.call([{"content": "a", "status": "pending"}], session="s")
        for more in ([], ["--history"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([str(build.LOADER), "plan", "--session", "s", "--sessions", str(sessions), "--composition",
                                       str(self.composition), *more], stdout=full, stderr=subprocess.PIPE,
                                      env=loader.environment(self.directory))
            self.assertEqual((done.returncode, done.stderr.decode()),
                             (2, "loader-sample: cannot write the result to stdout: No space left on device\n"))

    def test_closed_standard_descriptors_harm_nothing(self):
        sessions = self.directory / "sessions"
        for redirection in ("<&- 2>&-", "<&- >&- 2>&-"):
            subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", str(build.LOADER), "call", "todo_write", '{"todos":[]}', "--session", "s",
                            "--sessions", str(sessions), "--composition", str(self.composition)], env=loader.environment(self.directory))
        audit = self.run_loader("audit", sessions, "--json")
        self.assertEqual([file["ok"] for file in json.loads(audit.stdout)["files"]], [True], audit)


class Colours(CommandLineTest):
    def on_terminal(self, *arguments, **variables):
        """The output of a command whose stdout is a terminal."""
        master, slave = pty.openpty()
        with subprocess.Popen([str(build.LOADER), *map(str, arguments)], stdin=slave, stdout=slave, stderr=subprocess.DEVNULL,
                              env=loader.environment(self.directory, **variables)) as process:
            os.close(slave)
            output = b""
            while True:
                try:
                    part = os.read(master, 65536)
                except OSError:
                    break
                if not part:
                    break
                output += part
            process.wait()
        os.close(master)
        return output

    def setUp(self):
        super().setUp()
        self.sessions = ["--sessions", self.directory / "sessions", "--composition", self.composition]
        self.run_loader("call", "todo_write", json.dumps({"todos": loader.items("a:c, b:i")}), "--session", "s", *self.sessions)
        self.plan = ["plan", "--session", "s", *self.sessions]

    def test_a_terminal_gets_colours(self):
        self.assertIn(b"\x1b[", self.on_terminal(*self.plan, TERM="xterm-256color"))

    def test_no_colour_where_it_is_not_wanted(self):
        self.assertNotIn(b"\x1b", self.on_terminal(*self.plan, TERM="xterm-256color", NO_COLOR="1"))

    def test_no_colour_on_a_dumb_terminal(self):
        self.assertNotIn(b"\x1b", self.on_terminal(*self.plan, TERM="dumb"))

    def test_no_colour_in_a_pipe(self):
        done = self.run_loader(*self.plan, env=loader.environment(self.directory, TERM="xterm-256color"))
        self.assertNotIn(b"\x1b", done.stdout)

    def test_nothing_foreign_reaches_a_terminal_raw(self):
        text = json.dumps({"todos": [{"content": "\x1b[31m\u202ered\u009b", "status": "pending"}] * 2})
        output = self.on_terminal("call", "todo_write", text, "--session", "s", *self.sessions, TERM="xterm-256color", NO_COLOR="1")
        for character in ("\x1b", "\u202e", "\u009b"):
            self.assertNotIn(character.encode(), output)


if __name__ == "__main__":
    unittest.main()
