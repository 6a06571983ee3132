"""A session whose plan a test looks at."""
import json
import os
import pathlib
import tempfile
import time
import unittest

import build
import loader
import mcp
from loader import items
from terminal import on_terminal


class PlanView(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(loader.PARALLEL)
        self.options = ["--sessions", self.directory / "sessions", "--composition", self.composition, "--plugins", build.PLUGINS]

    def write(self, todos, session="s"):
        if isinstance(todos, str):
            todos = items(todos)
        done = loader.run("call", "todo_write", "-", "--session", session, *self.options, input=json.dumps({"todos": todos}))
        self.assertEqual(done.returncode, 0, done.stderr)

    def write_in_one_turn(self, *lists):
        with mcp.Mcp(sessions=self.directory / "sessions") as server:
            server.initialize()
            for list in lists:
                server.write(*((item["content"], item["status"]) for item in items(list)))
            server.end()

    def command(self, *more, session="s"):
        return [build.LOADER, "plan", "--session", session, *more, *self.options]

    def on_terminal(self, *more, **options):
        status, lines = on_terminal(self.command(*more), **options)
        self.assertEqual(status, 0, lines)
        return lines

    def piped(self, *more):
        done = loader.run(*self.command(*more)[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def pid(self):
        """Of the process that watches, once there is one."""
        end = time.monotonic() + 20
        while True:
            pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and self.is_watcher(entry)]
            if pids or time.monotonic() > end:
                (pid,) = pids
                return pid
            time.sleep(0.02)

    def is_watcher(self, pid):
        try:
            line = pathlib.Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return line[0] == str(build.LOADER).encode() and str(self.directory / "sessions").encode() in line
