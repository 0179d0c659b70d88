#!/usr/bin/env bash
# What is measured on GPUs after changes that matter there, each with what is asked for. One call, one folder of logs.
# What one H100 gave last: results/{dda_product,dda_runs,eqs}_h100.json, view_cost.json; not measured yet: methods, ranks.
#   benchmarks/on_gpus.sh OUT [view] [eqs] [methods] [lengths] [runs] [ranks] [ranks_eqs]   without names: all but methods
# Needs umov, test_view, test_backends, bench_dda_product, bench_eqs_matrix_free, bench_fdtd in build/bin (UMOV_CUDA, UMOV_TESTS,
# UMOV_BENCHMARKS), or in $BIN. $TERMINATION: a folder with a Gmsh mesh of a cable end and its case.toml, for `eqs`.
# `ranks` wants two GPUs (`ranks_eqs` is the last part of it). A part that fails or takes too long ends alone; its last line says so.
set -u
OUT=${1:?a folder for logs}; shift
mkdir -p "$OUT"
B=${BIN:-build/bin}
HERE=$(cd "$(dirname "$0")/.." && pwd)
export OMP_WAIT_POLICY=passive
QUIET="--gpu --quiet --no-vtk --no-pictures --no-hdf5"

part() {  # NAME SECONDS COMMAND...: runs it, log to OUT/NAME.log
  local name=$1 most=$2 start=$SECONDS code=0; shift 2
  { echo "\$ $*"; timeout "$most" "$@"; } >"$OUT/$name.log" 2>&1 || code=$?
  echo "== $name: code $code, $((SECONDS - start)) s" | tee -a "$OUT/$name.log"
  tail -n 4 "$OUT/$name.log" | head -n 3
}
log_of() { sed -n '/unknowns/p;/steps to/p;/stabilised/p;/preconditioner set up/p;/iterations/p' "$1/log"; }

view() {
  # device reduces boxes to their means: equal to the whole field of the same step
  part view_means 60 "$B/test_view" --gtest_filter='Backends/ViewedBackends.*/cuda*'
  # no viewer < 2 %, one viewer < 3 % (pictures rest 40 times what they cost)
  part view_cost 120 "$B/test_view" --gtest_filter='Backends/ValidateViewCost.*/cuda'
}

coaxial() {  # VOLTAGES: 199 thousand unknowns each
  cat <<TOML
[geometry]
kind = "coaxial"
inner_radius = 0.015
angle = 30
width = 0.01
elements_across = 94
[[layer]]
region = "layer"
thickness = 2e-3
elements = 8
[[layer]]
region = "insulator"
thickness = 23e-3
elements = 14
[[material]]
name = "layer"
permittivity = 12
conductivity = "microvaristor"
[[material]]
name = "insulator"
permittivity = 3
[[electrode]]
name = "inner"
rms = $1
ramp = "linear"
[[electrode]]
name = "outer"
kind = "ground"
[time]
periods = 0.5
TOML
}

eqs() {
  # K(u) u of second order at 12.6 million elements below 1 ms (1.9 measured, floor 0.2 to 0.35); its `host:` line: 5 s asked for
  part eqs_products 90 "$B/bench_eqs_matrix_free" 128 --forms matrix-free --curves all
  # 64 variants in a quarter of 64 runs
  coaxial 12e3 >"$OUT/one.toml"; coaxial '"8e3:15e3:64"' >"$OUT/many.toml"
  part eqs_one 30 "$B/umov" eqs "$OUT/one.toml" $QUIET --output-dir "$OUT/one"
  part eqs_many 120 "$B/umov" eqs "$OUT/many.toml" $QUIET --output-dir "$OUT/many"
  [ -n "${TERMINATION:-}" ] || return 0
  # second order of 445 thousand unknowns in 3 s (measured once: 9.9 with rkc), first order of 3.56 million in 15 s, second order in 20 s
  for c in "1 2 rkc" "1 2 auto" "3 1 rkc" "3 1 auto" "2 2 auto"; do
    set -- $c
    part "eqs_cable_r$1_o$2_$3" 60 "$B/umov" eqs "$TERMINATION/case.toml" --refine "$1" --order "$2" --scheme "$3" $QUIET --output-dir "$OUT/cable_$1_$2_$3"
    log_of "$OUT/cable_$1_$2_$3"
  done
}

