// Iterations in float with the residual refreshed in double: answers in double.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dda/engine.hpp"
#include "dda/scheme/memory.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

using dda::InnerPrecision;
using dda::PreconditionerChoice;
constexpr auto none = PreconditionerChoice::none, medium_of_inner_precision = PreconditionerChoice::medium,
               circulant_of_inner_precision = PreconditionerChoice::circulant;
using Change = std::function<void(test::DipoleCase&)>;

dda::Outcome solved_of_inner_precision(const std::string& options, InnerPrecision inner,
                                       PreconditionerChoice choice, const Change& change = {}) {
  return test::run(options, [&](test::DipoleCase& sim) {
    sim.solver.name = "cocr";
    sim.solver.recalculate_residual = true;
    sim.solver.preconditioner = choice;
    sim.solver.inner = inner;
    if (change) change(sim);
  });
}

const dda::SolveReport& report_of_inner(const dda::Outcome& o) { return o.polarizations.at(0).solve; }

struct Named {
  const char* name;
  const char* options;
  PreconditionerChoice choice;
};
void PrintTo(const Named& n, std::ostream* out) { *out << n.name; }

const Named particles[] = {
    {"Sphere", "-grid 24 -dpl 15 -m 1.5 0", medium_of_inner_precision},
    {"SphereAlone", "-grid 20 -dpl 15 -m 1.5 0", none},
    {"Cube", "-shape box -grid 20 -dpl 15 -m 1.5 0", medium_of_inner_precision},
    {"CubeCirculant", "-shape box -grid 20 -dpl 15 -m 1.5 0", circulant_of_inner_precision},
    {"Gold", "-grid 16 -dpl 50 -m 0.2 3.5", medium_of_inner_precision},
    {"Coated", "-shape coated 0.7 -grid 20 -dpl 20 -m 1.5 0 2 0", medium_of_inner_precision},
    {"Anisotropic", "-grid 16 -dpl 20 -anisotr -m 2 0 1.8 0 1.9 0.01 -prop 1 2 3", medium_of_inner_precision},
};

class DdaInnerFloat : public testing::TestWithParam<Named> {};

}  // namespace

TEST_P(DdaInnerFloat, GivesTheAnswerOfDoubleToEverydayAndToTwelveDigits) {
  const Named& n = GetParam();
  for (const double epsilon : {1e-5, 1e-12}) {
    const auto to = [&](test::DipoleCase& sim) { sim.solver.epsilon = epsilon; };
    const auto with = solved_of_inner_precision(n.options, InnerPrecision::single, n.choice, to);
    const auto plain = solved_of_inner_precision(n.options, InnerPrecision::double_, n.choice, to);
    ASSERT_TRUE(with.converged && plain.converged);
    EXPECT_TRUE(report_of_inner(with).notes.empty());
    EXPECT_GE(report_of_inner(with).refreshes, epsilon > 1e-6 ? 1 : 2);
    EXPECT_EQ(report_of_inner(plain).refreshes, 0);
    // held to epsilon by the residual in double itself
    EXPECT_LE(report_of_inner(with).true_residual, epsilon);
    EXPECT_EQ(report_of_inner(with).residual, report_of_inner(with).history.back());
    // two residuals of epsilon and |A^-1| of some tens, as in dda_preconditioner_test
    EXPECT_LT(test::distance(with, plain), 20 * epsilon);
    // With a preconditioner directions outlive a refresh: at most 1.3 and 1.8 times the iterations of double.
    // Plain COCR begins anew at each ten-thousandth: spheres of 16 to 24 dipoles take 1.18 to 1.40 times as
    // many to 1e-5, 1.51 to 1.70 to 1e-12 (one round more or less of a few iterations is decided by last
    // digits, which differ between processors).
    const double most = n.choice == none ? (epsilon > 1e-6 ? 1.6 : 2.0) : (epsilon > 1e-6 ? 1.3 : 1.8);
    EXPECT_LE(double(report_of_inner(with).iterations), most * double(report_of_inner(plain).iterations) + 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Particles, DdaInnerFloat, testing::ValuesIn(particles),
                         [](const auto& info) { return info.param.name; });

namespace {

/// A body of two absorbing materials without any symmetry, lit obliquely.
const std::string& cut_box_of_inner_precision() {
  static const test::Scratch scratch;
  static const std::string options = "-shape read " +
                                     scratch.write("cut_box.dat", test::shape_text(test::cut_box())) +
                                     test::cut_box_options + test::oblique;
  return options;
}

using SolverCase = std::tuple<std::string, std::string>;
class DdaInnerFloatSolvers : public testing::TestWithParam<SolverCase> {};

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& solver : dda::solver_list()) names.push_back(solver.name);
  return names;
}

}  // namespace

