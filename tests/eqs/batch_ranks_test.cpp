// Variants on ranks of their own: rows of one rank, failures, stops, and `umov eqs` with lists by mpirun.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <set>

#include "comm/in_process.hpp"
#include "eqs/run/batch.hpp"
#include "run/observer.hpp"
#include "support/eqs_cases.hpp"
#include "support/eqs_runs.hpp"
#include "support/ranked_tables.hpp"

namespace umov::eqs::test {
namespace {

namespace fs = std::filesystem;
using umov::test::TemporaryFolder;

Batch films() {
  Batch b;
  b.parameters = {{"thickness", "m", {"layer[0].thickness"}, {1e-3, 2e-3}, false},
                  {"voltage", "V", {"electrode[0].amplitude"}, {5e3, 10e3, 15e3}, false}};
  for (const double t : {1e-3, 2e-3})
    for (const double v : {5e3, 10e3, 15e3}) {
      Simulation s =
          column({layer("film", t, 3), layer("air", 2e-3, 3)},
                 {material("film", constant(12), microvaristor()), material("air", constant(1), constant(0))},
                 sine(v, 50, 0, WaveformSpec::Ramp::linear), 2e-3, 2);
      s.time.periods = 0.1;
      s.outputs.vtk = s.outputs.pictures = false;
      s.backend = "cpu";
      s.threads = 1;
      b.variants.push_back({t, v});
      b.cases.push_back(s);
    }
  b.spec.workers = 1;
  return b;
}

/// Rank 0's outcome of a batch on so many ranks.
BatchOutcome on_ranks(int ranks, const Batch& b, const BatchObserver& watch = {},
                      const BatchObserver& others = {}) {
  BatchOutcome out;
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    BatchOutcome mine = run_batch(comm, b, comm.first() ? watch : others);
    if (comm.first()) out = std::move(mine);
  });
  return out;
}

void expect_same_rows(const BatchOutcome& a, const BatchOutcome& b) {
  ASSERT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < a.rows.size(); ++k)
    for (std::size_t c = 0; c < a.columns.size(); ++c)
      if (a.columns[c].name != "seconds") {
        EXPECT_EQ(a.rows[k].values[c], b.rows[k].values[c]) << k << " " << a.columns[c].name;
      }
}

TEST(EqsBatchRanks, RowsHaveTheBitsOfOneRank) {
  const Batch b = films();
  const BatchOutcome one = run_batch(b, {});
  std::set<std::size_t> here, elsewhere, rows;  // outcomes are heard of by one thread at a time
  BatchObserver watch, others;
  watch.computed = [&](std::size_t k, const Outcome&) { here.insert(k); };
  others.computed = [&](std::size_t k, const Outcome&) { elsewhere.insert(k); };
  watch.solved = [&](std::size_t k, const BatchRow&, const auto& columns) {
    EXPECT_FALSE(columns.empty());
    rows.insert(k);
  };
  const BatchOutcome three = on_ranks(3, b, watch, others);
  expect_same_rows(one, three);
  EXPECT_EQ(three.workers, 3u);
  EXPECT_NE(three.ranks.find("ranks: 3"), std::string::npos) << three.ranks;
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
  EXPECT_EQ(four.workers, 6u);
  ASSERT_EQ(four.notes.size(), 1u);
  EXPECT_EQ(four.notes[0], "6 variants at a time on 4 ranks");
  EXPECT_NE(four.ranks.find("rank 1: cpu, 2 variants at a time"), std::string::npos) << four.ranks;
  EXPECT_NE(four.ranks.find("rank 2: cpu, 1 variant at a time"), std::string::npos) << four.ranks;
  const BatchOutcome eight = on_ranks(8, b);
  EXPECT_EQ(eight.notes[0], "6 variants at a time on 8 ranks");
  EXPECT_NE(eight.ranks.find("rank 7: nothing to compute"), std::string::npos) << eight.ranks;
}

TEST(EqsBatchRanks, RanksOfOneProcessAreInTheLog) {
  Batch b = films();
  b.spec.workers = 1;
  EXPECT_EQ(run_batch(b, {}).ranks, "");
  b.ranks = 4;
  const BatchOutcome four = run_batch(b, {});
  EXPECT_EQ(four.workers, 4u);
  EXPECT_EQ(four.ranks.find("ranks: 4 (of one process"), 0u) << four.ranks;
  EXPECT_NE(four.ranks.find("rank 3: cpu, 1 variant at a time, 1 thread each"), std::string::npos)
      << four.ranks;
  b.ranks = 8;
  EXPECT_NE(run_batch(b, {}).ranks.find("rank 7: nothing to compute"), std::string::npos);
}

TEST(EqsBatchRanks, ARefusedVariantLeavesTheOthersAndRowsAreTakenOver) {
  Batch b = films();
  b.cases[4].electrodes[0].waveform.amplitude = 0;  // nothing drives the field
  b.cases[4].electrodes[0].kind = ElectrodeSpec::Kind::ground;
  const BatchOutcome one = run_batch(b, {});
  BatchObserver watch;
  watch.columns = one.columns;
  watch.finished = [&](std::size_t k) { return k < 2 ? std::optional(one.rows[k]) : std::nullopt; };
  const BatchOutcome two = on_ranks(2, b, watch);
  EXPECT_EQ(two.taken_over, 2u);
  EXPECT_FALSE(two.rows[4].converged);
  EXPECT_EQ(two.rows[4].why_not, one.rows[4].why_not);
  for (const std::size_t k : {0, 1, 2, 3, 5}) EXPECT_TRUE(two.rows[k].converged) << k;
  // nothing is left to do
  watch.finished = [&](std::size_t k) { return std::optional(one.rows[k]); };
  EXPECT_EQ(on_ranks(2, b, watch).taken_over, 6u);
  for (Simulation& sim : b.cases) sim.electrodes[0].kind = ElectrodeSpec::Kind::ground;
  EXPECT_THROW(on_ranks(2, b), BadInput);
}

TEST(EqsBatchRanks, AStopOfAnyRankEndsAll) {
  std::atomic<int> asked = 0;
  BatchObserver stops;
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
