"""What was built on the day of a release runs with every later build, both ways.

kept/ holds the minimal plugin and the minimal host of each released revision as binaries, built once by
kept/build.sh. They are x86-64 Linux; elsewhere these tests are skipped.
"""
import json
import os
import pathlib
import platform
import sys
import unittest

import build
import toolchain

KEPT = sorted(path for path in (build.SOURCE / "tests" / "abi" / "kept").iterdir() if path.is_dir())
EXAMPLES = build.BUILD / "host-api" / "examples"
TODO = build.PLUGINS / "dsh-tool-todo.so"


@unittest.skipUnless(sys.platform == "linux" and platform.machine() == "x86_64", "kept for x86-64 Linux")
class Kept(unittest.TestCase):
    def run_host(self, host, plugin, *arguments):
        environment = dict(os.environ)
        if build.SANITIZER and pathlib.Path(host).is_relative_to(build.SOURCE / "tests"):
            self.skipTest("a plugin with a sanitizer needs a host that has it too")
        done = toolchain.run(host, plugin, *arguments, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.splitlines()

    def test_something_is_kept_and_small(self):
        self.assertEqual([path.name for path in KEPT], ["revision-1"])
        for directory in KEPT:
            for name in ("minimal-plugin.so", "minimal-host"):
                self.assertLess((directory / name).stat().st_size, 20_000)

    def test_todays_plugin_in_the_kept_hosts(self):
        for directory in KEPT:
            arguments = json.dumps({"todos": [{"content": "Outlive a release", "status": "in_progress"}]})
            lines = self.run_host(directory / "minimal-host", TODO, '{"allowParallelInProgress":false}',
                                  "todo_write", arguments)
            self.assertEqual(lines, ["Updated todo list: 0 pending, 1 in progress, 0 completed.",
                                     'todos: [{"content":"Outlive a release","status":"in_progress"}]'])

    def test_the_kept_plugins_in_todays_host(self):
        for directory in KEPT:
            lines = self.run_host(EXAMPLES / "minimal-host", directory / "minimal-plugin.so", "null",
                                  "session_length", "{}")
            self.assertEqual(lines, ["The session holds 1 events."])

    def test_the_kept_plugins_in_the_kept_hosts(self):
        for host in KEPT:
            for plugin in KEPT:
                lines = toolchain.run(host / "minimal-host", plugin / "minimal-plugin.so", "null",
                                      "session_length", "{}").stdout.splitlines()
                self.assertEqual(lines, ["The session holds 1 events."])

    def test_todays_minimal_plugin_in_the_kept_hosts(self):
        for directory in KEPT:
            lines = self.run_host(directory / "minimal-host", EXAMPLES / "minimal-plugin.so", "null",
                                  "session_length", "{}")
            self.assertEqual(lines, ["The session holds 1 events."])


if __name__ == "__main__":
    unittest.main()
