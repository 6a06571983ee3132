"""The program, run by a test in a directory of its own."""
import pathlib
import tempfile
import unittest

import build
import loader
from loader import PARALLEL

CHATTY = pathlib.Path(build.BUILD, "tests", "e2e", "plugins")  # a directory of plugins that print


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
