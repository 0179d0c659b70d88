// Start vectors and forcing terms: the same answers with fewer iterations of the conjugate gradients.
#include "eqs/solve/start_vectors.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "eqs/run/prepare.hpp"
#include "eqs/solve/forcing.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// A film with or without a curve on a dielectric, with air above; as many unknowns as multigrid needs.
Simulation film_of_order(bool nonlinear, int order = 1) {
  Simulation s = column({layer("solid", 2e-3, 4), layer("film", 1e-3, 4), layer("air", 2e-3, 4)},
                        {material("solid", constant(4), constant(1e-11)),
                         material("film", constant(12), nonlinear ? microvaristor() : constant(1e-8)),
                         material("air", constant(1), constant(0))},
                        sine(20e3, 50, 0, WaveformSpec::Ramp::linear), 8e-3, order == 1 ? 10 : 5);
  s.mesh.order = order;
  // a plate that floats in the film makes the field vary along it
  s.electrodes[1] = driven("top", sine(2e3, 50, 120));
  s.symmetry = {"x"};
  return s;
}

struct Ran {
  std::vector<double> potential;
  int linear = 0, newton = 0;
};
Ran run(const Simulation& s, int steps, const std::string& backend = "cpu", int threads = 1) {
  const auto e = make_engine(make_problem(s), on(backend, threads));
  Ran r;
  const Effort effort = e->start(0);
  EXPECT_TRUE(effort.converged) << effort.why_not;
  for (int k = 0; k < steps; ++k) {
    const StepTry step = e->attempt(2.5e-4);
    EXPECT_TRUE(step.effort.converged) << step.effort.why_not;
    e->accept();
    r.linear += step.effort.linear, r.newton += step.effort.newton;
  }
  r.potential = e->potential();
  return r;
}
double difference_of_start_vectors(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, std::abs(a[k] - b[k])), size = std::max(size, std::abs(a[k]));
  return most / size;
}

const StartVector projected[] = {StartVector::spe, StartVector::pod, StartVector::pod_renewed};

TEST(EqsStartVectors, LinearRunsAreTheSameWithFewerIterations) {
  Simulation s = film_of_order(false);
  s.linear.start_vector = StartVector::last;
  const Ran plain = run(s, 40);
  for (const StartVector kind : projected) {
    s.linear.start_vector = kind;
    const Ran r = run(s, 40);
    // residuals of 1e-12 of the fluxes, and the matrix' condition (1e3) makes more of them
    EXPECT_LT(difference_of_start_vectors(r.potential, plain.potential), 1e-9) << int(kind);
    EXPECT_LT(r.linear, 0.8 * plain.linear) << int(kind);
  }
}

/// A linear run of 40 steps from so many solutions, and directions of them.
Ran run_with(StartVector kind, int solutions, int directions = 0) {
  Simulation s = film_of_order(false);
  s.linear.start_vector = kind;
  s.linear.start_solutions = solutions;
  s.linear.start_directions = directions;
  return run(s, 40);
}

TEST(EqsStartVectors, MoreSolutionsTakeFewerIterationsToTheSameAnswers) {
  for (const StartVector kind : projected) {
    const Ran few = run_with(kind, 2), own = run_with(kind, 0);
    EXPECT_LT(own.linear, 0.8 * few.linear) << int(kind);
    // as LinearRunsAreTheSameWithFewerIterations
    EXPECT_LT(difference_of_start_vectors(own.potential, few.potential), 1e-9) << int(kind);
  }
  EXPECT_EQ(run_with(StartVector::spe, 0).linear, run_with(StartVector::spe, 10).linear);
  EXPECT_EQ(run_with(StartVector::pod, 0).linear, run_with(StartVector::pod, 20).linear);
  // what both take of the last solutions is the same space
  EXPECT_EQ(run_with(StartVector::spe, 20).linear, run_with(StartVector::pod_renewed, 20).linear);
}

TEST(EqsStartVectors, FewerDirectionsTakeMoreIterationsToTheSameAnswers) {
  for (const StartVector kind : projected) {
    const Ran all = run_with(kind, 10), two = run_with(kind, 10, 2);
    EXPECT_GT(two.linear, 1.2 * all.linear) << int(kind);
    EXPECT_LT(difference_of_start_vectors(all.potential, two.potential), 1e-9) << int(kind);
  }
}

TEST(EqsStartVectors, NonlinearRunsAreTheSameInBothOrders) {
  for (const int order : {1, 2}) {
    Simulation s = film_of_order(true, order);
    s.linear.start_vector = StartVector::last;
    const Ran plain = run(s, 12);
    for (const StartVector kind : projected) {
      s.linear.start_vector = kind;
      const Ran r = run(s, 12);
      // newton.tolerance, 1e-8 of the fluxes, times the condition
      EXPECT_LT(difference_of_start_vectors(r.potential, plain.potential), 1e-6) << order << " " << int(kind);
      EXPECT_LT(r.linear, plain.linear) << order << " " << int(kind);
    }
  }
}

