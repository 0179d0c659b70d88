#!/bin/bash
# SymPy's Fresnel coefficients at normal incidence are not numbers.
#
# Package    SymPy 1.11.1 (python3-sympy=1.11.1-1, Debian 12), sympy.physics.optics
# Behaviour  fresnel_coefficients computes quotients of sines and tangents of the two angles, which are 0 / 0 at angle 0.
#            A material with losses (a complex index) is refused with an error about a comparison, which does not say so.
# Seen       0, index 1 to 1.5: nan nan nan nan; 1e-9: 0.2 -0.2 0.8 0.8; index 1.5 + 0.1i: "Invalid comparison of non-real"
# Expected   0.2, -0.2, 0.8, 0.8, as the angles beside it have
# Who        Whoever checks a film or a slab against it, where one begins: at normal incidence. A sweep from 0 loses its first
#            point, and sums over it are nan.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-sympy=1.11.1-1 python3-mpmath=1.2.1-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
from sympy import N, Rational
from sympy.physics.optics import fresnel_coefficients

for name, angle in (("integer", 0), ("float", 0.0), ("small", 1e-9)):
    print(f"{name}:", *(f"{float(N(r)):.4g}" for r in fresnel_coefficients(angle, 1, Rational(3, 2))))
try:
    fresnel_coefficients(0.3, 1, 1.5 + 0.1j)
except TypeError as error:
    print("losses:", error)
END

grep -q "^integer: nan nan nan nan" seen.txt
grep -q "^float: nan nan nan nan" seen.txt
grep -q "^small: 0.2 -0.2 0.8 0.8" seen.txt
grep -q "^losses: Invalid comparison of non-real" seen.txt
