#!/bin/bash
# gdspy draws a circle of 50 nm as a hexagon, with 17 % less area.
#
# Package    gdspy 1.4.2 (python3-gdspy=1.4.2-2+b7, Debian 12)
# Behaviour  The number of corners follows from a tolerance of 0.01 units, absolute, whatever the size; the corners are on
#            the circle, so that the area is too small. The unit of a library is 1 um, unless it is told otherwise, and a
#            grid of 1 nm. The same holds for round ends and bends of paths.
# Seen       radius 0.05: 6 corners, area 0.827 of the circle's; 0.1: 8, 0.900; 0.2: 11, 0.947; 1: 23, 0.988; a FlexPath of
#            0.2 width with round ends: 10 corners
# Expected   a circle to the grid of 1 nm, or some dozens of corners
# Who        Whoever draws the holes of a photonic crystal or the particles of an array: the bands move by several per
#            cent, and 11 corners have none of the lattice's symmetries.
# Way out    tolerance=1e-4 or number_of_points=64, by each call

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-gdspy=1.4.2-2+b7 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import gdspy, math

for radius in (0.05, 0.1, 0.2, 1):
    disk = gdspy.Round((0, 0), radius)
    print(f"radius {radius}: {len(disk.polygons[0])} corners, area {disk.area() / (math.pi * radius**2):.3f}")
fine = gdspy.Round((0, 0), 0.05, tolerance=1e-4)
print(f"tolerance 1e-4: {len(fine.polygons[0])} corners, area {fine.area() / (math.pi * 0.05**2):.3f}")
path = gdspy.FlexPath([(0, 0), (10, 0)], 0.2, ends="round")
print(f"path: {len(path.get_polygons()[0])} corners")
END

grep -q "^radius 0.05: 6 corners, area 0.827" seen.txt
grep -q "^radius 0.1: 8 corners, area 0.900" seen.txt
grep -q "^radius 0.2: 11 corners, area 0.947" seen.txt
grep -q "^radius 1: 23 corners, area 0.988" seen.txt
grep -q "^tolerance 1e-4: [4-6][0-9] corners, area 0.99" seen.txt
grep -q "^path: 10 corners" seen.txt
