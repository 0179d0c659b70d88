#!/bin/bash
# lmfit's R squared of a good fit to complex data is -5e15, or a complex number.
#
# Package    lmfit 1.1.0 (python3-lmfit=1.1.0-1), Debian 12
# Behaviour  lmfit fits complex data well: both parts of the residual are minimised, and chi squared is right. R squared
#            divides it by the sum of (d - mean)^2, without the absolute value: a complex number that the phase of the
#            data turns, and 1e-15 is put in its place where its real part is smaller.
# Seen       a resonance a / (1 + i (f - f0) / g) and a ripple of 15 % of it, a = 2: fit 1.997, rsquared -5.489e+15; a = 2i: fit
#            2.000i, rsquared 0.210+0.189i; by hand 0.885 and 0.887
# Expected   0.885 and 0.887
# Who        Whoever fits resonators to measured S-parameters, permittivities or lock-in signals, and sorts fits by R squared: the
#            order is that of the phases of the cables.
# Way out    1 - result.chisqr / sum(abs(d - mean(d))**2)

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
timeout 100 apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-lmfit=1.1.0-1 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

timeout 100 /usr/bin/python3 -W ignore - <<'END' | tee seen.txt
import lmfit
import numpy

f = numpy.linspace(-3, 3, 61)


def resonance(f, a, b, g):
    return (a + 1j * b) / (1 + 1j * (f - 0.5) / g)


for name, amplitude in (("2", 2), ("2i", 2j)):
    data = amplitude / (1 + 1j * (f - 0.5) / 0.5) + 0.3 * numpy.exp(7j * f)
    result = lmfit.Model(resonance).fit(data, f=f, a=1.0, b=1.0, g=0.6)
    best, r2 = result.best_values, complex(result.rsquared)
    right = 1 - result.chisqr / numpy.sum(abs(data - data.mean()) ** 2)
    residual = numpy.sum(abs(data - result.best_fit) ** 2)
    print(f"{name}: a {best['a']:.3f}{best['b']:+.3f}i, chi squared {result.chisqr:.3f}, sum {residual:.3f}, "
          f"rsquared {r2.real:.4g}{r2.imag:+.3f}i, by hand {right:.3f}")
END

grep -q "^2: a 1.997+0.001i, chi squared 5.489, sum 5.489, rsquared -5.489e+15[+-]0.000i, by hand 0.885" seen.txt
grep -q "^2i: a -0.007+2.000i, chi squared 5.489, sum 5.489, rsquared 0.2099+0.189i, by hand 0.887" seen.txt
