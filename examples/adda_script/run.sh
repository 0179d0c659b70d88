#!/usr/bin/env bash
# A script written for ADDA: extinction of a growing sphere. `ADDA=adda` runs it with ADDA itself.
# usage: ADDA="build/bin/umov adda" examples/adda_script/run.sh [FOLDER]
set -euo pipefail
ADDA=${ADDA:-build/bin/umov adda}
folder=${1:-out/adda_script}
mkdir -p "$folder"
printf '%12s %12s %12s\n' 'size (um)' Qext Qabs
for size in 0.2 0.4 0.6 0.8; do
  $ADDA -shape sphere -size $size -grid 16 -lambda 0.6328 -m 1.5 0.02 -dir "$folder/size$size" >"$folder/size$size.txt"
  awk -v s=$size '$1 == "Qext" { e = $3 } $1 == "Qabs" { a = $3 } END { printf "%12s %12s %12s\n", s, e, a }' \
    "$folder/size$size/CrossSec-Y"
done
