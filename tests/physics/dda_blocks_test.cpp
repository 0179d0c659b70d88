// Blocks of right-hand sides: every column is what its own solve gives, averages are what they are one by
// one.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dda/engine.hpp"
#include "dda/scheme/memory.hpp"
#include "dda/scheme/polarizability.hpp"
#include "dda/solver/blocks.hpp"
#include "dda/solver/preconditioning.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

using dda::InnerPrecision;
using dda::PreconditionerChoice;
using dda::RightSide;

/// A body of two absorbing materials without any symmetry.
shapes::Particle body() {
  shapes::Particle p;
  p.box = {7, 11, 5};
  p.materials = 2;
  p.dipoles_per_material = {0, 0};
  p.spacing = {0.31, 0.31, 0.31};
  const auto sites = test::cut_box();
  for (int z = 0; z < 5; ++z)
    for (int y = 0; y < 11; ++y)
      for (int x = 0; x < 7; ++x) {
        const auto site = sites.find({x, y, z});
        const int m = site == sites.end() ? 0 : site->second;
        p.material.push_back(std::uint8_t(m));
        if (m) ++p.dipoles_per_material[m - 1];
      }
  return p;
}

/// Of m = 1.4 to 1.6 and of an absorbing material, as Clausius and Mossotti have them for these dipoles.
const std::vector<CVec3> alphas_of_blocks{{cplx(0.0021, 0.0003), cplx(0.0024, 0.0002), cplx(0.0018, 0.0003)},
                                          {cplx(0.0016, 0.0009), cplx(0.0015, 0.0008), cplx(0.0016, 0.0008)}};

/// Plane waves from everywhere, both polarizations in turn.
std::vector<RightSide> waves_of_blocks(int count) {
  std::vector<RightSide> list;
  for (int j = 0; j < count; ++j) {
    const double t = 0.4 + 0.7 * (j / 2), f = 1.1 * (j / 2);
    const Vec3 n{std::sin(t) * std::cos(f), std::sin(t) * std::sin(f), std::cos(t)};
    const Vec3 e = j % 2 ? Vec3{std::cos(t) * std::cos(f), std::cos(t) * std::sin(f), -std::sin(t)}
                         : Vec3{-std::sin(f), std::cos(f), 0};
    list.push_back({n, {e[0], e[1], e[2]}, {}});
  }
  return list;
}

struct Setting {
  std::string backend;
  dda::Precision precision = dda::Precision::double_;
  bool inner_float = false;
  double epsilon = 1e-9;
};

struct Solutions {
  std::vector<dda::SolveReport> reports;
  std::vector<std::vector<CVec3>> polarizations;
  std::vector<cplx> extinctions;
};

struct Solver {
  shapes::Particle particle = body();
  std::unique_ptr<dda::Engine> engine;
  dda::SolveOptions options;

  explicit Solver(const Setting& s) {
    engine = dda::make_engine({s.backend, -1, 2, s.precision});
    dda::Problem problem;
    problem.particle = &particle;
    problem.wavenumber = 1.1;
    problem.fft_grid = dda::transform_grid(particle.box, {0, 0, 0});
    problem.inner_float = s.inner_float;
    engine->load(problem);
    engine->set_polarizability(alphas_of_blocks);
    options.solver = "cocr";
    options.epsilon = s.epsilon;
    options.inner_float = s.inner_float;
  }
  void take(Solutions& s) {
    s.polarizations.emplace_back(particle.dipoles());
    engine->get_polarization(s.polarizations.back());
    s.extinctions.push_back(engine->extinction_sum());
  }
  Solutions together(const std::vector<RightSide>& sides) {
    Solutions s;
    s.reports = engine->solve_block(sides, options);
    for (int j = 0; j < int(sides.size()); ++j) {
      engine->select(j);
      take(s);
    }
    return s;
  }
  Solutions alone(const std::vector<RightSide>& sides) {
    Solutions s;
    for (const auto& side : sides) {
      if (side.field.empty())
        engine->set_plane_wave(side.propagation, side.e0);
      else
        engine->set_incident(side.field);
      s.reports.push_back(engine->solve(options));
      take(s);
    }
    return s;
  }
};