methods() {  # A to G over models and orders: which wins where
  part eqs_methods 600 "$HERE/benchmarks/eqs_methods.py" --umov "$B/umov" --refine 1 --out "$OUT/methods" -- --gpu
}

lengths() {
  # every length with kernels of its own against serial; then products with and without them (ms)
  part dda_lengths_right 90 "$B/test_backends" --gtest_filter='DdaBackends.LengthsWithKernelsOfTheirOwn*'
  for p in double single; do for plans in none all; do
    part "dda_lengths_${p}_$plans" 60 env UMOV_DDA_PLANS=$plans "$B/bench_dda_product" --precision $p --shortest yes --iterations 10 box:80 box:100 box:160 box:200 box:250 box:300
  done; done
  # z in halves also at 256 points in double, where it loses
  for p in double single; do for plans in measured halves; do
    part "dda_halves_${p}_$plans" 60 env UMOV_DDA_PLANS=$plans "$B/bench_dda_product" --precision $p --iterations 20 box:128 box:256
  done; done
  for plans in none all; do
    part "dda_lengths_long_$plans" 60 env UMOV_DDA_PLANS=$plans "$B/bench_dda_product" --precision single --shortest yes --iterations 5 box:400 box:500
  done
}

runs() {
  # sphere of m = 1.5, 15 dipoles a wavelength: 192 in 6 s, 256 in 30 s; the cube whose extinction is published in half of 161 products
  local sphere="--no-pictures --quiet --gpu --m 1.5,0 --epsilon 1e-5"
  for n in 64 96 128 192 256; do
    part "dda_sphere_$n" 120 bash -c "time '$B/umov' dda --shape sphere --shape-grid $n --dpl 15 --lambda 6.283185307179586 $sphere --output-dir '$OUT/sphere_$n'"
  done
  part dda_cube_150 60 "$B/umov" adda -shape box -grid 150 -size 2387.32 -lambda 500 -m 1.313 0 -pol fcd -int fcd -scat_matr none -gpu 0 --preconditioner auto -dir "$OUT/cube_150"
}

ranks() {
  # two cards: 256^3 1.8 times as fast as one (measured 1.73), 1024 x 1024 x 256 cells 1.9 times (1.71, 8.5 % in communication; without the overlap 1.8)
  part ranks_dda 60 "$B/bench_dda_product" --backend cuda --iterations 20 --ranks 2 box:256
  part ranks_dda_512 120 "$B/bench_dda_product" --backend cuda --iterations 5 --ranks 2 box:512
  part ranks_fdtd 90 "$B/bench_fdtd" --steps 64 full:1024x1024x256@1 full:1024x1024x256@2t
  part ranks_fdtd_never 60 env UMOV_FDTD_OVERLAP=never "$B/bench_fdtd" --steps 64 full:1024x1024x256@2t
  ranks_eqs
}

ranks_eqs() {
  # 12.9 million unknowns of second order 1.6 times as fast on two cards, and 1.6 million of first order; what the log says of set-up, renewal,
  # levels and communication. Not measured: from how many unknowns a rank (UMOV_LEAST_SHARE, 100000 if not set) a level is worth several cards
  coaxial 12e3 >"$OUT/one.toml"
  local name
  for c in "2 --gpu" "2 --gpus 2" "2 --gpus 2 share 2000" "2 --gpus 2 share 500000" "1 --gpu" "1 --gpus 2"; do
    name=ranks_eqs_o${c//[^a-z0-9]/}
    set -- ${c/share/} ""
    local order=$1 gpus="$2 ${3:-}" share=${4:-}
    [ "$2" = --gpu ] && gpus=$2 share=
    part "$name" 240 env ${share:+UMOV_LEAST_SHARE=$share} "$B/umov" eqs "$OUT/one.toml" --order "$order" --refine 1 --end 1e-3 $gpus --quiet --no-vtk --no-pictures --no-hdf5 --output-dir "$OUT/$name"
    sed -n '/unknowns$/p;/steps to/p;/levels:/p;/last set-up/p;/preconditioner set up/p;/^ranks:/p;/^  rank /p' "$OUT/$name/log"
  done
}

[ $# -gt 0 ] || set -- view eqs lengths runs ranks
for name in "$@"; do
  case $name in view | eqs | methods | lengths | runs | ranks | ranks_eqs) "$name" ;; *) echo "on_gpus.sh: no part '$name'" >&2; exit 2 ;; esac
done
