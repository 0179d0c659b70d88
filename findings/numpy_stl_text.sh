#!/bin/bash
# numpy-stl writes a text STL with six decimals: a ball of 50 nm, given in metres, is one point.
#
# Package    numpy-stl 2.8.0 (python3-stl=2.9.0-2+b3, Debian 12)
# Behaviour  Mode.ASCII writes coordinates and normals as %f, whatever their size. The binary mode, which is the default for
#            files, keeps single precision. No message.
# Seen       corners at 1.23456789e-6 and 50e-9: 0.000001 and 0.000000 in text; 1.23457e-06 and 5e-08 in binary
# Expected   seven digits, as single precision has
# Who        Whoever works in metres with particles, films or cells: 1 um has one digit, and everything below 0.5 um is zero. At
#            1 mm in metres it is 0.1 %, and facets with two corners in one place.
# Way out    the binary mode, or the mesh in micrometres

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-stl=2.9.0-2+b3 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export PYTHONWARNINGS=ignore
/usr/bin/python3 - <<'END' | tee seen.txt
import numpy, stl

facets = numpy.zeros(1, dtype=stl.mesh.Mesh.dtype)
facets["vectors"][0] = [[1.23456789e-6, 0, 0], [0, 50e-9, 0], [0, 0, 1.23456789e-3]]
for mode in (stl.Mode.ASCII, stl.Mode.BINARY):
    stl.mesh.Mesh(facets.copy()).save("facet.stl", mode=mode)
    back = stl.mesh.Mesh.from_file("facet.stl").vectors[0]
    print(f"{mode.name}: {back[0, 0]:.6g} {back[1, 1]:.6g} {back[2, 2]:.6g}")
    if mode is stl.Mode.ASCII:
        print(next(line.strip() for line in open("facet.stl") if "vertex" in line))
END

grep -q "^vertex 0.000001 0.000000 0.000000" seen.txt
grep -q "^ASCII: 1e-06 0 0.001235" seen.txt
grep -q "^BINARY: 1.23457e-06 5e-08 0.00123457" seen.txt
