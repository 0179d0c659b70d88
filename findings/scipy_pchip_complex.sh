#!/bin/bash
# SciPy's PchipInterpolator takes n + ik between 1.50 and 1.504 to n = 0.02 and 2.98.
#
# Package    SciPy 1.10.1 (python3-scipy=1.10.1-2), NumPy 1.24.2, Octave 7.3.0 (octave=7.3.0-2), Debian 12
# Behaviour  The interpolator is there because it does not overshoot: its slopes are harmonic means of neighbouring ones,
#            and 0 at a turning point. It takes complex values without a word, looks for turning points by the sign of the
#            real part alone, and takes the harmonic mean of complex slopes: beside a peak of k these are d + i and d - i,
#            whose mean is about 1 / d. A slowly changing n makes it large.
# Seen       n 1.500 to 1.504, k 0 but 0.1 at 0.5 um: n from 0.020 to 2.984, k down to -0.0074 (gain); n and k apart: 1.500
#            to 1.504 and 0 to 0.1; Octave's interp1 with "pchip", complex: 1.500 to 1.504 and 0 to 0.1
# Expected   the values of n and k apart, or an error as for text
# Who        Whoever puts a table of n + ik, of permittivities or of S-parameters between frequencies with the interpolator
#            that is said to be safe: an index below 1, and gain, between two points of a table that has neither.
# Way out    two interpolators, of the real and of the imaginary part

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends octave=7.3.0-2 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

export OCTAVE_HOME="$work/root/usr"
/usr/bin/python3 -W error - <<'END_PYTHON' | tee seen.txt
import numpy
from scipy.interpolate import PchipInterpolator

wavelength = numpy.array([0.40, 0.45, 0.50, 0.55, 0.60])
n = numpy.array([1.500, 1.501, 1.502, 1.503, 1.504])
k = numpy.array([0, 0, 0.1, 0, 0])
between = numpy.linspace(0.4, 0.6, 2001)


def say(name, values):
    print(f"{name}: n {values.real.min():.3f} to {values.real.max():.3f}, k {values.imag.min():.4f} to {values.imag.max():.4f}")


say("complex", PchipInterpolator(wavelength, n + 1j * k)(between))
say("apart", PchipInterpolator(wavelength, n)(between) + 1j * PchipInterpolator(wavelength, k)(between))
END_PYTHON
LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$libraries/octave/7.3.0" octave-cli --no-gui --norc -q --eval '
  z = interp1([0.40 0.45 0.50 0.55 0.60], [1.500 1.501 1.502 1.503 1.504] + 1i * [0 0 0.1 0 0], linspace(0.4, 0.6, 2001), "pchip");
  printf("Octave: n %.3f to %.3f, k %.4f to %.4f\n", min(real(z)), max(real(z)), min(imag(z)), max(imag(z)));' 2> octave.log | tee -a seen.txt

grep -q "^complex: n 0.020 to 2.984, k -0.0074 to 0.1000" seen.txt
grep -q "^apart: n 1.500 to 1.504, k 0.0000 to 0.1000" seen.txt
grep -q "^Octave: n 1.500 to 1.504, k -\?0.0000 to 0.1000" seen.txt
