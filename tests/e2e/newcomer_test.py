"""The first minutes of somebody who has set nothing up: each message says what is missing, where, and what to do."""
import json
import pathlib
import shutil
import tempfile
import unittest

import build
import loader


class Newcomer(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.alone = self.home / "bin" / "loader-sample"  # without what an installation puts beside it
        self.alone.parent.mkdir()
        shutil.copy(build.LOADER, self.alone)
        self.composition = self.home / "todo.yaml"
        self.composition.write_text(loader.PARALLEL)
        self.root = self.home / ".local/state/dsh/sessions"

    def run_loader(self, *arguments, executable=None, env=None, **more):
        return loader.run(*arguments, executable=executable, env=env or loader.environment(self.home), cwd=self.home, **more)

    def assert_cannot(self, done, *parts):
        self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1), done)
        for part in parts:
            self.assertIn(str(part), done.stderr.decode())

    def test_no_composition(self):
        for command in (["tools"], ["plugins"], ["call", "todo_write", "--memory"], ["plan", "--session", "s"], ["sessions"], ["mcp", "--memory"]):
            with self.subTest(command=command):
                self.assert_cannot(self.run_loader(*command, executable=self.alone), self.home / "share/dsh/todo.yaml", "cmake --install", "--composition FILE")
        done = self.run_loader("run", executable=self.alone)
        self.assertEqual((done.returncode, json.loads(done.stdout)["ok"]), (2, False))

    def test_no_plugin(self):
        for environment, places in ({}, [self.home / "lib/dsh/plugins"]), ({"DSH_PLUGIN_PATH": "/nosuch"}, ["/nosuch", self.home / "lib/dsh/plugins"]):
            done = self.run_loader("tools", "--composition", self.composition, executable=self.alone, env=loader.environment(self.home, **environment))
            self.assert_cannot(done, "dsh-tool-todo.so", ", ".join(map(str, places)), "cmake --install", "--plugins", "DSH_PLUGIN_PATH")

    def test_no_session(self):
        done = self.run_loader("sessions")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        for part in (f"under {self.root}, which does not exist yet", "loader-sample call", "--session ID"):
            self.assertIn(part, done.stderr.decode())
        self.assert_cannot(self.run_loader("plan", "--session", "s"), 'no session "s"', self.root)
        self.assertFalse(self.root.exists(), "looking makes nothing")

    def test_what_is_advised_looks_in_the_same_place(self):
        other = self.home / "other place"
        here = ("--sessions", other, "--composition", self.composition)
        advised = f"loader-sample %s --composition {self.composition} --sessions '{other}'"
        self.assert_cannot(self.run_loader("plan", "--session", "s", *here), advised % "sessions" + " lists")
        self.assert_cannot(self.run_loader("plan", *here), advised % "sessions" + " lists")
        self.assertIn(advised % "call TOOL ARGUMENTS --session ID" + " creates one", self.run_loader("sessions", *here).stderr.decode())
        self.run_loader("call", "todo_write", '{"todos":[]}', "--session", "s", "--cwd", self.home, *here)
        for command in (("plan",), ("call", "todo_write", '{"todos":[]}')):
            done = self.run_loader(*command, "--session", "s", "--cwd", "/elsewhere", *here)
            self.assert_cannot(done, f'belongs to "{self.home}", not to "/elsewhere"; work in its own with --cwd {self.home}')
        self.assert_cannot(self.run_loader("plan", "--session", "other", "--cwd", "/elsewhere", *here), advised % "sessions" + " lists")

    def test_a_directory_of_other_logs(self):
        (self.home / "logs").mkdir()
        (self.home / "logs" / "a.jsonl").touch()
        self.assert_cannot(self.run_loader("audit", "logs"), "no session log in logs; of a directory, session.jsonl", "name other files one by one")

    def test_the_first_call_makes_all_that_is_needed(self):
        done = self.run_loader("call", "todo_write", '{"todos":[]}', "--session", "s")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.run_loader("plan", "--session", "s").stdout, b"To-dos  empty\n")

    def test_no_home(self):
        for env in ({"HOME": "relative"}, {"HOME": "relative", "XDG_STATE_HOME": "relative"}):
            done = self.run_loader("sessions", env=loader.environment(**env))
            self.assert_cannot(done, "--sessions DIR")

    def test_directories_that_cannot_be_read(self):
        self.root.mkdir(parents=True)
        self.root.chmod(0)
        self.addCleanup(self.root.chmod, 0o700)
        for command in (["sessions"], ["plan", "--session", "s"], ["call", "todo_write", "{}", "--session", "s"]):
            with self.subTest(command=command):
                self.assert_cannot(self.run_loader(*command, as_anyone=True), self.root, "Permission denied")

    def test_a_place_where_nothing_can_be_made(self):
        self.root.mkdir(parents=True)
        self.root.chmod(0o500)
        done = self.run_loader("call", "todo_write", '{"todos":[]}', "--session", "s", as_anyone=True)
        self.assert_cannot(done, self.root, "Permission denied")
        self.assertEqual(self.run_loader("sessions", as_anyone=True).returncode, 0)

    def test_a_file_where_the_sessions_should_be(self):
        self.root.parent.mkdir(parents=True)
        self.root.touch()
        for command in (["sessions"], ["plan", "--session", "s"], ["call", "todo_write", '{"todos":[]}', "--session", "s"]):
            with self.subTest(command=command):
                self.assert_cannot(self.run_loader(*command), self.root, "Not a directory")

    def test_a_terminal_of_no_kind_and_a_locale_of_none(self):
        self.run_loader("call", "todo_write", json.dumps({"todos": [{"content": "索引", "status": "in_progress"}]}), "--session", "s")
        for variables in ({"TERM": ""}, {"TERM": "dumb"}, {"LC_ALL": "C"}, {"LC_ALL": "nosuch"}):
            env = loader.environment(self.home, **variables)
            for command in (["plan", "--session", "s"], ["plan", "--session", "s", "--history"], ["sessions"], ["audit", self.root], ["tools"], ["plugins"], ["--help"]):
                with self.subTest(variables=variables, command=command):
                    done = self.run_loader(*command, env=env)
                    self.assertEqual(done.returncode, 0, done)
                    self.assertTrue(done.stdout.isascii() or variables == {"TERM": ""}, done.stdout)


if __name__ == "__main__":
    unittest.main()
