// Cases shared by workers, on one rank and on several, and the file that their rows go to.
#include "run/ledger.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <thread>

#include "comm/in_process.hpp"
#include "core/error.hpp"
#include "run/block_file.hpp"
#include "run/ledger_ranks.hpp"
#include "support/temp_folder.hpp"

namespace umov::run {
namespace {

namespace fs = std::filesystem;

Packed text(const std::string& words) { return packed(words, as_it_is); }
std::string words(const Packed& bytes) { return unpacked<std::string>(bytes, as_it_is); }

/// Writes down what it hears.
struct Notes final : Listener {
  void taken(int, std::size_t) override { most = std::max(most, running()); }
  bool told(int, std::size_t k, const Packed& m) override {
    said.push_back(std::to_string(k) + ": " + words(m));
    return !deaf;
  }
  void finished(int, std::size_t k, const Packed& found) override {
    if (full) throw MachineFailure("the disk is full; make room");
    rows[k] = words(found);
  }
  void left_out(int, std::size_t k, const std::string& why) override {
    said.push_back(std::to_string(k) + " goes to the others: " + why);
  }
  void failed(int, bool others) override { said.push_back(others ? "failed beside others" : "failed"); }
  void left(int worker) override { gone.push_back(worker); }

  std::map<std::size_t, std::string> rows;
  std::vector<std::string> said;
  std::vector<int> gone;
  std::size_t most = 0;
  bool deaf = false, full = false;
};

std::vector<std::size_t> first(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t(0));
  return all;
}

std::exception_ptr no_memory() { return std::make_exception_ptr(MachineFailure("no memory")); }

std::string error_of(const Ledger& ledger) {
  try {
    ledger.rethrow();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(RunLedger, WorkersApartHaveTheCasesOfTheirOwnGroupInTheirOrder) {
  Notes notes;
  const Control none;
  const std::vector<std::uint64_t> groups{1, 0, 1, 1, 0, 2, 2};
  Ledger ledger(none, notes, first(7), groups);
  ledger.open_apart(4);
  std::vector<std::vector<std::size_t>> had(4);
  // one after the other: whoever has none of its own left takes nothing of those that wait
  for (const int w : {3, 1, 0, 2})
    work(
        ledger, w,
        [&](std::size_t k) {
          had[std::size_t(w)].push_back(k);
          return std::optional(text("done"));
        },
        [] { return false; });
  EXPECT_EQ(had, (std::vector<std::vector<std::size_t>>{{1, 4}, {0, 2, 3}, {5, 6}, {}}));
  EXPECT_TRUE(ledger.over());
  EXPECT_EQ(notes.rows.size(), 7u);
}

TEST(RunLedger, EveryCaseHasItsRowFromSomeWorker) {
  Notes notes;
  const Control none;
  Ledger ledger(none, notes, first(50));
  ledger.open(3);
  work_on_threads(
      0, 3, 1,
      [&](int w) {
        work(
            ledger, w, [](std::size_t k) { return std::optional(text(std::to_string(k * k))); },
            [] { return false; });
      },
      [] {});
  ASSERT_EQ(notes.rows.size(), 50u);
  for (const auto& [k, row] : notes.rows) EXPECT_EQ(row, std::to_string(k * k));
  EXPECT_LE(notes.most, 3u);
  EXPECT_TRUE(ledger.over());
  EXPECT_EQ(notes.gone.size(), 3u);
}

TEST(RunLedger, AWorkerStaysWithItsGroupAndOthersTakeOneThatNobodyIsAt) {
  Notes notes;
  const Control none;
  Ledger ledger(none, notes, first(6), {1, 1, 1, 2, 2, 2});
  ledger.open(3);
  EXPECT_EQ(ledger.next(0), 0u);
  EXPECT_EQ(ledger.next(1), 3u);
  EXPECT_EQ(ledger.next(2), 1u);  // somebody is at each
  ledger.finish(1, text(""));
  EXPECT_EQ(ledger.next(1), 4u);
  ledger.finish(0, text(""));
  EXPECT_EQ(ledger.next(0), 2u);
}

TEST(RunLedger, ACaseThatIsGivenBackGoesToAWorkerThatWaitsForIt) {
  Notes notes;
  const Control none;
  Ledger ledger(none, notes, first(1));
  ledger.open(2);
  EXPECT_EQ(ledger.next(0), 0u);
  std::optional<std::size_t> got;
  std::jthread other([&] { got = ledger.next(1); });
  ledger.leave_out(0, no_memory());
  other.join();
  EXPECT_EQ(got, 0u);
  EXPECT_EQ(notes.said, std::vector<std::string>{"0 goes to the others: no memory"});
  EXPECT_EQ(error_of(ledger), "");
  // the last worker has no others
  ledger.leave_out(1, no_memory());
  EXPECT_EQ(error_of(ledger), "no memory");
  EXPECT_TRUE(ledger.over());
}

TEST(RunLedger, AnErrorEndsTheRunAndOthersFinishTheirCases) {
  Notes notes;
  const Control none;
  Ledger ledger(none, notes, first(5));
  ledger.open(2);
  ASSERT_TRUE(ledger.next(0));
  ASSERT_TRUE(ledger.next(1));
  ledger.fail(0, std::make_exception_ptr(BadInput("bad")));
  EXPECT_TRUE(ledger.go_on());
  ledger.finish(1, text("one"));
  EXPECT_EQ(ledger.next(1), std::nullopt);
  EXPECT_EQ(notes.rows.size(), 1u);
  EXPECT_EQ(notes.said, std::vector<std::string>{"failed beside others"});
  EXPECT_EQ(error_of(ledger), "bad");
}

TEST(RunLedger, ARowThatCannotBeKeptEndsTheRun) {
  Notes notes;
  notes.full = true;
  const Control none;
  Ledger ledger(none, notes, first(5));
  ledger.open(1);
  work(
      ledger, 0, [](std::size_t) { return std::optional(text("")); }, [] { return true; });
  EXPECT_EQ(error_of(ledger), "the disk is full; make room");
}

TEST(RunLedger, AStopEndsCasesUnderWayAndEnoughLetsThemFinish) {
  Notes notes;
  bool stop = false, enough = false;
  const Control control{[&] { return stop; }, [&] { return enough; }, {}, {}};
  Ledger ledger(control, notes, first(5));
  ledger.open(2);
  ASSERT_TRUE(ledger.next(0));
  enough = true;
  EXPECT_TRUE(ledger.go_on());
  EXPECT_EQ(ledger.next(1), std::nullopt);
  EXPECT_TRUE(ledger.had_enough());
  EXPECT_FALSE(ledger.stopped());
  stop = true;
  EXPECT_FALSE(ledger.go_on());
  EXPECT_FALSE(ledger.tell(0, text("late")));
  EXPECT_TRUE(notes.said.empty());
  ledger.leave(0);
  EXPECT_TRUE(ledger.stopped());
  EXPECT_EQ(error_of(ledger), "");
}

TEST(RunLedger, AListenerThatHasHeardEnoughStopsTheRun) {
  Notes notes;
  const Control none;
  Ledger ledger(none, notes, first(2));
  ledger.open(1);
  ASSERT_TRUE(ledger.next(0));
  EXPECT_TRUE(ledger.tell(0, text("a")));
  notes.deaf = true;
  EXPECT_FALSE(ledger.tell(0, text("b")));
  EXPECT_TRUE(ledger.stopped());
}

TEST(RunLedger, AHeldRunBeginsNothingUntilItIsReleasedOrStopped) {
  for (const bool by_stop : {false, true}) {
    Notes notes;
    std::atomic<bool> held = true, stop = false;
    const Control control{[&] { return stop.load(); },
                          {},
                          [&] { return held.load(); },
                          [&](const std::function<bool()>& over) {
                            while (held && !over()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                          }};
    Ledger ledger(control, notes, first(1));
    ledger.open(1);
    EXPECT_EQ(ledger.next_now(0), std::nullopt);
    std::optional<std::size_t> got;
    std::jthread worker([&] { got = ledger.next(0); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(notes.most, 0u);
    (by_stop ? stop : held) = by_stop;
    worker.join();
    EXPECT_EQ(got.has_value(), !by_stop);
    EXPECT_EQ(ledger.stopped(), by_stop);
  }
}

/// Three ranks with two workers each, whose cases are computed by `compute`; what rank 0 hears, and the error
/// that ended the run.
std::string on_ranks(
    Notes& notes, std::size_t cases,
    const std::function<std::optional<Packed>(CaseSource&, int worker, std::size_t)>& compute,
    const std::function<bool(int rank)>& stop = {}) {
  std::string error;
  comm::run_in_process(3, [&](comm::Communicator& comm) {
    Control control;
    if (stop) control.stop = [&, rank = comm.rank()] { return stop(rank); };
    const auto numbers = number_workers(comm, 2);
    EXPECT_EQ(numbers.first, 2 * comm.rank());
    EXPECT_EQ(numbers.all, 6u);
    const auto run = [&](CaseSource& source, const std::function<void()>& serve) {
      work_on_threads(
          numbers.first, 2, 1,
          [&](int w) {
            work(
                source, w, [&](std::size_t k) { return compute(source, w, k); }, [] { return true; });
          },
          serve);
    };
    if (!comm.first()) {
      RemoteLedger source(control.stop);
      return run(source, [&] { source.serve(comm); });
    }
    Ledger ledger(control, notes, first(cases));
    ledger.open(numbers.all);
    run(ledger, [&] { serve_ranks(comm, ledger); });
    error = ledger.stopped() ? "stopped" : error_of(ledger);
  });
  return error;
}

/// Ten seconds at most: a busy machine, and no endless test.
void wait_for(const std::function<bool()>& done) {
  for (int k = 0; k < 10000 && !done(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(RunLedgerOnRanks, EveryCaseHasItsRowAndMessagesComeBeforeIt) {
  Notes notes;
  std::atomic<int> at_work[3] = {};
  const auto compute = [&](CaseSource& source, int worker, std::size_t k) {
    ++at_work[worker / 2];
    source.tell(worker, text("begun"));
    for (int i = 0; i < 20; ++i) source.tell(worker, text(std::to_string(i)), true);
    wait_for([&] { return at_work[0] && at_work[1] && at_work[2]; });
    return std::optional(text(std::to_string(k)));
  };
  EXPECT_EQ(on_ranks(notes, 60, compute), "");
  ASSERT_EQ(notes.rows.size(), 60u);
  for (const auto& [k, row] : notes.rows) {
    EXPECT_EQ(row, std::to_string(k));
    for (const char* message : {": begun", ": 19"})
      EXPECT_EQ(std::ranges::count(notes.said, std::to_string(k) + message), 1) << k << message;
  }
  for (const auto& rank : at_work) EXPECT_GT(rank, 0);
}

TEST(RunLedgerOnRanks, ADeviceThatFailsElsewhereGivesItsCaseToOthers) {
  Notes notes;
  std::atomic<int> failed = 0;
  const auto compute = [&](CaseSource&, int worker, std::size_t k) {
    if (worker == 2 || worker == 5) {
      ++failed;
      throw MachineFailure("no memory");
    }
    wait_for([&] { return failed == 2; });
    return std::optional(text(std::to_string(k)));
  };
  EXPECT_EQ(on_ranks(notes, 40, compute), "");
  EXPECT_EQ(notes.rows.size(), 40u);
  ASSERT_EQ(notes.said.size(), 2u);
  EXPECT_NE(notes.said[0].find("goes to the others: no memory"), std::string::npos);
}

TEST(RunLedgerOnRanks, AnErrorElsewhereEndsTheRunWithItsWords) {
  Notes notes;
  std::atomic<bool> failed = false;
  const auto compute = [&](CaseSource&, int worker, std::size_t) {
    if (worker == 3) {
      failed = true;
      throw BadInput("what went wrong");
    }
    wait_for([&] { return failed.load(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::optional(text(""));
  };
  EXPECT_EQ(on_ranks(notes, 100000, compute), "what went wrong");
  EXPECT_LT(notes.rows.size(), 100000u);
}

TEST(RunLedgerOnRanks, AStopOfAnyRankEndsAll) {
  for (const int rank : {0, 2}) {
    Notes notes;
    std::atomic<int> begun = 0;
    const auto compute = [&](CaseSource& source, int, std::size_t) -> std::optional<Packed> {
      ++begun;
      while (source.go_on()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return {};
    };
    EXPECT_EQ(on_ranks(notes, 100, compute, [&](int r) { return r == rank && begun >= 4; }), "stopped");
    EXPECT_TRUE(notes.rows.empty());
  }
}

constexpr StateFormat format{{'U', 'M', 'T', 'E', 'S', 'T', '0', '1'}, "umov test"};

std::string refusal(const std::string& path, std::size_t heads = 1) {
  try {
    read_blocks(path, format, heads);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

TEST(RunBlockFile, IsReadUpToTheLastWholeBlock) {
  const test::TempFolder folder;
  const std::string path = folder / "rows";
  {
    BlockFile file(path, format, {text("head"), text("kept")});
    file.add(text("added"));
    BlockFile moved = std::move(file);
    moved.add(text(""));
  }
  std::vector<std::string> all;
  for (const Packed& block : read_blocks(path, format, 1)) all.push_back(words(block));
  EXPECT_EQ(all, (std::vector<std::string>{"head", "kept", "added", ""}));
  fs::resize_file(path, fs::file_size(path) - 1);
  EXPECT_EQ(read_blocks(path, format, 1).size(), 3u);
  std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(
      std::streamoff(8 + 8 + 8 + 4 + 8 + 8 + 8));  // mark; head: length, its text, digest; then "kept"
  bytes.put('K');
  bytes.close();
  EXPECT_EQ(read_blocks(path, format, 1).size(), 1u);
  EXPECT_NE(refusal(path, 2).find("damaged"), std::string::npos);
}

TEST(RunBlockFile, HasNoPartOfABlockThatDidNotFit) {
  const test::TempFolder folder;
  const std::string path = folder / "rows";
  BlockFile file(path, format, {text("head")});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto at_limit = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{fs::file_size(path) + 20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  EXPECT_THROW(file.add(text("more than twenty bytes")), Error);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, at_limit);
  EXPECT_EQ(read_blocks(path, format, 1).size(), 1u);
  file.add(text("after"));
  EXPECT_EQ(read_blocks(path, format, 1).size(), 2u);
}

TEST(RunBlockFile, OfSomethingElseIsRefusedWithTheReason) {
  const test::TempFolder folder;
  const std::string path = folder / "rows";
  EXPECT_NE(refusal(path).find("is missing"), std::string::npos);
  const auto written = [&](const std::string& bytes) {
    std::ofstream(path) << bytes;
    return refusal(path);
  };
  EXPECT_NE(written("something else").find("not a checkpoint of umov test"), std::string::npos);
  EXPECT_NE(written("").find("not a checkpoint of umov test"), std::string::npos);
  EXPECT_NE(written("UMTEST02").find("another version"), std::string::npos);
  EXPECT_NE(written("UMTEST01").find("damaged"), std::string::npos);
}

TEST(RunBlockFile, SettingsThatDifferAreNamedWithTheirTable) {
  const std::string a = "x = 1\n[[layer]]\nd = 2\n[[layer]]\nd = 3  # um\n";
  EXPECT_NO_THROW(require_same_settings("f", "rows", "x may differ", a, a));
  try {
    require_same_settings("f", "rows", "x may differ", a, "x = 1\n[[layer]]\nd = 2\n[[layer]]\nd = 4\n");
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_STREQ(e.what(),
                 "f: the finished rows are of another case: it has '[[layer]] 2: d = 3', this one '[[layer]] "
                 "2: d = 4' (x may differ); continue with the case of that run, or give another folder");
  }
}

}  // namespace
}  // namespace umov::run
