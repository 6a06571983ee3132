#!/usr/bin/env python3
"""Runs every recorded case through the real host with the real plugin, and says `N of N` a file.

Cases share processes: one process a setting (policy, services), a fresh session a case. Whole
compositions take a process each. Exits 0 where every case holds.
"""
import concurrent.futures
import json
import pathlib
import sys
import tempfile
import time
import unittest

import build
import case_files
import config_cases
import invariant_cases
import loader
import projection_cases
import tool_cases
from hosts import ScriptHost, raw_elements

PLUGIN = "@deepseek-ai/dsh-tool-todo"


def setting(file, case):
    """What a case needs of its process: (parallel?, services it starts without)."""
    if file == "invariant":
        return True, ("invariants",)
    if file == "projection":
        return True, ("invariants", "sessionProjections")
    return case["allowParallelInProgress"], () if file == "tool-with-invariant" else ("invariants",)


def vetoes(case):
    """The events that another checker refuses: {"before"|"after": [(type, data as written)]}."""
    found = {}
    for step in case.get("live", []):
        if step.get("veto"):
            found.setdefault(step["veto"], []).append((step["type"], step["dataText"]))
    return found


def run(file, open_host):
    """{case id: differences} of a file whose cases share processes. `open_host(parallel, without,
    vetoes)` starts one."""
    differences = {"invariant": invariant_cases, "projection": projection_cases}.get(file, tool_cases).differences
    groups = {}
    results = {}
    for case in case_files.read(file):
        own = vetoes(case)
        groups.setdefault((setting(file, case), case["id"] if own else None), []).append((case, own))
    for (parallel, without), alone in groups:
        cases = groups[(parallel, without), alone]
        with open_host(parallel, without, cases[0][1]) as host:
            if file == "projection":
                host.op("plugin/unload", id=PLUGIN)
            for case, _ in cases:
                results[case["id"]] = differences(case, host)
    return results


def run_config():
    """{case id: differences} of the compositions, two processes at a time."""
    cases = case_files.read("config")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip([case["id"] for case in cases], pool.map(config_cases.differences, cases)))


def script_host(parallel, without, vetoes_of_others):
    """The real host. Other checkers are entries of a second plugin, before and after ours."""
    entries = [loader.PARALLEL if parallel else loader.SINGLE]
    for when, events in vetoes_of_others.items():
        config = json.dumps({"events": events})
        entries.insert(0 if when == "before" else len(entries), f"- name: conformance-veto\n  config: {config}\n")
    return ScriptHost("".join(entries), without=without, plugins=[build.PLUGINS, build.BUILD / "tests" / "conformance"])


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
        self._report(file, run_config() if file == "config" else run(file, script_host), started)
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
