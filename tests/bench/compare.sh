#!/usr/bin/env bash
# How fast we are: ours, the least that the same work costs, and the reference, in turns on this machine.
# Sets itself up, builds, measures, prints one table (ratios with their spread, targets met and missed)
# and writes every sample as JSON.
#
#   bash tests/bench/compare.sh            a few minutes on a machine with nothing else to do
#   bash tests/bench/compare.sh --quick    about one: fewer rounds, smaller logs
#   bash tests/bench/compare.sh --large    logs of a gigabyte and a million calls as well
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() {
  cat <<'USAGE'
usage: bash tests/bench/compare.sh [OPTION]…

  --quick          fewer rounds and smaller logs
  --large          audit 1 GB as well, and a million calls
  --rounds N       how often everything is measured (default: 5; 3 with --quick)
  --only PATTERN   only the quantities whose name holds this: call, durable, audit, plan, start, growth
  --no-reference   leave the reference out; nothing of it is installed
  --json FILE      where the samples go (default: compare.json in the build tree)
  --build DIR      measure this build tree as it is: install nothing, build nothing
  --smoke          one round of almost no work: shows that every part runs, measures nothing
  --help           this text

Ends with 0: measured, every target met; 1: measured, a target missed; 2: couldn't be done;
3: measured, every target met, but without the reference, which could not be had.
USAGE
}

build=''
reference=true
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --quick | --large | --smoke) arguments+=("$1") ;;
    --no-reference) reference=false ;;
    --rounds | --only | --json | --build)
      [ $# -gt 1 ] || { echo "compare.sh: $1 needs a value; see --help" >&2; exit 2; }
      case $1 in
        --build) build=$(realpath -m "$2") ;;
        --json) arguments+=("$1" "$(realpath -m "$2")") ;;
        *) arguments+=("$1" "$2") ;;
      esac
      shift
      ;;
    *) echo "compare.sh: unknown option $1; see --help" >&2; exit 2 ;;
  esac
  shift
done

cannot() { echo "compare.sh: $*" >&2; exit 2; }

if [ -z "$build" ]; then
  cd "$here/../.."
  . cmake/build.sh
  bash cmake/setup.sh --bench && build_tree release -DDSH_BUILD_BENCH=ON -- measurements ||
    cannot "what is measured can't be set up and built"
  build=$PWD/build/release
  if $reference && ! bash cmake/setup.sh --reference; then
    echo "compare.sh: the reference's packages can't be installed (no network?): going on without it" >&2
  fi
fi
$reference || arguments+=(--no-reference)

exec python3 "$here/compare.py" --build "$build" "${arguments[@]}"
