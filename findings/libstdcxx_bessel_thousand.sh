#!/bin/bash
# std::cyl_bessel_j(500, x) is right at x = 999 and -4e33 at x = 1001.
#
# Package    libstdc++ of GCC 12.2.0 (libstdc++-12-dev=12.2.0-14+deb12u1, Debian 12)
# Behaviour  Above x = 1000 an expansion for large arguments takes over, whatever the order; it needs an order far below
#            x. No error, no nan for most pairs. cyl_neumann has the same, sph_bessel (another path) has not.
# Seen       J_500(999) = 0.00237576; J_500(1001) = -4.2e33, J_900(1001) = 3.1e146; J_100(1001) = 0.0251656, right;
#            sph_bessel(500, 1001) = -0.000966549
# Expected   J_500(1001) = -0.0270215, by the integral of cos(n t - x sin t); |J| never exceeds 1
# Who        Whoever computes scattering by cylinders, fibres or rings, or a Bessel beam, beyond a size parameter of
#            1000 with the standard library: tests at 10 and 100 pass, and so does whatever is made of spheres.
# Way out    Boost.Math or GSL: both are right there

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libstdc++-12-dev=12.2.0-14+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > bessel.cpp <<'END'
#include <cmath>
#include <cstdio>
#include <initializer_list>

// Periodic and entire, so that the trapezoidal rule is exact to rounding.
double integral(int n, double x) {
  double sum = 0;
  const int points = 4000;
  for (int i = 0; i < points; ++i) {
    const double t = 2 * M_PI * i / points;
    sum += std::cos(n * t - x * std::sin(t));
  }
  return sum / points;
}

int main() {
  for (int n : {100, 300, 500, 900})
    for (double x : {999.0, 1001.0})
      std::printf("J_%d(%g): library %.6g, integral %.6g\n", n, x, std::cyl_bessel_j(n, x), integral(n, x));
  std::printf("j_500(1001): library %.6g\n", std::sph_bessel(500, 1001.0));
}
END
g++ -std=c++17 -nostdinc++ -isystem root/usr/include/c++/12 -isystem root/usr/include/x86_64-linux-gnu/c++/12 bessel.cpp -o bessel
./bessel | tee seen.txt

grep -q "^J_500(999): library 0.00237576, integral 0.00237576" seen.txt
grep -q "^J_500(1001): library -4.2.*e+33, integral -0.0270215" seen.txt
grep -q "^J_900(1001): library 3.*e+146, integral -0.008698" seen.txt
grep -q "^j_500(1001): library -0.000966549" seen.txt
