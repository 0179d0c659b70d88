#!/bin/bash
# TetGen's second order tetrahedron begins its mid-edge nodes with the edge of its last two corners.
#
# Package    TetGen 1.5.0 (tetgen=1.5.0-5, Debian 12)
# Behaviour  With -o2 the nodes 5 to 10 of a row of .ele are the middles of the corners 3-4, 4-1, 1-2, 2-3, 2-4, 1-3.
#            VTK has 1-2, 2-3, 3-1, 1-4, 2-4, 3-4, and Gmsh the same with the last two swapped. Corners come in one
#            order everywhere.
# Seen       one tetrahedron: edges 34 14 12 23 24 13; taken for VTK's, 5 of 6 nodes are on other edges
# Expected   12 first: first order is a common subset, so that the corners are right for every reader
# Who        Whoever passes the ten numbers on as a cell of type 24 or an element of type 11: volumes by corners and
#            pictures of the edges between corners are right, fields of second order and their gradients are not.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends tetgen=1.5.0-5 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > corner.poly <<'END'
4 3 0 0
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
4 0
1
3 1 2 3
1
3 1 2 4
1
3 2 3 4
1
3 3 1 4
0
0
END
tetgen -po2 corner.poly > messages.txt
/usr/bin/python3 - <<'END' | tee seen.txt
rows = [line.split() for line in open("corner.1.node") if not line.startswith("#")]
node = {int(r[0]): [float(x) for x in r[1:4]] for r in rows[1:11]}
cell = [int(x) for x in open("corner.1.ele").read().split("\n")[1].split()[1:]]


def middle(i, j):
    return [(a + b) / 2 for a, b in zip(node[cell[i]], node[cell[j]])]


pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
edges = [next(f"{i + 1}{j + 1}" for i, j in pairs if node[n] == middle(i, j)) for n in cell[4:]]
print("edges", *edges)
print("astray as VTK:", sum(a != b for a, b in zip(edges, "12 23 13 14 24 34".split())))
END

grep -q "^edges 34 14 12 23 24 13$" seen.txt
grep -q "^astray as VTK: 5$" seen.txt
