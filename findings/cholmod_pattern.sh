#!/bin/bash
# CHOLMOD gives a symmetric Matrix Market pattern the values -1 and one more than the degree, and an unsymmetric one 1.
#
# Package    CHOLMOD 3.0.14 of SuiteSparse 5.12.0 (libsuitesparse-dev=1:5.12.0+dfsg-2), SciPy 1.10.1 (python3-scipy=1.10.1-2),
#            Debian 12
# Behaviour  A file whose field is "pattern" says where a matrix is not zero. cholmod_read_sparse invents the values of a
#            symmetric one: -1 off the diagonal, 1 + degree where the file has a diagonal entry. A general one gets ones.
#            A comment in the source says so; the matrix is of the real type, and the status is good.
# Seen       entries (1,1) (2,1) (3,2) (3,3): symmetric, CHOLMOD 2 -1 -1 2; general, CHOLMOD 1 1 1 1; SciPy 1 1 1 1 of each half
# Expected   ones, in both
# Who        Whoever keeps an adjacency or coupling matrix as a symmetric pattern, half of the file: it comes in as the matrix
#            of a graph's Laplacian, and its general twin does not.
# Way out    a file with the field "integer" or "real"

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

cat > read.c <<'END'
#include <cholmod.h>

int main(int count, char** names) {
  cholmod_common common;
  cholmod_start(&common);
  for (int k = 1; k < count; ++k) {
    FILE* file = fopen(names[k], "r");
    cholmod_sparse* matrix = cholmod_read_sparse(file, &common);
    if (!matrix || matrix->xtype != CHOLMOD_REAL) return 1;
    printf("CHOLMOD %s:", names[k]);
    int *columns = matrix->p, *rows = matrix->i;
    double* values = matrix->x;
    for (int column = 0; column < (int)matrix->ncol; ++column)
      for (int place = columns[column]; place < columns[column + 1]; ++place)
        printf(" (%d,%d) %g", rows[place] + 1, column + 1, values[place]);
    puts("");
    fclose(file);
    cholmod_free_sparse(&matrix, &common);
  }
  cholmod_finish(&common);
}
END
for kind in symmetric general; do
  printf '%%%%MatrixMarket matrix coordinate pattern %s\n3 3 4\n1 1\n2 1\n3 2\n3 3\n' $kind > $kind
done
cc -I root/usr/include/suitesparse read.c -o read -L "$libraries" -lcholmod -Wl,--allow-shlib-undefined
OMP_NUM_THREADS=1 timeout 20 ./read symmetric general | tee seen.txt
timeout 60 /usr/bin/python3 -W error - <<'END' | tee -a seen.txt
from scipy.io import mmread

for kind in ("symmetric", "general"):
    matrix = mmread(kind).toarray()
    print(f"SciPy {kind}:", *(f"({i},{j}) {matrix[i - 1, j - 1]:g}" for i, j in ((1, 1), (2, 1), (3, 2), (3, 3))))
END

grep -q "^CHOLMOD symmetric: (1,1) 2 (1,2) -1 (2,3) -1 (3,3) 2$" seen.txt
grep -q "^CHOLMOD general: (1,1) 1 (2,1) 1 (3,2) 1 (3,3) 1$" seen.txt
grep -q "^SciPy symmetric: (1,1) 1 (2,1) 1 (3,2) 1 (3,3) 1$" seen.txt
grep -q "^SciPy general: (1,1) 1 (2,1) 1 (3,2) 1 (3,3) 1$" seen.txt
