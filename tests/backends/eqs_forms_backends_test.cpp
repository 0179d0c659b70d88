// Both forms of the operator, every scheme, start vectors, refined and flat meshes, and batches: the GPU
// gives what the serial referee gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "backend/registry.hpp"
#include "eqs/command/batch_run.hpp"
#include "eqs/observables/scalar_results.hpp"
#include "eqs/run/run.hpp"
#include "linalg/amg/solver.hpp"
#include "support/eqs_block.hpp"
#include "support/flat_mesh.hpp"

namespace umov::eqs::test {
namespace {

bool missing(const std::string& name, std::string& why) {
  for (const auto& b : backend::list_backends())
    if (b.name == name) {
      why = b.why_not;
      return !b.available;
    }
  return true;
}

struct RanForm {
  std::vector<double> potential, charge, current;
  int linear = 0;
};

RanForm run_steps(const Simulation& s, const std::string& backend) {
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on(backend, 2));
  RanForm r;
  const auto count = [&](const Effort& effort) {
    EXPECT_TRUE(effort.converged) << effort.why_not;
    r.linear += effort.linear;
  };
  if (s.analysis == Analysis::harmonic) {
    count(e->solve_harmonic(2 * pi * 50));
  } else {
    count(e->start(0));
    for (int k = 0; k < 4; ++k) {
      count(e->attempt(5e-4).effort);
      e->accept();
    }
  }
  r.potential = e->potential();
  const Observation o = e->observe();
  r.charge = o.charge, r.current = o.current;
  return r;
}

/// `tolerance`: of the potentials, relative to the largest; charges are sums of residuals over electrodes,
/// and currents have their differences over a step: ten and a hundred times it.
void expect_alike(const RanForm& a, const RanForm& b, double tolerance) {
  const auto largest = [](const std::vector<double>& v) {
    double most = 0;
    for (const double x : v) most = std::max(most, std::abs(x));
    return most;
  };
  const double u = largest(a.potential), q = largest(a.charge), i = largest(a.current);
  ASSERT_EQ(a.potential.size(), b.potential.size());
  for (std::size_t n = 0; n < a.potential.size(); ++n)
    ASSERT_NEAR(a.potential[n], b.potential[n], tolerance * u) << n;
  for (std::size_t e = 0; e < a.charge.size(); ++e) EXPECT_NEAR(a.charge[e], b.charge[e], 10 * tolerance * q);
  for (std::size_t e = 0; e < a.current.size(); ++e)
    EXPECT_NEAR(a.current[e], b.current[e], 100 * tolerance * i);
  // the same cycle around the same matrix: the last iteration may fall on either side of the tolerance
  EXPECT_NEAR(b.linear, a.linear, 0.1 * a.linear + 2);
}

struct Case {
  int order;
  OperatorForm form;
  Scheme scheme;
  StartVector start = StartVector::spe;
  int refine = 0;
  bool curve = true, harmonic = false, base = false;
};
void PrintTo(const Case& c, std::ostream* os) {
  *os << "order " << c.order << (c.form == OperatorForm::assembled ? " assembled" : " matrix-free")
      << ", scheme " << int(c.scheme) << ", start vectors " << int(c.start) << ", refined " << c.refine
      << (c.curve ? ", curve" : "") << (c.harmonic ? ", harmonic" : "") << (c.base ? ", base" : "");
}

class EqsForms : public testing::TestWithParam<std::tuple<const char*, Case>> {};

TEST_P(EqsForms, EqualTheSerialReferee) {
  const auto& [backend, c] = GetParam();
  std::string why;
  if (missing(backend, why)) GTEST_SKIP() << why;
  Simulation s = block(c.order, c.curve, c.base, 4);
  s.linear.form = c.form;
  s.linear.start_vector = c.start;
  s.mesh.refine = c.refine;
  s.time.scheme = c.scheme;
  if (c.harmonic) s.analysis = Analysis::harmonic;
  if (c.scheme != Scheme::sdirk3) {
    s.materials[2].permittivity = constant(4);
    s.electrodes[0].waveform.amplitude = 4e3;
  }
  // Newton's residual of 1e-8 becomes less than 1e-10 in its last, quadratic step; explicit stages are linear
  // solves of 1e-12 on a condition number of some 1e2
  expect_alike(run_steps(s, "serial"), run_steps(s, backend), 1e-9);
}

constexpr auto assembled = OperatorForm::assembled, free_form = OperatorForm::matrix_free;
INSTANTIATE_TEST_SUITE_P(
    Forms, EqsForms,
    testing::Combine(
        testing::Values("cpu", "cuda"),
        testing::Values(Case{1, assembled, Scheme::sdirk3}, Case{1, free_form, Scheme::sdirk3},
                        Case{2, assembled, Scheme::sdirk3}, Case{2, free_form, Scheme::sdirk3},
                        Case{2, free_form, Scheme::esdirk3}, Case{1, assembled, Scheme::rkc},
                        Case{1, free_form, Scheme::rkc}, Case{2, assembled, Scheme::rkc},
                        Case{2, free_form, Scheme::rkc}, Case{2, free_form, Scheme::rkl2},
                        Case{1, assembled, Scheme::automatic}, Case{2, free_form, Scheme::automatic},
                        Case{2, free_form, Scheme::sdirk3, StartVector::last},
                        Case{1, assembled, Scheme::sdirk3, StartVector::pod},
                        Case{2, free_form, Scheme::rkc, StartVector::pod_renewed},
                        Case{1, assembled, Scheme::sdirk3, StartVector::spe, 1},
                        Case{2, free_form, Scheme::sdirk3, StartVector::spe, 1},
                        Case{2, free_form, Scheme::sdirk3, StartVector::spe, 0, false},
                        Case{2, free_form, Scheme::sdirk3, StartVector::spe, 0, false, true},
                        Case{2, free_form, Scheme::sdirk3, StartVector::spe, 0, false, false, true})));

class EqsOneBackend : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, EqsOneBackend, testing::Values("cpu", "cuda"));

