#!/bin/bash
# Eigen's conjugate gradients report success with an error of 0 on a system that is not the one given.
#
# Package    Eigen 3.4.0 (libeigen3-dev=3.4.0-4, Debian 12)
# Behaviour  ConjugateGradient, SimplicialLLT and SimplicialLDLT read the lower triangle and take the upper one for its
#            mirror image, whatever is stored there. Boundary values put in the usual way, a row of the identity with its
#            column left as it is, make a matrix that is not symmetric: at one end the column comes back as a row. info() is
#            Success, and error() of the iterative solver is 0, as both look at the mirrored matrix.
# Seen       -u'' = 0, u = 1 and 0 at the ends of five steps: SparseLU 1 0.8 0.6 0.4 0.2 0; ConjugateGradient, SimplicialLLT
#            and SimplicialLDLT 5 4 3 2 1 0, with Success
# Expected   1 0.8 0.6 0.4 0.2 0, or an error
# Who        Whoever sets potentials or perfect conductors by rows, and takes the solver that is named for his equation. The
#            result is smooth, obeys the equation inside and vanishes where it should.
# Way out    eliminate the columns as well; or compare with the product of the whole matrix

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

cat > laplace.cpp <<'END_CPP'
#include <Eigen/Sparse>
#include <cstdio>
#include <vector>

using Matrix = Eigen::SparseMatrix<double>;

template <class Solver> void solve(const char *name, const Matrix &a, const Eigen::VectorXd &b) {
  Solver solver;
  solver.compute(a);
  const Eigen::VectorXd u = solver.solve(b);
  std::printf("%s, %s:", name, solver.info() == Eigen::Success ? "Success" : "failed");
  for (double value : u) std::printf(" %.3g", value + 0.0);
  if constexpr (requires { solver.error(); }) std::printf(", error() %.0e", solver.error());
  std::printf(", residual %.0e\n", (a * u - b).norm());
}

int main() {
  const int n = 6;
  std::vector<Eigen::Triplet<double>> entries{{0, 0, 1.0}, {n - 1, n - 1, 1.0}};
  for (int i = 1; i < n - 1; ++i) {
    entries.emplace_back(i, i - 1, -1.0);
    entries.emplace_back(i, i, 2.0);
    entries.emplace_back(i, i + 1, -1.0);
  }
  Matrix a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd b = Eigen::VectorXd::Unit(n, 0);
  solve<Eigen::SparseLU<Matrix>>("SparseLU", a, b);
  solve<Eigen::BiCGSTAB<Matrix>>("BiCGSTAB", a, b);
  solve<Eigen::ConjugateGradient<Matrix>>("ConjugateGradient", a, b);
  solve<Eigen::SimplicialLLT<Matrix>>("SimplicialLLT", a, b);
  solve<Eigen::SimplicialLDLT<Matrix>>("SimplicialLDLT", a, b);
}
END_CPP
g++ -std=c++20 -w -I root/usr/include/eigen3 laplace.cpp -o laplace
./laplace | tee seen.txt

grep -q "^SparseLU, Success: 1 0.8 0.6 0.4 0.2 0, residual [0-9]e-1[5-7]" seen.txt
grep -q "^ConjugateGradient, Success: 5 4 3 2 1 0, error() 0e+00, residual 4e+00" seen.txt
grep -q "^SimplicialLLT, Success: 5 4 3 2 1 0, residual 4e+00" seen.txt
grep -q "^SimplicialLDLT, Success: 5 4 3 2 1 0, residual 4e+00" seen.txt
