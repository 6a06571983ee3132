"""`check`: what it says, how it is steered, and that sound plugins pass it without a warning."""
import json
import pathlib
import re
import shutil
import tempfile
import unittest

import build
import terminal
import toolchain

TODO = build.PLUGINS / "dsh-tool-todo.so"
MINIMAL = build.BUILD / "host-api" / "examples" / "minimal-plugin.so"


def run(*arguments, timeout=900):
    return toolchain.run(build.LOADER, "check", *arguments, timeout=timeout)


class Check(unittest.TestCase):
    def passes(self, *arguments):
        done = run("--json", *arguments)
        answer = json.loads(done.stdout)
        for library in answer["libraries"]:
            for test in library["tests"]:
                with self.subTest(test["name"], library=library["library"], seed=answer["seed"]):
                    self.assertIn(test["status"], ("passed", "skipped"), test.get("cause"))
        self.assertEqual((done.returncode, answer["ok"]), (0, True))
        return answer

    def test_our_plugin_passes_without_a_warning(self):
        answer = self.passes(TODO)
        counts = answer["libraries"][0]["counts"]
        self.assertEqual(counts["passed"], sum(counts.values()) - counts["skipped"])
        skipped = [one["name"] for one in answer["libraries"][0]["tests"] if one["status"] == "skipped"]
        # A sanitizer hides what these look at; everything else applies to it.
        self.assertLessEqual(set(skipped), {"tools.memory"} if build.SANITIZER else set())

    def test_the_minimal_plugin_passes_without_a_warning(self):
        self.passes(MINIMAL)

    def test_kept_plugins_pass(self):
        if build.SANITIZER:
            self.skipTest("kept without a sanitizer")
        self.passes(*sorted((build.SOURCE / "tests" / "abi" / "kept").glob("*/minimal-plugin.so")), "--skip", "host.*")

    def test_without_each_service(self):
        for service in ("invariants", "sessionProjections", "sessions"):
            self.passes(TODO, "--without", service, "--only", "tools.*", "--skip", "tools.memory")

    def test_text_for_people(self):
        done = run(MINIMAL, "--only", "library.*", "--seed", 5)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], f"{MINIMAL}, seed 5")
        self.assertRegex(lines[1], r"^passed   library\.opens +the library opens")
        self.assertRegex(lines[-1], r"minimal-plugin\.so: 5 passed$")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_quiet_shows_only_what_did_not_pass(self):
        lines = run(MINIMAL, "--only", "library.*", "--quiet").stdout.splitlines()
        self.assertEqual(len(lines), 2)

    def test_only_and_skip_take_patterns(self):
        answer = json.loads(run("--json", MINIMAL, "--only", "library.*", "--only", "config.valid",
                                "--skip", "*.quick").stdout)
        names = [one["name"] for one in answer["libraries"][0]["tests"]]
        self.assertEqual(names, ["library.opens", "library.exports", "library.unmaps",
                                 "library.symbols_stay", "config.valid"])
        done = run(MINIMAL, "--only", "nothing.*")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--list", done.stderr)

    def test_the_seed_is_printed_and_chosen(self):
        first, second = (json.loads(run("--json", MINIMAL, "--only", "tools.valid").stdout)["seed"] for _ in range(2))
        self.assertNotEqual(first, second)
        self.assertEqual(json.loads(run("--json", MINIMAL, "--only", "tools.valid", "--seed", 9).stdout)["seed"], 9)

    def test_several_libraries(self):
        answer = json.loads(run("--json", MINIMAL, TODO, "--only", "library.opens").stdout)
        self.assertEqual([one["library"] for one in answer["libraries"]], [str(MINIMAL), str(TODO)])

    def test_a_given_config_is_used(self):
        good = run(TODO, "--config", '{"allowParallelInProgress":false}', "--only", "config.valid")
        self.assertEqual(good.returncode, 0)
        bad = run(TODO, "--config", "{}", "--only", "config.valid")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("missing required value", bad.stdout)
        self.assertEqual(run(TODO, "--config", "{no").returncode, 2)

    def test_jobs_change_nothing_but_the_time(self):
        def told(jobs):
            tests = json.loads(run("--json", MINIMAL, "--seed", 3, "--jobs", jobs).stdout)["libraries"][0]["tests"]
            return [(one["name"], one["status"], one.get("cause")) for one in tests]

        self.assertEqual(told(1), told(4))
        self.assertEqual(run(MINIMAL, "--jobs", 0).returncode, 2)

    def test_progress_on_a_terminal(self):
        status, lines = terminal.on_terminal([build.LOADER, "check", "--quiet", "--jobs", 1, TODO], timeout=600)
        self.assertEqual(status, 0)
        self.assertRegex("\n".join(lines), r"\d+ %.*\d+ of \d+ tests of dsh-tool-todo\.so")
        for percent, done, total in re.findall(r"(\d+) %  (\d+) of (\d+) tests", "\n".join(lines)):
            self.assertEqual(int(percent), int(done) * 100 // int(total))
        self.assertRegex(lines[-1], r"^\x1b\[K\S+: \d+ passed", "the line is wiped before the result")

    def test_in_process(self):
        self.assertEqual(run(MINIMAL, "--only", "tools.valid", "--in-process").returncode, 0)

    def test_what_cannot_be_checked(self):
        done = run("/nonexistent/plugin.so")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("/nonexistent/plugin.so", done.stderr)
        self.assertEqual(run().returncode, 2)
        directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-check-"))
        self.addCleanup(shutil.rmtree, directory)
        text = directory / "text.so"
        text.write_text("no library\n")
        done = run(text)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"failed   library\.opens")

    def test_list_names_every_test(self):
        tests = json.loads(run("--list", "--json").stdout)
        self.assertGreaterEqual(len(tests), 60)
        self.assertEqual(len({one["name"] for one in tests}), len(tests))
        self.assertEqual(len(run("--list").stdout.splitlines()), len(tests))


if __name__ == "__main__":
    unittest.main()
