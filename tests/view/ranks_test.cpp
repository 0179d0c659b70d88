// Runs in time on several ranks with a viewer: one page for all of them, and results as without it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "fdtd/monitors/series.hpp"
#include "support/machines.hpp"
#include "support/ranked_program.hpp"
#include "view/viewed_run.hpp"

namespace umov::fdtd {
namespace {

namespace fs = std::filesystem;

/// Whole and reduced pictures of a run that is held at step 40.
std::vector<test::Frame> pictures(ViewedRun& viewed) {
  const auto v = viewed.viewer();
  v->ask({{"do", "step"}, {"n", 40}});
  v->send(subscribe(1, v->array("fields/Ez"), {{"encoding", "f32"}}));
  while (v->frame(1).step < 40) {
  }
  std::vector<test::Frame> frames;
  const auto take = [&](int sub, const char* array, Json more) {
    more["encoding"] = "f32";
    v->send(subscribe(sub, v->array(array), std::move(more)));
    frames.push_back(v->frame(std::uint32_t(sub)));
  };
  take(2, "fields/Hx", Json::object());
  take(3, "fields/E_magnitude", {{"region", {20, 10, 60, 50}}, {"pixels", {13, 7}}});
  take(4, "fields/H_intensity", {{"pixels", {37, 11}}});
  v->ask({{"do", "resume"}});
  return frames;
}

class ViewedRanks : public testing::TestWithParam<bool> {};

TEST_P(ViewedRanks, PicturesAndResultsAreThoseOfOneRank) {
  const Simulation sim = lit_box(GetParam());
  const Outcome alone = run(sim, umov::test::one_thread);
  ViewedRun one(sim), three(sim, 3);
  const auto expected = pictures(one), got = pictures(three);
  ASSERT_EQ(expected.size(), got.size());
  for (std::size_t n = 0; n < got.size(); ++n) {
    EXPECT_EQ(got[n].step, 40);
    ASSERT_EQ(got[n].shape, expected[n].shape);
    // A box that lies with two ranks is the mean of two means in float: 2^-23 of its largest cell.
    const double most = std::max(expected[n].high, -expected[n].low);
    EXPECT_GT(most, 0);
    for (std::size_t i = 0; i < got[n].values.size(); ++i)
      ASSERT_NEAR(got[n].values[i], expected[n].values[i], n == 0 ? 0 : 1e-6 * most);
  }
  expect_same(one.outcome(), alone);
  expect_same(three.outcome(), alone);
}

INSTANTIATE_TEST_SUITE_P(Kernels, ViewedRanks, testing::Bool(),
                         [](const auto& info) { return info.param ? "Tuned" : "Simple"; });

TEST(ViewedRanks, AStopEndsAllRanksWithResults) {
  Simulation sim = lit_box(true);
  sim.stop.steps = 2000000;
  ViewedRun viewed(sim, 2);
  const auto v = viewed.viewer();
  v->send(subscribe(1, v->array("fields/Ez")));
  v->ask({{"do", "resume"}});
  while (v->frame(1).step < 50) {
  }
  const auto named = [&](const std::string& part) {
    for (const auto& a : v->catalogue().at("arrays"))
      if (a.at("name").get<std::string>().find(part) != std::string::npos) return int(a.at("id"));
    return -1;
  };
  while (named("through/flux") < 0) v->text("catalogue");
  v->send(subscribe(2, named("through/flux")));
  EXPECT_EQ(v->frame(2).shape, (std::vector<std::uint32_t>{3, 2, 1})) << "transforms of all ranks";
  v->ask({{"do", "stop"}});
  const Outcome o = viewed.outcome();
  EXPECT_FALSE(o.converged);
  EXPECT_EQ(o.stop_reason, fmt::format("stopped in the view at step {}", o.steps));
  EXPECT_FALSE(o.of<SeriesResult>().at(0).value.empty());
  sim.stop.steps = o.steps;
  expect_same(o, run(sim, umov::test::one_thread));
}

TEST(ViewedRanks, AViewerMayGoWhileAllRanksAreHeld) {
  const Simulation sim = lit_box(true);
  ViewedRun viewed(sim, 2);
  {
    const auto v = viewed.viewer();
    v->ask({{"do", "step"}, {"n", 9}});
    v->send(subscribe(1, v->array("fields/Ez")));
    while (v->frame(1).step < 9) {
    }
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto v = viewed.viewer();
  v->send(subscribe(1, v->array("fields/Ez")));
  EXPECT_EQ(v->frame(1).step, 9) << "it is held";
  v->ask({{"do", "resume"}});
  expect_same(viewed.outcome(), run(sim, umov::test::one_thread));
}

TEST(ViewedRanks, OfAPairSideBySideTheRunIsSeen) {
  Simulation sim = lit_box(true);
  sim.normalize = true;
  Machine machine = umov::test::one_thread;
  machine.split = RankSplit::runs;
  const Outcome alone = run(sim, machine);
  ViewedRun viewed(sim, 2, 0, machine);
  const auto v = viewed.viewer();
  EXPECT_EQ(v->catalogue().at("cases")[0].at("name"), "run");
  v->send(subscribe(1, v->array("fields/Ez")));
  v->ask({{"do", "step"}, {"n", 12}});
  while (v->frame(1).step < 12) {
  }
  v->ask({{"do", "resume"}});
  expect_same(viewed.outcome(), alone);
}

TEST(ViewedRanks, AnErrorOfAnotherRankEndsARunThatIsLookedAt) {
  const Simulation sim = lit_box(true);
  command::LiveView view({.on = true}, "test");
  view.hub().begin_run();
  const auto steps = [](long most) {
    RunObserver o;
    o.step = [most](const StepReport& r) {
      if (r.step >= most) throw MachineFailure("a disk is full; make room");
      return true;
    };
    return o;
  };
  try {
    comm::run_in_process(2, [&](comm::Communicator& comm) {
      LiveRun live(view, sim);
      LiveFollower follower;
      RunObserver o = steps(comm.first() ? 1000000 : 100);
      o.watcher = comm.first() ? static_cast<MarchWatcher*>(&live) : &follower;
      run(sim, umov::test::one_thread, o, comm);
    });
    FAIL() << "nothing was thrown";
  } catch (const MachineFailure& e) {
    EXPECT_STREQ(e.what(), "a disk is full; make room");
  }
}

TEST(ViewedRanksProgram, PaintedGlassRestartsTheRunOnAllThreads) {
  test::TemporaryFolder folder;
  draw_gap(folder);
  test::Program program(folder, "fdtd gap.png --steps 100000000 --view-paused --ranks 2 --output-dir out");
  const Address at = address_of(program);
  test::Viewer v(at.port, at.token);
  v.send(subscribe(1, v.array("fields/Ez")));
  v.ask({{"do", "step"}, {"n", 3}});
  while (v.frame(1).step < 3) {
  }
  const int generation = v.catalogue().at("generation");
  EXPECT_EQ(v.ask({{"do", "paint"}, {"rgb", {0, 255, 0}}, {"rects", {{30, 0, 4, 40}}}}).at("type"), "done");
  while (v.catalogue().at("generation") == generation) v.text("catalogue");
  v.send(subscribe(2, v.array("model/permittivity"), {{"encoding", "f32"}}));
  EXPECT_GT(v.frame(2).high, 5) << "the wall of glass";
  v.send(subscribe(3, v.array("fields/Ez")));
  v.ask({{"do", "resume"}});
  while (v.frame(3).step < 50) {
  }
  v.ask({{"do", "stop"}});
  while (v.text("state").at("state") != "finished") {
  }
  EXPECT_TRUE(fs::exists(folder / "out/results.vtkhdf"));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 3);
}

class ViewedMpirun : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    before_ = test::mpirun(GetParam(), 2);
    if (before_.empty()) GTEST_SKIP() << "no mpirun of " << GetParam() << ", or no module of umov for it";
    draw_gap(folder_);
  }
  Address address() const {
    return address_in([this] { return test::text_of(folder_ / "said"); });
  }
  test::TemporaryFolder folder_;
  std::string before_;
};

