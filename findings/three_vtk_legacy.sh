#!/bin/bash
# three.js reads the text file of a VTK 9 surface as triangles between points that do not exist.
#
# Package    three 0.187.0 (npm), VTK 9.1.0 (python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1, Debian 12)
# Behaviour  Since VTK 9 the legacy writer's version is 5.1: polygons are a list of offsets and a list of points instead
#            of counts with points. VTKLoader takes the lines of the offsets for polygons, and reports nothing. A
#            version 4.2 of the same surface is read.
# Seen       a ball of 10 points and 16 triangles: 138 indices up to 48; version 4.2: 48 up to 9
# Expected   48 indices below 10
# Who        Whoever shows a surface from VTK or ParaView in a page.
# Way out    writer.SetFileVersion(42), or a PLY or glTF file

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-vtk9=9.1.0+really9.1.0+dfsg2-5+deb12u1 libvtk9.1=9.1.0+really9.1.0+dfsg2-5+deb12u1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . three@0.187.0 > npm.log 2>&1

/usr/bin/python3 -W ignore - <<'END'
import vtk

ball = vtk.vtkSphereSource()
ball.SetThetaResolution(4)
ball.SetPhiResolution(4)
for version in (51, 42):
    writer = vtk.vtkPolyDataWriter()
    writer.SetFileName(f"ball{version}.vtk")
    writer.SetFileVersion(version)
    writer.SetInputConnection(ball.GetOutputPort())
    writer.Write()
END
cat > load.mjs <<'END'
import { readFileSync } from 'node:fs';
import { VTKLoader } from 'three/examples/jsm/loaders/VTKLoader.js';

for (const version of [51, 42]) {
    const ball = new VTKLoader().parse(new Uint8Array(readFileSync(`ball${version}.vtk`)).buffer);
    const points = ball.attributes.position.count, index = Array.from(ball.index.array);
    console.log(`${version}: ${points} points, ${index.length} indices up to ${Math.max(...index)}`);
}
END
node load.mjs 2> /dev/null | tee seen.txt

grep -q "^51: 10 points, 138 indices up to 48" seen.txt
grep -q "^42: 10 points, 48 indices up to 9" seen.txt
