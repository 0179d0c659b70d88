#!/usr/bin/env bash
# Runs the tests of a build with sanitizers. A test that takes longer than its limit is named, and no failure; all else is.
# usage: tools/sanitize.sh BUILD [LABEL]      BUILD: configured with -DCMAKE_BUILD_TYPE=Sanitize; LABEL: of the tests
set -euo pipefail
build=$1
which=(-LE validate)
[ -z "${2:-}" ] || which=(-L "$2")
here=$(realpath "$(dirname "$0")/..")
# The module that meshes has its own copies of what the program has, too: one name twice is no defect there.
export ASAN_OPTIONS="detect_odr_violation=0:detect_stack_use_after_return=1:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export LSAN_OPTIONS="suppressions=$here/tools/leaks.supp:print_suppressions=0:${LSAN_OPTIONS:-}"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2

log=$build/sanitize.log
ctest --test-dir "$build" "${which[@]}" -j "$(nproc)" --output-on-failure >"$log" 2>&1 || true
grep -E '^[0-9]+% tests passed' "$log" || { tail -20 "$log"; exit 1; }
slow=$(grep -cE '^\s*[0-9]+/[0-9]+ Test.*\*\*\*Timeout' "$log" || true)
echo "sanitize: $slow tests took too long, see $log"
if grep -E '^\s*[0-9]+/[0-9]+ Test.*\*\*\*(Failed|Exception|Not Run)' "$log"; then
  echo "sanitize: defects, see $log"
  exit 1
fi
echo "sanitize: nothing found"
