// Serial against cpu, any number of threads, saved states, and the preconditioner's reuse: the same answers.
#include <gtest/gtest.h>

#include <cstring>

#include "core/contract.hpp"
#include "core/error.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// A nonlinear block with everything on: three materials, a floating conductor between two driven plates.
/// Elements and unknowns enough that the cpu backend wakes its threads.
Simulation everything(int order, bool nonlinear = true) {
  Simulation s = column(
      {layer("air", 2e-3, 5), layer("plate", 1e-3, 1), layer("film", 1e-3, 4), layer("solid", 2e-3, 5)},
      {material("air", constant(1), constant(0)),
       material("film", constant(12), nonlinear ? microvaristor() : constant(1e-9)),
       material("solid", nonlinear ? formula("4 + 2 / (1 + (E / 1e6)^2)") : constant(4), constant(1e-11))},
      sine(9e3, 50, 0, WaveformSpec::Ramp::linear), 8e-3, order == 1 ? 24 : 8);
  s.mesh.order = order;
  s.electrodes[1] = driven("top", sine(2e3, 50, 120));
  ElectrodeSpec plate = electrode("plate", ElectrodeSpec::Kind::floating);
  plate.charge = 3e-12;
  s.electrodes.push_back(plate);
  s.symmetry = {"x"};
  return s;
}

std::vector<double> run(Engine& e, int steps) {
  const Effort effort = e.start(0);
  EXPECT_TRUE(effort.converged) << effort.why_not;
  march(e, 5e-4 * steps, steps);
  return e.potential();
}
double difference_of_backends(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, std::abs(a[k] - b[k])), size = std::max(size, std::abs(a[k]));
  return most / size;
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class EqsBackends : public testing::TestWithParam<int> {};

TEST_P(EqsBackends, CpuEqualsSerial) {
  const Problem p = make_problem(everything(GetParam()));
  const auto a = make_engine(p, on("serial")), b = make_engine(p, on("cpu", 2));
  // the same sums in the same order; only a tuned product may add in another, and the solver stops at 1e-12
  EXPECT_LT(difference_of_backends(run(*a, 3), run(*b, 3)), 1e-9);
  const Observation x = a->observe(), y = b->observe();
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(x.charge[k], y.charge[k], 1e-8 * std::abs(x.charge[0]));
    EXPECT_NEAR(x.current[k], y.current[k], 1e-8 * std::abs(x.current[0]));
    EXPECT_NEAR(x.peaks[k].field, y.peaks[k].field, 1e-8 * x.peaks[k].field);
  }
  EXPECT_NEAR(x.power, y.power, 1e-8 * x.power);
}

TEST_P(EqsBackends, NeitherRunsNorThreadsChangeABit) {
  const Problem p = make_problem(everything(GetParam()));
  const auto first = make_engine(p, on("cpu", 1));
  const auto reference = run(*first, 3);
  const Observation o = first->observe();
  for (const int threads : {1, 2, 3}) {
    const auto e = make_engine(p, on("cpu", threads));
    EXPECT_TRUE(same_bits(run(*e, 3), reference)) << threads;
    const Observation other = e->observe();
    EXPECT_EQ(other.power, o.power);
    EXPECT_EQ(other.current, o.current);
    EXPECT_EQ(other.dissipated, o.dissipated);
  }
}

TEST_P(EqsBackends, RestoredStatesGoOnBitForBit) {
  for (const bool nonlinear : {true, false}) {
    for (const Scheme scheme : {Scheme::sdirk3, Scheme::esdirk3}) {
      Simulation s = everything(GetParam(), nonlinear);
      s.mesh.geometry->elements_across = 4;
      s.time.scheme = scheme;
      const Problem p = make_problem(s);
      const auto whole = make_engine(p, on("cpu", 2));
      run(*whole, 4);
      const auto saved = whole->save();
      // a change of the step's length, so that the matrix changes too
      march(*whole, 4e-3, 5);
      const auto resumed = make_engine(p, on("cpu", 1));
      resumed->restore(saved);
      EXPECT_EQ(resumed->time(), 5e-4 * 4);
      march(*resumed, 4e-3, 5);
      EXPECT_TRUE(same_bits(whole->potential(), resumed->potential()));
      const Observation a = whole->observe(), b = resumed->observe();
      EXPECT_EQ(a.dissipated, b.dissipated);
      EXPECT_EQ(a.current, b.current);
      EXPECT_EQ(a.charge, b.charge);
    }
  }
}

TEST(EqsSaved, DamagedOrForeignStatesAreRefused) {
  const Problem p = make_problem(everything(1, false));
  const auto e = make_engine(p, on("serial"));
  {
    const Effort effort = e->start(0);
    ASSERT_TRUE(effort.converged) << effort.why_not;
  }
  auto bytes = e->save();
  auto shorter = bytes;
  shorter.resize(bytes.size() / 2);
  EXPECT_THROW(e->restore(shorter), BadInput);
  auto longer = bytes;
  longer.resize(bytes.size() + 8);
  EXPECT_THROW(e->restore(longer), BadInput);
  EXPECT_THROW(e->restore({}), BadInput);
  bytes[0] = std::byte(1);
  EXPECT_THROW(e->restore(bytes), BadInput);
  Simulation s = everything(1, false);
  s.mesh.geometry->elements_across = 2;
  const auto other = make_engine(make_problem(s), on("serial"));
  EXPECT_THROW(other->restore(e->save()), BadInput);
}

TEST_P(EqsBackends, ReuseOfThePreconditionerChangesEffortNotAnswers) {
  Simulation s = everything(GetParam());
  s.mesh.geometry->elements_across = 6;
  const Problem with = make_problem(s);
  s.linear.reuse = false;
  const Problem without = make_problem(s);
  s.linear.preconditioner = "jacobi";
  s.linear.max_iterations = 5000;
  const Problem jacobi = make_problem(s);
  const auto effort_of = [](const Problem& p, std::vector<double>& v) {
    const auto e = make_engine(p, on("cpu"));
    Effort sum = e->start(0);
    for (int k = 0; k < 12; ++k) {
      const StepTry t = e->attempt(5e-4);
      EXPECT_TRUE(t.effort.converged) << t.effort.why_not;
      sum.setups += t.effort.setups, sum.newton += t.effort.newton, sum.linear += t.effort.linear;
      e->accept();
    }
    v = e->potential();
    return sum;
  };
  std::vector<double> a, b, c;
  const Effort reused = effort_of(with, a), anew = effort_of(without, b);
  effort_of(jacobi, c);
  EXPECT_LT(reused.setups, 6);
  EXPECT_GT(anew.setups, anew.newton / 2);
  // Newton's residual of 1e-8 is what answers may differ by
  EXPECT_LT(difference_of_backends(a, b), 1e-7);
  EXPECT_LT(difference_of_backends(a, c), 1e-7);
}
INSTANTIATE_TEST_SUITE_P(Orders, EqsBackends, testing::Values(1, 2));

TEST(EqsEngine, UnknownBackendsAndStepsWithoutATryAreRefused) {
  const Problem p = make_problem(everything(1, false));
  EXPECT_THROW(make_engine(p, on("cpuu")), BadInput);
  const auto e = make_engine(p, on("serial"));
  {
    const Effort effort = e->start(0);
    ASSERT_TRUE(effort.converged) << effort.why_not;
  }
  EXPECT_THROW(e->accept(), BrokenContract);
  EXPECT_THROW(e->attempt(0), BrokenContract);
  EXPECT_THROW(e->attempt(NAN), BrokenContract);
}

}  // namespace
}  // namespace umov::eqs::test
