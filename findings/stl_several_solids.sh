#!/bin/bash
# An STL text file of two solids has 8 triangles in VTK, 4 in numpy-stl, and none in ADMesh.
#
# Package    numpy-stl 2.8.0 (python3-stl=2.9.0-2+b3, Debian 12), ADMesh 0.98.4 (admesh=0.98.4-2), VTK 9.1.0 (python3-vtk9)
# Behaviour  Several `solid ... endsolid` in one text file are common (Gmsh with one solid a surface).
#            VTK reads all. numpy-stl's Mesh.from_file ends after the first, silently; from_multi_file has all. ADMesh,
#            which counts triangles by lines, calls the file "syntactically very wrong" and ends with 1.
# Seen       VTK 8, numpy-stl 4, from_multi_file 4 + 4, ADMesh: exit 1
# Expected   8
# Who        Whoever computes volume or bounding box of an aggregate of particles with numpy-stl, or makes dipoles of it:
#            what is read is one particle of many, a mesh that is closed and fine.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-stl=2.9.0-2+b3 admesh=0.98.4-2 python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - <<'END' | tee seen.txt
def tetrahedron(name, x):
    p = [(x, 0, 0), (x + 1, 0, 0), (x, 1, 0), (x, 0, 1)]
    facets = "".join(
        " facet normal 0 0 0\n  outer loop\n"
        + "".join("   vertex %g %g %g\n" % p[i] for i in t)
        + "  endloop\n endfacet\n"
        for t in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
    )
    return f"solid {name}\n{facets}endsolid {name}\n"


with open("one.stl", "w") as f:
    f.write(tetrahedron("a", 0))
with open("two.stl", "w") as f:
    f.write(tetrahedron("a", 0) + tetrahedron("b", 5))

import stl, vtk

reader = vtk.vtkSTLReader()
reader.SetFileName("two.stl")
reader.Update()
print("VTK", reader.GetOutput().GetNumberOfCells())
print("numpy-stl", len(stl.mesh.Mesh.from_file("two.stl")))
print("numpy-stl multi", *(len(m) for m in stl.mesh.Mesh.from_multi_file("two.stl")))
END
for file in one two; do
  code=0
  admesh $file.stl > admesh.log 2>&1 || code=$?
  echo "ADMesh $file: exit $code" | tee -a seen.txt
done

grep -q "^VTK 8" seen.txt
grep -q "^numpy-stl 4" seen.txt
grep -q "^numpy-stl multi 4 4" seen.txt
grep -q "^ADMesh one: exit 0" seen.txt
grep -q "^ADMesh two: exit 1" seen.txt
