#!/usr/bin/env bash
# Installs what building, testing and measuring need: Debian 12's packages (through sudo when not root)
# and pinned npm packages: the real MCP clients that the tests drive, the reference that is measured
# beside ours. Does nothing where all is there.
#
#   bash cmake/setup.sh              to build and run
#   bash cmake/setup.sh --tests      to run the tests as well
#   bash cmake/setup.sh --bench      to measure (tests/bench)
#   bash cmake/setup.sh --reference  the reference alone
set -euo pipefail
cd "$(dirname "$0")/.."

build=(
  g++ cmake ninja-build pkg-config
  libboost1.81-dev libyaml-cpp-dev libspdlog-dev libfmt-dev libcli11-dev libzstd-dev libutf8proc-dev
  libvalijson-dev
)
tests=(
  libgtest-dev libgmock-dev libbenchmark-dev python3 binutils zstd file dpkg-dev
  abigail-tools clang-format clang-tidy strace tmux valgrind
  g++-mingw-w64-x86-64-posix wine64
  nodejs
)

bench=(libbenchmark-dev python3 binutils strace valgrind nodejs)

usage='usage: bash cmake/setup.sh [--tests | --bench | --reference]

Installs what is missing of the packages that this project needs, on Debian 12, through sudo where you are not
root. Without an option: what building and running need. It tells what it installs, and asks nothing.

  --tests      what the tests need as well
  --bench      what measuring needs as well (tests/bench)
  --reference  the reference that is measured beside ours, from npm, and nothing else'

wanted=()
case "$*" in
  '') wanted=("${build[@]}") ;;
  --tests) wanted=("${build[@]}" "${tests[@]}") ;;
  --bench) wanted=("${build[@]}" "${bench[@]}") ;;
  --reference) ;;
  --help | -h)
    echo "$usage"
    exit 0
    ;;
  *)
    echo "setup.sh: it takes one of its options, not $*; see bash cmake/setup.sh --help" >&2
    exit 2
    ;;
esac

# Node counts as present wherever it comes from, as long as it is new enough.
node_is_there() {
  command -v node >/dev/null && command -v npm >/dev/null &&
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]
}

missing=()
for package in "${wanted[@]}"; do
  if [ "$package" = nodejs ]; then
    node_is_there || missing+=(nodejs npm)
  elif [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
    missing+=("$package")
  fi
done

if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "setup.sh: as root, run: apt-get install ${missing[*]}" >&2
      exit 2
    }
    as_root=(sudo)
  fi
  echo "setup.sh: installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi

# install_npm DIRECTORY WHAT [OPTION]…: the packages that its lock file names.
install_npm() {
  local directory=$1 what=$2
  shift 2
  cmp -s "$directory/package-lock.json" "$directory/node_modules/.installed-lock" && return
  echo "setup.sh: installing $what" >&2
  npm ci --prefix "$directory" --no-audit --no-fund --loglevel=error "$@" >&2
  cp "$directory/package-lock.json" "$directory/node_modules/.installed-lock"
}

case "$*" in
  --tests) install_npm tests/e2e/mcp "the MCP clients that the tests drive" ;;
  # Its packages name each other as peers in ranges that do not meet.
  --reference) install_npm tests/bench/reference "the reference that is measured beside ours" --legacy-peer-deps ;;
esac
