#!/usr/bin/env bash
# Installs what building and testing need: Debian 12's packages (through sudo when not root) and, for
# the tests that drive real MCP clients, the pinned npm packages. Does nothing where all is there.
#
#   bash cmake/setup.sh          to build and run
#   bash cmake/setup.sh --tests  to run the tests as well
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

wanted=("${build[@]}")
[ "${1:-}" = --tests ] && wanted+=("${tests[@]}")

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
      echo "setup: as root, run: apt-get install ${missing[*]}" >&2
      exit 2
    }
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi

if [ "${1:-}" = --tests ] && [ -f tests/e2e/mcp/package-lock.json ]; then
  clients=tests/e2e/mcp
  if ! cmp -s "$clients/package-lock.json" "$clients/node_modules/.installed-lock"; then
    echo "setup: installing the MCP clients that the tests drive" >&2
    npm ci --prefix "$clients" --no-audit --no-fund --loglevel=error >&2
    cp "$clients/package-lock.json" "$clients/node_modules/.installed-lock"
  fi
fi
