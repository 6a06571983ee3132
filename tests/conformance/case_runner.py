"""Runs a file of recorded cases through a host that is opened for it.

Cases share processes: one process a setting (policy, services), a fresh session a case. Whole
compositions take a process each.
"""
import concurrent.futures
import json

import build
import case_files
import config_cases
import invariant_cases
import loader
import projection_cases
import tool_cases
from hosts import ScriptHost

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
