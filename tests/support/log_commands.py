"""What the tests of the commands over stored logs share: a directory of sessions, and writing to them."""
import json
import pathlib
import tempfile
import unittest

import loader
from loader import PARALLEL, items


class LogCommandsTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.sessions = self.directory / "sessions"
        self.composition = self.directory / "c.yaml"
        self.composition.write_text(PARALLEL)

    def run_loader(self, *arguments, **more):
        return loader.run(*arguments, "--sessions", self.sessions, "--composition", self.composition, **more)

    def write(self, list, session="s", **options):
        done = self.run_loader("call", "todo_write", json.dumps({"todos": items(list)}), "--session", session,
                               *(word for key, value in options.items() for word in ("--" + key, value)))
        self.assertEqual(done.returncode, 0, done)

    def log(self, session="s"):
        (path,) = self.sessions.glob(f"*/{session}/session.jsonl")
        return path
