// Whole runs without matrices: the potentials, charges and currents of assembled ones.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "eqs/run/prepare.hpp"
#include "eqs/solve/solver_choice.hpp"
#include "support/eqs_block.hpp"

namespace umov::eqs::test {
namespace {

struct Whole {
  std::vector<double> potential;
  Observation seen;
  int linear = 0, newton = 0;
};
Whole run(Simulation s, OperatorForm form, const std::string& backend, Scheme scheme = Scheme::sdirk3) {
  s.linear.form = form;
  s.time.scheme = scheme;
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on(backend, 2));
  Whole w;
  const auto count = [&](const Effort& effort) {
    EXPECT_TRUE(effort.converged) << effort.why_not;
    w.linear += effort.linear, w.newton += effort.newton;
  };
  if (s.analysis == Analysis::harmonic) {
    count(e->solve_harmonic(2 * pi * 50));
  } else if (s.analysis != Analysis::transient) {
    count(e->solve_static(NAN));
  } else {
    count(e->start(0));
    for (int k = 0; k < 4; ++k) {
      count(e->attempt(5e-4).effort);
      e->accept();
    }
  }
  w.potential = e->potential();
  w.seen = e->observe();
  return w;
}

void expect_alike(const Whole& a, const Whole& b, double tolerance) {
  double most = 0;
  for (const double v : a.potential) most = std::max(most, std::abs(v));
  for (std::size_t n = 0; n < a.potential.size(); ++n)
    ASSERT_NEAR(a.potential[n], b.potential[n], tolerance * most) << n;
  for (std::size_t e = 0; e < a.seen.charge.size(); ++e) {
    EXPECT_NEAR(a.seen.charge[e], b.seen.charge[e], 10 * tolerance * std::abs(a.seen.charge[0]));
    if (a.seen.current.empty()) continue;
    EXPECT_NEAR(a.seen.current[e], b.seen.current[e], 10 * tolerance * std::abs(a.seen.current[0]));
  }
  // the same cycle around the same matrix: counts differ by the sizes that residuals are compared with
  EXPECT_NEAR(b.linear, a.linear, 0.1 * a.linear + 2);
}

TEST(EqsMatrixFreeRuns, PotentialsAreThoseOfTheAssembledRunInEveryAnalysis) {
  for (const char* backend : {"serial", "cpu"}) {
    for (const bool nonlinear : {false, true})
      for (const Analysis analysis :
           {Analysis::electrostatic, Analysis::conduction, Analysis::harmonic, Analysis::transient}) {
        if (analysis == Analysis::harmonic && nonlinear) continue;
        Simulation s = block(2, nonlinear);
        s.analysis = analysis;
        // Newton's residual of 1e-8; linear solves of 1e-12 on a condition number of 1e2
        expect_alike(run(s, OperatorForm::assembled, backend), run(s, OperatorForm::matrix_free, backend),
                     nonlinear ? 1e-7 : 1e-10);
      }
    expect_alike(run(block(1, true), OperatorForm::assembled, backend),
                 run(block(1, true), OperatorForm::matrix_free, backend), 1e-7);
  }
}

TEST(EqsMatrixFreeRuns, StabilisedStagesConductWithoutAMatrix) {
  for (const int order : {1, 2}) {
    Simulation s = block(order, true);
    s.materials[2].permittivity = constant(4);
    s.electrodes[0].waveform.amplitude = 4e3;
    expect_alike(run(s, OperatorForm::assembled, "cpu", Scheme::rkc),
                 run(s, OperatorForm::matrix_free, "cpu", Scheme::rkc), 1e-9);
  }
}

TEST(EqsMatrixFreeRuns, TheEstimateOfMemoryFollowsTheForm) {
  Simulation s = block(2, true, false, 16);
  std::size_t held[2];
  for (const OperatorForm form : {OperatorForm::assembled, OperatorForm::matrix_free}) {
    s.linear.form = form;
    const Problem p = make_problem(s);
    const auto e = make_engine(p, on("cpu", 2));
    const Effort effort = e->start(0);
    ASSERT_TRUE(effort.converged) << effort.why_not;
    const double ratio = double(estimate_bytes(p).device) / double(e->peak_bytes());
    // rows per element and entries per row are those of a large mesh; this one is much surface
    EXPECT_GT(ratio, 0.7);
    EXPECT_LT(ratio, 1.5);
    held[form == OperatorForm::matrix_free] = e->peak_bytes();
  }
  EXPECT_LT(double(held[1]), 0.8 * double(held[0]));
}

TEST(EqsMatrixFreeRuns, SmoothedAggregationOfSecondOrderNeedsAMatrix) {
  Simulation s = block(2, false);
  s.linear.form = OperatorForm::matrix_free;
  s.linear.preconditioner = "amg";
  EXPECT_THROW(make_problem(s), BadInput);
  s.linear.form = OperatorForm::automatic;
  EXPECT_FALSE(matrix_free(make_problem(s)));
  s.mesh.order = 1;
  s.linear.form = OperatorForm::matrix_free;
  EXPECT_TRUE(matrix_free(make_problem(s)));
}

}  // namespace
}  // namespace umov::eqs::test
