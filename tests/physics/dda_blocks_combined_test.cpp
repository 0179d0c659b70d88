// Blocks of right-hand sides with what goes with them: mirror sectors, far fields of all columns,
// checkpoints, lists of directions.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.hpp"
#include "dda/mirror/mirrored_engine.hpp"
#include "dda/run/many.hpp"
#include "dda/scheme/memory.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

using dda::InnerPrecision;
using dda::PreconditionerChoice;
using dda::RightSide;
using dda::SectorUse;
using Field = std::vector<CVec3>;

/// Plane waves from everywhere, both polarizations in turn.
std::vector<RightSide> waves(int count) {
  std::vector<RightSide> list;
  for (int j = 0; j < count; ++j) {
    const double t = 0.4 + 0.7 * (j / 2), f = 0.3 + 1.1 * (j / 2);
    const Vec3 n{std::sin(t) * std::cos(f), std::sin(t) * std::sin(f), std::cos(t)};
    const Vec3 e = j % 2 ? Vec3{std::cos(t) * std::cos(f), std::cos(t) * std::sin(f), -std::sin(t)}
                         : Vec3{-std::sin(f), std::cos(f), 0};
    list.push_back({n, {e[0], e[1], e[2]}, {}});
  }
  return list;
}

const std::vector<CVec3> alphas{{cplx(0.0021, 0.0003), cplx(0.0024, 0.0002), cplx(0.0018, 0.0003)},
                                {cplx(0.0016, 0.0009), cplx(0.0015, 0.0008), cplx(0.0016, 0.0008)}};

/// A coated sphere of odd width, whose sites lie on its three planes, too.
struct MirrorSolver {
  shapes::Particle particle =
      shapes::make_particle(test::simulation("-shape coated 0.6 -grid 9 -m 1.5 0.1 1.3 0.2").shape);
  std::unique_ptr<dda::Engine> engine;
  dda::SolveOptions options;

  MirrorSolver(const std::string& backend, bool sectors, dda::Precision precision, bool inner_float,
               double epsilon) {
    particle.spacing = {0.31, 0.31, 0.31};
    const dda::EngineRequest request{backend, -1, 2, precision};
    const dda::Planes all{true, true, true};
    engine = sectors ? dda::make_mirrored_engine(request, all) : dda::make_engine(request);
    dda::Problem problem;
    problem.particle = &particle;
    problem.wavenumber = 1.1;
    problem.fft_grid = dda::folded_grid(particle.box, {0, 0, 0}, all);
    problem.inner_float = inner_float;
    engine->load(problem);
    engine->set_polarizability(alphas);
    options.solver = "cocr";
    options.epsilon = epsilon;
    options.inner_float = inner_float;
  }
  Field polarization() const {
    Field p(particle.dipoles());
    engine->get_polarization(p);
    return p;
  }
  Field alone(const RightSide& side) {
    if (side.field.empty())
      engine->set_plane_wave(side.propagation, side.e0);
    else
      engine->set_incident(side.field);
    EXPECT_EQ(engine->solve(options).status, dda::SolveStatus::converged);
    return polarization();
  }
};

double distance_of_combined(const Field& a, const Field& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      difference += std::norm(a[i][c] - b[i][c]);
      size += std::norm(b[i][c]);
    }
  return std::sqrt(difference / size);
}

class DdaMirrorBlocks : public testing::TestWithParam<std::string> {
 protected:
  /// Residuals of epsilon in either, and |A^-1| of order 2 here (as in dda_blocks_test).
  void expect_columns(const std::vector<RightSide>& sides, dda::Precision precision, bool inner_float,
                      double epsilon) const {
    MirrorSolver sectors(GetParam(), true, precision, inner_float, epsilon),
        whole(GetParam(), false, precision, false, epsilon);
    const auto reports = sectors.engine->solve_block(sides, sectors.options);
    ASSERT_EQ(reports.size(), sides.size());
    long blocks = 0;
    for (std::size_t j = 0; j < sides.size(); ++j) {
      EXPECT_EQ(reports[j].status, dda::SolveStatus::converged);
      EXPECT_LE(reports[j].true_residual, epsilon);
      EXPECT_GE(reports[j].sectors, 1);
      blocks += reports[j].blocks;
      sectors.engine->select(int(j));
      EXPECT_LT(distance_of_combined(sectors.polarization(), whole.alone(sides[j])), 5 * epsilon)
          << "column " << j;
    }
    EXPECT_EQ(blocks, 8) << "one for each sector";
  }
};

}  // namespace

