#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The bits must not depend on who compiled the engine or how well: builds the engine's run tests with g++ -O0
# and with clang, and requires the golden digests of every weight format from each build, on every instruction set.
#
#   tests/checks/portable_builds.sh FOLDER [jobs]     builds in FOLDER-gcc-O0 and FOLDER-clang
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:?usage: portable_builds.sh FOLDER [jobs]}
jobs=${2:-$(nproc)}

check() { # NAME COMPILER FLAGS
  local build=$folder-$1
  printf '\n== golden digests from %s %s\n' "$2" "$3"
  # Warnings are the main build's business: another compiler has others.
  cmake -S "$root" -B "$build" -G Ninja -DULPSCOPE_GUI=OFF -DULPSCOPE_WERROR=OFF \
    -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=Custom -DCMAKE_CXX_FLAGS="$3" >/dev/null
  cmake --build "$build" -j "$jobs" --target test_run
  OMP_WAIT_POLICY=passive "$build/bin/test_run" --gtest_brief=1 --gtest_filter='*Golden.*'
}

check gcc-O0 "${CXX:-g++}" "-O0"
if clang=$(command -v clang++ || command -v clang++-14); then
  check clang "$clang" "-O2"
else
  echo "portable_builds: no clang here; the build with another compiler is skipped" >&2
fi
