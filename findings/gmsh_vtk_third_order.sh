#!/bin/bash
# Gmsh's VTK export writes a third order tetrahedron as the linear cell, with 20 points.
#
# Package    Gmsh 4.8.4 (python3-gmsh=4.8.4+ds2-3, libgmsh4.8=4.8.4+ds2-3, Debian 12), VTK 9.1.0 (python3-vtk9)
# Behaviour  The cell type of an element that Gmsh has no VTK type for is the one of its shape: 10 (tetra) with all 20
#            nodes, 14 (pyramid) with 13 for the second order pyramid. VTK has both elements (71 Lagrange tetrahedron,
#            27 quadratic pyramid). No message on either side.
# Seen       tetra20: type 10, 20 points; pyramid13: type 14, 13 points; tetra10: type 24, 10 points
# Expected   an error, or types 71 and 27
# Who        Whoever checks a curved mesh of order 3 in ParaView through .vtk: it shows flat elements, so that the curving
#            seems to have failed, and a reader that trusts the type takes 4 nodes and leaves 16 that no cell has.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-gmsh=4.8.4+ds2-3 libgmsh4.8=4.8.4+ds2-3 python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import gmsh, vtk

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.option.setNumber("Mesh.SaveAll", 1)
gmsh.logger.start()
for number, name in ((11, "tetra10"), (29, "tetra20"), (19, "pyramid13")):
    _, dim, _, n, points, _ = gmsh.model.mesh.getElementProperties(number)
    gmsh.model.add(name)
    gmsh.model.addDiscreteEntity(dim, 1)
    gmsh.model.mesh.addNodes(dim, 1, list(range(1, n + 1)), list(points))
    gmsh.model.mesh.addElementsByType(1, number, [1], list(range(1, n + 1)))
    gmsh.write(name + ".vtk")
    reader = vtk.vtkUnstructuredGridReader()
    reader.SetFileName(name + ".vtk")
    reader.Update()
    grid = reader.GetOutput()
    print(f"{name}: type {grid.GetCellType(0)} ({grid.GetCell(0).GetClassName()}), {grid.GetCell(0).GetNumberOfPoints()} points")
print("messages:", sum(line.startswith(("Error", "Warning")) for line in gmsh.logger.get()))
END

grep -q "^tetra10: type 24 .* 10 points" seen.txt
grep -q "^tetra20: type 10 .* 20 points" seen.txt
grep -q "^pyramid13: type 14 .* 13 points" seen.txt
grep -q "^messages: 0" seen.txt
