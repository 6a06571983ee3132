#!/bin/sh
# Builds what is kept of a revision: its minimal plugin and minimal host, as they were on the day of its
# release, to be run against every later build.
#     tests/abi/kept/build.sh revision-1
# Run once, when a revision is released. Needs gcc on x86-64 Linux.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
kept="$here/$1"
mkdir -p "$kept"
flags="-std=c11 -Os -Wall -Wextra -Wpedantic -Werror -I$root/host-api/include -s -Wl,--build-id=none -Wl,-z,noseparate-code"
cd "$root/host-api/examples"
${CC:-gcc} $flags -shared -fPIC -fvisibility=hidden -Wl,-Bsymbolic \
  -Wl,--version-script="$root/host-api/cmake/dsh-plugin.map" minimal_plugin.c -o "$kept/minimal-plugin.so"
${CC:-gcc} $flags minimal_host.c -o "$kept/minimal-host" -ldl
for binary in minimal-plugin.so minimal-host; do
  strip -R .comment -R .note.gnu.property -R .note.ABI-tag "$kept/$binary"
done
ls -l "$kept"
