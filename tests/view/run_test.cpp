// A run in time with a viewer: fields move, orders are followed, and the results are those of a run alone.
#include "fdtd/run/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include "backend/registry.hpp"
#include "fdtd/monitors/series.hpp"
#include "support/machines.hpp"
#include "support/png_file.hpp"
#include "support/program.hpp"
#include "view/viewed_run.hpp"

namespace umov::fdtd {
namespace {

namespace fs = std::filesystem;

struct Kernels {
  const char* backend;
  bool tuned;
};
class ViewedBackends : public testing::TestWithParam<Kernels> {};

TEST_P(ViewedBackends, AViewerSeesTheFieldsAndTheResultsAreTheSameBitForBit) {
  for (const auto& b : backend::list_backends())
    if (b.name == GetParam().backend && !b.available) GTEST_SKIP() << b.why_not;
  const Simulation sim = lit_box(GetParam().tuned);
  const Machine machine = umov::test::on(GetParam().backend, 1);
  const Outcome alone = run(sim, machine);
  ViewedRun viewed(sim, 1, 0, machine);
  const auto v = viewed.viewer();
  v->send(subscribe(1, v->array("fields/Ez"), {{"encoding", "f32"}, {"every", 7}}));
  v->send(subscribe(2, v->array("fields/E_rms")));
  v->send(subscribe(3, v->array("fields/H_magnitude"), {{"region", {20, 10, 60, 50}}, {"pixels", {13, 7}}}));
  EXPECT_EQ(v->frame(1).step, 0) << "it waits at the first step";
  v->ask({{"do", "step"}, {"n", 5}});
  double step = 0;
  while (step < 5) step = v->frame(1).step;
  EXPECT_EQ(step, 5);
  v->ask({{"do", "step"}});
  while (step < 6) step = v->frame(1).step;
  EXPECT_EQ(step, 6);
  // What the device reduces is the mean of what it holds: floats of one frame, sums in double.
  v->send(subscribe(4, v->array("fields/Ez"), {{"encoding", "f32"}}));
  const auto whole = v->frame(4);
  v->send(subscribe(5, v->array("fields/Ez"), {{"encoding", "f32"}, {"pixels", {60, 40}}}));
  const auto half = v->frame(5);
  v->send(subscribe(6, v->array("fields/E_magnitude"), {{"encoding", "f32"}}));
  const auto magnitude = v->frame(6);
  // 37 and 11 boxes of 120 and 80 cells: of unequal width.
  v->send(subscribe(7, v->array("fields/E_intensity"), {{"encoding", "f32"}, {"pixels", {37, 11}}}));
  const auto intensity = v->frame(7);
  ASSERT_EQ(intensity.shape, (std::vector<std::uint32_t>{37, 11, 1}));
  for (int j = 0; j < 11; ++j)
    for (int i = 0; i < 37; ++i) {
      double sum = 0;
      int n = 0;
      for (int y = 80 * j / 11; y < 80 * (j + 1) / 11; ++y)
        for (int x = 120 * i / 37; x < 120 * (i + 1) / 37; ++x, ++n)
          sum += whole.values[std::size_t(x + 120 * y)] * whole.values[std::size_t(x + 120 * y)];
      ASSERT_NEAR(intensity.values[std::size_t(i + 37 * j)], sum / n,
                  1e-6 * std::max(whole.high * whole.high, whole.low * whole.low));
    }
  const double largest_now = std::max(whole.high, -whole.low);
  ASSERT_EQ(half.shape, (std::vector<std::uint32_t>{60, 40, 1}));
  for (int j = 0; j < 40; ++j)
    for (int i = 0; i < 60; ++i) {
      const std::size_t at = std::size_t(2 * i + 120 * 2 * j);
      const double mean =
          (whole.values[at] + whole.values[at + 1] + whole.values[at + 120] + whole.values[at + 121]) / 4;
      ASSERT_NEAR(half.values[std::size_t(i + 60 * j)], mean, 1e-7 * largest_now);
      ASSERT_NEAR(magnitude.values[at], std::abs(whole.values[at]), 1e-6 * largest_now);
    }
  v->ask({{"do", "resume"}});
  double largest = 0;
  for (int n = 0; n < 4; ++n) {
    const auto f = v->frame(1);
    largest = std::max({largest, f.high, -f.low});
  }
  EXPECT_GT(largest, 0) << "the wave is seen";
  v->ask({{"do", "pause"}});
  v->ask({{"do", "resume"}});
  expect_same(viewed.outcome(), alone);
}

INSTANTIATE_TEST_SUITE_P(Backends, ViewedBackends,
                         testing::Values(Kernels{"serial", false}, Kernels{"cpu", false},
                                         Kernels{"cpu", true}, Kernels{"cuda", false}, Kernels{"cuda", true}),
                         [](const auto& info) {
                           return std::string(info.param.backend) + (info.param.tuned ? "Tuned" : "Simple");
                         });

TEST(ViewedRun, TheLastFrameIsTheFieldOfTheResults) {
  ViewedRun viewed(lit_box(true));
  const auto v = viewed.viewer();
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  const auto& field = o.final_fields.at(0).second;
  v->send(subscribe(9, v->array("fields/Ez"), {{"encoding", "f32"}, {"pixels", {4096, 4096}}}));
  auto f = v->frame(9);
  while (f.step != double(o.steps)) f = v->frame(9);
  EXPECT_EQ(f.time, double(o.steps) * o.grid.dt) << "the fields that were kept know their time";
  ASSERT_EQ(f.shape, (std::vector<std::uint32_t>{120, 80, 1}));
  EXPECT_EQ(f.values, field.real);
}

// Steps of a pause are seen one by one; the last frame of a run is that of its end.
TEST(ViewedRun, FramesComeAtMultiplesOfTheInterval) {
  constexpr int interval = 40;
  for (const int ranks : {1, 2}) {
    ViewedRun viewed(lit_box(false), ranks, interval, umov::test::serial);
    const auto v = viewed.viewer();
    v->send(subscribe(1, v->array("fields/Ez")));
    EXPECT_EQ(v->frame(1).step, 0);
    v->ask({{"do", "step"}, {"n", 3}});
    double step = 0;
    while (step < 3) step = v->frame(1).step;
    EXPECT_EQ(step, 3) << "not the next multiple";
    v->ask({{"do", "resume"}});
    while (step < 10 * interval) {
      step = v->frame(1).step;
      if (step <= 4) continue;  // one look may follow the pause
      EXPECT_EQ(std::fmod(step, interval), 0) << step;
    }
    viewed.outcome();
  }
}

TEST(ViewedRun, EveryFieldHasThePlaceThatItsComponentHasOnTheGrid) {
  // The origin is the low corner of the first cell, in whose middle the value is: Ez lies at nodes, Hx half a
  // cell from them along y, Hy along x (Yee 1966).
  ViewedRun viewed(lit_box(false), 1, 0, umov::test::serial);
  const auto v = viewed.viewer();
  const auto catalogue = v->catalogue();
  std::map<std::string, std::vector<double>> origin;
  double dx = 0;
  for (const auto& a : catalogue.at("arrays")) {
    origin[a.at("name")] = a.at("origin").get<std::vector<double>>();
    if (a.at("name") == "fields/Ez") dx = a.at("spacing")[0];
  }
  v->ask({{"do", "resume"}});
  const Outcome o = viewed.outcome();
  for (int a = 0; a < 2; ++a) {
    EXPECT_NEAR(origin.at("fields/Ez")[a], o.grid.origin[a] - 0.5 * dx, 1e-12);
    EXPECT_NEAR(origin.at("fields/E_intensity")[a], o.grid.origin[a] - 0.5 * dx, 1e-12);
    EXPECT_NEAR(origin.at("fields/Hx")[a], o.grid.origin[a] - (a == 1 ? 0 : 0.5 * dx), 1e-12);
    EXPECT_NEAR(origin.at("fields/Hy")[a], o.grid.origin[a] - (a == 0 ? 0 : 0.5 * dx), 1e-12);
    EXPECT_NEAR(origin.at("fields/H_magnitude")[a], o.grid.origin[a] - 0.25 * dx, 1e-12);
  }
}

TEST(ViewedRun, CurvesOfMonitorsAndTheModelAreThere) {
  Simulation sim = lit_box(true);
  sim.stop.steps = 2000000;  // stopped by the viewer
  ViewedRun viewed(sim);
  const auto v = viewed.viewer();
  const Json model = [&] {
    for (const auto& a : v->catalogue().at("arrays"))
      if (a.at("role") == "model") return a;
    return Json();
  }();
  v->send(subscribe(1, model.at("id"), {{"pixels", {500, 500}}, {"encoding", "f32"}}));
  const auto eps = v->frame(1);
  EXPECT_EQ(eps.low, 1);
  EXPECT_EQ(eps.high, 4);
  std::vector<std::string> roles;
  for (const auto& m : v->catalogue().at("marks")) roles.push_back(m.at("role"));
  EXPECT_EQ(std::count(roles.begin(), roles.end(), "source"), 1);
  EXPECT_EQ(std::count(roles.begin(), roles.end(), "monitor"), 2);
  EXPECT_EQ(std::count(roles.begin(), roles.end(), "layer"), 4);
  v->ask({{"do", "resume"}});
  const auto named = [&](const std::string& part) {
    for (const auto& a : v->catalogue().at("arrays"))
      if (a.at("name").get<std::string>().find(part) != std::string::npos) return int(a.at("id"));
    return -1;
  };
  while (named("through/flux") < 0) v->text("catalogue");
  v->send(subscribe(2, named("through/flux")));
  EXPECT_EQ(v->frame(2).shape, (std::vector<std::uint32_t>{3, 2, 1}));
  v->ask({{"do", "stop"}});
  const Outcome o = viewed.outcome();
  EXPECT_FALSE(o.converged);
  EXPECT_EQ(o.stop_reason, fmt::format("stopped in the view at step {}", o.steps));
  EXPECT_LT(o.steps, 2000000);
  EXPECT_FALSE(o.of<SeriesResult>().at(0).value.empty()) << "it ends with results";
}

TEST(ViewedProgram, PaintedGlassRestartsTheRunWithTheNewModel) {
  HeldProgram held;
  const test::TemporaryFolder& folder = held.folder;
  test::Viewer& v = held.v;
  const auto model = [&] {
    v.send(subscribe(1, v.array("model/permittivity"), {{"encoding", "f32"}}));
    return v.frame(1).high;
  };
  EXPECT_EQ(model(), 1);
  EXPECT_EQ(v.catalogue().at("picture").at("width"), 60);
  const int generation = v.catalogue().at("generation");
  EXPECT_EQ(v.ask({{"do", "paint"}, {"rgb", {0, 255, 0}}, {"rects", {{30, 0, 4, 40}}}}).at("type"), "done");
  while (v.catalogue().at("generation") == generation) v.text("catalogue");
  EXPECT_GT(model(), 5) << "the wall of glass";
  v.ask({{"do", "resume"}});
  v.send(subscribe(2, v.array("fields/Ez")));
  while (v.frame(2).step < 50) {
  }
  // A picture without a source makes no case: the run goes on.
  v.ask({{"do", "paint"}, {"rgb", {0, 0, 0}}, {"rects", {{0, 0, 60, 40}}}});
  while (v.text("log").at("text").get<std::string>().find("the new model is not taken") ==
         std::string::npos) {
  }
  v.ask({{"do", "stop"}});
  state_when(v, "finished");
  EXPECT_TRUE(fs::exists(folder / "out/results.vtkhdf"));
  EXPECT_NE(test::text_of(folder / "out/resolved.toml").find("out/model.png"), std::string::npos);
  const auto ended = held.end();
  EXPECT_EQ(ended.code, 3) << ended.err;  // stopped before its end
  EXPECT_NE(ended.out.find("stopped in the view"), std::string::npos) << ended.out;
}

TEST(ViewedProgram, APausedRunIsSavedWhereItStands) {
  HeldProgram held;
  const test::TemporaryFolder& folder = held.folder;
  test::Viewer& v = held.v;
  v.send(subscribe(1, v.array("fields/Ez")));
  EXPECT_EQ(v.frame(1).step, 0);
  v.ask({{"do", "step"}, {"n", 3}});
  double step = 0;
  while (step < 3) step = v.frame(1).step;
  ASSERT_FALSE(fs::exists(folder / "out/checkpoint"));
  EXPECT_EQ(v.ask({{"do", "save"}}).at("type"), "done");
  EXPECT_TRUE(test::wait_until([&] { return fs::exists(folder / "out/checkpoint"); })) << "without a step";
  v.ask({{"do", "step"}});
  EXPECT_EQ(v.frame(1).step, 4) << "saving is no step";
  v.ask({{"do", "stop"}});
  state_when(v, "finished");
  held.end();
}

TEST(ViewedProgram, EndsByItselfWhenNobodyLooks) {
  test::TemporaryFolder folder;
  draw_gap(folder);
  const auto ended = test::run(folder, "fdtd gap.png --steps 200 --view --cpu --output-dir out");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("view: http://127.0.0.1:"), std::string::npos);
}

TEST(ViewedProgram, ACaseMayAskForItsView) {
  test::TemporaryFolder folder;
  std::ofstream(folder / "case.toml") << R"([domain]
size = [4, 4]
resolution = 10
[[source]]
frequency = 1
[stop]
steps = 50
[output]
view = true
)";
  const auto ended = test::run(folder, "fdtd case.toml --cpu --output-dir out");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("view: http://127.0.0.1:"), std::string::npos);
  EXPECT_EQ(test::text_of(folder / "out/resolved.toml").find("view"), std::string::npos);
}

TEST(ViewedProgram, ABadAddressIsRefusedBeforeTheRun) {
  test::TemporaryFolder folder;
  draw_gap(folder);
  const auto ended = test::run(folder, "fdtd gap.png --view --view-address nowhere --output-dir out");
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("is no address of a network"), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(folder / "out"));
}

}  // namespace
}  // namespace umov::fdtd
