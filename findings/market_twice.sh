#!/bin/bash
# A Matrix Market entry given twice is summed in SciPy and Eigen; librsb, ViennaCL and Gmm++ keep the last one.
#
# Package    librsb 1.3.0.2 (librsb-dev=1.3.0.2+dfsg-4), ViennaCL 1.7.1 (libviennacl-dev=1.7.1+dfsg1-6), Gmm++ 5.4.2
#            (libgmm-dev=5.4.2+dfsg1-3+b1), Eigen 3.4.0 (libeigen3-dev=3.4.0-4), SciPy 1.10.1 (python3-scipy=1.10.1-2),
#            Debian 12
# Behaviour  The three that keep the last say nothing. librsb has a flag for sums, which is off; its default is called
#            RSB_FLAG_DUPLICATES_DEFAULT_HANDLE.
# Seen       a_11 of 2 and 3: SciPy 5, Eigen 5, librsb 3, ViennaCL 3, Gmm++ 3
# Expected   5 (what assembling by elements means), or an error
# Who        Whoever writes the contributions of elements one by one, as finite element codes may, and lets the reader
#            add them: a stiffness matrix with each diagonal entry that of one element, still symmetric, mostly still
#            solvable.
# Way out    add up before writing

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends librsb-dev=1.3.0.2+dfsg-4 librsb0=1.3.0.2+dfsg-4 libviennacl-dev=1.7.1+dfsg1-6 libgmm-dev=5.4.2+dfsg1-3+b1 libeigen3-dev=3.4.0-4 python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n1 1 3\n2 1 5\n2 2 4\n' > twice.mtx
cat > readers.cpp <<'END'
#include <cstdio>
#include <iostream>
#include <map>
#include <vector>
#include <Eigen/Sparse>
#include <gmm/gmm.h>
#include <rsb.h>
#include <unsupported/Eigen/SparseExtra>
#include <viennacl/io/matrix_market.hpp>

int main() {
  Eigen::SparseMatrix<double> eigen;
  Eigen::loadMarket(eigen, "twice.mtx");
  std::printf("Eigen a_11 = %g\n", eigen.coeff(0, 0));

  std::vector<std::map<unsigned, double>> viennacl;
  viennacl::io::read_matrix_market_file(viennacl, "twice.mtx");
  std::printf("ViennaCL a_11 = %g\n", viennacl[0][0]);

  gmm::row_matrix<gmm::wsvector<double>> gmmpp(2, 2);
  gmm::MatrixMarket_load("twice.mtx", gmmpp);
  std::printf("Gmm++ a_11 = %g\n", double(gmmpp(0, 0)));

  rsb_lib_init(RSB_NULL_INIT_OPTIONS);
  rsb_err_t error;
  rsb_mtx_t *rsb = rsb_file_mtx_load("twice.mtx", RSB_FLAG_NOFLAGS, RSB_NUMERICAL_TYPE_DOUBLE, &error);
  double one = 1, x[2] = {1, 0}, y[2] = {0, 0};
  rsb_spmv(RSB_TRANSPOSITION_N, &one, rsb, x, 1, &one, y, 1);
  std::printf("librsb error %d, a_11 = %g\n", int(error), y[0]);
}
END
g++ -w -I root/usr/include -I root/usr/include/eigen3 readers.cpp -o readers -L "$libraries" -lrsb -Wl,--allow-shlib-undefined
./readers | tee seen.txt
/usr/bin/python3 -c 'import scipy.io; print("SciPy a_11 = %g" % scipy.io.mmread("twice.mtx").toarray()[0, 0])' | tee -a seen.txt

grep -q "^Eigen a_11 = 5$" seen.txt
grep -q "^SciPy a_11 = 5$" seen.txt
grep -q "^ViennaCL a_11 = 3$" seen.txt
grep -q "^Gmm++ a_11 = 3$" seen.txt
grep -q "^librsb error 0, a_11 = 3$" seen.txt
