"""Instruction counts of what has to be fast, by callgrind: the same on every run, whatever else the machine
does. instructions.json holds what they were when they were last recorded, and on what.

    python3 instructions.py --build DIR             compares with the record
    python3 instructions.py --build DIR --record    writes the record anew
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from programs import Failed, Ours, environment

RECORD = pathlib.Path(__file__).with_name("instructions.json")
# By how much a count may grow, as a part of it.
MARGIN = 0.05
CALLS = 16
LOG_MEGABYTES = 1


def _callgrind(command, function=None):
    """The instructions of a process, or of what it does inside one function."""
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work) / "out"
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        if function is not None:
            words.append(f"--toggle-collect={function}")
        done = subprocess.run([*words, *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment())
        if done.returncode != 0 or not out.exists():
            raise Failed(f"{' '.join(map(str, command))} under callgrind ended with {done.returncode}:\n{done.stderr[-2000:]}")
        return int(re.search(r"^totals: (\d+)", out.read_text(), re.MULTILINE).group(1))


def of_call(ours, items, content, calls=CALLS):
    """The instructions of one call through the whole host, of so many in one session."""
    command = (ours.bench / "dsh-count", "call", items, content, calls)
    return round(_callgrind(command, "dsh_counted_calls*") / calls)


def count(ours):
    """name -> instructions"""
    counts = {f"call, {items} items, {content}": of_call(ours, items, content)
              for items, content in ((1, "ordinary"), (10, "ordinary"), (100, "ordinary"), (1000, "ordinary"),
                                     (10, "non-ascii"), (10, "padded"), (10, "escaped"))}
    with tempfile.TemporaryDirectory() as root:
        session, log = ours.log(root, LOG_MEGABYTES)
        counts["start, to the tool registered"] = _callgrind((ours.loader, "tools", "--json"))
        counts["plan of a log, start included"] = _callgrind((ours.loader, "plan", "--session", session, "--sessions", root))
        counts["audit of a megabyte, start included"] = _callgrind((ours.loader, "audit", log))
    return counts


def elsewhere(machine, recorded):
    """None, or in what this machine differs from the one that was recorded: counts don't compare then."""
    differing = [f"{name} {machine.get(name)}, recorded with {recorded[name]}" for name in recorded if machine.get(name) != recorded[name]]
    return "; ".join(differing) or None


def grown(counts, recorded):
    """A line for each count that grew by more than the margin, or has no record."""
    lines = []
    for name, now in counts.items():
        before = recorded.get(name)
        if before is None:
            lines.append(f"{name}: no record")
        elif now > before * (1 + MARGIN):
            lines.append(f"{name}: {now:,} instructions, {now / before - 1:+.1%} against the recorded {before:,}")
    return lines


def main(words):
    parser = argparse.ArgumentParser(prog="instructions.py")
    parser.add_argument("--build", required=True)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args(words)
    ours = Ours(os.path.realpath(options.build))
    machine, counts = ours.count("machine"), count(ours)
    recorded = json.loads(RECORD.read_text())["counts"] if RECORD.exists() else {}
    for name, now in counts.items():
        change = f"  {now / recorded[name] - 1:+.1%}" if name in recorded else ""
        print(f"{now:>12,}  {name}{change}")
    if options.record:
        RECORD.write_text(json.dumps({"machine": machine, "counts": counts}, indent=1) + "\n")
        print(f"recorded in {RECORD}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failure:
        sys.exit(f"instructions.py: {failure}")
