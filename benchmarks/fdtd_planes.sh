#!/usr/bin/env bash
# What a flux plane of many frequencies costs a run in the time domain: one line per number of frequencies.
#   benchmarks/fdtd_planes.sh [cuda|cpu|serial] [STEPS] [CELLS along an axis in space]     default: cuda 2000 256
# Needs umov in build/bin, or in $BIN. In space a point source in CELLS^3 cells with ten absorbing layers and a plane of
# 200 x 200 points (or 5/8 of the width); in the plane 512 x 256 cells and a line of 200 points. A pulse of 0.3 width that
# has gone after some 150 steps: transforms are summed and looked at as in any run. The last column is the time of a step
# by that without a monitor.
set -eu
BACKEND=${1:-cuda} STEPS=${2:-2000} CELLS=${3:-256}
B=${BIN:-build/bin}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export OMP_WAIT_POLICY=passive

case_of() {  # DOMAIN SIZE-OF-PLANE FREQUENCIES
  cat <<TOML
[domain]
size = $1
resolution = 40
[[source]]
kind = "point"
component = "Ez"
center = [-0.5, 0, 0]
waveform = "gaussian"
frequency = 1.0
width = 0.3
[stop]
steps = $STEPS
TOML
  if [ "$3" -gt 0 ]; then
    cat <<TOML
[[monitor]]
kind = "flux"
name = "plane"
center = [0.5, 0, 0]
size = $2
frequency_from = 0.8
frequency_to = 1.2
frequency_count = $3
TOML
  fi
}

measure() {  # NAME DOMAIN PLANE
  local none=""
  for n in 0 1 21 101; do
    case_of "$2" "$3" "$n" >"$WORK/case.toml"
    "$B/umov" fdtd "$WORK/case.toml" --backend "$BACKEND" --quiet --force --output-dir "$WORK/out" --no-hdf5 --no-csv --no-pictures >/dev/null 2>&1 ||
      { echo "$1 with $n frequencies: failed"; continue; }
    speed=$(sed -n 's/^\([0-9.e+]*\) Mcells\/s on .*/\1/p' "$WORK/out/log" | head -n 1)
    none=${none:-$speed}
    awk -v name="$1" -v n="$n" -v v="$speed" -v none="$none" \
      'BEGIN { printf "%-12s %4d frequencies %10.3f Gcell-steps/s   %6.3f times the step without\n", name, n, v / 1e3, none / v }'
    rm -rf "$WORK/out"
  done
}

grep -m 1 "model name" /proc/cpuinfo || true
command -v nvidia-smi >/dev/null && nvidia-smi -L | head -n 1
measure "$CELLS^3" "$(awk -v n="$CELLS" 'BEGIN { printf "[%g, %g, %g]", n / 40, n / 40, n / 40 }')" \
  "$(awk -v n="$CELLS" 'BEGIN { w = n == 256 ? 5 : 0.625 * n / 40; printf "[0, %g, %g]", w, w }')"
measure "512 x 256" "[12.8, 6.4]" "[0, 5]"