TEST_P(DdaMirrorBlocks, EachColumnIsWhatTheWholeGivesForIt) {
  expect_columns(waves(1), dda::Precision::double_, false, 1e-9);
  expect_columns(waves(5), dda::Precision::double_, true, 1e-9);
  expect_columns(waves(5), dda::Precision::single, false, 1e-4);
  expect_columns(waves(16), dda::Precision::double_, false, 1e-9);
}

TEST_P(DdaMirrorBlocks, WavesThatAreImagesOfEachOtherAreNearlyOrWhollyDependentInTheirSectors) {
  auto sides = waves(8);
  // images under x -> -x and under inversion, equal ones, one nearly equal
  for (int j = 0; j < 2; ++j) {
    sides[2 + j] = sides[j];
    sides[2 + j].propagation[0] *= -1;
    sides[2 + j].e0[0] *= -1;
    sides[4 + j] = sides[j];
    for (auto& n : sides[4 + j].propagation) n = -n;
  }
  sides[6] = sides[0];
  sides[7] = sides[1];
  sides[7].e0[1] += cplx(1e-6, 1e-7);
  expect_columns(sides, dda::Precision::double_, false, 1e-9);
  expect_columns(sides, dda::Precision::double_, true, 1e-9);
}

TEST_P(DdaMirrorBlocks, ColumnsThatExciteOtherSectorsAreSolvedForInThese) {
  MirrorSolver s(GetParam(), true, dda::Precision::double_, false, 1e-9);
  // along z: polarized along y and along x, each in two of the eight sectors; and a field of any kind
  std::vector<RightSide> sides{{{0, 0, 1}, {0, 1, 0}, {}}, {{0, 0, 1}, {1, 0, 0}, {}}, {}};
  for (std::size_t i = 0; i < s.particle.dipoles(); ++i)
    sides[2].field.push_back({cplx(std::sin(0.1 * double(i)), 0.2), cplx(1, 0.01 * double(i)), cplx(0, 1)});
  const auto reports = s.engine->solve_block(sides, s.options);
  EXPECT_EQ(reports[0].sectors, 2);
  EXPECT_EQ(reports[1].sectors, 2);
  EXPECT_EQ(reports[2].sectors, 8);
  MirrorSolver whole(GetParam(), false, dda::Precision::double_, false, 1e-9);
  for (int j = 0; j < 3; ++j) {
    s.engine->select(j);
    EXPECT_LT(distance_of_combined(s.polarization(), whole.alone(sides[j])), 5e-9);
  }
}

