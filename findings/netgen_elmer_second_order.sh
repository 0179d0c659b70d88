#!/bin/bash
# Netgen writes second order tetrahedra for Elmer with three of their six mid-edge nodes on other edges.
#
# Package    Netgen 6.2 (python3-netgen=6.2.2006+really6.2.1905+dfsg-5.1+b1, Debian 12)
# Behaviour  Elmer's tetrahedron 510 has its mid-edge nodes on 1-2, 2-3, 3-1, 1-4, 2-4, 3-4, its triangle 306 on 1-2,
#            2-3, 3-1 (fem/src/elements.def of Elmer). Netgen's own order, 12 13 14 23 24 34 and 23 13 12, goes into
#            mesh.elements and mesh.boundary as it is. For Gmsh and Abaqus the same program sorts them. No message.
# Seen       a brick, nodes that are not the middle of their edge: Elmer 3 of 6 in a tetrahedron, 3 of 3 in a
#            triangle; Gmsh2 and Abaqus none
# Expected   none
# Who        Whoever meshes in Netgen for ElmerSolver (which is in no package here and was not run): its elements are
#            folded, while corners, and what is drawn of them, are right.
# Way out    first order, or "Gmsh2 Format", whose order is right

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-netgen=6.2.2006+really6.2.1905+dfsg-5.1+b1 libnglib-6.2=6.2.2006+really6.2.1905+dfsg-5.1+b1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 > netgen.log 2>&1 - <<'END'
from netgen.csg import CSGeometry, OrthoBrick, Pnt

geometry = CSGeometry()
geometry.Add(OrthoBrick(Pnt(0, 0, 0), Pnt(2, 1, 1)))
mesh = geometry.GenerateMesh(maxh=1)
mesh.SecondOrder()
for name in ("elmer", "gmsh2", "abaqus"):
    mesh.Export(name, name.capitalize() + " Format")
END
/usr/bin/python3 - <<'END' | tee seen.txt
import re

triangle, tetrahedron = [(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
gmsh = tetrahedron[:4] + [(2, 3), (1, 3)]


def rows(text):
    return [line.replace(",", " ").split() for line in text.splitlines()]


def report(name, points, cells, edges):
    astray = set()
    for cell in cells:
        corners, middles = cell[: -len(edges)], cell[-len(edges) :]
        for k, (a, b) in enumerate(edges):
            half = [(p + q) / 2 for p, q in zip(points[corners[a]], points[corners[b]])]
            if max(abs(p - q) for p, q in zip(half, points[middles[k]])) > 1e-5:
                astray.add(k)
    print(f"{name}: {len(cells) > 0}, {len(astray)} of {len(edges)} astray")


points = {int(r[0]): list(map(float, r[2:])) for r in rows(open("elmer/mesh.nodes").read())}
cells = [list(map(int, r[3:])) for r in rows(open("elmer/mesh.elements").read()) if r[2] == "510"]
report("Elmer 510", points, cells, tetrahedron)
cells = [list(map(int, r[5:])) for r in rows(open("elmer/mesh.boundary").read()) if r[4] == "306"]
report("Elmer 306", points, cells, triangle)

text = open("gmsh2").read()
part = lambda name: rows(re.search(rf"\${name}\n\d+\n(.*?)\$End{name}", text, re.S)[1])
points = {int(r[0]): list(map(float, r[1:])) for r in part("Nodes")}
cells = [list(map(int, r[3 + int(r[2]) :])) for r in part("Elements") if r[1] == "11"]
report("Gmsh", points, cells, gmsh)

text = open("abaqus").read()
points = {int(r[0]): list(map(float, r[1:4])) for r in rows(re.search(r"\*Node\n(.*?)\n\*", text, re.S)[1])}
joined = re.search(r"C3D10.*?\n(.*?)\n?(?:\*|\Z)", text, re.S)[1].replace(", \n", ", ")
cells = [list(map(int, r[1:])) for r in rows(joined)]
report("Abaqus", points, cells, tetrahedron)
END

grep -q "^Elmer 510: True, 3 of 6 astray" seen.txt
grep -q "^Elmer 306: True, 3 of 3 astray" seen.txt
grep -q "^Gmsh: True, 0 of 6 astray" seen.txt
grep -q "^Abaqus: True, 0 of 6 astray" seen.txt
