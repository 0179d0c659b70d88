#!/bin/bash
# meshio writes x.msh as a mesh of Ansys Fluent, even one that it read from Gmsh.
#
# Package    meshio 5.0.0 (python3-meshio=7.0.0-3, Debian 12), Gmsh 4.8.4 (gmsh=4.8.4+ds2-3)
# Behaviour  Two formats share the ending .msh. Reading tries both; writing takes the first in the list, which is Fluent's,
#            without a word, and `meshio convert a.msh b.msh` does the same. Gmsh cannot read the result (a syntax
#            error in line 1), and names and numbers of the physical groups are not in it.
# Seen       first line: (1 "meshio 5.0.0"); gmsh: line 1: syntax error
# Expected   Gmsh's format: $MeshFormat
# Who        Whoever changes a mesh between Gmsh and a finite element program (Elmer, GetDP, FEniCS) with meshio: the
#            file has the right name and fails far away, or where both formats are read loses its regions.
# Way out    --output-format gmsh22, file_format="gmsh22"

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-meshio=7.0.0-3 meshio-tools=7.0.0-3 gmsh=4.8.4+ds2-3 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > in.geo <<'END'
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Physical Volume("water", 7) = {1};
Mesh.MeshSizeMin = 1;
END
gmsh -v 1 -3 in.geo -o in.msh
/usr/bin/python3 root/usr/bin/meshio convert in.msh out.msh > meshio.log 2>&1
/usr/bin/python3 root/usr/bin/meshio convert --output-format gmsh22 in.msh asked.msh >> meshio.log 2>&1
{
  echo "in: $(head -1 in.msh)"
  echo "out: $(head -1 out.msh)"
  echo "asked: $(head -1 asked.msh)"
  echo "gmsh on out: $(gmsh -v 2 -parse_and_exit out.msh 2>&1 | head -1)"
} | tee seen.txt

grep -q '^in: $MeshFormat' seen.txt
grep -q '^out: (1 "meshio 5' seen.txt
grep -q '^asked: $MeshFormat' seen.txt
grep -q 'syntax error' seen.txt
