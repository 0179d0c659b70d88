#!/bin/bash
# sfepy reads a Gmsh file of two materials as one: every cell is in group 1.
#
# Package    sfepy 2021.4 (python3-sfepy=2021.4-4+b1) with meshio 5.0.0 (python3-meshio=7.0.0-3), Gmsh 4.8.4
#            (python3-gmsh=4.8.4+ds2-3), Debian 12
# Behaviour  sfepy takes the groups of cells from data named mat_id or ...:ref, as Medit and its own files have them,
#            and else gives all cells the group 1. Gmsh's physical groups come from meshio as gmsh:physical, and those
#            of a VTK file of Gmsh as CellEntityIds. No message.
# Seen       two cubes in the groups 1 and 2, MSH 2.2: meshio 1 and 2, sfepy 1; VTK: 1; after a change of the name to
#            mat_id: 1 and 2
# Expected   1 and 2
# Who        Whoever meshes two dielectrics in Gmsh for sfepy: `cells of group 1` is the whole domain, with one
#            permittivity, and only who asks for group 2 gets an error.
# Way out    mesh.cell_data["mat_id"] = mesh.cell_data.pop("gmsh:physical") in meshio, and a VTK file for sfepy

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-sfepy=2021.4-4+b1 python3-meshio=7.0.0-3 python3-gmsh=4.8.4+ds2-3 libgmsh4.8=4.8.4+ds2-3 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OPENBLAS_NUM_THREADS=1
/usr/bin/python3 - <<'END'
import gmsh, meshio

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.option.setNumber("Mesh.CharacteristicLengthMax", 1)
occ = gmsh.model.occ
occ.fragment([(3, occ.addBox(0, 0, 0, 1, 1, 1))], [(3, occ.addBox(1, 0, 0, 1, 1, 1))])
occ.synchronize()
for group in (1, 2):
    gmsh.model.addPhysicalGroup(3, [group], group)
gmsh.model.mesh.generate(3)
gmsh.option.setNumber("Mesh.MshFileVersion", 2.2)
gmsh.write("cubes.msh")
gmsh.write("cubes.vtk")
mesh = meshio.read("cubes.msh", file_format="gmsh")
mesh.cell_data["mat_id"] = mesh.cell_data.pop("gmsh:physical")
mesh.cell_data.pop("gmsh:geometrical")
mesh.write("renamed.vtk")
END
/usr/bin/python3 -W ignore - <<'END' > log.txt
import meshio, numpy
from sfepy.discrete.fem import Mesh

groups = meshio.read("cubes.msh", file_format="gmsh").cell_data["gmsh:physical"]
print("meshio cubes.msh:", numpy.unique(numpy.concatenate(groups)).tolist())
for file in ("cubes.msh", "cubes.vtk", "renamed.vtk"):
    print(f"sfepy {file}:", numpy.unique(Mesh.from_file(file).cmesh.cell_groups).tolist())
END
grep "cubes.msh:\|cubes.vtk:\|renamed.vtk:" log.txt | tee seen.txt

grep -qF "meshio cubes.msh: [1, 2]" seen.txt
grep -qF "sfepy cubes.msh: [1]" seen.txt
grep -qF "sfepy cubes.vtk: [1]" seen.txt
grep -qF "sfepy renamed.vtk: [1, 2]" seen.txt
! grep -qi "warning\|ignor" log.txt
