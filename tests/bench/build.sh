# Sourced, in the root of the tree: builds what is measured as it is installed.
build_measurements() {
  bash cmake/setup.sh --bench || return 1
  local log=build/release/build.log launcher=() tests=()
  mkdir -p build/release
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  # The tests need more packages; where they were set up already, they stay.
  [ -f build/release/CMakeCache.txt ] || tests=(-DDSH_BUILD_TESTS=OFF)
  echo "Building (the log is $log) …" >&2
  if ! { cmake --preset release -DDSH_BUILD_BENCH=ON "${tests[@]}" "${launcher[@]}" &&
    cmake --build --preset release --target measurements; } >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    return 1
  fi
}
