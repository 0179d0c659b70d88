#!/bin/bash
# Gmsh's Abaqus and UNV files leave out pyramids, but list their numbers in the group.
#
# Package    Gmsh 4.8.4 (python3-gmsh=4.8.4+ds2-3, libgmsh4.8=4.8.4+ds2-3, Debian 12)
# Behaviour  .inp and .unv have the hexahedron and the prism, not the pyramid between them and the tetrahedra; the
#            physical group of both files counts all three. .mesh (Medit) has the hexahedron alone. write() succeeds,
#            nothing is said at verbosity 3; .bdf, .vtk and .msh have all of them.
# Seen       hexahedron 1, pyramid 2, prism 3: .inp has 1 and 3, *ELSET glass 1, 3, 2; .unv has 1 and 3, glass 3 items
#            with number 2; .mesh 1 element
# Expected   all three, or an error
# Who        Whoever joins a structured block to tetrahedra, as Gmsh itself does by pyramids: a layer is missing in the
#            solver's mesh, the two sides are no longer in contact, and a field stays on one of them.

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

/usr/bin/python3 -W ignore - <<'END' 2>&1 | tee messages.txt
import gmsh

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 1)
gmsh.option.setNumber("General.Verbosity", 3)
points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1), (0.5, 0.5, 2),
          (0, 0, -1), (1, 0, -1)]
gmsh.model.add("mixed")
gmsh.model.addDiscreteEntity(3, 1)
gmsh.model.mesh.addNodes(3, 1, list(range(1, len(points) + 1)), [c for p in points for c in p])
gmsh.model.mesh.addElementsByType(1, 5, [1], [1, 2, 3, 4, 5, 6, 7, 8])
gmsh.model.mesh.addElementsByType(1, 7, [2], [5, 6, 7, 8, 9])
gmsh.model.mesh.addElementsByType(1, 6, [3], [1, 4, 10, 2, 3, 11])
gmsh.model.addPhysicalGroup(3, [1], 7)
gmsh.model.setPhysicalName(3, 7, "glass")
for ending in ("inp", "unv", "mesh", "bdf"):
    gmsh.write("mixed." + ending)
END
sed -n '/E L E M E N T S/,$p' mixed.inp
sed -n '/2412/,$p' mixed.unv
cat mixed.mesh mixed.bdf

if grep -q -i -E "warning|error|pyramid" messages.txt; then exit 1; fi
grep -q "^3, 1, 4, 10, 2, 3, 11$" mixed.inp
if grep -q "^2, 5, 6, 7, 8, 9$" mixed.inp; then exit 1; fi
grep -A 1 "ELSET=glass" mixed.inp | grep -q "^1, 3, 2,"
grep -q "^ *1 *115 " mixed.unv
[ "$(sed -n '/^ *2412/,/^ *-1$/p' mixed.unv | grep -c -E '^ +[0-9]+ +[0-9]+ +1 +0 +7 +[0-9]+$')" = 2 ]
grep -A 3 "^glass" mixed.unv | grep -q "8 *2 *0 *0 *$"
grep -q "^ *Hexahedra" mixed.mesh
if grep -q -i "prism\|pyramid" mixed.mesh; then exit 1; fi
grep -q "^CPYRAM  2" mixed.bdf
