// Each family on a GPU whose limits are forced down, as on a smaller card: which variant runs, and that it
// gives what the simple kernels, or the full card, give.
#include "support/forced_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "dda/engine.hpp"
#include "linalg/amg/solver.hpp"
#include "support/eqs_cases.hpp"
#include "support/fdtd_sparse.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

using test::ForcedLimits;

class CudaForcedLimits : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = test::no_cuda();
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' does not say '" << part << "'";
}

// --- dipoles

shapes::Particle block_of(const Int3& box) {
  shapes::Particle p;
  p.box = box;
  p.spacing = {0.3, 0.3, 0.3};
  p.material.assign(std::size_t(box[0]) * box[1] * box[2], 1);
  p.dipoles_per_material = {p.material.size()};
  return p;
}

struct Dipoles {
  std::vector<CVec3> polarization;
  std::string transforms;
};
Dipoles dipoles(const shapes::Particle& p, dda::Precision precision, bool simple) {
  dda::EngineRequest request;
  request.backend = "cuda";
  request.precision = precision;
  request.simple_kernels = simple;
  auto engine = dda::make_engine(request);
  dda::Problem problem;
  problem.particle = &p;
  problem.wavenumber = 1.1;
  for (int c = 0; c < 3; ++c) problem.fft_grid[c] = 2 * p.box[c];
  engine->load(problem);
  const double v = p.dipole_volume();
  engine->set_polarizability(
      std::vector<CVec3>{{v * cplx(0.11, 0.02), v * cplx(0.13, 0.03), v * cplx(0.09, 0.01)}});
  engine->set_plane_wave({0.36, 0.48, 0.8}, {cplx(0.8, 0.1), cplx(-0.6, 0.2), cplx(0, -0.1875)});
  dda::SolveOptions options;
  options.solver = "qmr";
  options.epsilon = precision == dda::Precision::single ? 1e-5 : 1e-10;
  EXPECT_EQ(engine->solve(options).status, dda::SolveStatus::converged);
  Dipoles r{std::vector<CVec3>(p.dipoles()), engine->transforms()};
  engine->get_polarization(r.polarization);
  return r;
}
double difference_of_forced_limits(const std::vector<CVec3>& a, const std::vector<CVec3>& b) {
  double d = 0, n = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 3; ++c) d += std::norm(a[i][c] - b[i][c]), n += std::norm(b[i][c]);
  return std::sqrt(d / n);
}

TEST_F(CudaForcedLimits, DipoleProductTakesFewerLinesThenLeavesThemToTheSimpleOne) {
  struct Case {
    const char* limits;
    Int3 box;
    dda::Precision precision;
    const char* transforms;
  };
  const auto twice = dda::Precision::double_, once = dda::Precision::single;
  // lines along z take 3 x 16 bytes a point and line in double precision, two blocks to a multiprocessor
  for (const Case& c : {Case{"sm=75,shared=64K,processors=20", {16, 12, 64}, twice, "umov (4 lines"},
                        Case{"sm=75,shared=48K,processors=4", {16, 12, 64}, twice, "umov (4 lines"},
                        Case{"sm=75,shared=48K", {16, 6, 256}, twice, "umov (2 lines"},
                        Case{"sm=75,shared=48K,processors=20", {16, 12, 64}, once, "umov (8 lines"},
                        Case{"sm=75,shared=48K", {6, 5, 700}, twice, "cuFFT"},
                        Case{"registers=8K", {16, 12, 64}, twice, "cuFFT"}}) {
    SCOPED_TRACE(c.limits);
    const auto p = block_of(c.box);
    const Dipoles simple = dipoles(p, c.precision, true);
    const ForcedLimits forced(c.limits);
    const Dipoles tuned = dipoles(p, c.precision, false);
    expect_says(tuned.transforms, c.transforms);
    // both end at the relative residual asked for; the system's condition here is below 10, and single
    // precision adds the rounding of some 20 products
    EXPECT_LE(difference_of_forced_limits(tuned.polarization, simple.polarization),
              c.precision == once ? 2e-4 : 1e-8);
  }
}

// --- time steps

struct Steps {
  const char* limits;
  fdtd::Problem problem;
  const char* variant;
};

/// Everything on, without what small grids do not keep on the chip.
fdtd::Problem small(fdtd::Mode mode, const Int3& cells, fdtd::Precision precision) {
  auto p = fdtd::trial::everything({mode, cells, precision});
  for (auto& terms : p.tensor) terms.clear();
  if (p.recorders.size() > 4) p.recorders.resize(4);  // as many as one launch takes
  return p;
}

