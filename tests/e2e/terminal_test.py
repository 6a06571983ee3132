"""What every command writes to a terminal: nothing that it would obey, and no line wider than it is."""
import json
import os
import pathlib
import pty
import select
import subprocess
import tempfile
import unittest

import build
import loader
import terminal

COMMANDS = ("tools", "plugins", "call", "run", "plan", "mcp", "sessions", "audit", "check")
# A character of each kind that a terminal obeys, hides or lets turn the line: C1, DEL, overrides, separators, tags.
OBEYED = "\u009b2J \u0085 \x7f \u202egnp.exe \u2066 \u061c \u2028 \ufeff \U000e0041"
RAW = [character for character in OBEYED if character > "~"]


class TerminalTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(loader.PARALLEL)
        self.sessions = self.directory / "sessions"
        self.options = ["--sessions", self.sessions, "--composition", self.composition, "--plugins", build.PLUGINS]

    def write(self, *contents, session="s"):
        todos = json.dumps({"todos": [{"content": content, "status": "in_progress"} for content in contents]})
        done = loader.run("call", "todo_write", todos, "--session", session, *self.options)
        self.assertEqual(done.returncode, 0, done)

    def on_terminal(self, *arguments, **options):
        return terminal.on_terminal([build.LOADER, *arguments], **options)


class Json(TerminalTest):
    """JSON goes to terminals and to files that are shown on them later: the same bytes to both. Answers in a
    protocol are what programs compare: escapes are for a person at the terminal."""

    def check(self, *arguments, statuses=(0,), input=""):
        done = loader.run(*arguments, *self.options, input=input)
        self.assertIn(done.returncode, statuses, done)
        text = done.stdout.decode()
        json.loads(text.splitlines()[-1])
        self.assertEqual([character for character in RAW if character in text], [], arguments)
        return text

    def test_of_every_command(self):
        id = "s" + OBEYED
        self.write("first " + OBEYED, session=id)
        composition = self.directory / "named.yaml"
        named = json.dumps("./" + OBEYED, ensure_ascii=True)
        composition.write_text(loader.PARALLEL + f"- name: {named}\n  disabled: true\n")
        for arguments in (["plan", "--session", id, "--json"], ["plan", "--session", id, "--history", "--json"],
                          ["sessions", "--json"], ["audit", self.sessions, "--json"],
                          ["call", "todo_write", json.dumps({OBEYED: 1, "todos": [{"content": OBEYED, "status": "pending"}]}), "--session", "t", "--json"]):
            with self.subTest(arguments=arguments):
                text = self.check(*arguments)
                self.assertIn("\\u009b2J", text)
                if arguments[0] != "call":  # which changes what it reads
                    self.assertEqual(self.on_terminal(*arguments, *self.options)[1], text.splitlines())
        refused = json.dumps({"todos": [{"content": OBEYED, "status": "pending"}] * 2})
        self.assertIn("\\u009b2J", self.check("call", "todo_write", refused, "--session", "t", "--json", statuses=(1,)))
        done = loader.run("plugins", "--json", "--composition", composition, "--plugins", build.PLUGINS)
        self.assertIn("\\u009b2J", done.stdout.decode())
        self.assertEqual([character for character in RAW if character in done.stdout.decode()], [])

    def test_the_value_is_the_same(self):
        self.write(OBEYED)
        text = self.check("plan", "--session", "s", "--json")
        self.assertEqual(json.loads(text)["todos"][0]["content"], OBEYED)

    def test_of_script_mode_and_mcp_at_a_terminal(self):
        for command, line, key in ((["run"], {"op": OBEYED}, "error"),
                                   (["mcp", "--memory"], {"jsonrpc": "2.0", "id": OBEYED, "method": "ping"}, "id")):
            answer = self.at_a_terminal(json.dumps(line), *command, "--composition", self.composition)
            self.assertIn(OBEYED, json.loads(answer)[key])
            self.assertEqual([character for character in RAW if character in answer], [])

    def at_a_terminal(self, line, *command):
        """The one line that `command`, given `line`, writes to a terminal."""
        master, slave = pty.openpty()
        with subprocess.Popen([build.LOADER, *map(str, command)], stdin=subprocess.PIPE, stdout=slave,
                              stderr=subprocess.DEVNULL, env=terminal.environment()) as process:
            os.close(slave)
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            output = b""
            while not output.endswith(b"\n"):
                output += os.read(master, 65536)
        os.close(master)
        return output.decode()

    def test_of_script_mode_and_mcp_for_programs(self):
        lines = [{"op": "session/create", "session": OBEYED}, {"op": "session/append", "session": OBEYED, "type": "acme/note", "data": OBEYED},
                 {"op": "session/events", "session": OBEYED}, {"op": OBEYED}]
        script = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        done = loader.run("run", "--composition", self.composition, input=script)
        text = done.stdout.decode()
        self.assertEqual(json.loads(text.split("\n")[2])["events"][0]["data"], OBEYED)
        self.assertIn(OBEYED, text.split("\n")[2])
        line = json.dumps({"jsonrpc": "2.0", "id": OBEYED, "method": OBEYED}, ensure_ascii=False) + "\n"
        text = loader.run("mcp", "--memory", "--composition", self.composition, input=line).stdout.decode()
        self.assertEqual(json.loads(text)["id"], OBEYED)
        self.assertIn(OBEYED, text)


