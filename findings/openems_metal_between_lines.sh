#!/bin/bash
# In openEMS a metal plate of 0.8 mm vanishes between grid lines that are 1 mm apart, without the warning.
#
# Package    openEMS 0.0.35 (openems=0.0.35+git20190103.6a75e98+dfsg.1-3.2, Debian 12)
# Behaviour  Metal is taken edge by edge, at the middle of each edge of the grid: no tangential edge lies in a plate
#            between two lines, and the wave goes through. A sheet that is 1e-7 mm beside a line goes through, too, and
#            is reported as an unused primitive. The plate is not reported, since the edges across it are in it.
# Seen       plate across a closed box, highest voltage behind it: at z = 5..5: 0; 4.6..5.4: 0; 5.1..5.9: 3.0e-5, no
#            warning; 5.0000001: 2.6e-5, with a warning
# Expected   0 in all of them, or a warning
# Who        Whoever makes the grid apart from the model, or changes a thickness or an offset in a sweep: a shield, a ground
#            plane or a patch is there for one value and not for the next. The wider of two plates can be the one
#            that is missing.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends openems=0.0.35+git20190103.6a75e98+dfsg.1-3.2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

model() {
  local lines=0,1,2,3,4,5,6,7,8,9,10
  cat <<END
<?xml version="1.0"?>
<openEMS>
  <FDTD NumberOfTimesteps="400" endCriteria="1e-9" f_max="20e9">
    <Excitation Type="0" f0="1e10" fc="1e10"/>
    <BoundaryCond xmin="0" xmax="0" ymin="0" ymax="0" zmin="0" zmax="0"/>
  </FDTD>
  <ContinuousStructure CoordSystem="0">
    <Properties>
      <Metal Name="plate"><Primitives>
        <Box Priority="10"><P1 X="0" Y="0" Z="$1"/><P2 X="10" Y="10" Z="$2"/></Box></Primitives></Metal>
      <Excitation Name="source" Type="0" Excite="1,0,0"><Primitives>
        <Box Priority="0"><P1 X="4" Y="5" Z="2"/><P2 X="6" Y="5" Z="2"/></Box></Primitives></Excitation>
      <ProbeBox Name="behind" Type="0" Weight="1"><Primitives>
        <Box Priority="0"><P1 X="3" Y="5" Z="8"/><P2 X="7" Y="5" Z="8"/></Box></Primitives></ProbeBox>
    </Properties>
    <RectilinearGrid DeltaUnit="0.001" CoordSystem="0">
      <XLines>$lines</XLines><YLines>$lines</YLines><ZLines>$lines</ZLines>
    </RectilinearGrid>
  </ContinuousStructure>
</openEMS>
END
}
for plate in "5 5" "4.6 5.4" "5.1 5.9" "5.0000001 5.0000001"; do
  model $plate > model.xml
  rm -f behind
  openEMS model.xml > openems.log 2>&1
  warnings=$(grep -c "Unused primitive" openems.log || true)
  awk -v plate="$plate" -v warnings="$warnings" '
    !/^%/ { v = $2 < 0 ? -$2 : $2; if (v > most) most = v }
    END { printf "plate %s: %.1e V behind, %d warnings\n", plate, most, warnings }' behind | tee -a seen.txt
done

grep -q "^plate 5 5: 0.0e+00 V behind, 0 warnings" seen.txt
grep -q "^plate 4.6 5.4: 0.0e+00 V behind, 0 warnings" seen.txt
grep -q "^plate 5.1 5.9: 3.0e-05 V behind, 0 warnings" seen.txt
grep -q "^plate 5.0000001 5.0000001: 2.6e-05 V behind, 1 warnings" seen.txt
