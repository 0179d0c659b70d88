#!/bin/bash
# MUMPS with SYM = 1, "symmetric positive definite", solves a Hermitian matrix as a complex symmetric one.
#
# Package    MUMPS 5.5.1 (libmumps-seq-dev=5.5.1-1, Debian 12)
# Behaviour  The complex versions (zmumps, cmumps) have no Hermitian solver. SYM = 1 is done as SYM = 2: A = L D L^T,
#            the half that was not given is the transpose without conjugation. The manual says so; the run
#            says nothing, and INFOG(1) is 0. Without symmetry (SYM = 0, both halves given) the answer is right.
# Seen       lower half 2, i, 2 of (2 -i; i 2), b = (1, 0): SYM 0 (0.6667, -0.3333i); SYM 1 (0.4000, -0.2000i); SYM 2 the same
# Expected   2/3, -i/3: LAPACK's zposv, CHOLMOD and PARDISO's positive definite type are Hermitian
# Who        Whoever solves a lossless problem with Bloch walls, or the normal equations of a complex fit, from its
#            lower half: every number is of the right size.
# Way out    SYM = 0 and both halves

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libmumps-seq-dev=5.5.1-1 libmumps-seq-5.5=5.5.1-1 libmumps-headers-dev=5.5.1-1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > solve.c <<'END'
#include <stdio.h>
#include <string.h>
#include <zmumps_c.h>

int main(void) {
  for (int sym = 0; sym < 3; ++sym) {
    ZMUMPS_STRUC_C m;
    memset(&m, 0, sizeof m);
    m.job = -1, m.par = 1, m.sym = sym, m.comm_fortran = -987654;
    zmumps_c(&m);
    MUMPS_INT rows[] = {1, 2, 2, 1}, columns[] = {1, 1, 2, 2};
    mumps_double_complex a[] = {{2, 0}, {0, 1}, {2, 0}, {0, -1}}, b[] = {{1, 0}, {0, 0}};
    m.n = 2, m.nnz = sym ? 3 : 4, m.irn = rows, m.jcn = columns, m.a = a, m.rhs = b;
    m.icntl[0] = 6, m.icntl[1] = m.icntl[2] = -1, m.icntl[3] = 2;
    m.job = 6;
    zmumps_c(&m);
    printf("SYM %d: INFOG(1) %d, x = %.4f%+.4fi, %.4f%+.4fi\n", sym, m.infog[0], b[0].r, b[0].i, b[1].r, b[1].i);
    m.job = -2;
    zmumps_c(&m);
  }
}
END
cc -I root/usr/include -I root/usr/include/mumps_seq solve.c -o solve -L "$libraries" -lzmumps_seq -Wl,--allow-shlib-undefined
OMP_NUM_THREADS=1 ./solve | tee seen.txt

grep -q "^SYM 0: INFOG(1) 0, x = 0.6667+0.0000i, -\?0.0000-0.3333i" seen.txt
grep -q "^SYM 1: INFOG(1) 0, x = 0.4000+0.0000i, -\?0.0000-0.2000i" seen.txt
grep -q "^SYM 2: INFOG(1) 0, x = 0.4000+0.0000i, -\?0.0000-0.2000i" seen.txt
! grep -v "^SYM" seen.txt
