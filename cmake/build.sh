# Sourced, in the root of the tree and with pipefail set: how the scripts build it.

# Keeps what a build prints in the log, and shows a person how far it is.
follow_build() {
  [ -t 2 ] || { cat >"$1"; return; }
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    case $line in '['*/*']'*) printf '\r%s] ' "${line%%]*}" >&2 ;; esac
  done 3>"$1"
  printf '\r\e[K' >&2
}

# build_tree PRESET [OPTION]… [-- TARGET…]: configures with those options and builds the targets, or everything.
build_tree() {
  local preset=$1 log=build/$1/build.log options=() targets=()
  shift
  # The tests need more packages than the rest; where they were set up already, they stay.
  [ -f "build/$preset/CMakeCache.txt" ] || options+=(-DDSH_BUILD_TESTS=OFF)
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1") # after ours, so that it counts
    shift
  done
  [ $# -lt 2 ] || targets=(--target "${@:2}")
  mkdir -p "build/$preset"
  echo "Building $preset (the first time takes a few minutes; the log is $log) …" >&2
  if ! { cmake --preset "$preset" "${options[@]}" && cmake --build --preset "$preset" "${targets[@]}"; } 2>&1 |
    follow_build "$log"; then
    tail -n 60 "$log" >&2
    return 1
  fi
}
