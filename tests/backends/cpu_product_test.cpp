// The tuned product of the cpu backend is held to the generic one on the serial referee.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <random>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "dda/scheme/convolution.hpp"
#include "dda/scheme/memory.hpp"
#include "dda/tuned/cpu/product.hpp"

namespace umov::dda {
namespace {

struct CpuProductCase {
  const char* name;
  Int3 box, grid;  // grid 0: the default one
  int materials = 1;
  bool holes = false;
  Interaction interaction = Interaction::point;
};

void PrintTo(const CpuProductCase& c, std::ostream* out) { *out << c.name; }

/// Asymmetric whenever there are holes or several materials, so that a wrong sign or order is seen.
shapes::Particle particle(const CpuProductCase& c) {
  shapes::Particle p;
  p.box = c.box;
  p.spacing = {0.4, 0.4, 0.4};
  p.materials = c.materials;
  p.dipoles_per_material.assign(c.materials, 0);
  for (int z = 0; z < c.box[2]; ++z)
    for (int y = 0; y < c.box[1]; ++y)
      for (int x = 0; x < c.box[0]; ++x) {
        // Single sites, a whole plane of z and a run of rows are empty.
        const bool hole = c.holes && ((3 * x + 5 * y + 7 * z) % 4 == 1 || z == 4 || (z == 2 && y > 3));
        const int m = hole ? 0 : 1 + (x + 2 * y + z * z) % c.materials;
        p.material.push_back(std::uint8_t(m));
        if (m) ++p.dipoles_per_material[m - 1];
      }
  return p;
}

template <class T>
struct CpuProductResult {
  std::vector<Complex<T>> y;
  krylov::ProductSums<backend::Accumulator<T>> sums;
};

template <class T>
std::vector<Complex<T>> random_vector(std::size_t n) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Complex<T>> x(n);
  for (auto& v : x) v = Complex<T>(T(uniform(generator)), T(uniform(generator)));
  return x;
}

template <template <class, class> class Conv, class Dev, class T>
CpuProductResult<T> product(Dev dev, const CpuProductCase& c, bool adjoint, int repeat = 1) {
  const auto p = particle(c);
  Problem problem;
  problem.particle = &p;
  problem.wavenumber = 1.1;
  problem.interaction = c.interaction;
  problem.fft_grid = c.grid[0] ? c.grid : transform_grid(c.box, {0, 0, 0});
  const PackedLattice packed(p);
  DeviceLattice<Dev> lattice(dev, packed);
  Conv<Dev, T> convolution(dev, problem, lattice.view());
  // |alpha| is about 0.1 of the volume of a dipole: S G S has a norm of order one.
  const T s = T(std::sqrt(0.1 * p.dipole_volume()));
  std::vector<Complex<T>> root;
  for (int m = 0; m < 3 * p.materials; ++m)
    root.push_back(Complex<T>(s * (T(1) + T(0.13) * T(m)), s * T(0.1) * T(m + 1)));
  const auto x = random_vector<T>(3 * p.dipoles());
  CpuProductResult<T> r;
  r.y.resize(x.size());
  for (int i = 0; i < repeat; ++i) r.sums = convolution.apply(root.data(), x.data(), r.y.data(), adjoint);
  return r;
}

template <class T>
long double norm(const std::vector<Complex<T>>& v) {
  long double s = 0;
  for (const auto& e : v) s += (long double)e.re * e.re + (long double)e.im * e.im;
  return std::sqrt(s);
}

std::vector<CpuProductCase> cases() {
  return {
      {"OneSite", {1, 1, 1}, {0, 0, 0}},
      {"Awkward", {7, 11, 5}, {0, 0, 0}, 3, true},
      {"Column", {1, 1, 9}, {0, 0, 0}, 2},
      {"Row", {9, 1, 1}, {0, 0, 0}, 2},
      {"Plate", {6, 13, 1}, {0, 0, 0}, 1, true},
      {"Cube16", {16, 16, 16}, {0, 0, 0}, 2, true},
      {"LargerGrid", {7, 11, 5}, {20, 26, 18}, 2, true},
      {"PrimeHalves", {7, 11, 5}, {22, 34, 26}, 2, true},
      {"SplitLengths", {46, 5, 3}, {192, 12, 8}, 2, true},
      {"SplitLengthsInYAndZ", {3, 50, 45}, {6, 192, 96}, 2, true},
      {"OddGrid", {7, 11, 5}, {15, 25, 21}, 2, true},
      {"FlatGrid", {4, 6, 1}, {8, 12, 1}, 1, true},
      {"Filtered", {8, 9, 7}, {0, 0, 0}, 2, true, Interaction::fcd},
  };
}

class CpuProduct : public testing::TestWithParam<CpuProductCase> {
 protected:
  /// Each transform adds at most about eps log2(length) of the norm of what it transforms (Higham, Accuracy
  /// and Stability of Numerical Algorithms, ch. 24); both products do six of them, and one transformed the
  /// tensor. Errors of different stages add as squares, hence the factor
  /// 0.5; measured: below 0.2 of this bound in every case and precision.
  template <class T>
  void agree(bool adjoint) {
    const auto& c = GetParam();
    const auto expected = product<Convolution, backend::Serial, T>(backend::Serial(), c, adjoint);
    const auto actual = product<CpuConvolution, backend::Cpu, T>(backend::Cpu(2), c, adjoint);
    const Int3 g = c.grid[0] ? c.grid : transform_grid(c.box, {0, 0, 0});
    const auto size = norm(expected.y) + norm(random_vector<T>(expected.y.size()));
    const long double allowed =
        0.5L * std::numeric_limits<T>::epsilon() * (1 + std::log2((long double)g[0] * g[1] * g[2])) * size;
    auto difference = expected.y;
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= actual.y[i];
    EXPECT_LE(norm(difference), allowed);
    // The sums pair vectors of that size; their own rounding is that of double or better.
    using A = backend::Accumulator<T>;
    const long double sum_allowed = 2 * allowed * size;
    const auto close = [&](A a, A b) { EXPECT_LE(std::abs((long double)a - b), sum_allowed); };
    close(actual.sums.xy.re, expected.sums.xy.re);
    close(actual.sums.xy.im, expected.sums.xy.im);
    close(actual.sums.xhy.re, expected.sums.xhy.re);
    close(actual.sums.xhy.im, expected.sums.xhy.im);
    close(actual.sums.yy, expected.sums.yy);
  }
};

TEST_P(CpuProduct, IsTheGenericOneToRoundingInSingle) { agree<float>(false); }
TEST_P(CpuProduct, IsTheGenericOneToRoundingInDouble) { agree<double>(false); }
TEST_P(CpuProduct, IsTheGenericOneToRoundingInLongDouble) { agree<long double>(false); }
TEST_P(CpuProduct, OfTheAdjointIsTheGenericOneToRoundingInSingle) { agree<float>(true); }
TEST_P(CpuProduct, OfTheAdjointIsTheGenericOneToRoundingInDouble) { agree<double>(true); }
TEST_P(CpuProduct, OfTheAdjointIsTheGenericOneToRoundingInLongDouble) { agree<long double>(true); }

namespace {

/// The columns of a block against products of their own, bit for bit: they are the same operations.
template <class T>
void expect_columns(const CpuProductCase& c, int columns) {
  const auto p = particle(c);
  Problem problem;
  problem.particle = &p;
  problem.wavenumber = 1.1;
  problem.interaction = c.interaction;
  problem.fft_grid = c.grid[0] ? c.grid : transform_grid(c.box, {0, 0, 0});
  backend::Cpu dev(2);
  DeviceLattice<backend::Cpu> lattice(dev, PackedLattice(p));
  CpuConvolution<backend::Cpu, T> convolution(dev, problem, lattice.view());
  const std::vector<Complex<T>> root(3 * p.materials, Complex<T>(T(0.2), T(0.03)));
  const std::size_t n = 3 * p.dipoles();
  const auto x = random_vector<T>(columns * n);
  std::vector<Complex<T>> block(columns * n), one(n);
  convolution.apply_block(root.data(), x.data(), block.data(), columns);
  for (int j = 0; j < columns; ++j) {
    convolution.apply(root.data(), x.data() + j * n, one.data(), false);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(block[j * n + i].re, one[i].re) << "column " << j;
      ASSERT_EQ(block[j * n + i].im, one[i].im) << "column " << j;
    }
  }
}

}  // namespace

