#!/usr/bin/env bash
# Runs one small case of every family and mode on a GPU under compute-sanitizer (tests/memcheck/cases.txt); on a processor without it.
# usage: tools/memcheck.sh BUILD [cuda|cpu|serial] [TOOL]      BUILD: its bin/umov; TOOL: memcheck, racecheck, initcheck, synccheck
set -euo pipefail
program=$(realpath "$1")/bin/umov backend=${2:-cuda} tool=${3:-memcheck}
cd "$(dirname "$0")/../tests/memcheck"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
watch=()
[ "$backend" != cuda ] || watch=(compute-sanitizer --tool "$tool" --error-exitcode 99)

"$program" pmaxwell --from pmaxwell.toml "$out/cell" --quiet
failed=0
while IFS= read -r line; do
  case $line in ''|'#'*) continue ;; esac
  [ "$backend" = cuda ] || case $line in CUDA*) continue ;; esac
  read -ra arguments <<<"${line#CUDA }"
  [ "${arguments[1]}" != CELL ] || arguments[1]=$out/cell
  more=(--backend "$backend")
  case ${arguments[0]} in
    dda|fdtd|eqs) more+=(--output-dir "$out/run") ;;
    adda) more+=(-dir "$out/run") ;;
  esac
  begin=$SECONDS code=0
  "${watch[@]}" "$program" "${arguments[@]}" "${more[@]}" >"$out/log" 2>&1 || code=$?
  rm -rf "$out/run"
  if [ "$code" -eq 0 ]; then
    echo "$tool: $((SECONDS - begin)) s: umov $line"
  else
    echo "$tool: FAILED with $code: umov $line"
    tail -40 "$out/log"
    failed=1
  fi
done <cases.txt
exit $failed
