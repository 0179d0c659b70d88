#!/bin/bash
# dot of complex vectors conjugates the first in Eigen, the second in PETSc, and neither in Armadillo.
#
# Package    Eigen 3.4.0 (libeigen3-dev=3.4.0-4), PETSc 3.18.5 (python3-petsc4py-complex3.18), Armadillo 11.4.2
#            (libarmadillo-dev), Gmm++ 5.4.2 (libgmm-dev=5.4.2+dfsg1-3+b1), NumPy 1.24.2, Debian 12
# Behaviour  x.dot(y) with x = (i, 0), y = (1, 0) is -i where x is conjugated (as BLAS zdotc, numpy.vdot and Octave's dot do), i
#            where y or none is; the other way round tells which.
# Seen       x.dot(y), y.dot(x): Eigen -1 1 (first); petsc4py 1 -1 (second); Armadillo dot 1 1 (none), cdot -1 1 (first);
#            Gmm++ vect_sp 1 1 (none), vect_hp 1 -1 (second); NumPy dot 1 1 (none), vdot -1 1 (first)
# Expected   the first in all that are called dot and have a complex version
# Who        Whoever carries a Krylov method, a projection onto a mode or an overlap from one library to another: energies
#            and norms agree, and amplitudes are conjugated, a phase turns the other way.
# Way out    a test with (i, 0) and (1, 0) before anything else

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends python3-petsc4py-complex3.18=3.18.5-1 libpetsc-complex3.18=3.18.5+dfsg1-1 libarmadillo-dev=1:11.4.2+dfsg-1 libeigen3-dev=3.4.0-4 libgmm-dev=5.4.2+dfsg1-3+b1 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > dots.cpp <<'END'
#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_BLAS
#define ARMA_DONT_USE_LAPACK
#include <armadillo>
#include <cstdio>
#include <Eigen/Dense>
#include <gmm/gmm.h>

int main() {
  using C = std::complex<double>;
  const C i(0, 1);
  auto say = [](const char *name, C xy, C yx) { std::printf("%s %g %g\n", name, xy.imag(), yx.imag()); };
  const Eigen::Vector2cd ex(i, 0), ey(1, 0);
  say("Eigen dot", ex.dot(ey), ey.dot(ex));
  const arma::cx_vec ax = {i, 0}, ay = {1, 0};
  say("Armadillo dot", arma::dot(ax, ay), arma::dot(ay, ax));
  say("Armadillo cdot", arma::cdot(ax, ay), arma::cdot(ay, ax));
  const std::vector<C> gx = {i, 0}, gy = {1, 0};
  say("Gmm++ vect_sp", gmm::vect_sp(gx, gy), gmm::vect_sp(gy, gx));
  say("Gmm++ vect_hp", gmm::vect_hp(gx, gy), gmm::vect_hp(gy, gx));
}
END
g++ -w -I root/usr/include -I root/usr/include/eigen3 dots.cpp -o dots
./dots | tee seen.txt
petsc=$work/root/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-complex
PETSC_DIR=$petsc OMP_NUM_THREADS=1 PYTHONPATH=$petsc/lib/python3/dist-packages:$PYTHONPATH /usr/bin/python3 - <<'END' | tee -a seen.txt
import numpy
from petsc4py import PETSc

x, y = PETSc.Vec().createSeq(2), PETSc.Vec().createSeq(2)
x[0], y[0] = 1j, 1
x.assemble(), y.assemble()
print(f"petsc4py dot {x.dot(y).imag:g} {y.dot(x).imag:g}")
x, y = numpy.array([1j, 0]), numpy.array([1, 0])
print(f"NumPy dot {x.dot(y).imag:g} {y.dot(x).imag:g}")
print(f"NumPy vdot {numpy.vdot(x, y).imag:g} {numpy.vdot(y, x).imag:g}")
END

grep -q "^Eigen dot -1 1$" seen.txt
grep -q "^Armadillo dot 1 1$" seen.txt
grep -q "^Armadillo cdot -1 1$" seen.txt
grep -q "^Gmm++ vect_sp 1 1$" seen.txt
grep -q "^Gmm++ vect_hp 1 -1$" seen.txt
grep -q "^petsc4py dot 1 -1$" seen.txt
grep -q "^NumPy dot 1 1$" seen.txt
grep -q "^NumPy vdot -1 1$" seen.txt
