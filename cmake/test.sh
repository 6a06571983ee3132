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
case "${1:-}" in
  '') ;;
  --full)
    export DSH_FULL=1
    ;;
  --help)
    echo "usage: bash cmake/test.sh [--full]    (--full: the long runs as well)"
    exit 0
    ;;
  *)
    echo "test.sh: unknown option $1 (known: --full, --help)" >&2
    exit 2
    ;;
esac

bash cmake/setup.sh --tests

launcher=()
if command -v ccache >/dev/null; then
  launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

for preset in "${presets[@]}"; do
  echo "== $preset: build"
  mkdir -p "build/$preset"
  log="build/$preset/build.log"
  if ! { cmake --preset "$preset" -DDSH_BUILD_TESTS=ON "${launcher[@]}" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
    tail -n 100 "$log"
    exit 1
  fi
done
failed=()
for preset in "${presets[@]}"; do
  echo "== $preset: test"
  # One more than there are processors: many a test waits for a disk or another process.
  ctest --preset "$preset" --parallel $(($(nproc) + 1)) || failed+=("$preset")
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "test.sh: failed under: ${failed[*]}" >&2
  exit 1
fi