TEST(EqsStartVectors, RestoredStatesGoOnBitForBit) {
  for (const StartVector kind : projected) {
    Simulation s = film_of_order(true);
    s.mesh.geometry->elements_across = 3;
    s.linear.start_vector = kind;
    const Problem p = make_problem(s);
    const auto whole = make_engine(p, on("cpu", 2));
    ASSERT_TRUE(whole->start(0).converged);
    march(*whole, 5e-4 * 4, 4);
    const auto saved = whole->save();
    march(*whole, 4e-3, 5);
    const auto resumed = make_engine(p, on("cpu", 1));
    resumed->restore(saved);
    march(*resumed, 4e-3, 5);
    const auto a = whole->potential(), b = resumed->potential();
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << int(kind);
  }
}

TEST(EqsStartVectors, TheirMemoryIsCountedAndTheLogNamesThem) {
  Simulation s = film_of_order(false);
  s.linear.start_vector = StartVector::last;
  const Problem plain = make_problem(s);
  s.linear.start_vector = StartVector::pod_renewed;
  const Problem p = make_problem(s);
  const auto a = make_engine(plain, on()), b = make_engine(p, on());
  // 20 solutions, and a few vectors to work with
  EXPECT_GE(b->bytes() - a->bytes(), 20 * sizeof(double) * std::size_t(p.unknowns));
  EXPECT_GE(estimate_bytes(p).device - estimate_bytes(plain).device,
            20 * sizeof(double) * std::size_t(p.unknowns));
  ASSERT_TRUE(b->start(0).converged);
  march(*b, 1e-3, 4);
  EXPECT_NE(b->describe().find("renewed proper orthogonal decomposition"), std::string::npos)
      << b->describe();
}

TEST(EqsForcing, GivesTheSameAnswersWithFewerIterations) {
  for (const int order : {1, 2}) {
    Simulation s = film_of_order(true, order);
    const Ran fixed = run(s, 12);
    s.newton.forcing = ForcingTerm::adaptive;
    const Ran followed = run(s, 12);
    // both end at newton.tolerance, 1e-8 of the fluxes; the condition makes more of it
    EXPECT_LT(difference_of_start_vectors(followed.potential, fixed.potential), 1e-6) << order;
    EXPECT_LT(followed.linear, 0.8 * fixed.linear) << order;
  }
}

/// |E| at the vertices of the elements that touch an electrode, where a field is steepest.
std::vector<double> at_electrodes(const Simulation& s, int steps) {
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("cpu", 1));
  EXPECT_TRUE(e->start(0).converged);
  march(*e, 2.5e-4 * steps, steps);
  const auto field = e->field();
  std::vector<double> out;
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    bool touches = false;
    for (int k = 0; k < 4; ++k) touches = touches || p.node_electrode[p.mesh.tets[t][k]] >= 0;
    for (int k = 0; touches && k < 4; ++k) {
      const float* v = &field[12 * t + 3 * k];
      out.push_back(std::hypot(v[0], v[1], v[2]));
    }
  }
  return out;
}

TEST(EqsForcing, KeepsTheFieldAtElectrodes) {
  for (const int order : {1, 2}) {
    Simulation s = film_of_order(true, order);
    const auto fixed = at_electrodes(s, 12);
    s.newton.forcing = ForcingTerm::adaptive;
    const auto followed = at_electrodes(s, 12);
    ASSERT_GT(fixed.size(), 100u);
    // no worse than potentials (above); measured 1.7e-8, which is the rounding of these floats
    EXPECT_LT(difference_of_start_vectors(followed, fixed), 1e-6) << order;
  }
}

TEST(EqsForcing, TermsFollowFromWhatTheStepBeforeLeft) {
  Forcing f(ForcingTerm::adaptive, 1e-12), fixed(ForcingTerm::fixed, 1e-12);
  EXPECT_NEAR(f.next(0, 1e-3, 1e-8), 1e-9, 1e-21);  // nothing is known: to 1e-12 of the fluxes
  f.saw(0, 1e-3, 1e-5);                             // c = 10
  EXPECT_NEAR(f.next(0, 1e-4, 1e-8), 1e-4, 1e-16);  // a tenth of c F
  EXPECT_NEAR(f.next(0, 1e-6, 1e-8), 1e-3, 1e-15);  // no further than a tenth of what ends Newton
  EXPECT_EQ(f.next(0, 1, 1e-8), 0.1);               // nor less than a digit
  EXPECT_NEAR(f.next(1, 1e-6, 1e-8), 1e-6, 1e-18);  // later steps are apart
  fixed.saw(0, 1e-3, 1e-5);
  EXPECT_NEAR(fixed.next(0, 1e-4, 1e-8), 1e-8, 1e-20);
  EXPECT_EQ(fixed.next(0, 10, 1e-8), 1e-12);
  EXPECT_EQ(fixed.next(0, 1e-13, 1e-8), 0.1);
}

}  // namespace
}  // namespace umov::eqs::test