TEST_P(DdaMirrorBlocks, FarFieldsOfAllColumnsHaveTheBitsOfOneByOne) {
  std::vector<Vec3> directions;
  for (int d = 0; d < 37; ++d)
    directions.push_back(
        {std::sin(0.1 * d) * std::cos(d), std::sin(0.1 * d) * std::sin(d), std::cos(0.1 * d)});
  for (const bool sectors : {false, true})
    for (const auto precision : {dda::Precision::double_, dda::Precision::single}) {
      MirrorSolver s(GetParam(), sectors, precision, false, 1e-4);
      s.engine->solve_block(waves(7), s.options);
      const std::vector<int> columns{6, 0, 1, 2, 3, 4, 5};
      Field together(columns.size() * directions.size()), one(directions.size());
      s.engine->far_fields(directions, columns, together);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        s.engine->select(columns[k]);
        s.engine->far_field(directions, one);
        for (std::size_t d = 0; d < one.size(); ++d)
          EXPECT_EQ(together[k * directions.size() + d], one[d]) << "column " << k << " direction " << d;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, DdaMirrorBlocks, testing::ValuesIn(test::test_backends()),
                         [](const auto& info) { return info.param; });

// ---- Runs ------------------------------------------------------------------------------------------------

namespace {

const dda::SolveReport& report(const dda::Outcome& o, int i = 0) { return o.polarizations.at(i).solve; }

const std::string symmetric = "-grid 12 -dpl 15 -m 1.5 0.1 -prop 1 0 1 -iter cocr -ntheta 8 -scat_matr both ";

void rrc(test::DipoleCase& sim) { sim.polarizability = dda::Polarizability::rrc; }

}  // namespace

TEST(DdaMirrorBlocksBoth, PolarizationsInSectorsAndInOneBlockAreWhatTheyAreOneByOne) {
  const auto go = [](SectorUse sectors, int block) {
    return test::run(symmetric + "-eps 8", [&](test::DipoleCase& sim) {
      rrc(sim);
      sim.solver.sectors = sectors;
      sim.solver.block = block;
    });
  };
  const auto together = go(SectorUse::on, 2), alone = go(SectorUse::off, 1);
  EXPECT_EQ(report(together, 0).sectors, 4);
  EXPECT_EQ(report(together, 0).blocks + report(together, 1).blocks, 8);
  // residuals of 1e-8, |A^-1| of order 3, forms linear or square in P
  EXPECT_LT(test::distance(together, alone), 1e-6);
}

TEST(DdaMirrorBlocksAverage, IsThatOfTheWholeOneByOne) {
  const test::Scratch scratch;
  const std::string file =
      scratch.write("avg.dat",
                    "alpha:\nmin=0\nmax=360\nJmin=1\nJmax=1\neps=0\nequiv=true\nperiodic=true\n"
                    "beta:\nmin=10\nmax=80\nJmin=1\nJmax=1\neps=0\nequiv=false\nperiodic=false\n"
                    "gamma:\nmin=5\nmax=85\nJmin=1\nJmax=1\neps=0\nequiv=false\nperiodic=false\n");
  const auto go = [&](SectorUse sectors, int block) {
    return test::run("-shape box 0.8 0.6 -grid 10 -dpl 14 -m 1.5 0.05 -eps 8", [&](test::DipoleCase& sim) {
      rrc(sim);
      sim.outputs.amplitude = false;
      sim.orientation.average = true;
      sim.orientation.average_file = file;
      sim.solver.sectors = sectors;
      sim.solver.block = block;
      sim.solver.preconditioner = PreconditionerChoice::medium;
    });
  };
  const auto together = go(SectorUse::on, 16), alone = go(SectorUse::off, 1);
  EXPECT_EQ(report(together).sectors, 8);
  EXPECT_GE(report(together).block, 8);
  const auto &b = together.polarizations[0].cross, &a = alone.polarizations[0].cross;
  EXPECT_NEAR(b.cext, a.cext, 1e-6 * a.cext);
  EXPECT_NEAR(b.cabs, a.cabs, 1e-6 * a.cext);
  EXPECT_LT(test::mueller_distance(together.plane, alone.plane), 1e-6);
}

TEST(DdaBlocksMemory, OfAColumnOfAFractionIsSmaller) {
  const auto planned = [](SectorUse sectors, int block) {
    auto sim = test::simulation("-grid 16 -dpl 15 -m 1.5 0 -sym no");
    sim.machine.backend = "cpu";
    sim.solver.sectors = sectors;
    sim.solver.block = block;
    for (const auto& use : dda::plan(sim, sim.machine).memory)
      if (use.name == "block of right-hand sides") return use.bytes;
    return std::size_t(0);
  };
  EXPECT_EQ(planned(SectorUse::off, 1), 0u);
  EXPECT_EQ(planned(SectorUse::off, 4), 2 * planned(SectorUse::off, 2));
  EXPECT_LT(planned(SectorUse::on, 4), planned(SectorUse::off, 4));
}

// ---- Checkpoints -----------------------------------------------------------------------------------------

namespace {

struct Kind {
  SectorUse sectors;
  InnerPrecision inner;
  PreconditionerChoice preconditioner;
};
void PrintTo(const Kind& k, std::ostream* out) {
  *out << (k.sectors == SectorUse::on ? "sectors, " : "whole, ")
       << (k.inner == InnerPrecision::single ? "float" : "double");
}

class BlockCheckpoint : public testing::TestWithParam<Kind> {
 protected:
  /// Stops at iteration `stop` (0: never), or at the next where that is the last of a part.
  dda::Outcome go(bool resume, long stop, int block = 2, double epsilon = 1e-9) const {
    auto sim = test::simulation(symmetric);
    sim.machine.backend = "cpu";
    rrc(sim);
    sim.solver.epsilon = epsilon;
    sim.solver.sectors = GetParam().sectors;
    sim.solver.inner = GetParam().inner;
    sim.solver.preconditioner = GetParam().preconditioner;
    sim.solver.block = block;
    sim.checkpoints_in(folder_, resume);
    dda::RunObserver observer;
    observer.iteration = [stop](char, long iteration, double) { return stop == 0 || iteration < stop; };
    return test::run(sim, observer);
  }
  test::Scratch scratch_;
  const std::string folder_ = std::filesystem::path(scratch_.write("x", "")).parent_path().string();
};

}  // namespace

TEST_P(BlockCheckpoint, GoesOnInTheBlockWhereItStoppedWithTheSameBits) {
  const auto whole = go(false, 0);
  ASSERT_GT(report(whole).blocks, 0);
  const long iterations = report(whole).iterations;
  ASSERT_GT(iterations, 6);
  for (const long stop : {1L, 2L, iterations / 2, iterations - 1}) {
    EXPECT_THROW(go(false, stop), run::Interrupted) << stop;
    const auto again = go(true, 0);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(report(again, i).history, report(whole, i).history) << stop;
      EXPECT_EQ(again.polarizations[i].cross.cext, whole.polarizations[i].cross.cext);
      EXPECT_EQ(report(again, i).iterations, report(whole, i).iterations);
      EXPECT_EQ(report(again, i).products, report(whole, i).products) << "those before the stop count";
      EXPECT_EQ(report(again, i).preconditionings, report(whole, i).preconditionings);
    }
    for (std::size_t t = 0; t < whole.plane.size(); ++t)
      EXPECT_EQ(again.plane[t].mueller, whole.plane[t].mueller);
  }
}