TEST_P(DdaInnerFloatSolvers, AgreeWithDouble) {
  const auto& [backend, solver] = GetParam();
  static const auto plain =
      solved_of_inner_precision(cut_box_of_inner_precision(), InnerPrecision::double_, none,
                                [](test::DipoleCase& sim) { sim.solver.epsilon = 1e-12; });
  for (const auto choice : {none, medium_of_inner_precision}) {
    if (solver == "csym" && choice == medium_of_inner_precision) continue;
    const auto with = solved_of_inner_precision(cut_box_of_inner_precision(), InnerPrecision::single, choice,
                                                [&, b = backend, s = solver](test::DipoleCase& sim) {
                                                  sim.machine.backend = b;
                                                  sim.solver.name = s;
                                                  sim.solver.epsilon = 1e-10;
                                                });
    EXPECT_TRUE(with.converged);
    EXPECT_TRUE(report_of_inner(with).notes.empty());
    EXPECT_LE(report_of_inner(with).true_residual, 1e-10);
    // as in dda_solvers_test: |A^-1| is of order 2, and both have a residual of epsilon
    EXPECT_LT(test::distance(with, plain), 5e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DdaInnerFloatSolvers,
                         testing::Combine(testing::ValuesIn(test::test_backends()),
                                          testing::ValuesIn(solver_names())),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

namespace {

class DdaInnerFloatBackends : public testing::TestWithParam<std::string> {};

std::vector<double> inner_bits(const std::string& backend, PreconditionerChoice choice, int threads) {
  const auto o = solved_of_inner_precision("-shape ellipsoid 0.8 1.2 -grid 20 -m 1.5 0.1 -eps 9 -prop 1 2 3",
                                           InnerPrecision::single, choice, [&](test::DipoleCase& sim) {
                                             sim.machine.backend = backend;
                                             sim.machine.threads = threads;
                                           });
  std::vector<double> all;
  for (const auto& p : o.polarizations) {
    all.insert(all.end(), p.solve.history.begin(), p.solve.history.end());
    all.push_back(p.cross.cext);
  }
  return all;
}

}  // namespace

TEST_P(DdaInnerFloatBackends, RepeatsFromRunToRunAndForAnyNumberOfThreads) {
  for (const auto choice : {none, medium_of_inner_precision}) {
    EXPECT_EQ(inner_bits(GetParam(), choice, 0), inner_bits(GetParam(), choice, 0));
    if (GetParam() == "cpu") {
      EXPECT_EQ(inner_bits("cpu", choice, 1), inner_bits("cpu", choice, 2));
    }
  }
}

namespace {

/// Two dipoles along x whose polarizability is all but that of their common resonance: with A11 = A22 = 1
/// and A12 = -alpha g, the even mode has the eigenvalue 1 - alpha g = `detuning`.
struct Pair {
  shapes::Particle particle;
  dda::Problem problem;
  std::unique_ptr<dda::Engine> engine;

  Pair(const std::string& backend, double detuning) {
    particle = shapes::make_particle(test::simulation("-shape box 0.5 0.5 -grid 2 -lambda 100").shape);
    problem.particle = &particle;
    problem.wavenumber = 2 * pi / 100;
    problem.fft_grid = dda::transform_grid(particle.box, {0, 0, 0});
    problem.inner_float = true;
    engine = dda::make_engine({backend});
    engine->load(problem);
    set({1, 1, 1});
    // for alpha = 1: -A P of P = (1, 1) is g - 1
    std::vector<CVec3> p(2, CVec3{1, 0, 0}), r(2), r0(2);
    engine->residual(p, r);
    engine->residual({}, r0);
    const cplx g = r[0][0] - r0[0][0] + 1.0, alpha = (1 - detuning) / g;
    set({alpha, alpha, alpha});
  }
  void set(const CVec3& alpha) {
    engine->set_polarizability(std::vector<CVec3>{alpha});
    engine->set_plane_wave({0, 0, 1}, {1, 0, 0});
  }
  dda::SolveReport solve() {
    dda::SolveOptions options;
    options.solver = "cocr";
    options.initial = dda::InitialField::zero;
    options.inner_float = true;
    return engine->solve(options);
  }
};

}  // namespace

TEST_P(DdaInnerFloatBackends, GivesWayToDoubleWhereFloatCannotTellTheSystemFromASingularOne) {
  Pair pair(GetParam(), 1e-9);
  ASSERT_EQ(pair.particle.dipoles(), 2u);
  const auto solved_of_inner_precision = pair.solve();
  EXPECT_EQ(solved_of_inner_precision.status, dda::SolveStatus::converged);
  EXPECT_LE(solved_of_inner_precision.true_residual, 2e-5);
  ASSERT_EQ(solved_of_inner_precision.notes.size(), 1u);
  EXPECT_EQ(solved_of_inner_precision.notes[0].substr(0, 43), "the inner iteration in float was given up a");
  EXPECT_NE(solved_of_inner_precision.notes[0].find("it goes on in double"), std::string::npos);
  // and a solve of the same engine where it can
  Pair easy(GetParam(), 0.5);
  EXPECT_TRUE(easy.solve().notes.empty());
}

INSTANTIATE_TEST_SUITE_P(Backends, DdaInnerFloatBackends, testing::ValuesIn(test::test_backends()),
                         [](const auto& info) { return info.param; });

namespace {

class DdaInnerFloatCheckpoint : public testing::TestWithParam<std::string> {
 protected:
  /// Stops at iteration `stop` of the first polarization (0: never).
  dda::Outcome go(InnerPrecision inner, PreconditionerChoice choice, bool resume, long stop) const {
    auto sim = test::simulation("-grid 12 -dpl 15 -m 1.5 0.1 -sym no -eps 11");
    sim.machine.backend = "cpu";
    sim.solver.name = GetParam();
    sim.solver.preconditioner = choice;
    sim.solver.inner = inner;
    sim.checkpoints_in(folder_, resume);
    dda::RunObserver observer;
    observer.iteration = [stop](char, long iteration, double) { return iteration != stop; };
    return test::run(sim, observer);
  }
  test::Scratch scratch_;
  const std::string folder_ = std::filesystem::path(scratch_.write("x", "")).parent_path().string();
};

}  // namespace

TEST_P(DdaInnerFloatCheckpoint, ContinuesToTheSameBitsFromAnyRound) {
  for (const auto choice : {none, medium_of_inner_precision}) {
    const auto whole = go(InnerPrecision::single, choice, false, 0);
    ASSERT_GE(report_of_inner(whole).refreshes, 2);
    for (const long stop :
         {2L, report_of_inner(whole).iterations / 2, report_of_inner(whole).iterations - 1}) {
      EXPECT_THROW(go(InnerPrecision::single, choice, false, stop), run::Interrupted);
      const auto rest = go(InnerPrecision::single, choice, true, 0);
      EXPECT_EQ(report_of_inner(rest).history, report_of_inner(whole).history);
      EXPECT_EQ(report_of_inner(rest).products, report_of_inner(whole).products)
          << "those before the stop count";
      EXPECT_EQ(report_of_inner(rest).preconditionings, report_of_inner(whole).preconditionings);
      EXPECT_EQ(report_of_inner(rest).refreshes, report_of_inner(whole).refreshes);
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(rest.polarizations[i].cross.cext, whole.polarizations[i].cross.cext);
    }
  }
}

TEST_P(DdaInnerFloatCheckpoint, KnowsItsPrecision) {
  EXPECT_THROW(go(InnerPrecision::single, medium_of_inner_precision, false, 4), run::Interrupted);
  try {
    go(InnerPrecision::double_, medium_of_inner_precision, true, 0);
    ADD_FAILURE() << "the checkpoint of another precision was taken";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find(
                  "written in another precision (double iterated in float; double was asked for)"),
              std::string::npos)
        << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, DdaInnerFloatCheckpoint,
                         testing::Values("cocr", "qmr", "bicg", "idr4", "bicgstab"),
                         [](const auto& info) { return info.param; });

TEST(DdaInnerPrecision, FollowsTheIterationsToExpectAndIsSaid) {
  const auto why = [](const std::string& options, const Change& change = {}) {
    auto sim = test::simulation(options);
    sim.solver.inner = InnerPrecision::automatic;
    if (change) change(sim);
    return dda::plan(sim, sim.machine).inner;
  };
  const auto with = [](PreconditionerChoice choice) {
    return [choice](test::DipoleCase& sim) { sim.solver.preconditioner = choice; };
  };
  EXPECT_EQ(why("-grid 48 -dpl 15 -m 1.5 0", with(medium_of_inner_precision)),
            "float (auto: the medium's inverse leaves few iterations)");
  EXPECT_EQ(why("-grid 48 -dpl 15 -m 1.5 0", with(circulant_of_inner_precision)).substr(0, 12),
            "double (auto");
  EXPECT_EQ(why("-grid 48 -dpl 15 -m 1.5 0", with(none)).substr(0, 12), "double (auto");
  EXPECT_EQ(why("-grid 16 -m 1.5 0", [](test::DipoleCase& sim) { sim.precision = dda::Precision::single; }),
            "");
  // the resonances of so dense a medium are too sharp for float: 337 iterations for 194 (grid of 24)
  EXPECT_EQ(why("-grid 16 -dpl 20 -m 3.5 0", with(medium_of_inner_precision)).substr(0, 12), "double (auto");
  EXPECT_EQ(why("-grid 16 -dpl 50 -m 0.2 3.5", with(medium_of_inner_precision)).substr(0, 11), "float (auto")
      << "a metal has none";
  // ADDA's command keeps ADDA's iteration
  EXPECT_EQ(test::simulation("-grid 16").solver.inner, InnerPrecision::double_);
}
