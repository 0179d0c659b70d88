#!/usr/bin/env bash
# A tour in two minutes: a sphere on finer and finer grids against Mie theory, an ice crystal, a drawn circuit of light, a plate
# of glass against its formula, a varistor in a capacitor against its differential equation, the end of a cable; with pictures.
# usage: tools/demo.sh BINARY [particles|waves]    (results go to out/demo; those newer than the binary are kept)
# particles: sphere and crystal; waves: the others; neither: all. Exit status: 0 when sphere, plate and varistor agree with the
# exact answers within the tolerances stated below.
set -euo pipefail
umov=$(realpath "${1:?usage: tools/demo.sh BINARY [particles|waves]}")
part=${2:-all}
out=out/demo
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}  # spinning threads hold each other up on a busy machine
wavelength=0.6328 diameter=1 m_re=1.5 m_im=0.02

# Discretisation error is proportional to the distance between dipoles (Yurkin et al. 2006, J. Opt. Soc. Am. A 23,
# 2578); these are its bounds in per cent at ten dipoles per wavelength.
tolerance_ext=2 tolerance_abs=7

# compute NAME OPTIONS...: runs `umov dda` into out/demo/NAME unless that is done already.
compute() {
  local name=$1; shift
  if [ "$out/$name/CrossSec-Y" -nt "$umov" ] && [ "$out/$name/CrossSec-Y" -nt "$0" ]; then
    echo "   $name: already there"
    return
  fi
  echo "   umov dda $* --output-dir $out/$name"
  rm -rf "${out:?}/$name"
  "$umov" dda "$@" --output-dir "$out/$name" --quiet
}
value() { awk -v key="$2" '$1 == key { print $3 }' "$out/$1/CrossSec-Y"; }
from_log() { awk -F': *' -v key="$2" '$1 == key { print $2 }' "$out/$1/log"; }

# logged FAMILY NAME ARGUMENTS...: runs `umov FAMILY` into out/demo/NAME unless that is done already.
logged() {
  local family=$1 name=$2; shift 2
  if [ "$out/$name/log" -nt "$umov" ] && [ "$out/$name/log" -nt "$0" ]; then
    echo "   $name: already there"
    return
  fi
  echo "   umov $family $* --output-dir $out/$name"
  rm -rf "${out:?}/$name"
  "$umov" "$family" "$@" --output-dir "$out/$name" --quiet
}

# pictures FILE...: names what has been drawn.
pictures() {
  echo
  echo "pictures:"
  local picture
  for picture in "$@"; do ls "$out/$picture"; done | sed "s|^|   |"
}

failed=0
mkdir -p "$out"

particles() {
echo
echo "1. A sphere of glass, slightly absorbing: diameter $diameter um, m = $m_re + ${m_im}i, wavelength $wavelength um."
echo "   The same sphere from ever smaller dipoles; Mie theory knows the exact answer."
echo
for n in 16 24 32 48; do
  pictures=--no-pictures; [ $n = 48 ] && pictures=--pictures
  compute sphere$n --shape sphere --size $diameter --lambda $wavelength --m $m_re,$m_im --shape-grid $n $pictures
done
"$umov" mie --radius "$(awk "BEGIN { print $diameter / 2 }")" --lambda $wavelength --m $m_re,$m_im >"$out/mie.txt"
mie_ext=$(awk '$1 == "extinction" { print $2 }' "$out/mie.txt")
mie_abs=$(awk '$1 == "absorption" { print $2 }' "$out/mie.txt")

echo
echo "   across   dipoles   per wavelength     Qext   difference   allowed     Qabs   difference   allowed"
echo "   ------------------------------------------------------------------------------------------------"
for n in 16 24 32 48; do
  awk -v n=$n -v dipoles="$(from_log sphere$n 'Total number of occupied dipoles')" \
    -v dpl="$(from_log sphere$n 'Dipoles/lambda')" -v ext="$(value sphere$n Qext)" -v abs="$(value sphere$n Qabs)" \
    -v mie_ext="$mie_ext" -v mie_abs="$mie_abs" -v bound_ext=$tolerance_ext -v bound_abs=$tolerance_abs '
    function size(x) { return x < 0 ? -x : x }
    BEGIN {
      e = 100 * (ext / mie_ext - 1); a = 100 * (abs / mie_abs - 1)
      be = bound_ext * 10 / dpl; ba = bound_abs * 10 / dpl
      good = size(e) <= be && size(a) <= ba
      printf "   %6d %9d %16.1f %8.4f %+10.2f %% %7.2f %% %8.4f %+10.2f %% %7.2f %%%s\n",
        n, dipoles, dpl, ext, e, be, abs, a, ba, good ? "" : "   FAILED"
      exit !good
    }' || failed=1
done
awk -v e="$mie_ext" -v a="$mie_abs" 'BEGIN { printf "   Mie theory (equal volume) %18.4f %33.4f\n", e, a }'

echo
echo "2. A hexagonal crystal of ice, 1.6 um across, tilted in the beam: no symmetry left, no exact answer."
echo
compute ice_crystal --shape prism --shape-arguments 6,1 --size 1.6 --lambda 0.55 --m 1.311 --shape-grid 40 \
  --alpha 20 --beta 60 --gamma 15
awk -v q="$(value ice_crystal Qext)" -v c="$(value ice_crystal Cext)" \
  'BEGIN { printf "   extinction for polarization Y: cross section %.4f um^2, efficiency %.4f\n", c, q }'

pictures {sphere48,ice_crystal}/{overview,shape,scattering,polar,internal_field}.png
}

