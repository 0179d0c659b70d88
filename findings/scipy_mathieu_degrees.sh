#!/bin/bash
# SciPy's Mathieu functions take their angle in degrees, give the slope per radian, and the radial ones take no degrees.
#
# Package    SciPy 1.10.1 (python3-scipy=1.10.1-2), GSL 2.7.1 (libgsl-dev=2.7.1+dfsg-5+deb12u1), Debian 12
# Behaviour  mathieu_cem and mathieu_sem want degrees, unlike every other function of an angle beside them, and return
#            the derivative with respect to radians. mathieu_modcem1 and the other modified ones have the elliptic
#            coordinate itself as argument, in no unit. GSL takes radians.
# Seen       ce_2 at q = 0, which is cos 2x: SciPy 0.99933 for pi / 3, -0.5 for 60, with slope -1.73205; GSL -0.5
#            for pi / 3
# Expected   -0.5 for pi / 3, as of cos, sph_harm and GSL
# Who        Whoever expands the modes of an elliptic waveguide or fibre: a field that hardly varies along the angle,
#            joined to a radial part that is right.
# Way out    mathieu_cem(m, q, numpy.degrees(x)), and nothing done to its slope

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-scipy=1.10.1-2 libgsl-dev=2.7.1+dfsg-5+deb12u1 libgsl27=2.7.1+dfsg-5+deb12u1 libgslcblas0=2.7.1+dfsg-5+deb12u1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

/usr/bin/python3 - <<'END' | tee seen.txt
from math import pi

from scipy.special import mathieu_cem, mathieu_modcem1

for name, x in (("pi / 3", pi / 3), ("60", 60.0)):
    value, slope = mathieu_cem(2, 0.0, x)
    print(f"SciPy ce_2({name}), q 0: {value:.5f}, slope {slope:.5f}")
low, high = (mathieu_modcem1(2, 1.0, 0.5 + step)[0] for step in (-1e-4, 1e-4))
print(f"SciPy radial slope {mathieu_modcem1(2, 1.0, 0.5)[1]:.4f}, by difference {(high - low) / 2e-4:.4f}")
END
cat > mathieu.c <<'END'
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_mathieu.h>
#include <stdio.h>

int main(void) {
    gsl_sf_result result;
    gsl_sf_mathieu_ce_e(2, 0.0, M_PI / 3, &result);
    printf("GSL ce_2(pi / 3), q 0: %.5f\n", result.val);
    return 0;
}
END
cc mathieu.c -I "$work/root/usr/include" -L "$libraries" -lgsl -lgslcblas -lm -o mathieu
./mathieu | tee -a seen.txt

grep -q "^SciPy ce_2(pi / 3), q 0: 0.99933" seen.txt
grep -q "^SciPy ce_2(60), q 0: -0.50000, slope -1.73205" seen.txt
grep -q "^SciPy radial slope 0.2911, by difference 0.2911" seen.txt
grep -q "^GSL ce_2(pi / 3), q 0: -0.50000" seen.txt
