#!/usr/bin/env python3
"""Writes the description of a revision that the stability test compares every later header with:

    tests/abi/baseline/update.py revision-1.abi

Refuses a description in which the committed one did more than grow: a released contract has no other
change. Needs abidw (Debian: abigail-tools) and a C compiler ($CC or cc).
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from abi_description import Description, breaks  # noqa: E402


def describe(include, output, compiler="cc"):
    """Builds the witness library with the headers in `include` and describes it in `output`."""
    with tempfile.TemporaryDirectory() as work:
        library = pathlib.Path(work) / "witness.so"
        subprocess.run([compiler, "-std=c11", "-g", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{include}",
                        "tests/abi/witness.c", "-o", library], cwd=ROOT, check=True)
        subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed",
                        "--no-parameter-names", "--out-file", output, library], check=True)


def main():
    committed = pathlib.Path(__file__).parent / sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        fresh = pathlib.Path(work) / "fresh.abi"
        describe(ROOT / "host-api" / "include", fresh, os.environ.get("CC", "cc"))
        found = breaks(Description(committed), Description(fresh)) if committed.exists() else []
        if found:
            sys.exit("refused: the contract may only grow\n" + "\n".join(found))
        committed.write_bytes(fresh.read_bytes())


if __name__ == "__main__":
    main()
