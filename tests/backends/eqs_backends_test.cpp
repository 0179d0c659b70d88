// Every backend usable here solves the same electroquasistatic problems as the serial referee, and gives the
// same bits from run to run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "backend/registry.hpp"
#include "eqs/analysis_name.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

bool missing_cuda(std::string& why) {
  for (const auto& b : backend::list_backends())
    if (b.name == "cuda") {
      why = b.why_not;
      return !b.available;
    }
  return true;
}

/// A field-grading layer around a conductor, air with a floating ring outside: nonlinear, driven, with a
/// conducting material, several elements across.
Problem graded(int order, Analysis analysis) {
  Simulation s = sector(
      "coaxial", 15e-3, 30, {layer("grading", 2e-3, 4), layer("air", 13e-3, 6, 3), layer("cover", 10e-3, 3)},
      {material("grading", constant(12), microvaristor()), material("air", constant(1), constant(0)),
       material("cover", constant(4), constant(1e-9))},
      sine(20e3), 4);
  s.mesh.geometry->width = 4e-3;
  s.mesh.order = order;
  s.analysis = analysis;
  if (analysis == Analysis::harmonic) s.materials[0].conductivity = constant(1e-8);
  return make_problem(s);
}

struct Ran {
  std::vector<double> potential;
  std::vector<float> field;
  Observation seen;
  std::vector<std::byte> state;
};

Ran run(const Problem& p, const std::string& backend, int threads = 2) {
  const auto e = make_engine(p, on(backend, threads));
  Ran r;
  if (p.analysis == Analysis::transient) {
    EXPECT_TRUE(e->start(0).converged);
    march(*e, 4e-3, 8);
    r.state = e->save();
  } else if (p.analysis == Analysis::harmonic) {
    EXPECT_TRUE(e->solve_harmonic(2 * pi * 50).converged);
  } else {
    EXPECT_TRUE(e->solve_static(5e-3).converged);
  }
  r.potential = e->potential();
  r.field = e->field();
  r.seen = e->observe();
  return r;
}

double largest(const std::vector<double>& v) {
  double most = 0;
  for (const double x : v) most = std::max(most, std::abs(x));
  return most;
}

void expect_alike(const Ran& a, const Ran& b) {
  // Linear systems are solved to 1e-12 and the nonlinear residual to 1e-8, quadratically: potentials differ
  // by less than the requirement of 1e-10.
  ASSERT_EQ(a.potential.size(), b.potential.size());
  const double u = largest(a.potential);
  double worst = 0;
  for (std::size_t i = 0; i < a.potential.size(); ++i)
    worst = std::max(worst, std::abs(a.potential[i] - b.potential[i]));
  EXPECT_LT(worst, 1e-10 * u);
  // Fields are floats (1.2e-7 in the last place) of differences of potentials across elements of a fiftieth
  // of the model, which makes 1e-10 some 1e-8; a margin of ten.
  ASSERT_EQ(a.field.size(), b.field.size());
  float field = 0;
  for (const float v : a.field) field = std::max(field, std::abs(v));
  for (std::size_t i = 0; i < a.field.size(); ++i) ASSERT_NEAR(a.field[i], b.field[i], 2e-6 * field);
  // A charge is the sum of the residual over an electrode's nodes, which is solved to 1e-8.
  const double q = largest(a.seen.charge), i = largest(a.seen.current);
  for (std::size_t e = 0; e < a.seen.charge.size(); ++e)
    EXPECT_NEAR(a.seen.charge[e], b.seen.charge[e], 1e-8 * q);
  // A current has the charges' differences over a step, a tenth of a period or less.
  ASSERT_EQ(a.seen.current.size(), b.seen.current.size());  // none in electrostatics
  for (std::size_t e = 0; e < a.seen.current.size(); ++e)
    EXPECT_NEAR(a.seen.current[e], b.seen.current[e], 1e-7 * i);
  // The energy is quadratic in the potential: twice 1e-10, and its sum's rounding.
  EXPECT_NEAR(a.seen.energy, b.seen.energy, 1e-9 * a.seen.energy);
  // Peaks are in double: the potentials' 1e-10 over an element.
  for (std::size_t m = 0; m < a.seen.peaks.size(); ++m)
    EXPECT_NEAR(a.seen.peaks[m].field, b.seen.peaks[m].field, 1e-8 * a.seen.peaks[m].field);
}

struct EqsCase {
  int order;
  Analysis analysis;
};
void PrintTo(const EqsCase& c, std::ostream* os) {
  *os << analysis_name(c.analysis) << " of order " << c.order;
}
class EqsBackends : public testing::TestWithParam<EqsCase> {};

TEST_P(EqsBackends, CpuEqualsSerial) {
  const Problem p = graded(GetParam().order, GetParam().analysis);
  expect_alike(run(p, "serial"), run(p, "cpu"));
}

TEST_P(EqsBackends, CudaEqualsSerialAndItselfToTheBit) {
  std::string why;
  if (missing_cuda(why)) GTEST_SKIP() << why;
  const Problem p = graded(GetParam().order, GetParam().analysis);
  const Ran cuda = run(p, "cuda"), again = run(p, "cuda");
  EXPECT_TRUE(cuda.potential == again.potential);
  EXPECT_TRUE(cuda.field == again.field);
  EXPECT_TRUE(cuda.state == again.state);
  expect_alike(run(p, "serial"), cuda);
}

INSTANTIATE_TEST_SUITE_P(Analyses, EqsBackends,
                         testing::Values(EqsCase{1, Analysis::electrostatic},
                                         EqsCase{2, Analysis::electrostatic}, EqsCase{1, Analysis::transient},
                                         EqsCase{2, Analysis::transient}, EqsCase{1, Analysis::harmonic},
                                         EqsCase{2, Analysis::harmonic}));

}  // namespace
}  // namespace umov::eqs::test
