// Mirror sectors: even and odd parts of a particle solved for one by one equal the whole.
#include <gtest/gtest.h>

#include <random>

#include "dda/mirror/choice.hpp"
#include "dda/mirror/mirrored_engine.hpp"
#include "dda/scheme/memory.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

using dda::InnerPrecision;
using dda::Planes;
using dda::PreconditionerChoice;
using dda::SectorUse;
using Change = std::function<void(test::DipoleCase&)>;

dda::Outcome solved_of_sectors(const std::string& options, SectorUse sectors, const Change& change = {}) {
  return test::run(options, [&](test::DipoleCase& sim) {
    sim.solver.name = "cocr";
    sim.solver.epsilon = 1e-11;
    sim.solver.recalculate_residual = true;
    sim.solver.sectors = sectors;
    if (change) change(sim);
  });
}

const dda::SolveReport& report_of_sectors(const dda::Outcome& o) { return o.polarizations.at(0).solve; }

// ---- The operator itself, without any solver -----------------------------------------------------------

struct Particle {
  const char* name;
  const char* options;
  Planes planes;  ///< the most that it has
};
void PrintTo(const Particle& p, std::ostream* out) { *out << p.name; }

/// Odd and even boxes, one to three planes, several materials on the planes, transforms whose halves are even
/// or odd (26 sites: 54 points).
const Particle particles_of_sectors[] = {
    {"EvenSphere", "-grid 8", {true, true, true}},
    {"OddSphere", "-grid 9", {true, true, true}},
    {"MixedBox", "-shape box 1.5 1.25 -grid 4 6 5", {true, true, true}},
    {"OddHalves", "-shape box 0.2308 0.2308 -grid 26", {true, true, true}},
    {"Plate", "-shape box 1 0.125 -grid 8 8 1", {true, true, false}},
    {"Rod", "-shape box 0.2 0.2 -grid 15 3 3", {true, true, true}},
    {"CoatedOdd", "-shape coated 0.6 -grid 9 -m 1.5 0.1 1.3 0.2", {true, true, true}},
    {"Egg", "-shape egg 0.4 0.3 -grid 8", {true, true, false}},
    {"Prism", "-shape prism 6 1 -grid 9", {true, true, true}},
    {"Bisphere", "-shape bisphere 1.5 -grid 7", {true, true, true}},
    {"Bicoated", "-shape bicoated 1.5 0.7 -grid 6 -m 1.5 0 2 0", {true, true, true}},
};

class MirrorOperator : public testing::TestWithParam<std::tuple<std::string, Particle>> {};

}  // namespace

TEST_P(MirrorOperator, IsThatOfTheWholeToRounding) {
  const auto& [backend, p] = GetParam();
  const auto sim = test::simulation(p.options);
  const auto particle = shapes::make_particle(sim.shape);
  ASSERT_EQ(dda::mirror_planes(particle), p.planes);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto vector = [&] {
    std::vector<CVec3> v(particle.dipoles());
    for (auto& e : v)
      for (auto& c : e) c = {normal(random), normal(random)};
    return v;
  };
  std::vector<CVec3> alpha;
  for (int m = 0; m < particle.materials; ++m)
    alpha.push_back({cplx(1.2 + m, 0.1), cplx(0.9, 0.2 + m), cplx(1.5, -0.1)});
  const auto incident = vector(), dipoles = vector();
  const auto residual = [&](dda::Engine& engine, const Int3& grid) {
    dda::Problem problem;
    problem.particle = &particle;
    problem.wavenumber = 0.6 / particle.spacing[0];
    problem.fft_grid = grid;
    engine.load(problem);
    auto a = alpha;
    for (auto& e : a)
      for (auto& c : e) c *= 0.2 * particle.dipole_volume();
    engine.set_polarizability(a);
    engine.set_incident(incident);
    std::vector<CVec3> r(particle.dipoles());
    engine.residual(dipoles, r);
    return r;
  };
  const auto whole = dda::make_engine({backend});
  const auto expected = residual(*whole, dda::transform_grid(particle.box, {0, 0, 0}));
  for (int used = 1; used < 8; ++used) {
    Planes planes{};
    for (int a = 0; a < 3; ++a) planes[a] = p.planes[a] && (used >> a & 1);
    if (planes == Planes{}) continue;
    const auto mirrored = dda::make_mirrored_engine({backend}, planes);
    const auto found = residual(*mirrored, used > 3 ? dda::transform_grid(particle.box, {0, 0, 0})
                                                    : dda::folded_grid(particle.box, {0, 0, 0}, planes));
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        worst = std::max(worst, std::abs(found[i][c] - expected[i][c]));
        scale = std::max(scale, std::abs(expected[i][c]));
      }
    // sums of some hundred terms by transforms of some 50 points, in double
    EXPECT_LT(worst, 1e-13 * scale) << planes[0] << planes[1] << planes[2];
  }
}