std::unique_ptr<fdtd::Engine> stepped(const fdtd::Problem& p, bool tuned) {
  auto e = fdtd::trial::engine_for(p, "cuda", 1, tuned);
  fdtd::trial::set_noise(*e, p, 3);
  for (const int n : {1, 16, 20}) e->advance(n);
  return e;
}

/// Fields and transforms; a saved state also holds cells beyond the walls, which nothing reads.
void expect_same_bits(const fdtd::Problem& p, fdtd::Engine& a, fdtd::Engine& b) {
  for (int c = 0; c < fdtd::components; ++c) {
    if (!fdtd::has_component(p.grid.mode, c)) continue;
    const auto x = fdtd::trial::values(a, p, fdtd::Component(c)),
               y = fdtd::trial::values(b, p, fdtd::Component(c));
    EXPECT_TRUE(x.real == y.real && x.imag == y.imag)
        << "the bits of component " << c << " differ from run to run";
  }
  for (std::size_t f = 0; f < p.fouriers.size(); ++f)
    EXPECT_TRUE(a.fourier(int(f)) == b.fourier(int(f))) << "the bits of transforms differ from run to run";
}

void expect_simple_answer(const Steps& c, double tolerance) {
  SCOPED_TRACE(std::string(c.limits) + ": " + c.variant);
  const auto simple = stepped(c.problem, false);
  expect_says(simple->device(), "simple steps");
  const ForcedLimits forced(c.limits);
  const auto tuned = stepped(c.problem, true), again = stepped(c.problem, true);
  expect_says(tuned->device(), c.variant);
  expect_says(tuned->device(), c.limits);
  const auto d = fdtd::trial::difference(c.problem, *simple, *tuned);
  EXPECT_LE(d.fields, tolerance);
  EXPECT_LE(d.samples, tolerance);
  EXPECT_LE(d.transforms, 4 * tolerance);
  expect_same_bits(c.problem, *tuned, *again);
}

TEST_F(CudaForcedLimits, SmallGridsGoToOneBlockThenToOneLaunchThenToSimpleSteps) {
  using fdtd::Mode;
  const auto once = fdtd::Precision::single_, twice = fdtd::Precision::double_;
  const char *one = "shared memory of 1 block", *launch = "in one launch", *simple = "simple steps";
  // rounding of a few dozen steps
  for (const Steps& c :
       {Steps{"sm=75,shared=64K", small(Mode::tm, {45, 21, 1}, once), one},
        Steps{"sm=75,shared=48K,processors=20", small(Mode::te, {29, 12, 1}, once), one},
        Steps{"sm=75,shared=64K,processors=20", small(Mode::te, {211, 127, 1}, once), launch},
        Steps{"sm=75,shared=48K,processors=3", small(Mode::full, {20, 14, 17}, once), launch},
        Steps{"sm=80,processors=1", small(Mode::full, {20, 14, 17}, once), launch},
        Steps{"sm=75,cooperative=0", small(Mode::full, {20, 14, 17}, once), simple},
        // with clusters, but more blocks than one of them has
        Steps{"cooperative=0,shared=48K", small(Mode::full, {60, 54, 47}, once), simple},
        Steps{"sm=75,registers=16K", small(Mode::tm, {45, 21, 1}, once), simple}})
    expect_simple_answer(c, 1e-5);
  for (const Steps& c :
       {Steps{"sm=75,shared=64K", small(Mode::te, {29, 17, 1}, twice), one},
        Steps{"sm=75,shared=48K,processors=20", small(Mode::tm, {128, 64, 1}, twice), launch}})
    expect_simple_answer(c, 1e-14);
}

TEST_F(CudaForcedLimits, PassesMarchThroughShortColumnsThenLeaveVolumesToSimpleSteps) {
  using fdtd::Mode;
  const char* short_columns = "columns of 64 x 16 cells";
  const auto pec = fdtd::Closure::pec, pmc = fdtd::Closure::pmc, periodic = fdtd::Closure::periodic;
  const fdtd::Problem volumes[] = {
      fdtd::trial::sparse({Mode::full, {97, 101, 109}, true, false}),
      fdtd::trial::sparse({Mode::full, {163, 127, 131}}),
      fdtd::trial::sparse(
          {Mode::full, {128, 131, 140}, true, true, {pec, periodic, pec}, {pec, periodic, pec}}),
      fdtd::trial::sparse({Mode::full, {149, 140, 121}, false, true, {pec, pec, pmc}, {pmc, pec, pec}, 1})};
  // rounding of a few dozen steps in single precision; sums over them cancel
  for (const auto& p : volumes) {
    expect_simple_answer({"sm=86,shared=99K", p, short_columns}, 5e-6);
    expect_simple_answer({"sm=80,shared=163K,processors=20", p, short_columns}, 5e-6);
  }
  expect_simple_answer({"sm=75,shared=64K", volumes[1], "simple steps"}, 5e-6);
  expect_simple_answer(
      {"sm=75,shared=48K,processors=20", fdtd::trial::sparse({Mode::tm, {1621, 713, 1}}), "passes of"}, 5e-6);
}

