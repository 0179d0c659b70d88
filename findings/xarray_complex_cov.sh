#!/bin/bash
# xarray's correlation of a complex record with itself is 0.08 + 0.22i, and its weighted standard deviation of 1, i, -1, -i is 0.
#
# Package    xarray 2023.01.0 (python3-xarray=2023.01.0-1.1), NumPy 1.24.2, Debian 12
# Behaviour  cov, corr and the var and std of weighted() take products and squares without a conjugate. var() and std()
#            without weights, and NumPy's cov and corrcoef, conjugate. No message.
# Seen       1, i, -1, -i: cov with itself 0, NumPy 1.3333; var 1, weighted var with equal weights 0; exp(i phi) + 0.3 at
#            five phases: corr with itself 0.0828+0.2193i, NumPy 1
# Expected   1.3333; 1; 1
# Who        Whoever looks for coherence between phasors, averages complex fields over a set of orientations with weights or
#            takes error bars of them: a circle of phases has no scatter, and equal records do not correlate.
# Way out    real and imaginary part apart for variances; numpy.cov

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-xarray=2023.01.0-1.1 python3-numpy=1:1.24.2-1+deb12u1 python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W error::RuntimeWarning - <<'END_PYTHON' | tee seen.txt
import numpy, xarray

turning = xarray.DataArray(numpy.array([1, 1j, -1, -1j]), dims="t")
phasors = xarray.DataArray(numpy.exp(1j * numpy.array([0.3, 1.1, 2.9, 4.0, 5.2])) + 0.3, dims="t")
equal = xarray.DataArray(numpy.ones(4), dims="t")


def text(z):
    return f"{complex(z).real + 0.0:.4f}{complex(z).imag + 0.0:+.4f}i"


print("cov: xarray", text(xarray.cov(turning, turning)), "NumPy", text(numpy.cov(turning.values)))
print("var: xarray", text(turning.var()), "weighted", text(turning.weighted(equal).var()))
print("std: xarray", text(turning.std()), "weighted", text(turning.weighted(equal).std()))
print("corr: xarray", text(xarray.corr(phasors, phasors)), "NumPy", text(numpy.corrcoef(phasors, phasors)[0, 1]))
END_PYTHON

grep -q "^cov: xarray -\?0.0000[-+]0.0000i NumPy 1.3333" seen.txt
grep -q "^var: xarray 1.0000+0.0000i weighted -\?0.0000[-+]0.0000i" seen.txt
grep -q "^std: xarray 1.0000+0.0000i weighted -\?0.0000[-+]0.0000i" seen.txt
grep -q "^corr: xarray 0.0828+0.2193i NumPy 1.0000" seen.txt
