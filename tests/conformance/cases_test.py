"""Every recorded case through the real host with the real plugin: `N of N` a file."""
import pathlib
import sys
import tempfile
import time
import unittest

import case_files
import case_runner
import loader
import tool_cases
from hosts import ScriptHost, raw_elements


class RecordedCases(unittest.TestCase):
    """One test a file; each prints how many of its cases hold."""

    def _report(self, file, results, started):
        failed = {name: found for name, found in results.items() if found}
        print(f"{file}: {len(results) - len(failed)} of {len(results)}"
              f" ({time.monotonic() - started:.1f} s)", file=sys.stderr)
        self.assertEqual(len(results), len(case_files.read(file)), "a case was not run")
        for name, found in failed.items():
            print(f"  {name}", *found, sep="\n    ", file=sys.stderr)
        self.assertFalse(failed, f"{len(failed)} cases of {file} do not hold")


def _test(file):
    def test(self):
        started = time.monotonic()
        results = case_runner.run_config() if file == "config" else case_runner.run(file, case_runner.script_host)
        self._report(file, results, started)
    test.__doc__ = f"{file}.jsonl"
    return test


class StoredBytes(unittest.TestCase):
    """Durable sessions answer as those in memory do, and a line of the log is the event that they answer."""

    def test_tool_calls(self):
        with tempfile.TemporaryDirectory() as root:
            for parallel in (True, False):
                composition = loader.PARALLEL if parallel else loader.SINGLE
                with ScriptHost(composition, without=["invariants"], sessions=root) as host:
                    for case in case_files.read("tool-calls"):
                        if case["expect"]["appended"] and case["allowParallelInProgress"] == parallel:
                            self.assertEqual(tool_cases.differences(case, host), [], case["id"])
                            self._stored(root, case["id"], raw_elements(host.op("session/events", session=case["id"]).raw("events")))

    def _stored(self, root, session, events):
        log = pathlib.Path(root) / "_no-cwd" / session / "session.jsonl"
        lines = log.read_bytes().decode("utf-8").split("\n")
        self.assertEqual(lines[1:], events + [""], session)


for _file in case_files.FILES:
    setattr(RecordedCases, "test_" + _file.replace("-", "_"), _test(_file))

if __name__ == "__main__":
    unittest.main()
