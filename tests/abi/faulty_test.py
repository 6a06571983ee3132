"""Plugins that are wrong in one way each, and the test of `check` that must say so.

faulty/sound.h is a plugin with every piece in order; each other file of faulty/ replaces one piece. Its first line
names the test, how it ends and what it says: nothing else counts, for a test that fails for another
reason proves nothing. A line `innocent` names tests that must not blame it. None of them takes the checker down.
A line `limit` says how many seconds each test has. Those called sound… are sound.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import build
import toolchain

SOURCES = build.SOURCE / "tests" / "abi" / "faulty"
SOUND = sorted(SOURCES.glob("sound*.c"))
FAULTY = sorted(set(SOURCES.glob("*.c*")) - set(SOUND))
# What the sanitizers' allocators, address space and stack frames do not let be seen.
NOT_UNDER_A_SANITIZER = {"leaks_an_instance", "leaks_a_call", "leaks_for_a_session", "leaks_a_fold", "leaks_when_refused",
                         "leaks_a_refused_apply", "runs_out_of_memory", "counts_on_a_deep_stack"}
# A crash stays a crash: the sanitizer would make an exit status of it.
PLAIN_CRASHES = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0"


def check(library, *options, limit=20):
    """The checker's answer as JSON, and its exit status."""
    env = dict(os.environ, ASAN_OPTIONS=PLAIN_CRASHES)
    done = toolchain.run(build.LOADER, "check", "--json", "--limit", limit, "--seed", 7, *options, library,
                         timeout=900, env=env)
    return json.loads(done.stdout), done.returncode


def limit_of(source):
    """Seconds that its tests may take."""
    said = re.search(r"^/\* limit: (\d+) \*/$", source.read_text(), re.M)
    return int(said[1]) if said else 20


class Faulty(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-faulty-"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for failure in pool.map(cls.compile, [*FAULTY, *SOUND]):
                if failure:
                    raise AssertionError(failure)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    @classmethod
    def compile(cls, source):
        flags = re.search(r"^/\* flags: (.*) \*/$", source.read_text(), re.M)
        language = ([toolchain.c_compiler(), "-std=c11"] if source.suffix == ".c" else
                    [toolchain.cxx_compiler(), "-std=c++20", "-Wno-missing-field-initializers"])
        done = toolchain.run(*language, "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function",
                             "-Wno-unused-const-variable", "-shared", "-fPIC", "-fvisibility=hidden",
                             f"-I{toolchain.INCLUDE}", source, "-o", cls.directory / f"{source.stem}.so",
                             *(flags[1].split() if flags else []))
        return done.stderr if done.returncode else ""

    def one_fault(self, source):
        expected = re.match(r"/\* check: (\S+) (\S+): (.*?) \*/\n", source.read_text())
        self.assertIsNotNone(expected, "its first line does not say what is expected")
        test, verdict, cause = expected.groups()
        innocent = re.search(r"^/\* innocent: (.*) \*/$", source.read_text(), re.M)
        innocent = innocent[1].split() if innocent else []
        answer, status = check(self.directory / f"{source.stem}.so",
                               *(word for name in [test, *innocent] for word in ("--only", name)),
                               limit=limit_of(source))
        tests = {one["name"]: one for one in answer["libraries"][0]["tests"]}
        reported = tests[test]
        self.assertRegex(reported["status"], f"^({verdict})$", reported)
        self.assertRegex(reported["cause"], cause)
        self.assertEqual(status, 0 if reported["status"] == "warning" else 1)
        for name in innocent:
            self.assertIn(tests[name]["status"], ("passed", "skipped", "warning"), tests[name])

    def test_each_fault_is_reported_by_its_test(self):
        self.assertGreaterEqual(len(FAULTY), 25)
        sources = [s for s in FAULTY if not (build.SANITIZER and s.stem in NOT_UNDER_A_SANITIZER)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for source, future in [(source, pool.submit(self.one_fault, source)) for source in sources]:
                with self.subTest(source.stem):
                    future.result()

    def test_every_test_has_a_fault_that_it_reports(self):
        """A test of `check` that nothing fails would say nothing where it passes."""
        listed = {one["name"] for one in json.loads(toolchain.run(build.LOADER, "check", "--list", "--json").stdout)}
        blamed = {re.match(r"/\* check: (\S+)", source.read_text())[1] for source in FAULTY}
        self.assertEqual(blamed, listed)

    def test_sound_plugins_pass(self):
        for source in SOUND:
            with self.subTest(source.stem):
                # At the same time: those that are slow wait, and compute nothing.
                answer, status = check(self.directory / f"{source.stem}.so", "--jobs", 8 if "slowly" in source.stem else 1, limit=limit_of(source))
                wrong = [one for one in answer["libraries"][0]["tests"] if one["status"] not in ("passed", "skipped")]
                self.assertEqual((wrong, status), ([], 0))

    def test_a_library_that_does_not_open_is_reported_once(self):
        """The first cause: not the same words for every test."""
        answer, status = check(self.directory / "no_apply.so")
        tests = answer["libraries"][0]["tests"]
        self.assertEqual(status, 1)
        self.assertEqual([one["name"] for one in tests if one["status"] != "skipped"], ["library.opens"])
        self.assertEqual({one["cause"] for one in tests if one["status"] == "skipped"}, {"the library does not open"})


if __name__ == "__main__":
    unittest.main()
