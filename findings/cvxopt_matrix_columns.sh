#!/bin/bash
# cvxopt.matrix takes the inner lists of a list of lists for columns.
#
# Package    CVXOPT 1.3.0 (python3-cvxopt=1.3.0+dfsg-1+b1), NumPy 1.24.2, Debian 12
# Behaviour  The list that numpy.array takes for rows is transposed; a NumPy array of the same list is not. A flat list
#            with a size is filled column by column.
# Seen       [[1, 2], [3, 4]]: row 0 is 1, 3; by way of numpy.array: 1, 2; matrix([1, 2, 3, 4], (2, 2)): row 0 is 1, 3
# Expected   1, 2 for all three, as in NumPy, SciPy, SymPy and mpmath
# Who        Whoever types a constraint or a chain matrix: square ones fit, and the least squares or the semidefinite
#            program of the transpose has a solution as well.
# Way out    matrix(numpy.array(rows))

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-cvxopt=1.3.0+dfsg-1+b1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
import cvxopt, numpy

rows = [[1.0, 2.0], [3.0, 4.0]]
for name, matrix in (
    ("lists", cvxopt.matrix(rows)),
    ("array", cvxopt.matrix(numpy.array(rows))),
    ("flat", cvxopt.matrix([1.0, 2.0, 3.0, 4.0], (2, 2))),
):
    print(f"{name}: row 0 is {matrix[0, 0]:g}, {matrix[0, 1]:g}")
END

grep -q "^lists: row 0 is 1, 3$" seen.txt
grep -q "^array: row 0 is 1, 2$" seen.txt
grep -q "^flat: row 0 is 1, 3$" seen.txt
