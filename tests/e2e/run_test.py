"""`cmake/run.sh`, the first thing that people run: it shows the main job and leaves a sound log."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import build
import loader


@unittest.skipUnless(build.BUILD.resolve() == (build.SOURCE / "build" / "release").resolve(),
                     "run.sh builds the release preset: tested where that is the build under test")
class RunTest(unittest.TestCase):
    def test_the_main_job(self):
        directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        env = dict(os.environ, TMPDIR=str(directory), NO_COLOR="1")
        done = subprocess.run(["bash", str(build.SOURCE / "cmake" / "run.sh")], capture_output=True, text=True, env=env, timeout=1800)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\ABuilding release \(.*the log is build/release/build\.log\) …\n\Z")
        for shown in ("3 pending, 1 in progress, 0 completed", "2 pending, 2 in progress, 1 completed",
                      'Error: invalid todos: duplicate content "Find its cause"', "0 pending, 0 in progress, 5 completed", "no plan",
                      "A new process opens the session again"):
            self.assertIn(shown, done.stdout)
        (log,) = directory.glob("dsh-run-*/sessions/*/*/session.jsonl")
        self.assertIn(f"The session's log: {log}", done.stdout)
        self.assertEqual(loader.run("audit", log).returncode, 0)


if __name__ == "__main__":
    unittest.main()
