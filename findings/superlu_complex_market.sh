#!/bin/bash
# SuperLU's reader of complex Matrix Market files refuses complex files, and tells to use itself instead.
#
# Package    SuperLU 5.3.0 (libsuperlu-dev=5.3.0+dfsg1-2+b1, libsuperlu5=5.3.0+dfsg1-2+b1, Debian 12)
# Behaviour  zreadMM, of doublecomplex values, ends the program at a header with `complex`, of any symmetry, with the
#            message "Complex matrix; use zreadMM instead!", as the reader of real matrices (dreadMM) does.
# Seen       complex general, symmetric and hermitian: exit code 255 and that message; dreadMM of the real file: read
# Expected   the complex file read
# Who        Whoever gives the systems of a harmonic problem (K + j omega M) to SuperLU: every complex file that SciPy,
#            Eigen or another program makes is refused.
# Way out    read it with something else and call zCreate_CompCol_Matrix, or convert to Harwell-Boeing for zreadhb

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libsuperlu-dev=5.3.0+dfsg1-2+b1 libsuperlu5=5.3.0+dfsg1-2+b1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > read.c <<'END'
#ifdef COMPLEX
#include <superlu/slu_zdefs.h>
#define READ zreadMM
typedef doublecomplex Value;
#else
#include <superlu/slu_ddefs.h>
#define READ dreadMM
typedef double Value;
#endif

int main(void) {
  int rows, columns, entries, *row, *start;
  Value *value;
  READ(stdin, &rows, &columns, &entries, &value, &row, &start);
  printf("\nread %d entries\n", entries);
}
END
cc -w -I root/usr/include read.c -o dread -L "$libraries" -lsuperlu -Wl,--allow-shlib-undefined
cc -w -D COMPLEX -I root/usr/include read.c -o zread -L "$libraries" -lsuperlu -Wl,--allow-shlib-undefined
for symmetry in general symmetric hermitian; do
  code=0
  printf '%%%%MatrixMarket matrix coordinate complex %s\n2 2 3\n1 1 2 0\n2 1 1 2\n2 2 3 0\n' "$symmetry" |
    ./zread > out.txt 2>&1 || code=$?
  echo "complex $symmetry: exit code $code, $(grep -E "^(read|Complex)" out.txt)" | tee -a seen.txt
done
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n' | ./dread | tee real.txt

for symmetry in general symmetric hermitian; do
  grep -q "^complex $symmetry: exit code 255, Complex matrix; use zreadMM instead!" seen.txt
done
grep -q "^read 3 entries" real.txt
