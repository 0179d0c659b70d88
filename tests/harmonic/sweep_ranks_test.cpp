// Sweeps on several ranks: the tables of one, stops, errors, and going on with another number of ranks.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "comm/in_process.hpp"
#include "core/error.hpp"
#include "harmonic/command/command.hpp"
#include "harmonic/run/run.hpp"
#include "harmonic/same_outcome.hpp"
#include "support/program.hpp"

namespace umov::harmonic {
namespace {

class HarmonicRanks : public testing::Test {
 protected:
  Simulation parsed() const {
    folder_.write("case.toml", rough_film);
    return parse(std::vector<std::string>{(folder_ / "case.toml").string()}).simulation;
  }
  Sweep sweep(const Simulation& sim, bool resume = false) const {
    Sweep s;
    s.state_file = (folder_ / "checkpoint").string();
    s.settings = shared_settings(sim, plan(sim).cell.grid);
    s.resume = resume;
    return s;
  }
  /// What rank 0 finds. `of_rank` makes what each rank follows and stops with.
  struct Watched {
    RunObserver observer;
    Sweep sweep;
  };
  Outcome run_on(int ranks, const Simulation& sim, const std::function<Watched(int rank)>& of_rank) const {
    Outcome out;
    comm::run_in_process(ranks, [&](comm::Communicator& comm) {
      const Watched own = of_rank(comm.rank());
      Outcome found = run(sim, {}, own.observer, own.sweep, comm);
      if (comm.first()) out = std::move(found);
    });
    return out;
  }
  umov::test::TemporaryFolder folder_;
};

TEST_F(HarmonicRanks, LeaveTheTablesOfOne) {
  const Simulation sim = parsed();
  const Outcome one = run(sim);
  ASSERT_EQ(one.rows.size(), 12u);
  for (const int ranks : {2, 3, 4, 14}) {
    std::atomic<int> fields = 0;
    const Outcome o = run_on(ranks, sim, [&](int) {
      Watched w{{}, sweep(sim)};
      w.sweep.fields = [&](const SolvedFields& f) {
        EXPECT_EQ(f.row.wavelength, 0.55);
        EXPECT_EQ(f.outcome.planes, one.planes);
        ++fields;
      };
      return w;
    });
    expect_same(o, one);
    EXPECT_TRUE(o.converged);
    EXPECT_EQ(fields, 8);  // four directions, two polarizations
    int rows = 0, at_work = 0;
    for (const auto& note : o.notes)
      if (const auto at = note.find(" computed "); at != std::string::npos && note.starts_with("rank "))
        rows += std::stoi(note.substr(at + 10)), ++at_work;
    EXPECT_EQ(rows, 12);
    EXPECT_LE(at_work, ranks);
    EXPECT_NE(o.ranks.find(std::to_string(ranks) + " (threads)"), std::string::npos) << o.ranks;
  }
}

TEST_F(HarmonicRanks, StoppedByAnyRankGoOnWithAnotherNumberOfRanks) {
  const Simulation sim = parsed();
  const Outcome whole = run(sim);
  for (const int asks : {0, 2}) {
    std::filesystem::remove(folder_ / "checkpoint");
    Outcome left;
    std::atomic<int> finished = 0;
    const auto watched = [&](int rank) {
      Watched w{{}, sweep(sim)};
      if (rank == 0) {
        w.sweep.row = [&](const FinishedRow&) { ++finished; };
        w.sweep.stopped = [&](const Outcome& o) { left = o; };
      }
      w.sweep.stop = [&, rank] { return rank == asks && finished >= 4; };
      return w;
    };
    EXPECT_THROW(run_on(3, sim, watched), run::Interrupted);
    ASSERT_GE(left.rows.size(), 4u);
    ASSERT_LT(left.rows.size(), 12u) << "the stop came after the last row";
    const Outcome o = run_on(2, sim, [&](int rank) { return Watched{{}, sweep(sim, rank == 0)}; });
    EXPECT_EQ(o.taken_over, left.rows.size());
    expect_same(o, whole);
  }
}

TEST_F(HarmonicRanks, AnErrorOfAnyRankEndsAllWithItsWordsAndLeavesTheRows) {
  Simulation sim = parsed();
  sim.fields_at = sim.wavelengths;  // every row has fields, which a rank writes itself
  for (const int fails : {0, 1}) {
    std::filesystem::remove(folder_ / "checkpoint");
    Outcome left;
    const auto watched = [&](int rank) {
      Watched w{{}, sweep(sim)};
      if (rank == 0) w.sweep.stopped = [&](const Outcome& o) { left = o; };
      w.sweep.fields = [=](const SolvedFields&) {
        if (rank == fails) throw MachineFailure("the disk is full; make room");
        std::this_thread::sleep_for(std::chrono::milliseconds(10));  // so that both get rows
      };
      return w;
    };
    try {
      run_on(2, sim, watched);
      FAIL() << "no error";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Exit::machine);
      EXPECT_STREQ(e.what(), "the disk is full; make room");
    }
    EXPECT_LT(left.rows.size(), 12u);
    const bool any = !left.rows.empty();  // a state is kept from the first row on
    const Outcome o = run_on(2, sim, [&](int rank) { return Watched{{}, sweep(sim, any && rank == 0)}; });
    EXPECT_EQ(o.rows.size(), 12u);
    EXPECT_EQ(o.taken_over, left.rows.size());
  }
}

TEST_F(HarmonicRanks, WithNothingLeftToComputeTakeAllRowsOver) {
  const Simulation sim = parsed();
  SweepState all;
  const Outcome first = run_on(2, sim, [&](int rank) {
    Watched w{{}, sweep(sim)};
    if (rank == 0) w.sweep.row = [&](const FinishedRow& row) { all.rows.push_back(row); };
    return w;
  });
  const Sweep again = sweep(sim, true);
  all.settings = again.settings;
  begin_file(all, again.state_file);
  const Outcome o = run_on(3, sim, [&](int rank) { return Watched{{}, sweep(sim, rank == 0)}; });
  EXPECT_EQ(o.taken_over, 12u);
  expect_same(o, first);
}

}  // namespace
}  // namespace umov::harmonic
