// The product of several ranks, simple and tuned, against the one of one rank on the serial backend.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "comm/collect.hpp"
#include "comm/in_process.hpp"
#include "dda/scheme/lattice.hpp"
#include "dda/scheme/memory.hpp"
#include "dda/tuned/cpu/rank_product.hpp"
#include "support/skew_particle.hpp"

namespace umov::dda {
namespace {

using test::skew_particle;

/// y of the whole as [component][dipole], and the sums.
struct Product {
  std::vector<cplx> y;
  krylov::ProductSums<double> sums{};
};

Problem problem_of(const shapes::Particle& p) {
  Problem problem;
  problem.particle = &p;
  problem.wavenumber = 1.3;
  problem.fft_grid = transform_grid(p.box, {0, 0, 0});
  return problem;
}

template <class T>
std::vector<Complex<T>> roots() {
  std::vector<Complex<T>> list;
  for (int i = 0; i < 6; ++i) list.push_back({T(0.3 + 0.02 * i), T(0.1 - 0.03 * i)});
  return list;
}

/// Component c of x at dipole i of the whole.
template <class T>
Complex<T> entry(int c, index_t i) {
  return {T(std::sin(0.37 * double(i) + c)), T(std::cos(1.3 * double(i) - 0.5 * c))};
}

/// The dipoles [first, first + own) of the whole's.
template <class T, class Conv>
std::vector<Complex<T>> apply(Conv& product, index_t first, index_t own, bool adjoint,
                              krylov::ProductSums<double>& sums) {
  std::vector<Complex<T>> x(std::size_t(3 * own)), y(x.size());
  for (int c = 0; c < 3; ++c)
    for (index_t i = 0; i < own; ++i) x[std::size_t(c * own + i)] = entry<T>(c, first + i);
  sums = product.apply(roots<T>().data(), x.data(), y.data(), adjoint);
  return y;
}

Product alone(const shapes::Particle& p, bool adjoint) {
  backend::Serial dev;
  const Problem problem = problem_of(p);
  DeviceLattice<backend::Serial> lattice(dev, PackedLattice(p));
  SimpleProduct<backend::Serial, double> product(dev, problem, lattice.view());
  Product out;
  for (const auto& v : apply<double>(product, 0, index_t(p.dipoles()), adjoint, out.sums))
    out.y.push_back(v.to_std<double>());
  return out;
}

template <class T, template <class, class> class ProductOf>
Product on_ranks(const shapes::Particle& p, int ranks, int threads, bool adjoint) {
  Product out;
  const std::size_t n = p.dipoles();
  out.y.resize(3 * n);
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    using Dev = comm::OnRanks<backend::Cpu>;
    Dev dev(comm, threads);
    const ParticleSlab slab = take_slab(p, comm.rank(), ranks);
    Problem problem = problem_of(p);
    problem.slab = &slab;
    DeviceLattice<Dev> lattice(dev, PackedLattice(slab.particle));
    ProductOf<Dev, T> first(dev, problem, lattice.view());
    // the one that is tried works in the memory of another
    ProductOf<Dev, T> product(first, problem);
    krylov::ProductSums<double> sums{};
    for (int times = 0; times < 2; ++times) {
      const auto y = apply<T>(product, slab.first_dipole(), slab.own_dipoles(), adjoint, sums);
      for (int c = 0; c < 3; ++c)
        for (index_t i = 0; i < slab.own_dipoles(); ++i)
          out.y[std::size_t(c) * n + std::size_t(slab.first_dipole() + i)] =
              y[std::size_t(c * slab.own_dipoles() + i)].template to_std<double>();
    }
    if (comm.first()) out.sums = sums;
  });
  return out;
}

void expect_near(const Product& one, const Product& other, double tolerance) {
  double off = 0, all = 0;
  for (std::size_t i = 0; i < one.y.size(); ++i) {
    off += std::norm(one.y[i] - other.y[i]);
    all += std::norm(one.y[i]);
  }
  EXPECT_LT(std::sqrt(off / all), tolerance);
  EXPECT_NEAR(other.sums.yy, one.sums.yy, 2 * tolerance * one.sums.yy);
  // |x| |y|: components of x are 1 or so
  const double both = tolerance * std::max(one.sums.yy, double(one.y.size()));
  EXPECT_NEAR(other.sums.xy.re, one.sums.xy.re, both);
  EXPECT_NEAR(other.sums.xy.im, one.sums.xy.im, both);
  EXPECT_NEAR(other.sums.xhy.re, one.sums.xhy.re, both);
  EXPECT_NEAR(other.sums.xhy.im, one.sums.xhy.im, both);
}

// Rounding of transforms grows with the logarithm of their length: some 10 of the numbers' own.
constexpr double of_double = 1e-14, of_float = 3e-6;

const std::vector<Int3> boxes{{5, 6, 7},  {1, 1, 7},  {7, 1, 2},   {2, 9, 1},  {12, 3, 5},
                              {16, 8, 4}, {9, 17, 3}, {33, 2, 11}, {1, 13, 1}, {20, 20, 20}};

std::string name_of(const Int3& b, int ranks) {
  return std::to_string(b[0]) + "x" + std::to_string(b[1]) + "x" + std::to_string(b[2]) + " on " +
         std::to_string(ranks);
}

TEST(DdaRankProduct, IsThatOfOneRankOnAnyBox) {
  for (const Int3& box : boxes) {
    const auto p = skew_particle(box);
    for (const bool adjoint : {false, true}) {
      const Product one = alone(p, adjoint);
      for (const int ranks : {1, 2, 3, 4, 7}) {
        SCOPED_TRACE(name_of(box, ranks) + (adjoint ? ", adjoint" : ""));
        expect_near(one, on_ranks<double, CpuRankProduct>(p, ranks, 1, adjoint), of_double);
        expect_near(one, on_ranks<float, CpuRankProduct>(p, ranks, 1, adjoint), of_float);
        expect_near(one, on_ranks<double, SimpleProduct>(p, ranks, 1, adjoint), of_double);
      }
    }
  }
}

TEST(DdaRankProduct, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto p = skew_particle({20, 20, 20});
  for (const int ranks : {2, 3}) {
    const Product one = on_ranks<double, CpuRankProduct>(p, ranks, 1, false);
    for (const int threads : {2, 3}) {
      const Product more = on_ranks<double, CpuRankProduct>(p, ranks, threads, false);
      EXPECT_EQ(one.y, more.y);
      EXPECT_EQ(one.sums.yy, more.sums.yy);
    }
  }
}

}  // namespace
}  // namespace umov::dda