TEST_P(EqsOneBackend, FindsTheSameStiffRowsAndTakesAsManyIterations) {
  std::string why;
  if (missing(GetParam(), why)) GTEST_SKIP() << why;
  const umov::test::FlatMeshes m(8, 0.02, 0);
  const auto& a = m.matrix[0];
  const auto b = umov::test::random_vector(a.rows, 5);
  std::vector<int> stiff, iterations;
  std::vector<std::vector<double>> x;
  for (const std::string backend : {"serial", GetParam()}) {
    amg::SolveRequest request;
    request.backend = backend;
    const auto s = amg::make_linear_solver(request);
    s->setup(a);
    x.emplace_back(a.rows, 0.0);
    const auto info = s->solve(b, x.back());
    EXPECT_TRUE(info.converged) << info.why_not;
    stiff.push_back(s->setup_info().levels[0].stiff);
    iterations.push_back(info.iterations);
  }
  EXPECT_GT(stiff[0], 0);
  EXPECT_EQ(stiff[1], stiff[0]);
  EXPECT_NEAR(iterations[1], iterations[0], 2);  // looks of the host are two iterations apart
  double most = 0, worst = 0;
  for (int i = 0; i < a.rows; ++i) {
    most = std::max(most, std::abs(x[0][i]));
    worst = std::max(worst, std::abs(x[0][i] - x[1][i]));
  }
  EXPECT_LT(worst, 1e-8 * most);  // residuals of 1e-12, a condition number of some 1e4
}

TEST_P(EqsOneBackend, RowsOfSeveralWorkersHaveTheBitsOfSingleRuns) {
  std::string why;
  if (missing(GetParam(), why)) GTEST_SKIP() << why;
  Batch b;
  b.machine = umov::test::on(GetParam());
  b.sweep.axes = {{"voltage", {"electrode[0].amplitude"}, {}}};
  for (int k = 0; k < 4; ++k) {
    Simulation s = block(1 + k % 2, true, false, 2);
    s.electrodes[0].waveform.amplitude = 5e3 + 1e3 * k;
    s.time.periods = 0.02;
    s.outputs.vtk = s.outputs.pictures = false;
    b.sweep.axes[0].values.push_back(sweep::written(s.electrodes[0].waveform.amplitude));
    b.cases.push_back(s);
  }
  b.spec.workers = 3;
  const BatchOutcome o = run_batch(*comm::one_rank(), b, seat_of_process(b), {}, {});
  ASSERT_EQ(o.rows.size(), b.cases.size());
  EXPECT_EQ(o.course.workers % 3, 0u);
  for (std::size_t k = 0; k < b.cases.size(); ++k) {
    const auto single = scalar_results(run(b.cases[k], b.machine));
    ASSERT_TRUE(o.rows[k]);
    ASSERT_EQ(single.size(), o.rows[k]->scalars.size());
    for (std::size_t c = 0; c < single.size(); ++c)
      if (single[c].name != "seconds") {
        EXPECT_EQ(single[c].value, o.rows[k]->scalars[c].value) << k << single[c].name;
      }
  }
}

}  // namespace
}  // namespace umov::eqs::test
