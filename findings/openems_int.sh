#!/bin/bash
# In a formula of openEMS int(0.75) is 1: it rounds to the nearest whole number.
#
# Package    openEMS 0.0.35 (openems=0.0.35+git20190103.6a75e98+dfsg.1-3.2) with fparser 4.5.2 (libfparser4=4.5.2-2),
#            files read by VTK 9.1.0 (python3-vtk9), Debian 12
# Behaviour  The weights of a material and of an excitation are formulas for fparser. Its int() rounds; trunc() cuts
#            off, floor() goes down.
# Seen       weight 1 + int(x / 4) at x = 1.5, 2.5, 3.5, 5.5, 6.5: 1 2 2 2 3; with trunc or floor: 1 1 1 2 2
# Expected   int cuts off, as in C, Fortran, Python, gnuplot and GNU awk
# Who        Whoever draws a grating, a staircase or a sampled index with int(x/period): every edge comes half a step
#            early, and the first step has half of its width.
# Way out    floor(x/period)

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends openems=0.0.35+git20190103.6a75e98+dfsg.1-3.2 libfparser4=4.5.2-2 python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

model() {
  local lines=0,1,2,3,4,5,6,7,8,9,10
  cat <<END
<?xml version="1.0"?>
<openEMS>
  <FDTD NumberOfTimesteps="2" endCriteria="1e-5" f_max="1e8">
    <Excitation Type="0" f0="5e7" fc="5e7"/>
    <BoundaryCond xmin="0" xmax="0" ymin="0" ymax="0" zmin="0" zmax="0"/>
  </FDTD>
  <ContinuousStructure CoordSystem="0">
    <Properties>
      <Material Name="steps"><Property Epsilon="1"/><Weight Epsilon="$1"/><Primitives>
        <Box Priority="1"><P1 X="0" Y="0" Z="0"/><P2 X="10" Y="10" Z="10"/></Box></Primitives></Material>
      <Excitation Name="source" Type="0" Excite="1,0,0"><Primitives>
        <Box Priority="0"><P1 X="1" Y="1" Z="1"/><P2 X="2" Y="1" Z="1"/></Box></Primitives></Excitation>
    </Properties>
    <RectilinearGrid DeltaUnit="0.001" CoordSystem="0">
      <XLines>$lines</XLines><YLines>$lines</YLines><ZLines>$lines</ZLines>
    </RectilinearGrid>
  </ContinuousStructure>
</openEMS>
END
}
for weight in "1+int(x/4)" "1+trunc(x/4)" "1+floor(x/4)" "x"; do
  model "$weight" > model.xml
  openEMS model.xml --debug-material > openems.log 2>&1
  /usr/bin/python3 - "$weight" <<'END' | tee -a seen.txt
import sys, vtk

reader = vtk.vtkXMLRectilinearGridReader()
reader.SetFileName("material_dump.vtr")
reader.Update()
grid = reader.GetOutput()
epsilon = grid.GetPointData().GetArray("epsilon")  # of the edge that begins at the point: taken half a cell further
at = [epsilon.GetTuple(grid.FindPoint(x * 1e-3, 5e-3, 5e-3))[0] for x in (1, 2, 3, 5, 6)]
print(f"{sys.argv[1]}:", *(f"{value:g}" for value in at))
END
done

grep -qF "1+int(x/4): 1 2 2 2 3" seen.txt
grep -qF "1+trunc(x/4): 1 1 1 2 2" seen.txt
grep -qF "1+floor(x/4): 1 1 1 2 2" seen.txt
grep -qF "x: 1.5 2.5 3.5 5.5 6.5" seen.txt
