// Variants on ranks of their own: rows of one rank, failures, stops, and `umov eqs` with lists by mpirun.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <set>

#include "comm/in_process.hpp"
#include "eqs/command/batch_run.hpp"
#include "run/observer.hpp"
#include "support/eqs_cases.hpp"
#include "support/eqs_runs.hpp"
#include "support/ranked_tables.hpp"

namespace umov::eqs::test {
namespace {

namespace fs = std::filesystem;
using umov::test::TemporaryFolder;

sweep::Axis axis_of_batch_ranks(const std::string& name, const std::vector<double>& values) {
  sweep::Axis a{name, {name}, {}};
  for (const double x : values) a.values.push_back(sweep::written(x));
  return a;
}

Batch films() {
  Batch b;
  b.machine = one_thread;
  b.sweep.axes = {axis_of_batch_ranks("thickness", {1e-3, 2e-3}),
                  axis_of_batch_ranks("voltage", {5e3, 10e3, 15e3})};
  for (const double t : {1e-3, 2e-3})
    for (const double v : {5e3, 10e3, 15e3}) {
      Simulation s =
          column({layer("film", t, 3), layer("air", 2e-3, 3)},
                 {material("film", constant(12), microvaristor()), material("air", constant(1), constant(0))},
                 sine(v, 50, 0, WaveformSpec::Ramp::linear), 2e-3, 2);
      s.time.periods = 0.1;
      s.outputs.vtk = s.outputs.pictures = false;
      b.sweep.points.push_back({t, v});
      b.cases.push_back(s);
    }
  b.spec.workers = 1;
  return b;
}

BatchOutcome run_seated(const Batch& b) {
  return run_batch(*comm::one_rank(), b, seat_of_process(b), {}, {});
}

/// Rank 0's outcome of a batch on so many ranks.
BatchOutcome on_ranks(int ranks, const Batch& b, const BatchWatch& watch = {}, const BatchWatch& others = {},
                      const sweep::Rows& there = {}) {
  BatchOutcome out;
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    BatchOutcome mine = run_batch(comm, b, seat_of_process(b), comm.first() ? watch : others, there);
    if (comm.first()) out = std::move(mine);
  });
  return out;
}

void expect_same_rows(const BatchOutcome& a, const BatchOutcome& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    ASSERT_EQ(a.rows[k]->scalars.size(), b.rows[k]->scalars.size());
    for (std::size_t c = 0; c < a.rows[k]->scalars.size(); ++c) {
      const auto &x = a.rows[k]->scalars[c], &y = b.rows[k]->scalars[c];
      EXPECT_EQ(x.name, y.name);
      if (x.name != "seconds") {
        EXPECT_EQ(x.value, y.value) << k << " " << x.name;
      }
    }
  }
}

TEST(EqsBatchRanks, RowsHaveTheBitsOfOneRank) {
  const Batch b = films();
  const BatchOutcome one = run_seated(b);
  std::set<std::size_t> here, elsewhere, rows;  // outcomes are heard of by one thread at a time
  BatchWatch watch, others;
  watch.computed = [&](std::size_t k, const Outcome&) { here.insert(k); };
  others.computed = [&](std::size_t k, const Outcome&) { elsewhere.insert(k); };
  watch.finished = [&](std::size_t k, const sweep::Row& row) {
    EXPECT_FALSE(row.scalars.empty());
    rows.insert(k);
  };
  const BatchOutcome three = on_ranks(3, b, watch, others);
  expect_same_rows(one, three);
  EXPECT_EQ(three.course.workers, 3u);
  EXPECT_NE(three.course.ranks.find("ranks: 3"), std::string::npos) << three.course.ranks;
  EXPECT_GT(elsewhere.size(), 0u) << "other ranks computed nothing";
  EXPECT_EQ(rows.size(), 6u);
  for (const std::size_t k : rows) EXPECT_NE(here.count(k), elsewhere.count(k)) << k;
}

// Every rank had a third of the list and one more: eight workers for six variants.
TEST(EqsBatchRanks, ThereAreNoMoreWorkersThanVariants) {
  Batch b = films();
  ASSERT_EQ(b.cases.size(), 6u);
  b.spec.workers = 2;
  const BatchOutcome four = on_ranks(4, b);
  EXPECT_EQ(four.course.workers, 6u);
  EXPECT_EQ(four.course.words, "6 variants at a time on 4 ranks");
  EXPECT_NE(four.course.ranks.find("rank 1: cpu, 2 variants at a time"), std::string::npos)
      << four.course.ranks;
  EXPECT_NE(four.course.ranks.find("rank 2: cpu, 1 variant at a time"), std::string::npos)
      << four.course.ranks;
  const BatchOutcome eight = on_ranks(8, b);
  EXPECT_EQ(eight.course.words, "6 variants at a time on 8 ranks");
  EXPECT_NE(eight.course.ranks.find("rank 7: nothing to compute"), std::string::npos) << eight.course.ranks;
}

