"""Measures ours, the limits and the reference in turns. Run by compare.sh, which sets up and says how."""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import quantities
import syncs
from programs import Failed, Ours, Reference
from samples import Rows
from table import draw

MET, MISSED, CANNOT, WITHOUT_REFERENCE = 0, 1, 2, 3


def say(text):
    print(f"compare.sh: {text}", file=sys.stderr, flush=True)


class Progress:
    """On a terminal one line that is drawn anew; elsewhere a line for each quantity of a round."""

    def __init__(self, rounds, steps):
        self._total, self._steps, self._start = rounds * steps, steps, time.monotonic()
        self._live = sys.stderr.isatty()
        self._said = None

    def show(self, done, quantity, label):
        left = ""
        if done >= self._steps:
            left = f" (about {(time.monotonic() - self._start) / done * (self._total - done):.0f} s left)"
        where = f"round {done // self._steps + 1} of {self._total // self._steps}: {quantity}"
        if self._live:
            print(f"\r\x1b[K{where}, {label}{left}", end="", file=sys.stderr, flush=True)
        elif where != self._said:
            say(where + left)
        self._said = where

    def wipe(self):
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def find_reference(wanted):
    """The reference, and why it is left out."""
    if not wanted:
        return None, "left out, as asked for"
    try:
        return Reference(), None
    except Failed as reason:
        return None, str(reason)


def machine(ours):
    model = next((line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    return {"cpu": model, "cores": len(os.sched_getaffinity(0)), "kernel": platform.release(), **ours.count("machine")}


def commit():
    here = pathlib.Path(__file__).parent
    done = subprocess.run(["git", "-C", str(here), "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or None


def measure(chosen, rounds):
    steps = [(quantity, label, step) for quantity in chosen for label, step in quantity.steps()]
    progress = Progress(rounds, len(steps))
    for round_ in range(rounds):
        for index, (quantity, label, step) in enumerate(steps):
            progress.show(round_ * len(steps) + index, quantity.name, label)
            step()
    progress.wipe()


def parse(words):
    parser = argparse.ArgumentParser(prog="compare.sh")
    parser.add_argument("--build", required=True)
    for flag in ("--quick", "--large", "--smoke", "--no-reference"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    options = parser.parse_args(words)
    if options.rounds is not None and options.rounds < 1:
        parser.error("--rounds takes a number from 1")
    if not any(options.only in kind.name for kind in quantities.ALL):
        parser.error(f"--only {options.only}: no such quantity; there are {', '.join(kind.name for kind in quantities.ALL)}")
    return options


def main(words):
    options = parse(words)
    ours = Ours(options.build)
    reference, why_not = find_reference(not options.no_reference)
    scale = quantities.Scale.of(options.quick, options.large, options.smoke)
    rounds = options.rounds or scale.rounds
    # Beside the build: logs of sessions are meant for a disk, and what is here may be kept for the next run.
    work = ours.build / "bench"
    work.mkdir(exist_ok=True)
    rows = Rows()
    measure([kind(ours, reference, rows, scale, work) for kind in quantities.ALL if options.only in kind.name], rounds)

    about = {"commit": commit(), "rounds": rounds, "machine": machine(ours),
             "reference": reference.version if reference else None, "without_reference": why_not}
    file = pathlib.Path(options.json or ours.build / "compare.json")
    file.write_text(json.dumps({**about, "rows": [row.json() for row in rows]}, ensure_ascii=False, indent=1) + "\n")

    print(draw(rows))
    print()
    on = about["machine"]
    print(f"{rounds} rounds on {on['cores']} cores of {on['cpu']}, {on['compiler']}, {on['libc']}; commit {about['commit']}.")
    print(f"Reference: {reference.version}." if reference else f"Without the reference: {why_not}.")
    if (reason := syncs.available()) is not None:
        print(f"Syncs were not counted: {reason}.")
    missed = rows.missed()
    print(f"Targets missed: {len(missed)}" + (":" if missed else ".") + "".join(f"\n  {row.quantity}, {row.name}: {row.excess()}" for row in missed))
    say(f"every sample is in {file}")
    if missed:
        return MISSED
    return WITHOUT_REFERENCE if reference is None and not options.no_reference else MET


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as failure:
        say(failure)
        sys.exit(CANNOT)
    except KeyboardInterrupt:
        sys.exit(130)
