#!/bin/bash
# gdspy's offset by -1 cuts a ring open: its slit becomes 2 wide.
#
# Package    gdspy 1.4.2 (python3-gdspy=1.4.2-2+b7, Debian 12)
# Behaviour  A polygon of GDS has no holes, so that a ring is one outline that goes in and comes back along the same
#            slit. The boolean operation makes it so, and offset moves both banks of the slit. Pieces that touch one
#            another are moved one by one as well. Both are whole with join_first=True, which is not the default.
#            KLayout joins them.
# Seen       10 x 10 without 4 x 4, moved inwards by 1: area 26, a point on the slit outside; join_first 28, inside; two
#            squares of 5 x 5 that share a side: 18, join_first 24
# Expected   28 and 24
# Who        Whoever trims rings, frames or long guides (which are cut into pieces at 199 corners) for etch loss: the
#            ring has a gap of twice the trim, and a guide one at each of the cuts.
# Way out    join_first=True

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
import gdspy

outer, inner = gdspy.Rectangle((0, 0), (10, 10)), gdspy.Rectangle((3, 3), (7, 7))
ring = gdspy.boolean(outer, inner, "not")
halves = gdspy.PolygonSet([[(0, 0), (5, 0), (5, 5), (0, 5)], [(5, 0), (10, 0), (10, 5), (5, 5)]])
print(f"ring: {len(ring.polygons)} polygon, area {ring.area():g}")
for name, body in (("ring", ring), ("halves", halves)):
    for join in (False, True):
        moved = gdspy.offset(body, -1, join_first=join)
        print(f"{name}, join_first {join}: area {moved.area():g}")
END

grep -q "^ring: 1 polygon, area 84" seen.txt
grep -q "^ring, join_first False: area 26" seen.txt
grep -q "^ring, join_first True: area 28" seen.txt
grep -q "^halves, join_first False: area 18" seen.txt
grep -q "^halves, join_first True: area 24" seen.txt
