// Mirror sectors: when they are used, their memory and their checkpoints.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dda/mirror/choice.hpp"
#include "support/dda_runs.hpp"

using namespace umov;

namespace {

using dda::InnerPrecision;
using dda::Planes;
using dda::SectorUse;

const dda::SolveReport& report_of_sectors_choice(const dda::Outcome& o) {
  return o.polarizations.at(0).solve;
}

Planes planes_of(const std::string& options) {
  return dda::mirror_planes(shapes::make_particle(test::simulation(options).shape));
}

}  // namespace

TEST(MirrorSectorsChoice, FindsThePlanesOfSitesAndMaterials) {
  EXPECT_EQ(planes_of("-shape egg 0.4 0.3 -grid 12"), (Planes{true, true, false}));
  EXPECT_EQ(planes_of("-shape coated 0.5 0.2 0 0 -grid 20"), (Planes{false, true, true}));
  EXPECT_EQ(planes_of("-shape line -grid 6"), (Planes{true, false, false}));
}

TEST(MirrorSectorsChoice, ExcitesThePartsThatAWaveHas) {
  const Planes all{true, true, true};
  const auto count = [&](const std::string& options, char label, const Planes& planes) {
    const auto sim = test::simulation(options);
    const auto lab = dda::laboratory_frame(sim.propagation, sim.beam.center);
    return dda::sectors_excited(sim, planes, lab, label);
  };
  EXPECT_EQ(count("-grid 8", 'Y', all), 2);
  EXPECT_EQ(count("-grid 8 -prop 1 1 1", 'Y', all), 8);
  EXPECT_EQ(count("-grid 8 -prop 1 0 1", 'Y', all), 4);
  EXPECT_EQ(count("-grid 8 -prop 1 0 1", 'X', all), 4);
  EXPECT_EQ(count("-grid 8", 'X', {true, true, false}), 1);
  EXPECT_EQ(count("-grid 8 -beam barton5 2", 'X', all), 8);
}

TEST(MirrorSectorsChoice, LeavesAddaItsOwnIteration) {
  EXPECT_EQ(test::simulation("-grid 8").solver.sectors, SectorUse::off);
  EXPECT_EQ(test::simulation("-grid 8 --sectors on").solver.sectors, SectorUse::on);
}

TEST(MirrorSectorsChoice, TakesThemWhereTheyPayAndSaysWhy) {
  const auto why = [](const std::string& options) {
    auto sim = test::simulation(options);
    sim.machine.backend = "cpu";
    sim.solver.sectors = SectorUse::automatic;
    return dda::plan(sim, sim.machine).sectors;
  };
  EXPECT_EQ(why("-grid 24"), "auto: planes normal to x, y, z, 2 of 8 sectors excited");
  EXPECT_EQ(why("-grid 8"), "none (auto: would not pay, planes normal to x, y, z, 2 of 8 sectors excited)");
  EXPECT_EQ(why("-shape line -grid 1"), "none (auto: the particle has no mirror plane on the lattice)");
}

TEST(MirrorSectorsChoice, RefusesWhatHasNone) {
  const auto message = [](const std::string& options) -> std::string {
    try {
      test::run(options, [](test::DipoleCase& sim) { sim.solver.sectors = SectorUse::on; });
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  };
  const std::string ends = "); leave `solver.sectors` out";
  EXPECT_EQ(message("-shape coated 0.5 0.2 0.1 0.1 -grid 20 -m 1.5 0 1.3 0"),
            "mirror sectors cannot be used (the particle has no mirror plane on the lattice" + ends);
  EXPECT_EQ(message("-grid 8 --ftype ldouble"),
            "mirror sectors cannot be used (parts of fields are formed in double, the run is in long double" +
                ends);
}

TEST(MirrorSectorsMemory, IsEstimatedAsItIsUsed) {
  for (const std::string backend : {"cpu", "serial"})
    for (const std::string options : {"-grid 12 -dpl 15 -m 1.5 0", "-shape egg 0.4 0.3 -grid 11 -m 1.5 0"}) {
      auto sim = test::simulation(options);
      sim.machine.backend = backend;
      sim.machine.threads = 1;
      sim.solver.name = "cocr";
      sim.solver.sectors = SectorUse::on;
      const auto planned = dda::plan(sim, sim.machine), ran = test::run(sim);
      for (const std::string name :
           {"interaction tensor", "lines of the transform", "slices of the transform",
            "incident field and polarization", "iterative solver", "parts of the fields"}) {
        const auto bytes = [&](const dda::Outcome& o) {
          std::size_t sum = 0;
          for (const auto& use : o.memory) sum += use.name == name ? use.bytes : 0;
          return sum;
        };
        EXPECT_EQ(bytes(planned), bytes(ran)) << backend << " " << options << ": " << name;
      }
    }
}

// ---- Checkpoints ---------------------------------------------------------------------------------------

namespace {

class MirrorCheckpoint : public testing::TestWithParam<InnerPrecision> {
 protected:
  /// Stops at iteration `stop` (0: never).
  dda::Outcome go(bool resume, long stop) const {
    auto sim = test::simulation("-grid 12 -dpl 15 -m 1.5 0.1 -prop 1 0 1 -eps 9 -iter cocr");
    sim.machine.backend = "cpu";
    sim.solver.sectors = SectorUse::on;
    sim.solver.preconditioner = dda::PreconditionerChoice::medium;
    sim.solver.inner = GetParam();
    sim.checkpoints_in(folder_, resume);
    dda::RunObserver observer;
    observer.iteration = [stop](char label, long iteration, double) {
      return label != 'Y' || iteration != stop;
    };
    return test::run(sim, observer);
  }
  test::Scratch scratch_;
  const std::string folder_ = std::filesystem::path(scratch_.write("x", "")).parent_path().string();
};

}  // namespace

TEST_P(MirrorCheckpoint, GoesOnInTheSectorWhereItStopped) {
  const auto whole = go(false, 0);
  const long iterations = report_of_sectors_choice(whole).iterations;
  ASSERT_EQ(report_of_sectors_choice(whole).sectors, 4);
  for (const long stop : {2L, iterations / 2, iterations - 1}) {
    EXPECT_THROW(go(false, stop), run::Interrupted);
    const auto again = go(true, 0);
    EXPECT_EQ(report_of_sectors_choice(again).history, report_of_sectors_choice(whole).history);
    EXPECT_EQ(again.polarizations[0].cross.cext, whole.polarizations[0].cross.cext);
    EXPECT_EQ(report_of_sectors_choice(again).iterations, iterations);
    EXPECT_EQ(report_of_sectors_choice(again).products, report_of_sectors_choice(whole).products)
        << "those before the stop count";
    EXPECT_EQ(report_of_sectors_choice(again).preconditionings,
              report_of_sectors_choice(whole).preconditionings);
  }
}

INSTANTIATE_TEST_SUITE_P(Inner, MirrorCheckpoint,
                         testing::Values(InnerPrecision::double_, InnerPrecision::single));
