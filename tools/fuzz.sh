#!/usr/bin/env bash
# Runs readers under libFuzzer: for so many seconds each, from tests/fuzz/corpus and what earlier runs kept in out/fuzz.
# usage: tools/fuzz.sh FUZZER SECONDS [TARGET...]      FUZZER: build/asan/bin/fuzzer; no TARGET: all of them
set -euo pipefail
fuzzer=$(realpath "$1") seconds=$2
shift 2
here=$(realpath "$(dirname "$0")/..")
[ $# -gt 0 ] || mapfile -t all < <("$fuzzer")
[ $# -gt 0 ] || set -- "${all[@]}"
export TMPDIR=${TMPDIR:-/dev/shm} OMP_NUM_THREADS=1 ASAN_OPTIONS="quarantine_size_mb=16:${ASAN_OPTIONS:-}"
# g++'s undefined-behaviour runtime does not know libFuzzer's: by a signal it hears of a failure and keeps the input.
export UBSAN_OPTIONS="print_stacktrace=1:abort_on_error=1:${UBSAN_OPTIONS:-}"

failed=()
for target in "$@"; do
  kept="$here/out/fuzz/$target"
  mkdir -p "$kept" "$here/out/fuzz/found"
  log="$here/out/fuzz/$target.log"
  if "$fuzzer" "$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -malloc_limit_mb=512 -close_fd_mask=1 \
      -artifact_prefix="$here/out/fuzz/found/$target-" "$kept" "$here/tests/fuzz/corpus/$target" 2>"$log"; then
    echo "fuzz: $target: $(grep -oE '^Done [0-9]+ runs' "$log"), nothing found"
  else
    echo "fuzz: $target: FAILED, see $log; the input is out/fuzz/found/$target-*"
    failed+=("$target")
  fi
done
[ ${#failed[@]} -eq 0 ] || { echo "fuzz: defects in ${failed[*]}; a fixed one's input joins tests/fuzz/corpus"; exit 1; }