TEST_P(ViewedMpirun, OneProcessServesThePageAndAllFollowIt) {
  const auto alone = test::umov_in(folder_.path(), "fdtd gap.png --steps 400 --cpu --output-dir alone");
  ASSERT_EQ(alone.code, 0) << alone.text;
  test::RankedRun ranked(folder_, "fdtd gap.png --steps 400 --view-paused --cpu --output-dir out", before_);
  const Address at = address();
  test::Viewer v(at.port, at.token);
  v.send(subscribe(1, v.array("fields/Ez")));
  v.ask({{"do", "step"}, {"n", 7}});
  while (v.frame(1).step < 7) {
  }
  EXPECT_EQ(v.ask({{"do", "save"}}).at("type"), "done");
  EXPECT_TRUE(test::wait_until([&] { return fs::exists(folder_ / "out/checkpoint"); })) << "while it is held";
  EXPECT_EQ(v.ask({{"do", "paint"}, {"rgb", {0, 255, 0}}, {"rects", {{30, 0, 4, 40}}}}).at("type"), "error")
      << "processes do not begin anew";
  v.ask({{"do", "resume"}});
  while (v.text("state").at("state") != "finished") {
  }
  EXPECT_EQ(test::text_of(folder_ / "out/series-monitor-200.csv"),
            test::text_of(folder_ / "alone/series-monitor-200.csv"));
  EXPECT_NE(test::text_of(folder_ / "out/series-monitor-200.csv"), "");
  ranked.send_to_rank(0, SIGINT);  // it stays for the viewer
  test::expect_end(ranked, 0);
}

TEST_P(ViewedMpirun, ASignalToAnyProcessEndsAPauseAndSaves) {
  test::RankedRun ranked(folder_, "fdtd gap.png --steps 100000000 --view-paused --cpu --output-dir out",
                         before_);
  const Address at = address();
  test::Viewer v(at.port, at.token);
  v.send(subscribe(1, v.array("fields/Ez")));
  v.ask({{"do", "step"}, {"n", 7}});
  while (v.frame(1).step < 7) {
  }
  ranked.send_to_rank(1, SIGINT);
  test::expect_end(ranked, 130);
  EXPECT_TRUE(fs::exists(folder_ / "out/checkpoint"));
}

TEST_P(ViewedMpirun, AnAddressThatCannotBeHadEndsAllProcesses) {
  test::RankedRun ranked(folder_, "fdtd gap.png --view --view-address nowhere --cpu --output-dir out",
                         before_);
  const auto ended = test::expect_end(ranked, 2);
  EXPECT_EQ(ended.messages(), 1) << ended.text;
}

INSTANTIATE_TEST_SUITE_P(Mpi, ViewedMpirun, testing::Values("openmpi", "mpich"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace umov::fdtd
