#!/bin/bash
# math.js' variance of 1, i, -1, -i is 0, and the standard deviation of i and -i is imaginary.
#
# Package    mathjs 15.2.0 (npm), NumPy 1.24.2 (python3-numpy=1:1.24.2-1+deb12u1, Debian 12)
# Behaviour  Squares are summed, not squares of moduli; abs, norm and dot of complex numbers are the usual ones. No
#            message.
# Seen       variance("uncorrected") and std of 1, i, -1, -i: 0, 0 (NumPy 1, 1); of i, -i: -1, i (NumPy 1, 1)
# Expected   the mean of |z - mean|^2, as in NumPy and Octave
# Who        Whoever takes the spread of S-parameters over runs, or the contrast of speckle: a phase that is spread
#            evenly counts as no spread at all, and error bars in the imaginary direction are imaginary.
# Way out    variance of the real and of the imaginary parts, added

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

npm install --silent --no-audit --no-fund --prefix . mathjs@15.2.0 > npm.log 2>&1

cat > spread.mjs <<'END'
import { complex, variance, std } from 'mathjs';

const i = complex(0, 1), minus = complex(0, -1);
for (const [name, z] of [['ring', [1, i, -1, minus]], ['pair', [i, minus]]])
  console.log(`mathjs ${name}: variance ${variance(z, 'uncorrected')}, std ${std(z, 'uncorrected')}`);
END
node spread.mjs | tee seen.txt
/usr/bin/python3 - <<'END' | tee -a seen.txt
import numpy

for name, z in (("ring", [1, 1j, -1, -1j]), ("pair", [1j, -1j])):
    print(f"NumPy {name}: variance {numpy.var(z):g}, std {numpy.std(z):g}")
END

grep -q "^mathjs ring: variance 0, std 0$" seen.txt
grep -q "^mathjs pair: variance -1, std i$" seen.txt
grep -q "^NumPy ring: variance 1, std 1$" seen.txt
grep -q "^NumPy pair: variance 1, std 1$" seen.txt