double distance(const std::vector<CVec3>& a, const std::vector<CVec3>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      difference += std::norm(a[i][c] - b[i][c]);
      size += std::norm(b[i][c]);
    }
  return std::sqrt(difference / size);
}

/// Both have a residual of epsilon, and |A^-1| is of order 2 here (as in dda_solvers_test).
void expect_same_solutions(const Solutions& blocks, const Solutions& alone, double epsilon) {
  ASSERT_EQ(blocks.polarizations.size(), alone.polarizations.size());
  for (std::size_t j = 0; j < alone.polarizations.size(); ++j) {
    EXPECT_EQ(blocks.reports[j].status, dda::SolveStatus::converged);
    EXPECT_LE(blocks.reports[j].true_residual, epsilon);
    EXPECT_TRUE(blocks.reports[j].notes.empty());
    EXPECT_LT(distance(blocks.polarizations[j], alone.polarizations[j]), 5 * epsilon) << "column " << j;
    EXPECT_LT(std::abs(blocks.extinctions[j] - alone.extinctions[j]),
              10 * epsilon * std::abs(alone.extinctions[j]));
  }
}

class DdaBlocks : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(DdaBlocks, EachColumnIsWhatItsOwnSolveGives) {
  for (const int columns : {1, 2, 5, 16}) {
    for (const Setting& s : {Setting{GetParam()}, Setting{GetParam(), dda::Precision::double_, true},
                             Setting{GetParam(), dda::Precision::single, false, 1e-4}}) {
      Solver solver(s);
      const auto sides = waves_of_blocks(columns);
      expect_same_solutions(solver.together(sides), solver.alone(sides), s.epsilon);
    }
  }
}

TEST_P(DdaBlocks, FieldsOfAnyKindAreColumns) {
  Solver solver({GetParam()});
  auto sides = waves_of_blocks(4);
  for (std::size_t i = 0; i < solver.particle.dipoles(); ++i)
    sides[2].field.push_back({cplx(std::sin(0.1 * double(i)), 0.2), cplx(1, 0.01 * double(i)), cplx(0, 1)});
  expect_same_solutions(solver.together(sides), solver.alone(sides), 1e-9);
}

TEST_P(DdaBlocks, EqualAndNearlyDependentColumnsDoNotBreakThem) {
  for (const bool in_float : {false, true}) {
    Solver solver({GetParam(), dda::Precision::double_, in_float});
    auto sides = waves_of_blocks(8);
    sides[3] = sides[2];
    sides[5] = sides[4];
    sides[5].e0[0] *= 1 + 1e-7;
    sides[7].propagation = sides[6].propagation;
    sides[7].e0 = sides[6].e0;
    sides[7].e0[1] += cplx(1e-4, 1e-5);
    const auto blocks = solver.together(sides);
    expect_same_solutions(blocks, solver.alone(sides), 1e-9);
  }
}

TEST_P(DdaBlocks, GiveTheSameBitsAgain) {
  const auto run = [&] {
    Solver solver({GetParam(), dda::Precision::double_, true});
    return solver.together(waves_of_blocks(6));
  };
  const auto one = run(), two = run();
  for (std::size_t j = 0; j < one.polarizations.size(); ++j)
    EXPECT_EQ(one.polarizations[j], two.polarizations[j]);
}