// --- electroquasistatics and sparse systems: no sum depends on where it is formed

TEST_F(CudaForcedLimits, ElectroquasistaticsHasTheBitsOfTheFullCard) {
  using namespace eqs;
  using namespace eqs::test;
  Simulation s =
      sector("coaxial", 15e-3, 30, {layer("grading", 2e-3, 4), layer("air", 13e-3, 6, 3)},
             {material("grading", constant(12), microvaristor()), material("air", constant(1), constant(0))},
             sine(20e3), 4);
  s.mesh.geometry->width = 4e-3;
  for (const int order : {1, 2}) {
    s.mesh.order = order;
    s.analysis = Analysis::transient;
    const Problem p = make_problem(s);
    const auto run = [&] {
      auto e = make_engine(p, on("cuda", 1));
      EXPECT_TRUE(e->start(0).converged);
      march(*e, 2e-3, 4);
      return e;
    };
    const auto full = run();
    for (const char* limits : {"sm=75,shared=64K,processors=20", "sm=75,shared=48K,processors=4"}) {
      const ForcedLimits forced(limits);
      const auto e = run();
      expect_says(e->device(), limits);
      EXPECT_TRUE(e->save() == full->save()) << limits;
    }
  }
}

/// A band of 80 entries a row, and rows of 700 in between: long, but not so long that they count as dense.
sparse::HostCsr with_long_rows(int n) {
  test::Rows rows(n);
  const auto join = [&](int i, int j, double v) {
    rows[i][j] -= v, rows[j][i] -= v;
    rows[i][i] += v, rows[j][j] += v;
  };
  for (int i = 0; i < n; ++i)
    for (int k = 1; k <= 40 && i + k < n; ++k) join(i, i + k, 1.0 / k);
  for (int i = 0; i < n; i += n / 3)
    for (int k = 0; k < 620; ++k)
      if (const int j = (i + 60 + 3 * k) % n; std::abs(i - j) > 40) join(i, j, 0.4);
  for (int i = 0; i < n; ++i) rows[i][i] += 0.01;
  return test::to_csr(rows, n);
}

TEST_F(CudaForcedLimits, SparseProductsHaveTheBitsOfTheFullCard) {
  const sparse::HostCsr cases[] = {test::poisson(30), with_long_rows(2500)};
  for (const auto& a : cases)
    for (const bool single : {true, false}) {
      const auto b = test::random_vector(a.rows, 3);
      const auto solve = [&](const std::string& backend, std::string* device = nullptr) {
        amg::SolveRequest request;
        request.backend = backend;
        request.options.single_precision = single;
        const auto s = amg::make_linear_solver(request);
        s->setup(a);
        std::vector<double> x(b.size(), 0.0);
        EXPECT_TRUE(s->solve(b, x).converged) << backend;
        if (device) *device = s->device();
        return x;
      };
      const auto serial = solve("serial"), full = solve("cuda");
      double size = 0;
      for (const double v : serial) size = std::max(size, std::abs(v));
      // residuals of 1e-12 times a condition of some thousands
      for (std::size_t i = 0; i < serial.size(); ++i) ASSERT_NEAR(full[i], serial[i], 1e-8 * size);
      // 8K is less than any card has: rows of prolongations then go to device memory
      for (const auto& [limits, columns] :
           {std::pair{"sm=75,shared=64K,processors=20", "4096"}, std::pair{"sm=75,shared=48K", "2048"},
            std::pair{"shared=8K", "1024"}}) {
        const ForcedLimits forced(limits);
        std::string device;
        EXPECT_TRUE(solve("cuda", &device) == full) << limits;
        expect_says(device, std::string("up to ") + columns + " columns");
      }
    }
}

TEST_F(CudaForcedLimits, BadLimitsAreRefusedByName) {
  const ForcedLimits forced("sm=75,shard=48K");
  dda::EngineRequest request;
  request.backend = "cuda";
  try {
    dda::make_engine(request);
    FAIL() << "not refused";
  } catch (const BadInput& e) {
    expect_says(e.what(), "'shard=48K' is no limit");
  }
}

}  // namespace
}  // namespace umov
