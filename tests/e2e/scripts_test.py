"""The scripts that build, run, test and measure: what they say of a command line and of a build that fails.
Nothing is built here: what they would call is not there, or does nothing.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import build
import loader

SCRIPTS = ("cmake/run.sh", "cmake/setup.sh", "cmake/test.sh", "tests/bench/compare.sh", "tests/bench/record.sh")


class ScriptsTest(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for script in (*SCRIPTS, "cmake/build.sh"):
            copy = self.tree / script
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text((build.SOURCE / script).read_text())
        self.programs = self.tree / "bin"
        self.programs.mkdir()
        for program in ("cmake", "ctest", "apt-get", "sudo", "npm"):
            self.program(program, f"echo it called {program}, which fails here; exit 3")

    def program(self, name, commands):
        (self.programs / name).write_text(f"#!/bin/sh\n{commands}\n")
        (self.programs / name).chmod(0o755)

    def script(self, script, *words, cwd=None, umask=-1, **variables):
        env = dict(os.environ, PATH=f"{self.programs}{os.pathsep}{os.environ['PATH']}", **variables)
        return subprocess.run(["bash", self.tree / script, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=env, timeout=60, cwd=cwd, umask=umask)

    def test_help(self):
        for script in SCRIPTS:
            for option in ("--help", "-h"):
                with self.subTest(script=script, option=option):
                    done = self.script(script, option)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIn(f"usage: bash {script}", done.stdout)

    def test_what_they_do_not_know_is_refused_before_anything_is_done(self):
        for script, words in [*((script, ["--fast"]) for script in SCRIPTS), ("cmake/run.sh", ["--help", "me"]),
                              ("cmake/setup.sh", ["--tests", "--bench"]), ("cmake/test.sh", ["--full", "release"]),
                              ("tests/bench/compare.sh", ["--quick", "audit"]), ("tests/bench/record.sh", ["--help", "me"])]:
            with self.subTest(script=script, words=words):
                done = self.script(script, *words)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                self.assertIn(f"{pathlib.Path(script).name}: ", done.stderr)
                self.assertIn(words[-1], done.stderr)
                self.assertIn("--help", done.stderr)

    def test_a_build_that_fails_shows_the_end_of_its_log(self):
        self.program("cmake", "echo configured with: $*; echo out of luck >&2; exit 1")
        (self.tree / "cmake/setup.sh").write_text("")
        for script, preset, option in (("cmake/run.sh", "release", ""), ("cmake/test.sh", "release", "-DDSH_BUILD_TESTS=ON"),
                                       ("tests/bench/record.sh", "release", "-DDSH_BUILD_BENCH=ON"),
                                       ("tests/bench/compare.sh", "release", "-DDSH_BUILD_BENCH=ON")):
            with self.subTest(script=script):
                done = self.script(script)
                log = f"build/{preset}/build.log"
                self.assertEqual((done.returncode, done.stdout), (2 if "compare" in script else 1, ""))
                self.assertRegex(done.stderr, rf"\ABuilding {preset} \(.*the log is {log}\) …\nconfigured with: --preset {preset} .*{option}")
                self.assertIn("out of luck\n", done.stderr)
                self.assertIn("out of luck", (self.tree / log).read_text())

    def test_the_main_job_runs_in_a_tree_that_a_group_may_write_to(self):
        (self.tree / "cmake/setup.sh").write_text("")
        self.program("cmake", "exit 0")
        built = self.tree / "build/release"
        for folder in ("loader-sample", "plugin", "share"):
            (built / folder).mkdir(parents=True)
        shutil.copy(build.LOADER, built / "loader-sample")
        shutil.copy(build.PLUGINS / "dsh-tool-todo.so", built / "plugin")
        shutil.copytree(build.CONFIG, built / "share/dsh")
        for path in (self.tree, *self.tree.rglob("*")):
            path.chmod(path.stat().st_mode | 0o020)
        scratch = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        done = self.script("cmake/run.sh", cwd=self.tree, umask=0o002, TMPDIR=str(scratch))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("todo_write answers: Updated todo list: ", done.stdout)
        tried = done.stdout.splitlines()[-1].removeprefix("Try: ")
        shown = subprocess.run(tried.split(), cwd=self.tree, capture_output=True, text=True, env=loader.environment())
        self.assertEqual(shown.returncode, 0, shown)
        self.assertIn("Tag the release", shown.stdout)

    def test_the_tests_are_left_out_of_a_new_tree_unless_they_are_asked_for(self):
        (self.tree / "cmake/setup.sh").write_text("")
        self.program("cmake", f'printf "%s\\n" "$*" >> {self.tree}/calls')
        self.script("tests/bench/record.sh")
        configured, built = (self.tree / "calls").read_text().splitlines()
        self.assertIn("-DDSH_BUILD_TESTS=OFF", configured)
        self.assertEqual(built, "--build --preset release --target measurements")
        (self.tree / "build/release/CMakeCache.txt").touch()
        self.script("tests/bench/record.sh")
        self.assertNotIn("-DDSH_BUILD_TESTS", (self.tree / "calls").read_text().splitlines()[2])


if __name__ == "__main__":
    unittest.main()