waves() {
echo
echo "3. A circuit drawn in a paint program: green is the permittivity, red the source, blue the monitors."
echo
logged fdtd ring_coupler examples/ring_coupler/ring.png --eps-max 9 --resolution 30 --time 120 --animation

echo
echo "4. A plate of glass in a pulse of light, with and without the plate: what it reflects over frequency."
echo
logged fdtd slab_etalon examples/slab_etalon/case.toml
# R = ((n^2 - 1) / 2n)^2 s^2 / (1 + ...), s = sin(2 pi f n d). Second order in the cell: with 40 cells per wavelength in the
# glass and more the numerical phase is off by less than pi^2 / (6 * 40^2) = 1e-3 of a period, which shifts R by at most 0.01.
awk -F, -v n=1.5 -v d=1 '
  /^[0-9]/ && ($1 == 0.5 || $1 == 0.75 || $1 == 1) {
    s = sin(2 * 3.14159265358979 * $1 * n * d); F = ((n * n - 1) / (2 * n)) ^ 2 * s * s; exact = F / (1 + F)
    off = $7 - exact; good = off < 0.01 && off > -0.01; bad += !good
    printf "   frequency %.2f: R = %.5f, exactly %.5f%s\n", $1, $7, exact, good ? "" : "   FAILED"; rows++
  }
  END { exit bad > 0 || rows < 3 }' "$out/slab_etalon/flux-reflected.csv" || failed=1

echo
echo "5. Two layers between plates, 2 mm each, 10 kV at 50 Hz: one is a varistor, whose conductivity rises by eight powers of ten."
echo
logged eqs two_layers examples/eqs_two_layers/case.toml
# The field of such a pair obeys one ordinary differential equation; its solution is known to ten digits. The steps in time
# are held to 1e-5 of the energy norm; the varistor forgets within a half period (some 35 steps), and what adds up till then
# comes to 3e-5 of the largest field. Allowed is 1e-4 of it.
awk -F, '
  BEGIN { exact[5] = 8.8080926678e5; exact[10] = -3.9262289481e4; exact[15] = -1.1446998548e6; exact[20] = 6.8353355582e5
          exact[25] = 1.1447418170e6; exact[40] = 6.8351257812e5 }
  function size(x) { return x < 0 ? -x : x }
  /^[0-9]/ { ms = int($1 * 1000 + 0.5); if (size($1 * 1000 - ms) > 1e-9 || !(ms in exact)) next
    e = size(exact[ms]); off = size($2 - e); good = off < 115; bad += !good; rows++
    printf "   t = %2d ms: |E| in the varistor %.6g V/m, exactly %.6g%s\n", ms, $2, e, good ? "" : "   FAILED" }
  END { exit bad > 0 || rows < 6 }' "$out/two_layers/materials.csv" || failed=1

echo
echo "6. The end of a 60 kV cable in three dimensions: a layer of varistor material spreads the field from the screen's edge."
echo
logged eqs cable_end examples/eqs_cable_end/case.toml
grep -E '^(mesh: |material .*largest)' "$out/cable_end/log" | sed 's/^/   /'

pictures ring_coupler/{field-Ez,model}.png ring_coupler/animation.gif slab_etalon/spectrum.png two_layers/overview.png \
  cable_end/{overview,line_layer}.png
}

case $part in
  particles) checked=sphere; particles ;;
  waves) checked="plate and varistor"; waves ;;
  all) checked="sphere, plate and varistor"; particles; waves ;;
  *) echo "demo: no part '$part' (particles, waves)" >&2; exit 2 ;;
esac
echo
echo "everything else, with an HDF5 file for ParaView: $out/*/ (docs/guide/results.md)"
if [ $failed = 1 ]; then
  echo "demo: a result differs from the exact answer by more than the discretisation explains" >&2
  exit 1
fi
echo "demo: agreement with the exact answers within the discretisation error: $checked"
