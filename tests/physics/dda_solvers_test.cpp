// Every solver in every precision on every backend gives one answer, and the same bits each time.
//
// The particle has no symmetry, absorbs, and is lit obliquely: a lost conjugation or transposition changes
// the result, as it does not for spheres.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dda/engine.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

using dda::Precision;

/// The particle of these tests, in a folder that lives as long as the program.
const std::string& case_options() {
  static const test::Scratch scratch;
  static const std::string options = "-shape read " +
                                     scratch.write("cut_box.dat", test::shape_text(test::cut_box())) +
                                     test::cut_box_options + test::oblique;
  return options;
}

/// The answer of the serial backend in long double, solved to the rounding of double.
const dda::Outcome& referee() {
  static const dda::Outcome outcome = test::run(case_options(), [](test::DipoleCase& sim) {
    sim.machine.backend = "serial";
    sim.precision = Precision::long_double;
    sim.solver.epsilon = 1e-15;
  });
  return outcome;
}

struct Stop {
  Precision precision;
  const char* name;
  double epsilon, rounding;
};

// Units of rounding error: 6e-8, 1.1e-16, 5.4e-20. The far field leaves through double precision.
constexpr Stop stops[] = {{Precision::single, "float", 1e-5, 6e-8},
                          {Precision::double_, "double", 1e-10, 1.2e-16},
                          {Precision::long_double, "ldouble", 1e-13, 1.2e-16}};

std::vector<std::string> solver_names_of_solvers() {
  std::vector<std::string> names;
  for (const auto& solver : dda::solver_list()) names.push_back(solver.name);
  return names;
}

class DdaSolvers : public testing::TestWithParam<std::tuple<std::string, std::string, Stop>> {};

void PrintTo(const Stop& stop, std::ostream* out) { *out << stop.name; }

}  // namespace

TEST_P(DdaSolvers, AgreeOnAnAsymmetricAbsorbingParticle) {
  const auto& [backend, solver, stop] = GetParam();
  if (backend == "cuda" && stop.precision == Precision::long_double)
    GTEST_SKIP() << "the cuda backend has no long double";
  const auto outcome =
      test::run(case_options(), [&, b = backend, s = solver, p = stop](test::DipoleCase& sim) {
        sim.machine.backend = b;
        sim.solver.name = s;
        sim.precision = p.precision;
        sim.solver.epsilon = p.epsilon;
        sim.solver.recalculate_residual = true;
      });
  EXPECT_TRUE(outcome.converged);
  // A residual of relative norm epsilon moves the solution by at most |A^-1| epsilon; for this particle (its
  // iteration converges by a digit in four) |A^-1| is of order 2. Rounding adds up over some 60 products.
  const double allowed = 5 * stop.epsilon + 200 * stop.rounding;
  EXPECT_LT(test::distance(outcome, referee()), allowed);
  for (const auto& p : outcome.polarizations) {
    // What the solver tracked is what it reached, but for rounding.
    EXPECT_LT(p.solve.true_residual, stop.epsilon + 50 * stop.rounding) << p.label;
  }
}

INSTANTIATE_TEST_SUITE_P(All, DdaSolvers,
                         testing::Combine(testing::ValuesIn(test::test_backends()),
                                          testing::ValuesIn(solver_names_of_solvers()),
                                          testing::ValuesIn(stops)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param) + "_" +
                                  std::get<2>(info.param).name;
                         });

namespace {

/// Equality to the last bit of all numbers a run leaves.
void expect_same_bits(const dda::Outcome& a, const dda::Outcome& b) {
  ASSERT_EQ(a.polarizations.size(), b.polarizations.size());
  for (std::size_t i = 0; i < a.polarizations.size(); ++i) {
    const auto &p = a.polarizations[i], &q = b.polarizations[i];
    EXPECT_EQ(p.cross.cext, q.cross.cext);
    EXPECT_EQ(p.cross.cabs, q.cross.cabs);
    EXPECT_EQ(p.solve.history, q.solve.history);
    EXPECT_EQ(p.polarization, q.polarization);
    ASSERT_FALSE(p.polarization.empty());
  }
  ASSERT_EQ(a.plane.size(), b.plane.size());
  for (std::size_t i = 0; i < a.plane.size(); ++i) {
    EXPECT_EQ(a.plane[i].mueller, b.plane[i].mueller);
    EXPECT_EQ(a.plane[i].amplitude, b.plane[i].amplitude);
  }
}

/// Large enough (12 000 unknowns) that sums and loops are split over blocks and threads.
const std::string large_options = "-shape ellipsoid 0.8 1.2 -grid 20 -m 1.5 0.1 -eps 3 -ntheta 5 -prop 1 2 3";

dda::Outcome threaded(const std::string& backend, int threads, const std::string& options) {
  return test::run(options, [&](test::DipoleCase& sim) {
    sim.machine.backend = backend;
    sim.machine.threads = threads;
    sim.outputs.store_dip_pol = true;
  });
}

class DdaBits : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(DdaBits, RepeatFromRunToRun) {
  for (const std::string& options : {case_options(), large_options}) {
    expect_same_bits(threaded(GetParam(), 0, options), threaded(GetParam(), 0, options));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, DdaBits, testing::ValuesIn(test::test_backends()),
                         [](const auto& info) { return info.param; });

TEST(DdaThreads, DoNotChangeABit) {
  for (const std::string& options : {case_options(), large_options}) {
    expect_same_bits(threaded("cpu", 1, options), threaded("cpu", 2, options));
  }
}
