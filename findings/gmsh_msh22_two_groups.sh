#!/bin/bash
# Gmsh's own MSH 2.2 file of a volume in two physical groups gives the volume back twice.
#
# Package    Gmsh 4.8.4 (python3-gmsh=4.8.4+ds2-3, libgmsh4.8=4.8.4+ds2-3, Debian 12), meshio 5.0.0
#            (python3-meshio=7.0.0-3)
# Behaviour  An element has one physical tag in MSH 2.2, so Gmsh writes one element for each group it is in, with
#            numbers of their own. Reading that file, Gmsh keeps all of them in one volume; meshio does, too. With MSH 4.1
#            nothing is doubled, but meshio's `gmsh:physical` has one of an element's groups only.
# Seen       two boxes of 24 tetrahedra, "left" in two groups: 48 meshed; 72 in Gmsh from 2.2, 48 from 4.1; meshio 72 from
#            2.2 of total volume 3 instead of 2; from 4.1 48, group 7: 24, group 3: 24, where group 3 has 48
# Expected   48 tetrahedra
# Who        Whoever gives a part a name and also collects parts in a group ("all", "dielectric"), and solves with a
#            program that assembles element by element: the part counts twice in stiffness, charge, energy and mass.
# Way out    one group a volume, or MSH 4.1 and the cell sets (meshio: cell_sets, which are right)

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-gmsh=4.8.4+ds2-3 libgmsh4.8=4.8.4+ds2-3 python3-meshio=7.0.0-3 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import gmsh, meshio, numpy

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.option.setNumber("Mesh.MeshSizeMin", 1)
occ = gmsh.model.occ
occ.addBox(0, 0, 0, 1, 1, 1)
occ.addBox(1, 0, 0, 1, 1, 1)
occ.fragment([(3, 1)], [(3, 2)])
occ.synchronize()
gmsh.model.addPhysicalGroup(3, [1], 7)
gmsh.model.addPhysicalGroup(3, [1, 2], 3)
gmsh.model.mesh.generate(3)


def tetrahedra():
    return sum(len(tags) for tags in gmsh.model.mesh.getElements(3)[1])


print("meshed:", tetrahedra())
for version in (2.2, 4.1):
    gmsh.model.setCurrent(gmsh.model.list()[0])
    gmsh.option.setNumber("Mesh.MshFileVersion", version)
    gmsh.write("two.msh")
    mesh = meshio.read("two.msh")
    cells = numpy.vstack([block.data for block in mesh.cells if block.type == "tetra"])
    groups = numpy.concatenate([g for b, g in zip(mesh.cells, mesh.cell_data["gmsh:physical"]) if b.type == "tetra"])
    p = mesh.points[cells]
    volume = abs(numpy.linalg.det(p[:, 1:] - p[:, :1])).sum() / 6
    print(f"meshio {version}: {len(cells)}, volume {volume:.6f}, "
          f"group 3: {(groups == 3).sum()}, group 7: {(groups == 7).sum()}")
    gmsh.open("two.msh")
    print(f"gmsh {version}: {tetrahedra()}")
    gmsh.model.remove()
END

grep -q "^meshed: 48" seen.txt
grep -q "^gmsh 2.2: 72" seen.txt
grep -q "^meshio 2.2: 72, volume 3.000000, group 3: 48, group 7: 24" seen.txt
grep -q "^gmsh 4.1: 48" seen.txt
grep -q "^meshio 4.1: 48, volume 2.000000, group 3: 24, group 7: 24" seen.txt
