#!/bin/bash
# numexpr's tanh of a complex 356 is not a number, and its arcsinh of a complex 1e-12 is wrong in the fifth digit.
#
# Package    numexpr 2.8.4 (python3-numexpr=2.8.4-1+b2), NumPy 1.24.2, Debian 12
# Behaviour  tan and tanh of complex numbers fail from where cosh of twice the argument overflows; arcsin, arctan, arcsinh
#            and arctanh lose digits near 0 as the logarithm of a number near 1 does. NumPy beside it is right.
# Seen       tanh(355 + i) 1, tanh(356 + i) nan, tan(356i) nan; NumPy 1 and i; at 1e-12: arcsinh off by 9e-5, arctanh by
#            2e-5, NumPy below 1e-15; abs(1e200 + 1e200i) inf
# Expected   1, i, 1e-12, 1.4e200
# Who        Whoever speeds up a formula of lines or layers on large arrays: tanh(gamma d) of a thick or lossy layer becomes
#            nan where the layer is opaque, and thin layers and small angles lose their digits.
# Way out    NumPy for these functions; or exp(-2 x) in the formula

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-numexpr=2.8.4-1+b2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 -W ignore - <<'END_PYTHON' | tee seen.txt
import numexpr, numpy

for text, function, values in (("tanh", "tanh", [355 + 1j, 356 + 1j]), ("tan", "tan", [356j])):
    z = numpy.array(values)
    for value, ours, theirs in zip(z, numexpr.evaluate(f"{function}(z)"), getattr(numpy, function)(z)):
        print(f"{text}({value:g}): numexpr {ours:.3g}, NumPy {theirs:.3g}")
z = numpy.array([1e-12 + 0j])
for function in ("arcsinh", "arctanh"):
    ours, theirs = (abs(r[0] / z[0] - 1) for r in (numexpr.evaluate(f"{function}(z)"), getattr(numpy, function)(z)))
    print(f"{function}(1e-12): numexpr off by {ours:.0e}, NumPy below 1e-15: {bool(theirs < 1e-15)}")
z = numpy.array([1e200 + 1e200j])
print(f"abs(1e200+1e200i): numexpr {numexpr.evaluate('abs(z)')[0].real:.2g}, NumPy {numpy.abs(z)[0]:.2g}")
END_PYTHON

grep -q "^tanh(355+1j): numexpr 1+0j, NumPy 1+" seen.txt
grep -q "^tanh(356+1j): numexpr nan+nanj, NumPy 1+" seen.txt
grep -q "^tan(0+356j): numexpr .*nan.*, NumPy 0+1j" seen.txt
grep -q "^arcsinh(1e-12): numexpr off by 9e-05, NumPy below 1e-15: True" seen.txt
grep -q "^arctanh(1e-12): numexpr off by 2e-05, NumPy below 1e-15: True" seen.txt
grep -q "^abs(1e200+1e200i): numexpr inf, NumPy 1.4e+200" seen.txt
