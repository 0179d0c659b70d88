#!/bin/bash
# A sphere of 1 um radius, given in metres, is not cut out of its box by OpenCASCADE, and nothing fails.
#
# Package    Gmsh 4.8.4 with OpenCASCADE 7.6.3 (python3-gmsh=4.8.4+ds2-3, libgmsh4.8=4.8.4+ds2-3, Debian 12)
# Behaviour  The geometry kernel takes points within 1e-7 units for one. Far above that, at coordinates of 1e-6, a cut
#            still returns one valid solid with no message, but it is the uncut box; `fragment` of the same bodies gives
#            the right pieces at 1e-6, wrong ones at 5e-7 (volumes do not add up), and only below 2e-7 errors.
# Seen       radius 1 and 1e-3: (4r)^3 - 4/3 pi r^3 = 59.811 r^3; radius 1e-6 and 5e-7: 64.000 r^3, one solid, no message
#            fragments of a ball and a box at 5e-7: 9.823 r^3 instead of 11.665 r^3
# Expected   an error, or a result good to 1e-7 / 1e-6, a tenth of the radius
# Who        Whoever models particles or pixels in SI units with the OpenCASCADE kernel of Gmsh (or FreeCAD, Netgen,
#            a STEP file in metres). The particle has gone, the mesh is fine, the solver runs: the answer is that of
#            the empty box.
# Way out    build in micrometres and scale the mesh

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-gmsh=4.8.4+ds2-3 libgmsh4.8=4.8.4+ds2-3 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import gmsh

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
occ = gmsh.model.occ


def volumes(r, join):
    gmsh.model.add("m")
    join(r)
    occ.synchronize()
    found = [occ.getMass(*v) / r**3 for v in gmsh.model.getEntities(3)]
    gmsh.model.remove()
    return found


def cut(r):
    box, ball = occ.addBox(-2 * r, -2 * r, -2 * r, 4 * r, 4 * r, 4 * r), occ.addSphere(0, 0, 0, r)
    occ.cut([(3, box)], [(3, ball)])


def fragment(r):
    ball, box = occ.addSphere(0, 0, 0, r), occ.addBox(0, 0, 0, 2 * r, 2 * r, 2 * r)
    occ.fragment([(3, ball)], [(3, box)])


gmsh.logger.start()
for r in (1, 1e-3, 1e-6, 5e-7):
    for name, join in (("cut", cut), ("fragment", fragment)):
        v = volumes(r, join)
        print(f"{name} r {r:g}: {len(v)} solids, {sum(v):.3f} r^3")
print("messages:", sum(line.startswith(("Error", "Warning")) for line in gmsh.logger.get()))
END

grep -q "^cut r 1: 1 solids, 59.811" seen.txt
grep -q "^cut r 0.001: 1 solids, 59.811" seen.txt
grep -q "^cut r 1e-06: 1 solids, 64.000" seen.txt
grep -q "^cut r 5e-07: 1 solids, 64.000" seen.txt
grep -q "^fragment r 1e-06: 3 solids, 11.665" seen.txt
grep -q "^fragment r 5e-07: 2 solids, 9.823" seen.txt
grep -q "^messages: 0" seen.txt
