#!/bin/bash
# GSL's Wigner 3j symbol of three times 100 is 8, and its status is success.
#
# Package    GSL 2.7.1 (libgsl-dev=2.7.1+dfsg-5+deb12u1), SymPy 1.11.1 (python3-sympy=1.11.1-1), Debian 12
# Behaviour  The alternating sum of Racah's formula is added in double precision, and cancels: j = 60 has three digits,
#            j = 80 none. The plain function says nothing; the one with _e returns 0 and, beside the value, an
#            estimate of the error that shows it. The 6j symbol becomes an error of overflow at j = 50.
# Seen       (j j j; 1 -1 0): j = 40 -0.00748426; j = 60 -0.00501180, exact -0.00501029; j = 80 0.00537, exact
#            -0.00377; j = 100 8.00000, exact -0.00302. Status 0, error estimate 1.9e+05 at j = 100.
# Expected   ten digits or an error; the symbol is never larger than 1 / sqrt(2 j + 1) = 0.07
# Who        Whoever translates multipoles from sphere to sphere or builds a T-matrix with GSL: orders of 60 belong to spheres
#            of 40 to 50 in size parameter.
# Way out    gsl_sf_coupling_3j_e and a look at err, or the recursions over j (Schulten and Gordon)

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libgsl-dev=2.7.1+dfsg-5+deb12u1 libgsl27=2.7.1+dfsg-5+deb12u1 libgslcblas0=2.7.1+dfsg-5+deb12u1 python3-sympy=1.11.1-1 python3-mpmath=1.2.1-2 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > symbol.c <<'END'
#include <gsl/gsl_sf_coupling.h>
#include <stdio.h>

int main(void) {
  for (int j = 20; j <= 100; j += 20) {
    gsl_sf_result r;
    int status = gsl_sf_coupling_3j_e(2 * j, 2 * j, 2 * j, 2, -2, 0, &r);
    printf("GSL j %d: %.8f plain %.8f status %d err %.1e\n", j, r.val,
           gsl_sf_coupling_3j(2 * j, 2 * j, 2 * j, 2, -2, 0), status, r.err);
  }
}
END
cc -I root/usr/include symbol.c -o symbol -L "$libraries" -lgsl -lgslcblas -lm
./symbol | tee seen.txt
/usr/bin/python3 - <<'END' | tee -a seen.txt
from sympy.physics.wigner import wigner_3j

for j in range(20, 101, 20):
    print(f"exact j {j}: {float(wigner_3j(j, j, j, 1, -1, 0)):.8f}")
END

for j in 20 40; do
  value=$(sed -n "s/^exact j $j: //p" seen.txt)
  grep -q "^GSL j $j: $value plain $value status 0" seen.txt
done
grep -q "^GSL j 60: -0.00501[12].* status 0" seen.txt
grep -q "^exact j 60: -0.00501029" seen.txt
grep -q "^GSL j 80: 0.005.* status 0" seen.txt
grep -q "^exact j 80: -0.0037655" seen.txt
grep -q "^GSL j 100: 8.00000000 plain 8.00000000 status 0 err 1.9e+05" seen.txt
grep -q "^exact j 100: -0.00301620" seen.txt
