"""What reaches stdout: results and nothing else, and colours where they are wanted."""
import json
import os
import pty
import signal
import subprocess
import unittest

import build
import loader
from command_line import CHATTY, CommandLineTest


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
                             (2, "loader-sample: can't write the result to stdout: No space left on device\n"))

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
