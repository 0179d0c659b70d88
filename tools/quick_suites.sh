#!/usr/bin/env bash
# Writes tests/quick.txt: the suites that `make quick` runs, those without commands, ranks and viewers that took little time.
# usage: tools/quick_suites.sh BUILD LOG      LOG: what ctest printed of all suites of this build
set -euo pipefail
build=$1 log=$2
here=$(realpath "$(dirname "$0")/..")
most=0.4  # s of one suite, on a busy machine
{
  echo "# Suites that take at most $most s each, a minute together on two cores; tools/quick_suites.sh writes this file."
  awk -v most=$most '
    /^add_test/ { split($0, part, /\]=\]|\[=\[/); program = part[4]; sub(".*/test_", "", program); of[part[2]] = program }
    / Passed / { name = $4 == ":" ? $5 : $4; seconds = $(NF - 1); if (seconds <= most) took[name] = 1 }
    END {
      for (name in took) if (of[name] ~ /^(eqs|fdtd|formats|harmonic|linalg|mesh|physics|pmaxwell|shared|unit)$/) print name
    }' "$build"/tests/*_suites.cmake "$log" | sort
} >"$here/tests/quick.txt"
echo "$(($(wc -l <"$here/tests/quick.txt") - 1)) suites"
