#!/usr/bin/env bash
# Debian packages and an archive, for processors of a stated level (UMOV_PROCESSOR, x86-64-v3), in BUILD/packages.
# usage: tools/package.sh [BUILD]        CMAKE_FLAGS has further words for CMake
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/package}
eval "flags=(${CMAKE_FLAGS:-})"
cmake -S . -B "$build" -G Ninja -DUMOV_TESTS=OFF -DUMOV_NATIVE=OFF -DUMOV_PYTHON_FOLDER=lib/python3/dist-packages "${flags[@]}" >/dev/null
cmake --build "$build"
(cd "$build" && cpack --config CPackConfig.cmake -B packages >packages.log) || { tail "$build/packages.log"; exit 1; }
find "$build/packages" -maxdepth 1 -type f