TEST_P(BlockCheckpoint, OfAFinishedBlockIsTakenAsItIsOrGoesOnToASmallerResidual) {
  const auto whole = go(false, 0);
  const auto again = go(true, 0);
  EXPECT_EQ(report(again).products, report(whole).products) << "none more";
  EXPECT_EQ(again.polarizations[1].cross.cext, whole.polarizations[1].cross.cext);
  const auto closer = go(true, 0, 2, 1e-11);
  EXPECT_GT(report(closer).products, report(whole).products);
  EXPECT_LE(report(closer).true_residual, 1e-11);
}

TEST_P(BlockCheckpoint, BelongsToItsNumberOfColumns) {
  go(false, 0);
  try {
    go(true, 0, 1);
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("checkpoint of solver 'cocr, block of "), std::string::npos)
        << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BlockCheckpoint,
    testing::Values(Kind{SectorUse::off, InnerPrecision::double_, PreconditionerChoice::none},
                    Kind{SectorUse::off, InnerPrecision::single, PreconditionerChoice::medium},
                    Kind{SectorUse::on, InnerPrecision::double_, PreconditionerChoice::circulant},
                    Kind{SectorUse::on, InnerPrecision::single, PreconditionerChoice::medium}));

// ---- Lists of directions
// -----------------------------------------------------------------------------------

