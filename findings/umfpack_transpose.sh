#!/bin/bash
# UMFPACK_At solves with the conjugate transpose, and not with the transpose as "T" of SuperLU does.
#
# Package    UMFPACK 5.7.9 of SuiteSparse 5.12.0 (libsuitesparse-dev=1:5.12.0+dfsg-2), SciPy 1.10.1 (python3-scipy=1.10.1-2),
#            whose splu is SuperLU, Debian 12
# Behaviour  In the complex versions (zi, zl) UMFPACK_At means A^H, and the plain transpose is UMFPACK_Aat, "array transpose".
#            In the real versions both are the transpose. The user guide says so; the name says the opposite.
# Seen       A = (2 0; i 3), b = (1, 1): UMFPACK_At 0.5+0.1667i, 0.3333; UMFPACK_Aat 0.5-0.1667i, 0.3333; SuperLU "T"
#            0.5-0.1667i, 0.3333; SuperLU "H" 0.5+0.1667i, 0.3333
# Expected   0.5 - i/6, 1/3 for At, the name of the transpose of a real matrix
# Who        Whoever solves the adjoint system of a frequency domain solver for its gradients: the factors are
#            there, the system is the right one for real matrices, and a test with a real matrix passes.
# Way out    UMFPACK_Aat

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
timeout 100 apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libsuitesparse-dev=1:5.12.0+dfsg-2 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > solve.c <<'END'
#include <stdio.h>
#include <umfpack.h>

int main(void) {
  SuiteSparse_long columns[] = {0, 2, 3}, rows[] = {0, 1, 1};
  double a[] = {2, 0, 0, 1, 3, 0}, b[] = {1, 0, 1, 0}, x[4];
  void *symbolic, *numeric;
  if (umfpack_zl_symbolic(2, 2, columns, rows, a, NULL, &symbolic, NULL, NULL) != UMFPACK_OK) return 1;
  if (umfpack_zl_numeric(columns, rows, a, NULL, symbolic, &numeric, NULL, NULL) != UMFPACK_OK) return 1;
  int systems[] = {UMFPACK_A, UMFPACK_At, UMFPACK_Aat};
  const char* names[] = {"A", "At", "Aat"};
  for (int i = 0; i < 3; ++i) {
    int status = umfpack_zl_solve(systems[i], columns, rows, a, NULL, x, NULL, b, NULL, numeric, NULL, NULL);
    printf("UMFPACK_%s: status %d, %.4f%+.4fi, %.4f%+.4fi\n", names[i], status, x[0], x[1], x[2], x[3]);
  }
  umfpack_zl_free_symbolic(&symbolic);
  umfpack_zl_free_numeric(&numeric);
}
END
cc -I root/usr/include/suitesparse solve.c -o solve -L "$libraries" -lumfpack -Wl,--allow-shlib-undefined
OMP_NUM_THREADS=1 timeout 20 ./solve | tee seen.txt
timeout 60 /usr/bin/python3 -W error - <<'END' | tee -a seen.txt
import numpy
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

factors = splu(csc_matrix(numpy.array([[2, 0], [1j, 3]])))
for which in "NTH":
    x = factors.solve(numpy.array([1, 1], complex), which)
    print(f"SuperLU {which}:", ", ".join(f"{v.real:.4f}{v.imag:+.4f}i" for v in x))
END

grep -q "^UMFPACK_A: status 0, 0.5000[+-]0.0000i, 0.3333-0.1667i" seen.txt
grep -q "^UMFPACK_At: status 0, 0.5000+0.1667i, 0.3333[+-]0.0000i" seen.txt
grep -q "^UMFPACK_Aat: status 0, 0.5000-0.1667i, 0.3333[+-]0.0000i" seen.txt
grep -q "^SuperLU N: 0.5000[+-]0.0000i, 0.3333-0.1667i" seen.txt
grep -q "^SuperLU T: 0.5000-0.1667i, 0.3333[+-]0.0000i" seen.txt
grep -q "^SuperLU H: 0.5000+0.1667i, 0.3333[+-]0.0000i" seen.txt
