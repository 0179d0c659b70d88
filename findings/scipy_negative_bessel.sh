#!/bin/bash
# SciPy's spherical Bessel function of a negative real number is not a number, for every order above 0.
#
# Package    SciPy 1.10.1 (python3-scipy=1.10.1-2, python3-numpy=1:1.24.2-1+deb12u1, Debian 12)
# Behaviour  spherical_jn(n, x) of a real x < 0 is nan from n = 1 on, without a warning; spherical_jn(0, x) is right, and so is
#            spherical_yn of any order; and spherical_jn of the same number as a complex one.
# Seen       x = -2, n = 0, 1, 2, 3: 0.4546, nan, nan, nan; as -2+0j: 0.4546, -0.4354, 0.1984, -0.0607;
#            spherical_yn(3, -2): -1.4844
# Expected   (-1)^n j_n(2)
# Who        Whoever expands a standing or backward wave, with k < 0 or z < 0, in spherical waves: half of the space is nan,
#            or with nansum, only the lowest order is left. A material with k = 0 takes this path and one with any
#            absorption the complex one, so it works for lossy cases.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W error - <<'END' | tee seen.txt
from scipy.special import spherical_jn, spherical_yn

print("real", *(f"{spherical_jn(n, -2.0):.4f}" for n in range(4)))
print("complex", *(f"{spherical_jn(n, -2.0 + 0j).real:.4f}" for n in range(4)))
print("yn", *(f"{spherical_yn(n, -2.0):.4f}" for n in range(4)))
END

grep -q "^real 0.4546 nan nan nan" seen.txt
grep -q "^complex 0.4546 -0.4354 0.1984 -0.0607" seen.txt
grep -q "^yn .* -1.4844$" seen.txt