TEST(EqsBatchRanks, RanksOfOneProcessAreInTheLog) {
  Batch b = films();
  b.spec.workers = 1;
  EXPECT_EQ(run_seated(b).course.ranks, "");
  b.machine.ranks.ranks = 4;
  const BatchOutcome four = run_seated(b);
  EXPECT_EQ(four.course.workers, 4u);
  EXPECT_EQ(four.course.ranks.find("ranks: 4 (of one process"), 0u) << four.course.ranks;
  EXPECT_NE(four.course.ranks.find("rank 3: cpu, 1 variant at a time, 1 thread each"), std::string::npos)
      << four.course.ranks;
  b.machine.ranks.ranks = 8;
  EXPECT_NE(run_seated(b).course.ranks.find("rank 7: nothing to compute"), std::string::npos);
}

TEST(EqsBatchRanks, ARefusedVariantLeavesTheOthersAndRowsAreTakenOver) {
  Batch b = films();
  b.cases[4].electrodes[0].waveform.amplitude = 0;  // nothing drives the field
  b.cases[4].electrodes[0].kind = ElectrodeSpec::Kind::ground;
  const BatchOutcome one = run_seated(b);
  sweep::Rows there = one.rows;
  for (std::size_t k = 2; k < there.size(); ++k) there[k].reset();
  const BatchOutcome two = on_ranks(2, b, {}, {}, there);
  EXPECT_EQ(two.taken_over, 2u);
  EXPECT_EQ(two.rows[4]->status, sweep::Status::failed);
  EXPECT_EQ(two.why_not(4), one.why_not(4));
  for (const std::size_t k : {0, 1, 2, 3, 5}) EXPECT_TRUE(BatchOutcome::is_done(two.rows[k])) << k;
  // nothing is left to do
  EXPECT_EQ(on_ranks(2, b, {}, {}, one.rows).taken_over, 6u);
  for (Simulation& sim : b.cases) sim.electrodes[0].kind = ElectrodeSpec::Kind::ground;
  EXPECT_THROW(on_ranks(2, b), BadInput);
}

TEST(EqsBatchRanks, AStopOfAnyRankEndsAll) {
  std::atomic<int> asked = 0;
  BatchWatch stops;
  stops.stop = [&] { return ++asked > 20; };
  EXPECT_THROW(on_ranks(2, films(), stops), run::Interrupted);
  asked = 0;
  EXPECT_THROW(on_ranks(2, films(), {}, stops), run::Interrupted);
}

using umov::test::text_of;

std::string table_of(const fs::path& folder) {
  return umov::test::table_without_times(folder / "variants.csv");
}

TEST(EqsBatchRanks, ProcessesOfMpirunLeaveTheTableAndFoldersOfOneRank) {
  const TemporaryFolder folder;
  std::string text = umov::test::two_layers("\n[time]\nend = 0.002\nstep = 5e-4\n[batch]\nfolders = true\n");
  text.replace(text.find("rms = 10e3"), 10, "rms = [8e3, 9e3, 10e3, 12e3]");
  folder.write("case.toml", text);
  const auto run = [&](const std::string& words, const std::string& before = "") {
    return umov::test::umov_in(folder.path(), "eqs --cpu --no-pictures " + words, before);
  };
  const auto one = run("case.toml --output-dir one");
  ASSERT_EQ(one.code, 0) << one.text;
  const auto threads = run("case.toml --ranks 2 --output-dir threads");
  ASSERT_EQ(threads.code, 0) << threads.text;
  EXPECT_EQ(threads.count("2 variants at a time, 1 thread each"), 1) << threads.text;
  EXPECT_EQ(table_of(folder / "one"), table_of(folder / "threads"));
  for (const std::string mpi : {"openmpi", "mpich"}) {
    const std::string launcher = umov::test::mpirun(mpi, 2);
    if (launcher.empty()) continue;
    const auto two = run("case.toml --output-dir " + mpi, launcher);
    ASSERT_EQ(two.code, 0) << two.text;
    EXPECT_EQ(table_of(folder / "one"), table_of(folder / mpi));
    EXPECT_NE(text_of(folder / (mpi + "/log")).find("ranks: 2"), std::string::npos);
    for (const std::string k : {"1", "2", "3", "4"})
      EXPECT_EQ(text_of(folder / ("one/variant_000" + k + "/history.csv")),
                text_of(folder / (mpi + "/variant_000" + k + "/history.csv")));
    // finished: said once, and all processes end
    const auto again = run("--resume " + mpi, launcher);
    EXPECT_EQ(again.code, 0) << again.text;
    EXPECT_EQ(again.count("is finished"), 1) << again.text;
    // rows of another number of ranks are taken over
    std::string longer = text;
    longer.replace(longer.find("[8e3, 9e3"), 9, "[7e3, 8e3");
    folder.write("longer.toml", longer);
    const auto more = run("longer.toml --resume " + mpi + " --folders", launcher);
    EXPECT_EQ(more.code, 0) << more.text;
    EXPECT_EQ(more.count("4 variants, 2 of them taken over"), 1) << more.text;
  }
}

}  // namespace
}  // namespace umov::eqs::test
