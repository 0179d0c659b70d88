#!/bin/bash
# std::assoc_legendre and std::sph_legendre differ in sign for odd m, and so do two functions of GSL.
#
# Package    libstdc++ of GCC 12.2.0 (libstdc++-12-dev=12.2.0-14+deb12u1, Debian 12), GSL 2.7.1
#            (libgsl-dev=2.7.1+dfsg-5+deb12u1)
# Behaviour  The factor (-1)^m of Condon and Shortley is in std::sph_legendre and not in std::assoc_legendre (the
#            standard has it so); it is in gsl_sf_legendre_Plm and not in gsl_sf_legendre_array, whose plain form takes
#            no argument for it.
# Seen       P_3^1(cos 0.7): std 1.8601, gsl Plm -1.8601, gsl array 1.8601; normalised: std::sph_legendre -0.400765, gsl
#            sphPlm -0.400765, gsl array 0.400765; m = 2: all agree
# Expected   one sign within a library, so that the normalised function is the plain one times a positive factor
# Who        Whoever normalises one by hand and takes the other ready made, or fills tables by the array function and
#            checks single values: vector spherical harmonics and expansion coefficients of odd m have the other sign.
#            Bodies with symmetry about z (m = 0) and sums over |a|^2 do not show it; fields and forces do.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libstdc++-12-dev=12.2.0-14+deb12u1 libgsl-dev=2.7.1+dfsg-5+deb12u1 libgsl27=2.7.1+dfsg-5+deb12u1 libgslcblas0=2.7.1+dfsg-5+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > legendre.cpp <<'END'
#include <cmath>
#include <cstdio>
#include <gsl/gsl_sf_legendre.h>

int main() {
  const double theta = 0.7, x = std::cos(theta);
  double plain[32], normalised[32];
  gsl_sf_legendre_array(GSL_SF_LEGENDRE_NONE, 3, x, plain);
  gsl_sf_legendre_array(GSL_SF_LEGENDRE_SPHARM, 3, x, normalised);
  for (int m = 0; m <= 3; ++m) {
    const size_t i = gsl_sf_legendre_array_index(3, m);
    std::printf("m=%d plain: std %.6g, gsl Plm %.6g, gsl array %.6g\n", m, std::assoc_legendre(3, m, x),
                gsl_sf_legendre_Plm(3, m, x), plain[i]);
    std::printf("m=%d normalised: std %.6g, gsl sphPlm %.6g, gsl array %.6g\n", m, std::sph_legendre(3, m, theta),
                gsl_sf_legendre_sphPlm(3, m, x), normalised[i]);
  }
}
END
g++ -std=c++17 -nostdinc++ -isystem root/usr/include/c++/12 -isystem root/usr/include/x86_64-linux-gnu/c++/12 \
  -I root/usr/include legendre.cpp -o legendre -L "$libraries" -lgsl -lgslcblas
./legendre | tee seen.txt

grep -q "^m=1 plain: std 1.8601, gsl Plm -1.8601, gsl array 1.8601" seen.txt
grep -q "^m=1 normalised: std -0.400765, gsl sphPlm -0.400765, gsl array 0.400765" seen.txt
grep -q "^m=2 plain: std 4.76133, gsl Plm 4.76133, gsl array 4.76133" seen.txt
grep -q "^m=2 normalised: std 0.324401, gsl sphPlm 0.324401, gsl array 0.324401" seen.txt
