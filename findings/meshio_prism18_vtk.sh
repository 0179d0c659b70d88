#!/bin/bash
# meshio turns a second order prism of Gmsh (18 nodes) into a VTK cell whose mid-edge nodes are on other edges.
#
# Package    meshio 5.0.0 (python3-meshio=7.0.0-3, Debian 12), Gmsh 4.8.4 (python3-gmsh=4.8.4+ds2-3,
#            libgmsh4.8=4.8.4+ds2-3), VTK 9.1.0 (python3-vtk9)
# Behaviour  The order of the nodes is translated for tetrahedra of 10 and hexahedra of 20 and 27 nodes, not for this
#            prism: the numbers of Gmsh go into the .vtu as they are. Gmsh's own VTK export translates it.
# Seen       edges whose third node is not their middle: 0 of 9 from Gmsh's .vtk; 8 of 9 through meshio's .vtu;
#            through meshio tetrahedra of 10 and hexahedra of 20 and 27: 0
# Expected   0
# Who        Whoever extrudes a thin layer in second order (a coating, an electrode's skin) and shows it in ParaView by way
#            of meshio. The corners are right, so the picture at a distance is; derivatives, contours and volumes
#            in the layer are nonsense.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-gmsh=4.8.4+ds2-3 libgmsh4.8=4.8.4+ds2-3 python3-meshio=7.0.0-3 python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import gmsh, meshio, numpy, vtk

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.option.setNumber("Mesh.SaveAll", 1)
gmsh.option.setNumber("Mesh.MshFileVersion", 2.2)


def astray(reader, file):
    reader.SetFileName(file)
    reader.Update()
    cell = reader.GetOutput().GetCell(0)
    count = 0
    for e in range(cell.GetNumberOfEdges()):
        a, b, middle = (numpy.array(cell.GetEdge(e).GetPoints().GetPoint(i)) for i in range(3))
        count += bool(numpy.abs((a + b) / 2 - middle).max() > 1e-6)
    return f"{count} of {cell.GetNumberOfEdges()} ({cell.GetClassName()})"


for number, name in ((11, "tetra10"), (17, "hexa20"), (12, "hexa27"), (13, "prism18")):
    _, dim, _, n, points, _ = gmsh.model.mesh.getElementProperties(number)
    gmsh.model.add(name)
    gmsh.model.addDiscreteEntity(dim, 1)
    gmsh.model.mesh.addNodes(dim, 1, list(range(1, n + 1)), list(points))
    gmsh.model.mesh.addElementsByType(1, number, [1], list(range(1, n + 1)))
    gmsh.write(name + ".vtk")
    gmsh.write(name + ".msh")
    meshio.read(name + ".msh").write(name + ".vtu")
    print(f"{name} gmsh {astray(vtk.vtkUnstructuredGridReader(), name + '.vtk')}")
    print(f"{name} meshio {astray(vtk.vtkXMLUnstructuredGridReader(), name + '.vtu')}")
END

for name in tetra10 hexa20 hexa27; do
  grep -q "^$name gmsh 0 of" seen.txt
  grep -q "^$name meshio 0 of" seen.txt
done
grep -q "^prism18 gmsh 0 of 9" seen.txt
grep -q "^prism18 meshio 8 of 9" seen.txt
