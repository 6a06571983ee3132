#!/usr/bin/env bash
# Every test: sets the machine up, builds and runs them.
#
#   bash cmake/test.sh           what continuous integration runs: all of it in the release build, all of it
#                                under the address and undefined-behaviour sanitizers, and what is threaded
#                                under the thread sanitizer
#   bash cmake/test.sh --full    the long runs as well: more seeds, larger logs, more kills, clang-tidy
set -euo pipefail
cd "$(dirname "$0")/.."

presets=(release asan tsan)
case "$*" in
  '') ;;
  --full) export DSH_FULL=1 ;;
  --help | -h)
    echo "usage: bash cmake/test.sh [--full]    (--full: the long runs as well)"
    exit 0
    ;;
  *)
    echo "test.sh: it takes --full alone, not $*; see bash cmake/test.sh --help" >&2
    exit 2
    ;;
esac

bash cmake/setup.sh --tests

. cmake/build.sh
for preset in "${presets[@]}"; do
  build_tree "$preset" -DDSH_BUILD_TESTS=ON
done
failed=()
for preset in "${presets[@]}"; do
  echo "Testing $preset"
  # One more than there are processors: many a test waits for a disk or another process.
  ctest --preset "$preset" --parallel $(($(nproc) + 1)) || failed+=("$preset")
done
# Once more what the failed ones said: it stands far above by now.
for preset in "${failed[@]}"; do
  awk '/^[0-9]+\/[0-9]+ Testing: / { said = "" } { said = said $0 "\n" } /^Test Failed\./ { printf "%s", said }' \
    "build/$preset/Testing/Temporary/LastTest.log" | tail -c 20000
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "test.sh: failed under: ${failed[*]}" >&2
  exit 1
fi
