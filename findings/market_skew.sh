#!/bin/bash
# A skew-symmetric Matrix Market file becomes a symmetric matrix in SuperLU, and half of itself in librsb.
#
# Package    SuperLU 5.3.0 (libsuperlu-dev=5.3.0+dfsg1-2+b1), librsb 1.3.0.2 (librsb-dev=1.3.0.2+dfsg-4,
#            librsb0=1.3.0.2+dfsg-4), SciPy 1.10.1 (python3-scipy=1.10.1-2), Debian 12
# Behaviour  The file holds the lower half; the upper one is its negative. SuperLU's dreadMM fills in the upper half
#            with the same sign, librsb leaves it out. No message but SuperLU's "Symmetric matrix: will be expanded".
# Seen       a_21 = 5: a_12 is -5 in SciPy, 5 in SuperLU, 0 in librsb
# Expected   -5, as the format has it
# Who        Whoever stores a convection, gyrotropic or curl-like operator so, and factors or multiplies it with one of
#            the two: a matrix of the same pattern and the same norm (SuperLU), whose eigenvalues are real instead of
#            imaginary.

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libsuperlu-dev=5.3.0+dfsg1-2+b1 libsuperlu5=5.3.0+dfsg1-2+b1 librsb-dev=1.3.0.2+dfsg-4 librsb0=1.3.0.2+dfsg-4 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n' > skew.mtx
cat > superlu.c <<'END'
#include <superlu/slu_ddefs.h>

int main(void) {
  int rows, columns, entries, *row, *start;
  double *value, upper = 0;
  dreadMM(stdin, &rows, &columns, &entries, &value, &row, &start);
  for (int k = start[1]; k < start[2]; ++k)
    if (row[k] == 0) upper = value[k];
  printf("\nSuperLU a_12 = %g\n", upper);
}
END
cat > rsb.c <<'END'
#include <rsb.h>
#include <stdio.h>

int main(void) {
  double one = 1, x[2] = {0, 1}, y[2] = {0, 0};
  rsb_err_t error;
  rsb_lib_init(RSB_NULL_INIT_OPTIONS);
  struct rsb_mtx_t *a = rsb_file_mtx_load("skew.mtx", RSB_FLAG_NOFLAGS, RSB_NUMERICAL_TYPE_DOUBLE, &error);
  rsb_spmv(RSB_TRANSPOSITION_N, &one, a, x, 1, &one, y, 1);
  printf("librsb error %d, a_12 = %g\n", (int)error, y[0]);
}
END
cc -w -I root/usr/include superlu.c -o superlu -L "$libraries" -lsuperlu -Wl,--allow-shlib-undefined
cc -w -I root/usr/include rsb.c -o rsb -L "$libraries" -lrsb -Wl,--allow-shlib-undefined
./superlu < skew.mtx | tee seen.txt
./rsb | tee -a seen.txt
/usr/bin/python3 -c 'import scipy.io; print("SciPy a_12 = %g" % scipy.io.mmread("skew.mtx").toarray()[0, 1])' | tee -a seen.txt

grep -q "^SuperLU a_12 = 5$" seen.txt
grep -q "^librsb error 0, a_12 = 0$" seen.txt
grep -q "^SciPy a_12 = -5$" seen.txt
