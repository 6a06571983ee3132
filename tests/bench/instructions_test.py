"""The hot paths cost no more instructions than recorded (instructions.json), give or take 5 %. Counts, not
times: callgrind gives the same on a busy machine. `bash tests/bench/record.sh` records them anew.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import build

HERE = pathlib.Path(__file__).parent
sys.dont_write_bytecode = True
import instructions  # noqa: E402
from programs import Ours  # noqa: E402


def record_anew():
    """What a record of this build would hold."""
    with tempfile.TemporaryDirectory() as directory:
        for script in HERE.glob("*.py"):
            shutil.copy(script, directory)
        subprocess.run([sys.executable, os.path.join(directory, "instructions.py"), "--build", build.BUILD, "--record"],
                       check=True, stdout=subprocess.DEVNULL)
        return json.loads(pathlib.Path(directory, instructions.RECORD.name).read_text())


class InstructionsTest(unittest.TestCase):
    def test_the_machine_tells_which_code_the_processor_has_chosen(self):
        words = pathlib.Path("/proc/cpuinfo").read_text().split()
        machine = Ours(build.BUILD).count("machine")
        if machine["architecture"] == "x86_64":
            self.assertEqual(machine["strings"], "avx2" if {"avx2", "bmi1"} <= set(words) else "sse2")
        else:
            self.assertEqual(machine["strings"], "plain")

    def test_no_count_grew(self):
        recorded = json.loads(instructions.RECORD.read_text())
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed: bash cmake/setup.sh --tests")
        differs = instructions.elsewhere(Ours(build.BUILD).count("machine"), recorded["machine"])
        if differs is not None:
            self.skipTest(f"counts of another machine don't compare: {differs}")
        anew = record_anew()
        self.assertEqual(anew["machine"], recorded["machine"])
        self.assertEqual(anew["counts"].keys(), recorded["counts"].keys())
        grown = instructions.grown(anew["counts"], recorded["counts"])
        self.assertEqual(grown, [], "\n".join([*grown, "where that is meant: bash tests/bench/record.sh"]))


class JudgementTest(unittest.TestCase):
    def test_five_in_a_hundred_are_let_pass_and_no_more(self):
        self.assertEqual(instructions.grown({"a": 1050, "b": 10}, {"a": 1000, "b": 1000}), [])
        self.assertEqual(instructions.grown({"a": 1051}, {"a": 1000}), ["a: 1,051 instructions, +5.1% against the recorded 1,000"])

    def test_a_count_without_a_record_is_told(self):
        self.assertEqual(instructions.grown({"new": 1}, {}), ["new: no record"])

    def test_what_differs_from_the_recorded_machine_is_named(self):
        recorded = {"compiler": "GNU 12.2.0", "libc": "glibc 2.36", "strings": "avx2"}
        self.assertIsNone(instructions.elsewhere({**recorded, "more": "x"}, recorded))
        self.assertEqual(instructions.elsewhere({**recorded, "compiler": "GNU 13"}, recorded),
                         "compiler GNU 13, recorded with GNU 12.2.0")
        self.assertEqual(instructions.elsewhere({**recorded, "strings": "sse2"}, recorded), "strings sse2, recorded with avx2")


if __name__ == "__main__":
    unittest.main()