INSTANTIATE_TEST_SUITE_P(Particles, MirrorOperator,
                         testing::Combine(testing::ValuesIn(test::test_backends()),
                                          testing::ValuesIn(particles_of_sectors)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + std::get<1>(info.param).name;
                         });

// ---- Runs ----------------------------------------------------------------------------------------------

namespace {

struct SectorsCase {
  const char* name;
  const char* options;
  int sectors;  ///< that the polarization Y excites
};
void PrintTo(const SectorsCase& c, std::ostream* out) { *out << c.name; }

const SectorsCase all_cases[] = {
    {"Sphere", "-grid 10 -dpl 15 -m 1.5 0", 2},
    {"SphereOdd", "-grid 11 -dpl 15 -m 1.5 0", 2},
    {"SphereOblique", "-grid 10 -dpl 15 -m 1.5 0.1 -prop 1 2 3", 8},
    {"SphereInPlane", "-grid 10 -dpl 15 -m 1.5 0.1 -prop 1 0 2", 4},
    {"CubeTurned", "-shape box -grid 9 -dpl 15 -m 1.5 0 -orient 10 20 30", 8},
    {"Coated", "-shape coated 0.6 -grid 11 -dpl 20 -m 1.5 0 2 0.1 -prop 1 1 1", 8},
    {"Anisotropic", "-grid 10 -dpl 20 -anisotr -m 2 0 1.8 0 1.9 0.01 -prop 1 2 3", 8},
    {"Egg", "-shape egg 0.4 0.3 -grid 10 -dpl 15 -m 1.4 0.02 -prop 0 1 1", 2},
    {"Cylinder", "-shape cylinder 1.2 -grid 9 -dpl 15 -m 1.6 0.2", 2},
    {"Bars", "-shape box 0.5 0.25 -grid 12 6 6 -dpl 15 -m 0.3 3 -rect_dip 1 1 0.5", 2},
    {"Davis", "-grid 10 -dpl 15 -m 1.5 0 -beam davis3 2 0.3 0.2 0.1", 8},
    {"Emitter", "-shape box -grid 8 -dpl 15 -m 1.5 0.1 -beam dipole 1 2 3", 8},
    {"Igt", "-grid 8 -dpl 10 -m 1.5 0.1 -int igt", 2},
    {"Filtered", "-grid 8 -dpl 10 -m 1.5 0.1 -int fcd -pol fcd", 2},
};

class MirrorSectors : public testing::TestWithParam<std::tuple<std::string, SectorsCase>> {};

/// As in dda_preconditioner_test: two residuals of epsilon and |A^-1| of some tens.
constexpr double tolerance = 100 * 1e-11;

}  // namespace