TEST_P(DdaBlocks, TheLimitOfIterationsIsThatOfTheBlock) {
  Solver solver({GetParam()});
  solver.options.max_iterations = 3;
  const auto s = solver.together(waves_of_blocks(4));
  for (const auto& report : s.reports) {
    EXPECT_EQ(report.status, dda::SolveStatus::iteration_limit);
    EXPECT_EQ(report.iterations, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DdaBlocks, testing::ValuesIn(test::test_backends()),
                         [](const auto& info) { return info.param; });

namespace {

/// Two stages of beta, eight angles of gamma and their checks.
const char* angles_of_blocks =
    "alpha:\nmin=0\nmax=360\nJmin=1\nJmax=1\neps=0\nequiv=true\nperiodic=true\n"
    "beta:\nmin=0\nmax=180\nJmin=2\nJmax=2\neps=0\nequiv=false\nperiodic=false\n"
    "gamma:\nmin=0\nmax=360\nJmin=2\nJmax=2\neps=0\nequiv=true\nperiodic=true\n";

dda::Outcome averaged(const std::string& backend, const std::string& options, int block,
                      const std::function<void(test::DipoleCase&)>& change) {
  static const test::Scratch scratch;
  static const std::string file = scratch.write("avg.dat", angles_of_blocks);
  return test::run(options, [&](test::DipoleCase& sim) {
    sim.machine.backend = backend;
    sim.outputs.amplitude = false;  // it has no average
    sim.orientation.average = true;
    sim.orientation.average_file = file;
    sim.solver.block = block;
    if (change) change(sim);
  });
}

const std::string& box_of_blocks() {
  static const test::Scratch scratch;
  static const std::string options = "-shape read " +
                                     scratch.write("cut_box.dat", test::shape_text(test::cut_box())) +
                                     test::cut_box_options + " -eps 7";
  return options;
}

void expect_same_average(const std::string& backend, const std::string& options,
                         const std::function<void(test::DipoleCase&)>& change = {}) {
  const auto blocks = averaged(backend, options, 16, change), alone = averaged(backend, options, 1, change);
  EXPECT_EQ(blocks.backend, backend);
  ASSERT_TRUE(blocks.converged && alone.converged);
  EXPECT_EQ(blocks.orientations, alone.orientations);
  const auto &b = blocks.polarizations.at(0), &a = alone.polarizations.at(0);
  EXPECT_GT(b.solve.blocks, 0);
  EXPECT_GE(b.solve.block, 8);
  EXPECT_EQ(a.solve.blocks, 0);
  // residuals of 1e-7 in either, |A^-1| of order 2, and forms that are linear or square in P
  EXPECT_NEAR(b.cross.cext, a.cross.cext, 2e-6 * a.cross.cext);
  EXPECT_NEAR(b.cross.cabs, a.cross.cabs, 2e-6 * a.cross.cext);
  ASSERT_EQ(blocks.plane.size(), alone.plane.size());
  double largest = 0;
  for (const auto& row : alone.plane) largest = std::max(largest, row.mueller[0]);
  for (std::size_t t = 0; t < alone.plane.size(); ++t)
    for (int i = 0; i < 16; ++i)
      EXPECT_NEAR(blocks.plane[t].mueller[i], alone.plane[t].mueller[i], 2e-6 * largest);
}

class DdaBlocksAverage : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(DdaBlocksAverage, IsWhatItIsOneByOneThoughLdrDependsOnTheDirection) {
  expect_same_average(GetParam(), box_of_blocks());
}

TEST_P(DdaBlocksAverage, IsWhatItIsOneByOneInFloatWithThePreconditioner) {
  expect_same_average(GetParam(), box_of_blocks(), [](test::DipoleCase& sim) {
    sim.solver.preconditioner = PreconditionerChoice::medium;
    sim.solver.inner = InnerPrecision::single;
  });
}

TEST_P(DdaBlocksAverage, IsWhatItIsOneByOneForAnIrregularGrainOfOneMaterial) {
  expect_same_average(GetParam(), "-shape ellipsoid 0.7 1.3 -grid 10 -m 1.5 0.01 -dpl 12 -eps 7",
                      [](test::DipoleCase& sim) {
                        sim.polarizability = dda::Polarizability::fcd;
                        sim.interaction = dda::Interaction::fcd;
                        sim.solver.preconditioner = PreconditionerChoice::circulant;
                      });
}

TEST_P(DdaBlocksAverage, TakesFewerProducts) {
  // Orientations of one polarizability that differ: bounds, not measurements (0.6 to 0.8).
  const std::string options = "-shape box 1.2 0.8 -grid 14 -m 1.55 0.003 -dpl 13";
  const auto with = [](test::DipoleCase& sim) { sim.solver.preconditioner = PreconditionerChoice::medium; };
  const auto blocks = averaged(GetParam(), options, 16, with), alone = averaged(GetParam(), options, 1, with);
  EXPECT_LT(double(blocks.polarizations[0].solve.products),
            0.9 * double(alone.polarizations[0].solve.products));
}

// the serial backend takes minutes: the engine's tests referee
INSTANTIATE_TEST_SUITE_P(All, DdaBlocksAverage, testing::ValuesIn(test::test_backends("cpu")),
                         [](const auto& info) { return info.param; });

TEST(DdaBlocksBoth, PolarizationsInOneBlockAreWhatTheyAreOneByOne) {
  const auto both = [&](int block) {
    return test::run(box_of_blocks(), [&](test::DipoleCase& sim) {
      sim.solver.block = block;
      sim.polarizability = dda::Polarizability::rrc;
    });
  };
  const auto together = both(2), alone = both(1);
  ASSERT_TRUE(together.converged && alone.converged);
  ASSERT_EQ(together.polarizations.size(), 2u);
  EXPECT_EQ(together.polarizations[0].label, 'Y');
  EXPECT_EQ(together.polarizations[0].solve.blocks, 1);
  EXPECT_EQ(together.polarizations[0].solve.block, 2);
  EXPECT_LT(test::distance(together, alone), 5e-7);
}

namespace {

std::string refusal(const std::function<void(test::DipoleCase&)>& change) {
  try {
    test::run("-grid 8 -m 1.5 0 -sym no", [&](test::DipoleCase& sim) {
      sim.solver.block = 4;
      change(sim);
    });
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(DdaBlocksRefused, NameWhatTheyDoNotGoWith) {
  EXPECT_NE(refusal([](auto& s) { s.solver.name = "bicgstab"; }).find("bicgstab has no block form"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.solver.initial = dda::InitialField::incident; })
                .find("cannot be used (blocks start from zero); give `solver.initial = 'auto'`, or leave "
                      "`solver.block` out"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& s) {
              s.symmetry = dda::SymmetryUse::automatic;
              s.solver.block = 2;
            }).find("one right-hand side only"),
            std::string::npos);
}

TEST(DdaBlocksChoice, TakesBlocksForAveragesAndWhatMemoryAllows) {
  dda::Simulation sim;
  EXPECT_EQ(dda::choose_blocks(sim, {}).columns, 1);
  sim.orientation.average = true;
  EXPECT_EQ(dda::choose_blocks(sim, {}).columns, 16);
  EXPECT_EQ(dda::choose_blocks(sim, {true, 900, 100}).columns, 8);
  EXPECT_EQ(dda::choose_blocks(sim, {true, 300, 100}).columns, 1);
  EXPECT_EQ(dda::choose_blocks(sim, {true, 0, 0, 20000}).columns, 1);
  EXPECT_EQ(dda::choose_blocks(sim, {true, 0, 0, 12000}).columns, 1);
  sim.polarizability = dda::Polarizability::fcd;
  EXPECT_EQ(dda::choose_blocks(sim, {true, 0, 0, 12000}).columns, 16);
  EXPECT_EQ(dda::choose_blocks(sim, {true, 0, 0, 20000}).columns, 1);
  sim.solver.name = "bicgstab";
  EXPECT_EQ(dda::choose_blocks(sim, {}).columns, 1);
}

TEST(DdaBlocksChoice, GroupsHaveOnePolarizabilityAndLikeSizes) {
  const std::vector<CVec3> a{{cplx(1), cplx(1), cplx(1)}}, b{{cplx(1.01), cplx(1), cplx(1)}};
  const std::vector<std::vector<CVec3>> list{a, b, a, a, b, a, a};
  const auto groups = dda::equal_groups(list, 4);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0], (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(groups[1], (std::vector<std::size_t>{3, 5, 6}));
  EXPECT_EQ(groups[2], (std::vector<std::size_t>{1, 4}));
}
