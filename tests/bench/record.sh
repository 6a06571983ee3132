#!/usr/bin/env bash
# Counts the instructions of the hot paths anew and records them in instructions.json: after a change
# that is meant to cost more, or has made something faster. Sets the machine up and builds.
#
#   bash tests/bench/record.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

case "$*" in
  '') ;;
  --help | -h)
    echo "usage: bash tests/bench/record.sh    (no arguments: builds, counts, writes tests/bench/instructions.json)"
    exit 0
    ;;
  *)
    echo "record.sh: it takes no arguments, not $*; see bash tests/bench/record.sh --help" >&2
    exit 2
    ;;
esac

bash cmake/setup.sh --bench
. cmake/build.sh
build_tree release -DDSH_BUILD_BENCH=ON -- measurements
exec python3 tests/bench/instructions.py --build build/release --record
