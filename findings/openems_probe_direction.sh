#!/bin/bash
# A voltage probe of openEMS has the same sign from top to bottom as from bottom to top.
#
# Package    openEMS 0.0.35 (openems=0.0.35+git20190103.6a75e98+dfsg.1-3.2, Debian 12)
# Behaviour  The two points of a probe are sorted: a voltage is integrated along the positive axis, and a current counted
#            through the positive side of its face, whichever point comes first. No message. The sign is in the weight
#            alone, as the port functions of its Octave interface set it.
# Seen       two probes over one line, points exchanged: largest voltage 1.39e-03, ratio 1; with Weight -1 ratio -1; currents
#            through one face, points exchanged: ratio 1
# Expected   -1: an integral from one point to the other changes its sign
# Who        Whoever writes probes by hand for a line along a negative axis, or for the second port of a symmetric model: the
#            impedance or a transmission is of the other sign, and P = U I flows backwards.
# Way out    Weight="-1"

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

cat > model.xml <<'END'
<?xml version="1.0"?>
<openEMS>
  <FDTD NumberOfTimesteps="300" endCriteria="1e-12" f_max="20e9">
    <Excitation Type="0" f0="7.5e9" fc="5e9"/>
    <BoundaryCond xmin="0" xmax="0" ymin="1" ymax="1" zmin="0" zmax="0"/>
  </FDTD>
  <ContinuousStructure CoordSystem="0">
    <Properties>
      <Excitation Name="source" Type="0" Excite="1,0,0"><Primitives>
        <Box Priority="0"><P1 X="0" Y="0" Z="4"/><P2 X="2" Y="2" Z="4"/></Box></Primitives></Excitation>
      <ProbeBox Name="up" Type="0" Weight="1"><Primitives>
        <Box Priority="0"><P1 X="0" Y="1" Z="6"/><P2 X="2" Y="1" Z="6"/></Box></Primitives></ProbeBox>
      <ProbeBox Name="down" Type="0" Weight="1"><Primitives>
        <Box Priority="0"><P1 X="2" Y="1" Z="6"/><P2 X="0" Y="1" Z="6"/></Box></Primitives></ProbeBox>
      <ProbeBox Name="minus" Type="0" Weight="-1"><Primitives>
        <Box Priority="0"><P1 X="0" Y="1" Z="6"/><P2 X="2" Y="1" Z="6"/></Box></Primitives></ProbeBox>
      <ProbeBox Name="through" Type="1" Weight="1" NormDir="0"><Primitives>
        <Box Priority="0"><P1 X="1" Y="0" Z="4"/><P2 X="1" Y="2" Z="6"/></Box></Primitives></ProbeBox>
      <ProbeBox Name="exchanged" Type="1" Weight="1" NormDir="0"><Primitives>
        <Box Priority="0"><P1 X="1" Y="2" Z="6"/><P2 X="1" Y="0" Z="4"/></Box></Primitives></ProbeBox>
    </Properties>
    <RectilinearGrid DeltaUnit="0.001" CoordSystem="0">
      <XLines>0,1,2</XLines><YLines>0,1,2</YLines><ZLines>0,1,2,3,4,5,6,7,8,9,10</ZLines>
    </RectilinearGrid>
  </ContinuousStructure>
</openEMS>
END
OMP_NUM_THREADS=1 openEMS model.xml > openems.log 2>&1
compare() {
  paste <(grep -v '^%' $1) <(grep -v '^%' $2) | awk -v names="$1 $2" '
    { a = $2 < 0 ? -$2 : $2; if (a > most) { most = a; ratio = $4 / $2 } }
    END { printf "%s: largest %.2e, ratio %g\n", names, most, ratio }' | tee -a seen.txt
}
compare up down
compare up minus
compare through exchanged

grep -q "^up down: largest 1.39e-03, ratio 1$" seen.txt
grep -q "^up minus: largest 1.39e-03, ratio -1$" seen.txt
grep -q "^through exchanged: largest [1-9].*, ratio 1$" seen.txt