class Width(TerminalTest):
    """At 40 columns no line is wider, but where one word is: a path, a command to be copied."""

    def check(self, *arguments, statuses=(0,), columns=40):
        status, lines = self.on_terminal(*arguments, columns=columns)
        self.assertIn(status, statuses, lines)
        lines = [terminal.bare(line) for line in lines]
        self.assertGreater(len(lines), 0)
        for line in lines:
            if terminal.width(line) > columns and " loader-sample " not in line:
                self.assertGreater(terminal.width(line.split()[-1]) + 4, columns, f"{line}\ncould be broken")
        return lines

    def test_help(self):
        for command in ([], *([one] for one in COMMANDS)):
            with self.subTest(command=command):
                lines = self.check(*command, "--help")
                self.assertEqual(" ".join(" ".join(lines).split()),
                                 " ".join(loader.run(*command, "--help").stdout.decode().split()), "nothing is left out")

    def test_what_the_plugins_bring(self):
        for command in ("tools", "plugins"):
            with self.subTest(command=command):
                self.check(command, *self.options)
        composition = self.directory / "waits.yaml"
        composition.write_text("- id: a-rather-long-id-of-an-entry\n  name: '@deepseek-ai/dsh-tool-todo'\n  inject: [one, two, three, four, five]\n")
        lines = self.check("plugins", "--composition", composition, "--log-level", "off")
        self.assertIn("waits for one, two, three, four, five", " ".join(" ".join(lines).split()))

    def test_the_list_of_tests(self):
        self.check("check", "--list")

    def test_the_result_of_a_check(self):
        self.check("check", build.PLUGINS / "dsh-tool-todo.so", "--only", "library.*")

    def test_audits_of_one_log_and_of_many(self):
        self.write("a rather long content for an item of a plan", "and one more of them")
        self.check("audit", self.sessions, *self.options)
        self.write("another rather long content for an item of a plan", session="t")
        (log,) = self.sessions.glob("*/t/session.jsonl")
        with log.open("a") as stream:
            stream.write('{"type":"todo/write","seq":8,"time":1,"data":{"todos":[]}}\n')
        lines = self.check("audit", self.sessions, *self.options, statuses=(1,))
        self.assertIn("appended outside any open turn", " ".join(" ".join(lines).split()), "a finding is told whole")
        self.assertEqual(sum(line.startswith("  plan: 0/2 completed") for line in lines), 1)

    def test_what_a_tool_answers(self):
        lines = self.check("call", "todo_write", '{"todos":[]}', "--session", "s", *self.options)
        self.assertEqual(" ".join(lines[:2]), "Updated todo list: 0 pending, 0 in progress, 0 completed.")
        self.check("call", "todo_write", "{}", "--session", "s", *self.options, statuses=(1,))

    def test_a_damaged_session(self):
        self.write("a")
        (log,) = self.sessions.glob("*/s/session.jsonl")
        log.write_text("junk and more of it\n")
        lines = self.check("sessions", *self.options, statuses=(1,))
        self.assertIn("damaged:", lines[1])


class Complaints(TerminalTest):
    """What goes wrong is a line; a terminal gets lines that end between words."""

    def test_they_are_broken_between_words(self):
        composition = self.directory / "typo.yaml"
        composition.write_text("- name: '@deepseek-ai/dsh-tool-todo'\n  disable: true\n  config:\n    allowParallelInProgress: true\n")
        for words in (["plan"], ["plan", "--session", "none", "--sessions", "s", "--composition", composition], ["tools", "--bogus"]):
            whole = loader.run(*words, cwd=self.directory).stderr.decode()
            _, lines = terminal.on_terminal([build.LOADER, *words], columns=40, cwd=self.directory)
            self.assertGreater(len(lines), len(whole.splitlines()))
            self.assertEqual(" ".join(line.strip() for line in lines).split(), whole.split())
            for line in lines:
                self.assertTrue(terminal.width(line) <= 40 or " " not in line.strip(), line)


class Waiting(TerminalTest):
    """Who is asked for input at a terminal is told so, and how it ends."""

    def typed(self, *arguments, keys):
        """What a command prints whose standard input is a terminal and whose stderr a pipe."""
        master, slave = pty.openpty()
        with subprocess.Popen([str(build.LOADER), *map(str, arguments)], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=loader.environment(self.directory)) as process:
            os.close(slave)
            self.assertTrue(select.select([process.stderr], [], [], 60)[0], "it says nothing")
            told = process.stderr.readline().decode()
            self.assertIsNone(process.poll())
            os.write(master, keys)
            out = process.stdout.read().decode()
            self.assertEqual(process.wait(60), 0)
        os.close(master)
        return told, out

    def test_a_script(self):
        for script in ([], ["-"]):
            told, out = self.typed("run", *script, "--composition", self.composition, keys=b'{"op":"session/create"}\n\x04')
            self.assertIn("JSON", told)
            self.assertIn("Ctrl-D", told)
            self.assertEqual(json.loads(out), {"ok": True, "session": "session-1"})

    def test_arguments(self):
        told, out = self.typed("call", "todo_write", "-", "--memory", "--composition", self.composition, keys=b'{"todos":[]}\n\x04')
        self.assertIn("JSON", told)
        self.assertIn("Ctrl-D", told)
        self.assertEqual(out, "Updated todo list: 0 pending, 0 in progress, 0 completed.\n")

    def test_requests_of_a_client(self):
        told, out = self.typed("mcp", "--memory", "--composition", self.composition, keys=b"\x04")
        self.assertRegex(told, r"^loader-sample: serving the session mcp-.* MCP clients, .*Ctrl-D ends it\n$")
        self.assertEqual(out, "")

    def test_a_pipe_is_told_nothing(self):
        for arguments in (["run"], ["call", "todo_write", "-", "--memory"]):
            self.assertEqual(loader.run(*arguments, "--composition", self.composition, input="{}").stderr, b"")


if __name__ == "__main__":
    unittest.main()