TEST_P(MirrorSectors, EqualTheWhole) {
  const auto& [backend, c] = GetParam();
  const auto on = [&, b = backend](test::DipoleCase& sim) { sim.machine.backend = b; };
  const auto parts = solved_of_sectors(c.options, SectorUse::on, on);
  const auto whole = solved_of_sectors(c.options, SectorUse::off, on);
  ASSERT_TRUE(parts.converged && whole.converged);
  EXPECT_EQ(report_of_sectors(parts).sectors, c.sectors);
  EXPECT_EQ(report_of_sectors(whole).sectors, 0);
  EXPECT_LE(report_of_sectors(parts).true_residual, 1e-11 * (1 + 1e-3));
  EXPECT_LT(test::distance(parts, whole), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Cases, MirrorSectors,
                         testing::Combine(testing::ValuesIn(test::test_backends()),
                                          testing::ValuesIn(all_cases)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + std::get<1>(info.param).name;
                         });

namespace {
class MirrorPreconditioner : public testing::TestWithParam<std::tuple<std::string, PreconditionerChoice>> {};
}  // namespace

TEST_P(MirrorPreconditioner, IsThatOfTheWholeInEverySector) {
  const auto& [backend, choice] = GetParam();
  for (const std::string options :
       {"-grid 12 -dpl 15 -m 1.5 0", "-shape coated 0.6 -grid 11 -dpl 20 -m 1.5 0 2 0.1 -prop 1 2 3"})
    for (const auto inner : {InnerPrecision::double_, InnerPrecision::single}) {
      const auto with = [&, b = backend, p = choice](test::DipoleCase& sim) {
        sim.machine.backend = b;
        sim.solver.preconditioner = p;
        sim.solver.inner = inner;
      };
      const auto parts = solved_of_sectors(options, SectorUse::on, with);
      const auto whole = solved_of_sectors(options, SectorUse::off, with);
      ASSERT_TRUE(parts.converged && whole.converged);
      EXPECT_GT(report_of_sectors(parts).sectors, 1);
      EXPECT_LT(test::distance(parts, whole), tolerance);
      // M restricted to a sector is as good there as M is: no sector needs more than the whole and a tenth.
      EXPECT_LE(double(report_of_sectors(parts).iterations),
                1.1 * double(report_of_sectors(whole).iterations) * report_of_sectors(parts).sectors + 4);
      EXPECT_EQ(report_of_sectors(parts).preconditionings > 0, choice != PreconditionerChoice::none);
    }
}

INSTANTIATE_TEST_SUITE_P(All, MirrorPreconditioner,
                         testing::Combine(testing::ValuesIn(test::test_backends()),
                                          testing::Values(PreconditionerChoice::none,
                                                          PreconditionerChoice::medium,
                                                          PreconditionerChoice::circulant)));

namespace {
class MirrorSolvers : public testing::TestWithParam<std::string> {};
std::vector<std::string> solver_names_of_sectors() {
  std::vector<std::string> names;
  for (const auto& solver : dda::solver_list()) names.push_back(solver.name);
  return names;
}
}  // namespace

/// Adjoint products, too: cgnr and bicg-like solvers need them.
TEST_P(MirrorSolvers, AgreeWithTheWhole) {
  const auto with = [&](test::DipoleCase& sim) { sim.solver.name = GetParam(); };
  const std::string options = "-shape coated 0.6 -grid 7 -dpl 15 -m 1.5 0.1 1.3 0.2 -prop 1 2 3";
  const auto parts = solved_of_sectors(options, SectorUse::on, with);
  ASSERT_TRUE(parts.converged);
  EXPECT_LT(test::distance(parts, solved_of_sectors(options, SectorUse::off)), tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, MirrorSolvers, testing::ValuesIn(solver_names_of_sectors()));

/// Where a GPU solves for the whole, its log does not name the planes that a processor would use.
TEST(MirrorSectorsChoice, SaysWhatIsUsed) {
  const dda::SectorChoice automatic{{true, true, false}, true, "auto: planes normal to x, y"};
  EXPECT_EQ(automatic.words("cpu"), "auto: planes normal to x, y");
  EXPECT_EQ(automatic.words("cuda").substr(0, 10), "none (auto");
  const dda::SectorChoice asked{{true, true, false}, false, "of the planes normal to x, y"};
  EXPECT_EQ(asked.words("cuda"), asked.why);
}

TEST(MirrorSectorsRun, StopWhereTheWholesResidualIsWhatWasAskedFor) {
  const auto o = solved_of_sectors("-grid 12 -dpl 12 -m 1.5 0 -prop 1 2 3", SectorUse::on,
                                   [](test::DipoleCase& sim) { sim.solver.epsilon = 1e-5; });
  EXPECT_LE(report_of_sectors(o).true_residual, 1e-5);
  EXPECT_GT(report_of_sectors(o).true_residual, 1e-6);  // and not much later
  EXPECT_DOUBLE_EQ(report_of_sectors(o).history.front(), report_of_sectors(o).initial_residual);
  EXPECT_NEAR(report_of_sectors(o).history.back() / report_of_sectors(o).residual, 1, 1e-6);
}

TEST(MirrorSectorsRun, TakeFieldsToStartFrom) {
  const std::string options = "-grid 9 -dpl 12 -m 1.3 0 -init_field wkb";
  EXPECT_LT(
      test::distance(solved_of_sectors(options, SectorUse::on), solved_of_sectors(options, SectorUse::off)),
      tolerance);
}

TEST(MirrorSectorsRun, AverageOverOrientations) {
  const std::string options = "-shape box 0.5 0.75 -grid 8 4 6 -dpl 12 -m 1.5 0.1 -orient avg -sym no";
  const auto parts = solved_of_sectors(options, SectorUse::on),
             whole = solved_of_sectors(options, SectorUse::off);
  EXPECT_GT(parts.orientations, 1);
  EXPECT_EQ(report_of_sectors(parts).sectors, 8);
  EXPECT_LT(test::cross_section_distance(parts, whole), tolerance);
}

// The limit is of each sector, so that none of the 8 is left as it was; by default it is the particle's
// number of unknowns, as without sectors.
TEST(MirrorSectorsRun, EverySectorHasTheLimitOfIterations) {
  const auto o = solved_of_sectors("-grid 10 -dpl 12 -m 1.5 0 -prop 1 2 3", SectorUse::on,
                                   [](test::DipoleCase& sim) { sim.solver.max_iterations = 5; });
  EXPECT_FALSE(o.converged);
  EXPECT_EQ(report_of_sectors(o).status, dda::SolveStatus::iteration_limit);
  EXPECT_EQ(report_of_sectors(o).sectors, 8);
  EXPECT_EQ(report_of_sectors(o).iterations, 8 * 5);
  // a hard particle of few unknowns: a sector of 21 takes more iterations than it has
  const auto hard =
      solved_of_sectors("-shape box 0.7 1.3 -grid 5 -dpl 24 -m 0.3 2.5 -prop 1 2 3", SectorUse::on,
                        [](test::DipoleCase& sim) { sim.solver.epsilon = 1e-9; });
  EXPECT_TRUE(hard.converged);
}

TEST(MirrorSectorsRun, ACheckpointKnowsItsSector) {
  const test::Scratch scratch;
  auto sim = test::simulation("-grid 12 -dpl 15 -m 1.5 0.1 -eps 8");
  sim.machine.backend = "cpu";
  sim.checkpoints_in(std::filesystem::path(scratch.write("x", "")).parent_path().string());
  const auto go = [&](SectorUse sectors, bool resume, long stop) {
    sim.solver.sectors = sectors;
    sim.machine.checkpoint.resume = resume;
    dda::RunObserver observer;
    observer.iteration = [stop](char, long iteration, double) { return iteration != stop; };
    return test::run(sim, observer);
  };
  const auto why_not = [&](SectorUse sectors) {
    try {
      go(sectors, true, 0);
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  EXPECT_THROW(go(SectorUse::on, false, 4), run::Interrupted);
  const std::string whole_asked = why_not(SectorUse::off);
  EXPECT_NE(whole_asked.find("checkpoint of the mirror sector 'x even, y "), std::string::npos)
      << whole_asked;
  EXPECT_NE(whole_asked.find("' but one of the whole particle is to be continued; give `solver.sectors`"),
            std::string::npos)
      << whole_asked;
  EXPECT_TRUE(go(SectorUse::on, true, 0).converged);
  EXPECT_THROW(go(SectorUse::off, false, 4), run::Interrupted);
  EXPECT_NE(why_not(SectorUse::on).find("checkpoint of the whole particle but one of the mirror sector"),
            std::string::npos)
      << why_not(SectorUse::on);
}
