#!/bin/bash
# VTK reads a closed OBJ with normals as four loose triangles, and its groups by place instead of by name.
#
# Package    VTK 9.1.0 (python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1, Debian 12)
# Behaviour  vtkOBJReader makes a point of each pair vertex//normal: a body with one normal a face, the way CAD programs
#            write it, has no shared edges. Cells get `GroupIds`, which count the `g` lines: a group that is opened
#            again is another one, and the names are gone.
# Seen       a tetrahedron of 4 vertices, 4 normals, groups a, b, a: 12 points, 12 boundary edges, GroupIds 0 1 2 2;
#            the same without normals: 4 points, 0 boundary edges
# Expected   4 points and 0 boundary edges; GroupIds 0 1 0 0 and a list of names
# Who        Whoever checks in ParaView whether a particle is closed before a run (it seems torn all over), or colours
#            materials by group: one material under several colours.
# Way out    vtkCleanPolyData, which welds the points

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import vtk

vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
normals = "vn 0 0 -1\nvn 0 -1 0\nvn 0.57735 0.57735 0.57735\nvn -1 0 0\n"
faces = (("a", ((1, 3, 2),)), ("b", ((1, 2, 4),)), ("a", ((2, 3, 4), (1, 4, 3))))
for name in ("normals", "plain"):
    with open("body.obj", "w") as f:
        f.write(vertices + (normals if name == "normals" else ""))
        n = 0
        for group, triangles in faces:
            f.write(f"g {group}\n")
            for t in triangles:
                n += 1
                f.write("f " + " ".join(f"{v}//{n}" if name == "normals" else f"{v}" for v in t) + "\n")
    reader = vtk.vtkOBJReader()
    reader.SetFileName("body.obj")
    reader.Update()
    body = reader.GetOutput()
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(body)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    ids = body.GetCellData().GetArray("GroupIds")
    print(f"{name}: {body.GetNumberOfPoints()} points, {edges.GetOutput().GetNumberOfCells()} boundary edges, GroupIds",
          *(int(ids.GetValue(i)) for i in range(body.GetNumberOfCells())))
END

grep -q "^normals: 12 points, 12 boundary edges, GroupIds 0 1 2 2" seen.txt
grep -q "^plain: 4 points, 0 boundary edges, GroupIds 0 1 2 2" seen.txt
