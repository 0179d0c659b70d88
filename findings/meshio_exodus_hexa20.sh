#!/bin/bash
# meshio writes a second order hexahedron into an Exodus file with eight of its twelve mid-edge nodes on other edges.
#
# Package    meshio 5.0.0 (python3-meshio=7.0.0-3), VTK 9.1.0 (python3-vtk9), Debian 12
# Behaviour  Exodus lists the nodes of the bottom edges, then those of the upright ones, then those of the top; meshio's
#            own order, as VTK's, has the top before the upright ones, and goes into the file as it is. meshio reads its
#            own file back in its own order, so that a round trip shows nothing.
# Seen       edges whose third node is not their middle, in VTK: 8 of 12 from .e, 0 of 12 from .vtu of the same mesh;
#            0 of 6 for a tetrahedron of 10; meshio's round trip through .e unchanged
# Expected   0
# Who        Whoever hands a mesh of second order bricks on to a solver that reads Exodus, or takes one from Cubit
#            through meshio: corners are right, and the elements are folded.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-meshio=7.0.0-3 python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 libvtk9.1=9.1.0+really9.1.0+dfsg2-5+deb12u1 python3-netcdf4=1.6.2-1+b1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import meshio, numpy, vtk

cube = numpy.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], float)
bottom, top = [(0, 1), (1, 2), (2, 3), (3, 0)], [(4, 5), (5, 6), (6, 7), (7, 4)]
upright = [(0, 4), (1, 5), (2, 6), (3, 7)]
simplex = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
shapes = {
    "hexahedron20": (cube, bottom + top + upright),
    "tetra10": (simplex, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]),
}


def astray(reader, file):
    reader.SetFileName(file)
    reader.Update()
    grid = reader.GetOutputDataObject(0)
    while grid.IsA("vtkMultiBlockDataSet"):
        grid = next(b for b in map(grid.GetBlock, range(grid.GetNumberOfBlocks())) if b)
    cell = grid.GetCell(0)
    count = 0
    for e in range(cell.GetNumberOfEdges()):
        a, b, middle = (numpy.array(cell.GetEdge(e).GetPoints().GetPoint(i)) for i in range(3))
        count += bool(abs((a + b) / 2 - middle).max() > 1e-6)
    return f"{count} of {cell.GetNumberOfEdges()}"


for name, (corners, edges) in shapes.items():
    points = numpy.vstack([corners] + [(corners[a] + corners[b]) / 2 for a, b in edges])
    mesh = meshio.Mesh(points, [(name, [list(range(len(points)))])])
    mesh.write(name + ".e")
    mesh.write(name + ".vtu")
    back = meshio.read(name + ".e")
    same = numpy.allclose(back.points[back.cells[0].data[0]], points)
    print(f"{name} e: {astray(vtk.vtkExodusIIReader(), name + '.e')}, round trip unchanged {same}")
    print(f"{name} vtu: {astray(vtk.vtkXMLUnstructuredGridReader(), name + '.vtu')}")
END

grep -q "^hexahedron20 e: 8 of 12, round trip unchanged True" seen.txt
grep -q "^hexahedron20 vtu: 0 of 12" seen.txt
grep -q "^tetra10 e: 0 of 6, round trip unchanged True" seen.txt
grep -q "^tetra10 vtu: 0 of 6" seen.txt
