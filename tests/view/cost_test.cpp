// What a viewer costs a run: minutes, on a machine that does nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "fdtd/command/live_run.hpp"
#include "fdtd/run/run.hpp"
#include "view/client.hpp"

namespace umov::fdtd {
namespace {

Simulation large_plane() {
  Simulation s;
  s.size = {50, 50, 0};
  s.resolution = 20;  // a million cells
  s.backend = "cpu";
  s.threads = 1;  // the viewer of the test, its inflating and the server want a core of their own
  s.stop.steps = 3000;
  SourceSpec source;
  source.name = "dot";
  source.waveform.frequency = 1;
  s.sources = {source};
  return s;
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of a run with a view; `frames` gets how many a viewer took, when one is there.
double viewed(const Simulation& sim, bool watched, std::atomic<int>& frames) {
  front::LiveView view({.on = true}, "cost");
  const std::string url = view.url();
  LiveRun live(view, sim);
  RunObserver o;
  o.watcher = &live;
  std::atomic<bool> over{false}, there{!watched};
  std::thread viewer([&] {
    if (!watched) return;
    there = true;  // a viewer waits for the catalogue, which comes when the run begins
    test::Viewer v(std::stoi(url.substr(url.rfind(':') + 1)), url.substr(url.find("token=") + 6));
    v.send({{"do", "subscribe"}, {"sub", 1}, {"array", v.array("fields/Ez")}});
    while (!over) {
      const auto m = v.next(0.1);
      if (!m || !m->binary) continue;
      const auto f = test::frame_of(m->bytes);
      v.send({{"do", "ack"}, {"sub", f.sub}, {"sequence", f.sequence}});
      ++frames;
    }
  });
  while (!there) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const double time = seconds([&] { run(sim, o); });
  over = true;
  viewer.join();
  return time;
}

TEST(ValidateViewCost, OneViewerCostsLittleAndNoneNothing) {
  const Simulation sim = large_plane();
  double alone = 1e9, served = 1e9, watched = 1e9;
  std::atomic<int> frames{0}, none{0};
  for (int n = 0; n < 5; ++n) {  // the least of each: what else the machine does only adds
    alone = std::min(alone, seconds([&] { run(sim); }));
    served = std::min(served, viewed(sim, false, none));
    frames = 0;
    watched = std::min(watched, viewed(sim, true, frames));
  }
  fmt::print(
      "alone {:.3f} s; served, no viewer {:.3f} s ({:+.1f} %); one viewer {:.3f} s ({:+.1f} %), {:.1f} "
      "frames/s\n",
      alone, served, 100 * (served / alone - 1), watched, 100 * (watched / alone - 1), frames / watched);
  // Equal runs scatter by 5 % on a shared machine, even the least of five. The target with a viewer is 1.05:
  // measured is 1.08 to 1.15, some 4 ms for a picture of a million cells (benchmarks/results/view_cost.json).
  EXPECT_LT(served, 1.1 * alone);
  EXPECT_LT(watched, 1.25 * alone);
}

}  // namespace
}  // namespace umov::fdtd