namespace {

/// Five directions of incidence on the box that nothing maps on itself.
class DirectionList : public testing::Test {
 protected:
  std::vector<dda::Simulation> cases(int block, const std::function<void(test::DipoleCase&)>& change) const {
    std::vector<dda::Simulation> list;
    for (const Vec3& n : {Vec3{0, 0, 1}, Vec3{1, 2, 3}, Vec3{-1, 2, 3}, Vec3{1, 0, 0}, Vec3{3, -1, 1}}) {
      auto sim = test::simulation("-shape read " + file_ + test::cut_box_options + " -eps 8 -iter cocr");
      sim.propagation = n;
      sim.solver.block = block;
      change(sim);
      list.push_back(sim);
    }
    return list;
  }
  struct Solved {
    std::vector<dda::Outcome> outcomes;
    dda::ManyOutcome table;
  };
  /// Stops at iteration `stop` of the first block (0: never), or at the next.
  Solved solve(const std::vector<dda::Simulation>& list, long stop = 0, bool resume = false) const {
    Solved s;
    s.outcomes.resize(list.size());
    dda::ManyObserver watch;
    watch.finished = [](std::size_t) { return std::nullopt; };
    test::DipoleCase begun;
    begun.machine.backend = "cpu";
    watch.begin = [&](const std::vector<std::size_t>& together) {
      begun.checkpoints_in(folder_, resume && together.front() == 0);
      return begun.machine;
    };
    watch.ready = [&](std::size_t i) { return list[i]; };
    watch.observer = [stop](std::size_t) {
      dda::RunObserver o;
      o.iteration = [stop](char, long iteration, double) { return stop == 0 || iteration < stop; };
      return o;
    };
    watch.solved = [&](std::size_t i, const dda::Outcome& o, const dda::CaseRow&) { s.outcomes[i] = o; };
    s.table = dda::run_many(*comm::one_rank(), list, begun.machine, watch);
    return s;
  }

  test::Scratch scratch_;
  const std::string file_ = scratch_.write("cut_box.dat", test::shape_text(test::cut_box()));
  const std::string folder_ = std::filesystem::path(file_).parent_path().string();
};

}  // namespace

TEST_F(DirectionList, IsSolvedForInBlocksAndEveryCaseIsWhatItIsAlone) {
  const auto together = solve(cases(16, rrc)), alone = solve(cases(1, rrc));
  ASSERT_EQ(together.table.rows.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& o = together.outcomes[i];
    ASSERT_EQ(o.polarizations.size(), 2u);
    EXPECT_EQ(o.polarizations[0].label, 'Y');
    EXPECT_EQ(report(o).block, 10) << "two polarizations from five directions";
    EXPECT_EQ(o.simulation.propagation, alone.outcomes[i].simulation.propagation);
    EXPECT_LT(test::distance(o, alone.outcomes[i]), 5e-7);
    EXPECT_EQ(together.table.rows[i].polarizations[1].cross.cext, o.polarizations[1].cross.cext);
  }
}

TEST_F(DirectionList, WithLdrSharesABlockWhereTheLatticeMakesDirectionsEquivalent) {
  const auto change = [](test::DipoleCase& sim) { sim.ldr_average = true; };
  const auto together = solve(cases(16, change)), alone = solve(cases(1, change));
  // (0, 0, 1) and (1, 0, 0); (1, 2, 3) and (-1, 2, 3); (3, -1, 1)
  const int columns[] = {4, 4, 4, 4, 2};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(report(together.outcomes[i]).block, columns[i]) << "case " << i;
    EXPECT_LT(test::distance(together.outcomes[i], alone.outcomes[i]), 5e-7);
  }
}

TEST_F(DirectionList, GoesOnInTheBlockWhereItStopped) {
  const auto whole = solve(cases(16, rrc));
  EXPECT_THROW(solve(cases(16, rrc), 5), run::Interrupted);
  const auto again = solve(cases(16, rrc), 0, true);
  for (std::size_t i = 0; i < 5; ++i)
    for (int p = 0; p < 2; ++p) {
      EXPECT_EQ(again.outcomes[i].polarizations[p].cross.cext, whole.outcomes[i].polarizations[p].cross.cext);
      EXPECT_EQ(report(again.outcomes[i], p).history, report(whole.outcomes[i], p).history);
    }
}
