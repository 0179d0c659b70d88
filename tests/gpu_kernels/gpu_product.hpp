// The product's kernels for GPUs on a processor, thread by thread, beside the generic product on the serial
// referee.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "backend/serial/serial.hpp"
#include "dda/scheme/convolution.hpp"
#include "dda/tuned/cuda/tuned_convolution.cuh"
#include "support/skew_particle.hpp"

namespace umov::dda {

struct ProductCase {
  Int3 box, grid;
  tuned::Plans plans = tuned::Plans::all;
  TunedOptions options = {};
  bool on_host = false, adjoint = false;
  int columns = 1;
};

inline backend::cuda::Limits h200() {
  backend::cuda::Limits l;
  l.code = 90;
  l.shared_block = 227 << 10;
  l.shared_processor = 228 << 10;
  l.shared_reserved = 1 << 10;
  l.cache = 50 << 20;
  l.threads = 2048;
  l.processors = 132;
  return l;
}

/// The environment's UMOV_DDA_PLANS while it lives.
class PlansForced {
 public:
  explicit PlansForced(tuned::Plans plans) {
    setenv("UMOV_DDA_PLANS",
           plans == tuned::Plans::all      ? "all"
           : plans == tuned::Plans::none   ? "none"
           : plans == tuned::Plans::halves ? "halves"
                                           : "measured",
           1);
  }
  ~PlansForced() { unsetenv("UMOV_DDA_PLANS"); }
};

template <class T>
std::vector<Complex<T>> random_vector(std::size_t n) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Complex<T>> x(n);
  for (auto& v : x) v = Complex<T>(T(uniform(generator)), T(uniform(generator)));
  return x;
}

template <class A, class B>
double distance(const A& a, const B& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    s += std::pow(double(a[i].re) - double(b[i].re), 2) + std::pow(double(a[i].im) - double(b[i].im), 2);
  return std::sqrt(s);
}

/// Holds y = x - S G S x in precision T to the referee's in double: each of six transforms, and that of the
/// tensor, adds about eps log2(length) of the norm of what it transforms (Higham, Accuracy and Stability of
/// Numerical Algorithms, ch. 24), and errors of different stages add as squares.
template <class T>
void expect_product(const ProductCase& c) {
  const PlansForced plans(c.plans);
  const auto p = test::skew_particle(c.box);
  Problem problem;
  problem.particle = &p;
  problem.wavenumber = 1.1;
  problem.fft_grid = c.grid;
  problem.tensor_on_host = c.on_host;
  const PackedLattice packed(p);
  const std::size_t n = 3 * p.dipoles();

  // |alpha| is about 0.1 of the volume of a dipole: S G S has a norm of order one.
  const double s = std::sqrt(0.1 * p.dipole_volume());
  std::vector<Complex<double>> root;
  for (int m = 0; m < 3 * p.materials; ++m)
    root.push_back(Complex<double>(s * (1 + 0.13 * m), s * 0.1 * (m + 1)));
  const std::vector<Complex<T>> root_here(root.begin(), root.end());
  const auto x_here = random_vector<T>(n * std::size_t(c.columns));
  const std::vector<Complex<double>> x(x_here.begin(), x_here.end());

  backend::Serial serial;
  const DeviceLattice<backend::Serial> sites(serial, packed);
  Convolution<backend::Serial, double> referee(serial, problem, sites.view());

  backend::Cuda device(h200());
  ASSERT_TRUE(TunedConvolution<T>::can_do(problem, device.limits()));
  const DeviceLattice<backend::Cuda> lattice(device, packed);
  TunedConvolution<T> product(device, problem, lattice.view(), c.options);
  std::vector<Complex<T>> y(x.size(), Complex<T>(std::numeric_limits<T>::quiet_NaN()));
  krylov::ProductSums<double> sums;
  if (c.columns == 1)
    sums = product.apply(root_here.data(), x_here.data(), y.data(), c.adjoint);
  else
    product.apply_block(root_here.data(), x_here.data(), y.data(), c.columns);

  const double points = double(c.grid[0]) * c.grid[1] * c.grid[2];
  std::vector<Complex<double>> expected(n);
  for (int j = 0; j < c.columns; ++j) {
    const auto first = std::ptrdiff_t(n) * j;
    const auto there = referee.apply(root.data(), x.data() + first, expected.data(), c.adjoint);
    const std::vector<Complex<T>> mine(y.begin() + first, y.begin() + first + std::ptrdiff_t(n));
    const double size = distance(expected, std::vector<Complex<T>>(n)) + std::sqrt(2 * n / 3.0);
    const double allowed = 0.5 * double(std::numeric_limits<T>::epsilon()) * (1 + std::log2(points)) * size;
    EXPECT_LE(distance(expected, mine), allowed);
    if (c.columns == 1) {
      EXPECT_NEAR(sums.xy.re, there.xy.re, 2 * allowed * size);
      EXPECT_NEAR(sums.xy.im, there.xy.im, 2 * allowed * size);
      EXPECT_NEAR(sums.xhy.re, there.xhy.re, 2 * allowed * size);
      EXPECT_NEAR(sums.xhy.im, there.xhy.im, 2 * allowed * size);
      EXPECT_NEAR(sums.yy, there.yy, 2 * allowed * size);
    }
  }
}

}  // namespace umov::dda
