#!/bin/bash
# Eigen takes a Hermitian Matrix Market file for a general one with an empty upper half.
#
# Package    Eigen 3.4.0 (libeigen3-dev=3.4.0-4, Debian 12)
# Behaviour  loadMarket leaves the other half to the caller, who asks getMarketHeader for the symmetry. That compares
#            with `Hermitian`, while the format's word, which other programs write, is `hermitian`: the answer is
#            "general" (0), and true for success. The same goes for skew-symmetric files, which it does not know.
# Seen       hermitian: 0, and a_12 = 0; Hermitian: 16 (SelfAdjoint); symmetric: 32 (Symmetric); skew-symmetric: 0
# Expected   16 for hermitian (the words of a header may be in any case), an error for what is not known
# Who        Whoever reads the matrix of a lossless or gyrotropic problem, as SciPy writes it, and asks the header what
#            to do: the upper half is missing, the lower one with the diagonal is a regular triangular matrix, and every
#            solver finds an answer.
# Way out    look at the header's line oneself

set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir debs root
apt-get -qq -y -o Debug::NoLocking=1 -o Dir::Cache::archives="$work/debs" install --reinstall --download-only \
  --no-install-recommends libeigen3-dev=3.4.0-4 > apt.log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
export PATH="$work/root/usr/bin:$PATH" PYTHONPATH="$work/root/usr/lib/python3/dist-packages"
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$work/root/usr/lib"

cat > read.cpp <<'END'
#include <complex>
#include <fstream>
#include <iostream>
#include <Eigen/Sparse>
#include <unsupported/Eigen/SparseExtra>

int main() {
  for (const char* word : {"hermitian", "Hermitian", "symmetric", "skew-symmetric"}) {
    std::ofstream("a.mtx") << "%%MatrixMarket matrix coordinate complex " << word << "\n2 2 1\n2 1 1 2\n";
    int symmetry;
    bool is_complex, is_vector;
    const bool known = Eigen::getMarketHeader("a.mtx", symmetry, is_complex, is_vector);
    Eigen::SparseMatrix<std::complex<double>> a;
    const bool loaded = Eigen::loadMarket(a, "a.mtx");
    std::cout << word << ": header " << known << ", symmetry " << symmetry << ", loaded " << loaded << ", a_21 "
              << a.coeff(1, 0) << ", a_12 " << a.coeff(0, 1) << "\n";
  }
  std::cout << "Eigen::SelfAdjoint " << Eigen::SelfAdjoint << ", Eigen::Symmetric " << Eigen::Symmetric << "\n";
}
END
g++ -w -I root/usr/include/eigen3 read.cpp -o read
./read | tee seen.txt

grep -q "^hermitian: header 1, symmetry 0, loaded 1, a_21 (1,2), a_12 (0,0)" seen.txt
grep -q "^Hermitian: header 1, symmetry 16, " seen.txt
grep -q "^symmetric: header 1, symmetry 32, loaded 1, a_21 (1,2), a_12 (0,0)" seen.txt
grep -q "^skew-symmetric: header 1, symmetry 0, loaded 1, a_21 (1,2), a_12 (0,0)" seen.txt
