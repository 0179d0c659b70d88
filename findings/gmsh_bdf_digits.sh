#!/bin/bash
# Gmsh writes the coordinate -1.23456789e-6 into a Nastran file as -1.2E-06.
#
# Package    Gmsh 4.8.4 (python3-gmsh=4.8.4+ds2-3, libgmsh4.8=4.8.4+ds2-3, Debian 12)
# Behaviour  The default of .bdf are fields of 8 characters. Numbers of another size than about 1 go there with an
#            exponent of four characters and what is left of the digits: three for positive ones, two for negative ones.
#            No message. Nastran's own short form without E (1.2346-6) would hold five. Mesh.BdfFieldFormat = 2 has 16
#            characters.
# Seen       x = 1.23456789e-6 and 1.23461e-6: both 1.23E-06; x = -1.23456789e-6: -1.2E-06; read back, the tetrahedron
#            of nodes at x = -1.24e-6, -1.20e-6 and two more has a volume of 0
# Expected   numbers that tell nodes apart, or a warning
# Who        Whoever meshes in metres what measures micrometres and hands it on as Nastran: on the negative side a grid
#            finer than a twelfth of the distance from zero falls into one plane, the positive side looks ten times
#            better.
# Way out    Mesh.BdfFieldFormat = 2, or a mesh in micrometres

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-gmsh=4.8.4+ds2-3 libgmsh4.8=4.8.4+ds2-3 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > write.py <<'END'
import gmsh, numpy

gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.option.setNumber("Mesh.SaveAll", 1)


def tetrahedron(name, points):
    gmsh.model.add(name)
    gmsh.model.addDiscreteEntity(3, 1)
    gmsh.model.mesh.addNodes(3, 1, [1, 2, 3, 4], [c for p in points for c in p])
    gmsh.model.mesh.addElementsByType(1, 4, [1], [1, 2, 3, 4])


def volume():
    p = gmsh.model.mesh.getNodes()[1].reshape(4, 3)
    return abs(numpy.linalg.det(p[1:] - p[0])) / 6


tetrahedron("digits", [(1.23456789e-6, -1.23456789e-6, 0.5), (1.23461e-6, 0, 0), (0, 1e-6, 0), (0, 0, 1e-6)])
gmsh.write("digits.bdf")
print(open("digits.bdf").read())
thin = [(-1.24e-6, 0, 0), (-1.20e-6, 0, 0), (-1.22e-6, 1e-6, 0), (-1.22e-6, 0, 1e-6)]
for format in (1, 2):
    gmsh.option.setNumber("Mesh.BdfFieldFormat", format)
    tetrahedron("thin", thin)
    before = volume()
    gmsh.write(f"thin{format}.bdf")
    gmsh.clear()
    gmsh.merge(f"thin{format}.bdf")
    print(f"format {format}: volume {before:.3g} before, {volume():.3g} read back")
END
/usr/bin/python3 -W ignore write.py | tee seen.txt

grep -q "^GRID    1       0       1.23E-06-1.2E-060.500000" seen.txt
grep -q "^GRID    2       0       1.23E-060.00E+000.00E+00" seen.txt
grep -q "^format 1: volume 6.67e-21 before, 0 read back" seen.txt
grep -q "^format 2: volume 6.67e-21 before, 6.67e-21 read back" seen.txt