TEST_P(CpuProduct, OfABlockIsThatOfItsColumns) {
  for (const int columns : {1, 3, 8, 11}) {
    expect_columns<float>(GetParam(), columns);
    expect_columns<double>(GetParam(), columns);
  }
}

INSTANTIATE_TEST_SUITE_P(Particles, CpuProduct, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

template <class T>
void same_bits(const CpuProductCase& c) {
  const auto one = product<CpuConvolution, backend::Cpu, T>(backend::Cpu(1), c, false);
  for (const int threads : {1, 2, 3}) {
    const auto again = product<CpuConvolution, backend::Cpu, T>(backend::Cpu(threads), c, false, 2);
    bool same = true;
    for (std::size_t i = 0; i < one.y.size(); ++i)
      same = same && one.y[i].re == again.y[i].re && one.y[i].im == again.y[i].im;
    EXPECT_TRUE(same) << threads << " threads";
    EXPECT_EQ(one.sums.xy.re, again.sums.xy.re) << threads << " threads";
    EXPECT_EQ(one.sums.xy.im, again.sums.xy.im) << threads << " threads";
    EXPECT_EQ(one.sums.xhy.re, again.sums.xhy.re) << threads << " threads";
    EXPECT_EQ(one.sums.xhy.im, again.sums.xhy.im) << threads << " threads";
    EXPECT_EQ(one.sums.yy, again.sums.yy) << threads << " threads";
  }
}

// Large enough that the product does share its work.
const CpuProductCase shared_work{"Shared", {24, 25, 23}, {0, 0, 0}, 2, true};
TEST(CpuProductBits, DoNotDependOnThreadsInSingle) { same_bits<float>(shared_work); }
TEST(CpuProductBits, DoNotDependOnThreadsInDouble) { same_bits<double>(shared_work); }
TEST(CpuProductBits, DoNotDependOnThreadsInLongDouble) { same_bits<long double>(shared_work); }

/// What a product has allocated is what the estimate said, number by number.
template <class Conv, class T>
void expect_estimated(const CpuProductCase& c, Precision precision, const std::string& backend, int threads) {
  const auto p = particle(c);
  Problem problem;
  problem.particle = &p;
  problem.fft_grid = c.grid[0] ? c.grid : transform_grid(c.box, {0, 0, 0});
  const PackedLattice packed(p);
  backend::Cpu dev(threads);
  DeviceLattice<backend::Cpu> lattice(dev, packed);
  const auto used = Conv(dev, problem, lattice.view()).memory();
  const auto estimate = estimate_memory(problem, "qmr", precision, backend, threads);
  for (std::size_t i = 0; i < used.size(); ++i) {
    EXPECT_EQ(used[i].name, estimate[i].name) << c.name;
    EXPECT_EQ(used[i].bytes, estimate[i].bytes) << c.name << ": " << used[i].name;
  }
}

TEST(CpuProductMemory, IsWhatTheEstimateSays) {
  auto all = cases();
  all.push_back(shared_work);
  using backend::Cpu;
  for (const auto& c : all) {
    expect_estimated<CpuConvolution<Cpu, float>, float>(c, Precision::single, "cpu", 2);
    expect_estimated<CpuConvolution<Cpu, double>, double>(c, Precision::double_, "cpu", 2);
    expect_estimated<CpuConvolution<Cpu, long double>, long double>(c, Precision::long_double, "cpu", 1);
    expect_estimated<Convolution<Cpu, double>, double>(c, Precision::double_, "serial", 1);
  }
}

TEST(CpuEngineMemory, OfPreconditionersIsWhatTheEstimateSays) {
  const CpuProductCase c{"Solid", {24, 25, 23}, {0, 0, 0}, 1};
  const auto p = particle(c);
  Problem problem;
  problem.particle = &p;
  problem.fft_grid = transform_grid(c.box, {0, 0, 0});
  const cplx alpha = 0.1 * p.dipole_volume();
  for (const auto kind : {PreconditionerKind::medium, PreconditionerKind::circulant}) {
    Preconditioner one;
    one.kind = kind;
    one.inverse_alpha = {1.0 / alpha, 1.0 / alpha, 1.0 / alpha};
    one.reach = {25 * p.spacing[0], 25 * p.spacing[0], 25 * p.spacing[0]};
    EngineRequest request;
    request.backend = "cpu";
    request.threads = 2;
    const auto engine = make_engine(request);
    engine->load(problem);
    engine->set_polarizability(std::vector<CVec3>(p.materials, CVec3{alpha, alpha, alpha}));
    engine->set_plane_wave({0, 0, 1}, {1, 0, 0});
    SolveOptions options;
    options.solver = "cocr";
    options.max_iterations = 1;
    options.preconditioners = {one};
    engine->solve(options);
    const auto used = engine->memory();
    const auto estimate = estimate_memory(problem, "cocr", Precision::double_, "cpu", 2, {one});
    std::size_t seen = 0;
    for (const auto& u : used)
      for (const auto& e : estimate)
        if (u.name == e.name && (u.name == "preconditioner" || u.name == "iterative solver")) {
          ++seen;
          EXPECT_EQ(u.bytes, e.bytes) << u.name;
        }
    EXPECT_EQ(seen, 2u);
  }
}

TEST(CpuEngineMemory, IsTheEstimateWithinTenPercent) {
  const CpuProductCase c{"Solid", {24, 25, 23}, {0, 0, 0}, 2};
  const auto p = particle(c);
  Problem problem;
  problem.particle = &p;
  problem.fft_grid = transform_grid(c.box, {0, 0, 0});
  for (const char* backend : {"serial", "cpu"}) {
    for (const char* solver : {"qmr", "bicg", "idr8"}) {
      EngineRequest request;
      request.backend = backend;
      request.threads = 2;
      const auto engine = make_engine(request);
      engine->load(problem);
      const cplx alpha = 0.1 * p.dipole_volume();
      engine->set_polarizability(std::vector<CVec3>(2, CVec3{alpha, alpha, alpha}));
      engine->set_plane_wave({0, 0, 1}, {1, 0, 0});
      SolveOptions options;
      options.solver = solver;
      options.max_iterations = 1;
      engine->solve(options);
      const auto used = double(total_bytes(engine->memory()));
      const auto estimate =
          double(total_bytes(estimate_memory(problem, solver, Precision::double_, backend, 2)));
      EXPECT_NEAR(used / estimate, 1, 0.1) << backend << ", " << solver;
    }
  }
}

}  // namespace
}  // namespace umov::dda
