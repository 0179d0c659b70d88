// Sweeps on several devices: the same tables as on one, and what becomes of rows when a run or a device ends.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "harmonic/command/command.hpp"
#include "harmonic/devices.hpp"
#include "harmonic/run/row_book.hpp"
#include "harmonic/same_outcome.hpp"

namespace umov::harmonic {
namespace {

namespace fs = std::filesystem;

class HarmonicDevices : public testing::Test {
 protected:
  HarmonicDevices() : folder_(fs::temp_directory_path() / ("umov_devices_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~HarmonicDevices() override { fs::remove_all(folder_); }

  Request asked(std::vector<std::string> flags = {}) const {
    const auto file = (folder_ / "case.toml").string();
    std::ofstream(file) << rough_film;
    flags.insert(flags.begin(), file);
    return parse(flags);
  }
  Simulation parsed(std::vector<std::string> flags = {}) const { return asked(std::move(flags)).simulation; }
  Sweep sweep(const Simulation& sim, int workers, bool resume = false) const {
    Sweep s;
    s.state_file = (folder_ / "checkpoint").string();
    s.settings = shared_settings(sim, plan(sim).cell.grid);
    s.resume = resume;
    for (int w = 0; w < workers; ++w) s.devices.push_back(w);
    return s;
  }

  fs::path folder_;
};

/// The rows of workers that compute nothing, and what is told of them.
struct Team {
  Team(std::vector<double> wavelengths, std::vector<std::string> workers, const Sweep& sweep = {},
       const RunObserver& observer = {}, const std::string& settings = "")
      : sweep(sweep), journal(observer), book(this->sweep, journal, rows_of(wavelengths), {settings, {}}) {
    ledger.open(workers.size());
    book.open(std::move(workers));
  }
  static std::vector<Row> rows_of(const std::vector<double>& wavelengths) {
    std::vector<Row> rows;
    for (const double w : wavelengths) rows.push_back({w, {}});
    return rows;
  }
  void begin(int worker, const std::string& what) {
    ledger.tell(worker, packed(RowNews{RowNews::Kind::begun, what, {}}, visit_news));
  }
  void iterate(int worker, long iteration) {
    ledger.tell(worker, packed(RowNews{RowNews::Kind::iterated, {}, {}, 's', iteration, 0.1}, visit_news));
  }
  void finish(int worker, double wavelength, const std::string& device = "") {
    FoundRow found{{{wavelength, {}}, {{}}, {}}, {}};
    found.report.device = device;
    ledger.finish(worker, packed(found, visit_found));
  }
  void leave_out(int worker, const std::string& why) {
    ledger.leave_out(worker, std::make_exception_ptr(MachineFailure(why)));
  }
  Sweep sweep;
  Journal journal;
  RowBook book;
  run::Ledger ledger{sweep, book, book.open_rows()};
};

int rows_of_shares(const Outcome& o, int& workers) {
  int rows = 0;
  workers = 0;
  for (const auto& note : o.notes)
    if (const auto at = note.find(" computed "); at != std::string::npos) {
      rows += std::stoi(note.substr(at + 10));
      ++workers;
    }
  return rows;
}

TEST_F(HarmonicDevices, SeveralWorkersLeaveTheTablesOfOne) {
  const Simulation sim = parsed();
  const Outcome one = run(sim);
  ASSERT_EQ(one.rows.size(), 12u);
  EXPECT_TRUE(one.converged);
  for (const int workers : {2, 3}) {
    int solves = 0;
    RunObserver observer;
    std::string stage;
    observer.stage = [&](const std::string& text) { ++solves, stage = text; };
    std::set<std::thread::id> threads;
    Sweep s = sweep(sim, workers);
    s.stop = [&] { return threads.insert(std::this_thread::get_id()), false; };
    s.fields = [&](const SolvedFields& f) {
      EXPECT_EQ(f.row.wavelength, 0.55);
      EXPECT_EQ(f.outcome.planes, one.planes);
    };
    const Outcome o = run(sim, {}, observer, s);
    expect_same(o, one);
    int at_work = 0;
    EXPECT_EQ(rows_of_shares(o, at_work), 12);
    EXPECT_LE(at_work, workers);
    EXPECT_EQ(threads.count(std::this_thread::get_id()), 0u);
    EXPECT_GT(solves, 0);
    EXPECT_NE(stage.find(" on worker "), std::string::npos) << stage;
  }
}

TEST_F(HarmonicDevices, AStoppedSweepGoesOnWithAnotherNumberOfWorkers) {
  const Simulation sim = parsed();
  const Outcome whole = run(sim);
  Sweep s = sweep(sim, 3);
  s.how_to_go_on = "--resume";
  Outcome left;
  int asked = 0;
  s.stop = [&] { return asked++ == 7; };
  s.stopped = [&](const Outcome& o) { left = o; };
  std::string said;
  try {
    run(sim, {}, {}, s);
  } catch (const run::Interrupted& e) {
    said = e.what();
  }
  // seven rows were begun, of which two workers may have been at one each
  ASSERT_GE(left.rows.size(), 5u);
  ASSERT_LE(left.rows.size(), 7u);
  EXPECT_NE(said.find(std::to_string(left.rows.size()) + " of 12 rows"), std::string::npos) << said;
  const Outcome o = run(sim, {}, {}, sweep(sim, 2, true));
  EXPECT_EQ(o.taken_over, left.rows.size());
  expect_same(o, whole);
}

TEST_F(HarmonicDevices, AStopInTheMiddleOfASolveStopsAllWorkers) {
  const Simulation sim = parsed();
  RunObserver observer;
  Sweep s = sweep(sim, 3);
  int begun = 0, heard = 0;
  s.stop = [&] { return ++begun, false; };
  observer.iteration = [&](char, long, double) { return begun < 3 || ++heard < 2; };
  EXPECT_THROW(run(sim, {}, observer, s), run::Interrupted);
  EXPECT_EQ(heard, 2);
}

TEST_F(HarmonicDevices, AnErrorOfOneWorkerLeavesTheRowsOfTheOthers) {
  const Simulation sim = parsed();
  const Outcome whole = run(sim);
  Sweep s = sweep(sim, 3);
  Outcome left;
  int begun = 0;
  s.stop = [&] { return ++begun, false; };
  s.stopped = [&](const Outcome& o) { left = o; };
  RunObserver observer;
  std::vector<std::string> warnings;
  observer.warning = [&](const std::string& text) { warnings.push_back(text); };
  bool burns = false;
  observer.iteration = [&](char, long, double) {
    if (begun >= 3 && !std::exchange(burns, true)) throw MachineFailure("the device is on fire; use another");
    return true;
  };
  try {
    run(sim, {}, observer, s);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Exit::machine);
    EXPECT_STREQ(e.what(), "the device is on fire; use another");
  }
  // whatever was begun is finished, but for the one row
  EXPECT_EQ(left.rows.size(), std::size_t(begun - 1));
  for (const auto& text : warnings)
    EXPECT_NE(text.find(" failed; the others finish"), std::string::npos) << text;
  const Outcome o = run(sim, {}, {}, sweep(sim, 2, true));
  EXPECT_EQ(o.taken_over, left.rows.size());
  expect_same(o, whole);
}

TEST_F(HarmonicDevices, ADeviceThatCannotBeginGivesItsRowToTheOthers) {
  Team t({0.5, 0.6}, {"GPU 0", "GPU 1"});
  EXPECT_EQ(t.ledger.next(1), 0u);
  EXPECT_EQ(t.ledger.next(0), 1u);
  t.finish(0, 0.6);
  // no row is left, but GPU 1 may give its own back
  std::optional<std::size_t> got;
  std::thread other([&] { got = t.ledger.next(0); });
  t.leave_out(1, "not enough memory");
  other.join();
  EXPECT_EQ(got, 0u);
  ASSERT_EQ(t.journal.warnings().size(), 1u);
  EXPECT_EQ(t.journal.warnings()[0], "GPU 1 is left out, rows go to the others: not enough memory");
  t.finish(0, 0.5);
  EXPECT_EQ(t.ledger.next(0), std::nullopt);
  EXPECT_NO_THROW(t.ledger.rethrow());
  const auto sorted = t.book.in_order();
  ASSERT_EQ(sorted.size(), 2u);
  EXPECT_EQ(sorted[0].first->row.wavelength, 0.5);
}

TEST_F(HarmonicDevices, TheSetUpOfEveryRowAndSolveIsToldUntilItsFirstIteration) {
  RunObserver o;
  std::vector<bool> told;
  o.set_up = [&](bool on) { told.push_back(on); };
  const auto heard = [&] { return std::exchange(told, {}); };
  using Told = std::vector<bool>;
  Team t({0.5, 0.6, 0.7}, {"GPU 0", "GPU 1"}, {}, o);
  ASSERT_EQ(t.ledger.next(0), 0u);
  t.begin(0, "0.5 um s");
  EXPECT_EQ(heard(), Told{true});
  t.iterate(0, 1);
  EXPECT_EQ(heard(), Told{false});
  ASSERT_EQ(t.ledger.next(1), 1u);
  t.iterate(0, 2);
  EXPECT_EQ(heard(), Told{true}) << "another worker iterates meanwhile";
  t.begin(1, "0.6 um s");
  t.iterate(1, 1);
  EXPECT_EQ(heard(), Told{false});
  t.begin(0, "0.5 um p");
  t.finish(0, 0.5);  // flat cells iterate nothing
  EXPECT_EQ(heard(), (Told{true, false}));
  ASSERT_EQ(t.ledger.next(0), 2u);
  t.ledger.fail(0, std::make_exception_ptr(MachineFailure("on fire")));
  EXPECT_EQ(heard(), (Told{true, false}));
}

TEST_F(HarmonicDevices, AFinishedRowIsInTheFileBeforeTheNextIsBegun) {
  const Simulation sim = parsed();
  const Sweep s = sweep(sim, 1);
  int kept = 0;
  RunObserver o;
  o.kept = [&] { ++kept; };
  Team t({0.5, 0.6}, {"worker 0"}, s, o, s.settings);
  ASSERT_EQ(t.ledger.next(0), 0u);
  t.begin(0, "0.5 um s");
  EXPECT_FALSE(fs::exists(s.state_file)) << "nothing is finished";
  t.finish(0, 0.5);
  EXPECT_EQ(load_sweep_state(s.state_file, s.settings).rows.size(), 1u);
  ASSERT_EQ(t.ledger.next(0), 1u);
  t.finish(0, 0.6);
  EXPECT_EQ(load_sweep_state(s.state_file, s.settings).rows.size(), 2u);
  EXPECT_EQ(kept, 1);
}

TEST_F(HarmonicDevices, RowsGoToAllGpusThatRowsAndMemoryKeepBusy) {
  DeviceQuestion q;
  q.there = {0, 1, 3, 4};
  q.rows = 100;
  q.host_bytes = 1e9;
  q.host_free = 1e10;
  const auto chosen = [&](auto change) {
    DeviceQuestion other = q;
    change(other);
    return choose_devices(other);
  };
  EXPECT_EQ(choose_devices(q).devices, q.there);
  EXPECT_EQ(chosen([](auto& o) { o.device = 3; }).devices, std::vector<int>{3});
  EXPECT_EQ(chosen([](auto& o) { o.rows = 2; }).devices, (std::vector<int>{0, 1}));
  EXPECT_EQ(chosen([](auto& o) { o.rows = 1; }).note, "");
  EXPECT_EQ(chosen([](auto& o) { o.host_free = 0; }).devices, q.there);  // memory not known
  const auto few = chosen([](auto& o) { o.host_bytes = 4e9; });
  EXPECT_EQ(few.devices, (std::vector<int>{0, 1}));
  EXPECT_NE(few.note.find("rows go to 2 of 4 GPUs: each takes "), std::string::npos) << few.note;
  EXPECT_EQ(chosen([](auto& o) { o.host_bytes = 1e11; }).devices, std::vector<int>{0});
}

TEST_F(HarmonicDevices, AGpuComputesTwoRowsAtOnceWhereBothFit) {
  DeviceQuestion q;
  q.there = {0, 1};
  q.rows = 100;
  q.rows_at_once = 0;
  q.device_bytes = 40e9;
  q.device_free = 140e9;
  q.host_bytes = 1e9;
  q.host_free = 1e10;
  EXPECT_EQ(choose_devices(q).devices, (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(choose_devices(q).note, "rows go to 2 of 2 GPUs, 2 rows at once on each GPU");
  q.device = 1;
  EXPECT_EQ(choose_devices(q).devices, (std::vector<int>{1, 1}));
  EXPECT_EQ(choose_devices(q).note, "2 rows at once on each GPU");
  q.device = -1;
  q.rows = 3;  // too few for two each
  EXPECT_EQ(choose_devices(q).devices, (std::vector<int>{0, 1}));
  q.rows = 100;
  q.device_bytes = 70e9;  // two do not fit
  EXPECT_EQ(choose_devices(q).devices, (std::vector<int>{0, 1}));
  q.device_bytes = 40e9;
  q.host_bytes = 4e9;
  EXPECT_EQ(choose_devices(q).devices, (std::vector<int>{0, 1}));
  q.rows_at_once = 3;  // as asked for
  EXPECT_EQ(choose_devices(q).devices, (std::vector<int>{0, 1, 0, 1, 0, 1}));
  q.rows = 5;
  EXPECT_EQ(choose_devices(q).devices.size(), 5u);
}

TEST_F(HarmonicDevices, TwoWorkersOfADeviceAreToldAsOne) {
  Team t({0.5, 0.6, 0.7}, {"GPU 0", "GPU 0"});
  for (const int worker : {0, 1, 0}) {
    const auto row = t.ledger.next(worker);
    ASSERT_TRUE(row);
    t.begin(worker, "a row");
    t.finish(worker, 0.5 + 0.1 * double(*row), "a card");
  }
  EXPECT_EQ(t.book.devices(), "a card");
  EXPECT_EQ(t.book.shares(), std::vector<std::string>{"GPU 0 (a card) computed 3 of 3 rows: 1, 2, 3"});
}

TEST_F(HarmonicDevices, AWorkerThatFindsNoRoomBesideItsTwinLeavesQuietly) {
  Team t({0.5, 0.6}, {"GPU 0", "GPU 0"});
  ASSERT_TRUE(t.ledger.next(0));
  ASSERT_TRUE(t.ledger.next(1));
  t.leave_out(1, "no memory");
  EXPECT_TRUE(t.journal.warnings().empty());
  ASSERT_EQ(t.journal.notes().size(), 1u);
  EXPECT_EQ(t.journal.notes()[0], "GPU 0 computes fewer rows at once: no memory");
}

TEST_F(HarmonicDevices, ADeviceThatIsNamedComputesAlone) {
  EXPECT_EQ(asked({"--gpu"}).given.machine.device, -1);
  EXPECT_EQ(asked({"--device", "gpu"}).given.machine.device, -1);
  const Request named = asked({"--device", "2"});
  EXPECT_EQ(named.given.machine.device, 2);
  EXPECT_EQ(plan(named.simulation, named.given.machine).devices, std::vector<int>{2});
  EXPECT_EQ(plan(parsed()).devices.size(), 1u);
  // where a row was computed is no part of what rows share
  EXPECT_EQ(shared_settings(named.simulation, {}),
            shared_settings(parsed({"--gpu", "--rows-at-once", "2"}), {}));
}

}  // namespace
}  // namespace umov::harmonic
