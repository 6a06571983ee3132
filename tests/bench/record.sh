#!/usr/bin/env bash
# Counts the instructions of the hot paths anew and records them in instructions.json: after a change
# that is meant to cost more, or has made something faster. Sets the machine up and builds.
#
#   bash tests/bench/record.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ $# -gt 0 ]; then
  echo "usage: bash tests/bench/record.sh    (no arguments: builds, counts, writes tests/bench/instructions.json)"
  [ "$1" = --help ] && exit 0
  exit 2
fi

. tests/bench/build.sh
build_measurements
exec python3 tests/bench/instructions.py --build build/release --record
