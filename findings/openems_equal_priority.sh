#!/bin/bash
# In openEMS the body that was described first stays on top.
#
# Package    openEMS 0.0.35 (openems=0.0.35+git20190103.6a75e98+dfsg.1-3.2, Debian 12), VTK 9.1.0 (python3-vtk9)
# Behaviour  Where two bodies of the same priority overlap, the earlier one in the file has the point. Priority 0 is the
#            default, so this is the rule for all who set none.
# Seen       box of permittivity 2 on 2..6 mm, then box of 4 on 4..8 mm: 2 in the overlap at 5 mm; 4 when the second has
#            the higher priority; 2 when the first has
# Expected   4: later covers earlier, as in Meep and MPB
# Who        Whoever moves a model between openEMS and such a program: a via, a core or a coating that was written after
#            its surroundings vanishes inside of them. The run looks well.
# Way out    a Priority on every body

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends openems=0.0.35+git20190103.6a75e98+dfsg.1-3.2 python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 > apt.log 2>&1
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
      <Material Name="first"><Property Epsilon="2"/><Primitives>
        <Box Priority="$1"><P1 X="2" Y="2" Z="2"/><P2 X="6" Y="8" Z="8"/></Box></Primitives></Material>
      <Material Name="second"><Property Epsilon="4"/><Primitives>
        <Box Priority="$2"><P1 X="4" Y="2" Z="2"/><P2 X="8" Y="8" Z="8"/></Box></Primitives></Material>
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
for priorities in "0 0" "4 5" "5 4"; do
  model $priorities > model.xml
  openEMS model.xml --debug-material > openems.log 2>&1
  /usr/bin/python3 - "$priorities" <<'END' | tee -a seen.txt
import sys, vtk
reader = vtk.vtkXMLRectilinearGridReader()
reader.SetFileName("material_dump.vtr")
reader.Update()
grid = reader.GetOutput()
epsilon = grid.GetPointData().GetArray("epsilon")
at = [epsilon.GetTuple(grid.FindPoint(x * 1e-3, 5e-3, 5e-3))[0] for x in (3, 5, 7)]
print(f"priorities {sys.argv[1]}: at 3, 5, 7 mm", *at)
END
done

grep -q "^priorities 0 0: at 3, 5, 7 mm 2.0 2.0 4.0" seen.txt
grep -q "^priorities 4 5: at 3, 5, 7 mm 2.0 4.0 4.0" seen.txt
grep -q "^priorities 5 4: at 3, 5, 7 mm 2.0 2.0 4.0" seen.txt
