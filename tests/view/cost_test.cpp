// What a viewer costs a run: minutes, on a machine that does nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <thread>

#include "backend/registry.hpp"
#include "fdtd/command/live_run.hpp"
#include "fdtd/run/run.hpp"
#include "support/machines.hpp"
#include "view/client.hpp"

namespace umov::fdtd {
namespace {

Simulation large_plane(const std::string& backend) {
  Simulation s;
  s.size = {50, 50, 0};
  s.resolution = 20;  // a million cells
  s.stop.steps = backend == "cuda" ? 200000 : 3000;
  SourceSpec source;
  source.name = "dot";
  source.waveform.frequency = 1;
  s.sources = {source};
  return s;
}

/// Of the processor that this thread used: what others do on the machine adds little to it. On a GPU the
/// clock.
double seconds(const Machine& machine, const std::function<void()>& work) {
  const auto now = [&] {
    timespec t{};
    clock_gettime(machine.backend == "cuda" ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

/// What a view does between the steps of a run, with the time that it takes there.
class TimedLooks final : public MarchWatcher {
 public:
  TimedLooks(MarchWatcher& view, const Machine& machine) : view_(view), machine_(machine) {}
  void begin(const Prepared& p, const March& m) override {
    spent += seconds(machine_, [&] { view_.begin(p, m); });
  }
  long next(long step) const override {
    long next = 0;
    spent += seconds(machine_, [&] { next = view_.next(step); });
    return next;
  }
  Answer look(const Prepared& p, const March& m) override {
    Answer answer = Answer::go_on;
    spent += seconds(machine_, [&] { answer = view_.look(p, m); });
    return answer;
  }
  void end(const Prepared& p, const March& m) override { view_.end(p, m); }  // once, however long a run is

  mutable double spent = 0;

 private:
  MarchWatcher& view_;
  const Machine& machine_;
};

/// Of a run with a view; `frames` gets how many a viewer took, when one is there, `looks` the part of the
/// time that went into pictures, the beginning included.
double viewed(const Simulation& sim, const Machine& machine, bool watched, std::atomic<int>& frames,
              double& looks) {
  command::LiveView view({.on = true}, "cost");
  const std::string url = view.url();
  LiveRun live(view, sim);
  TimedLooks timed(live, machine);
  RunObserver o;
  o.watcher = &timed;
  std::atomic<bool> over{false}, there{!watched};
  std::thread viewer([&] {
    if (!watched) return;
    there = true;  // a viewer waits for the catalogue, which comes when the run begins
    test::Viewer v(std::stoi(url.substr(url.rfind(':') + 1)), url.substr(url.find("token=") + 6));
    v.send({{"do", "subscribe"}, {"sub", 1}, {"array", v.array("fields/Ez")}});
    while (!over) {
      const auto m = v.next(0.1);
      if (!m || !m->binary) continue;
      std::uint32_t sequence = 0;  // a viewer elsewhere would read the values on its own machine
      std::memcpy(&sequence, m->bytes.data() + 20, sizeof sequence);
      v.send({{"do", "ack"}, {"sub", 1}, {"sequence", sequence}});
      ++frames;
    }
  });
  while (!there) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const double time = seconds(machine, [&] { run(sim, machine, o); });
  over = true;
  viewer.join();
  looks = timed.spent / time;
  return time;
}

class ValidateViewCost : public testing::TestWithParam<const char*> {};

TEST_P(ValidateViewCost, OneViewerCostsLittleAndNoneNothing) {
  for (const auto& b : backend::list_backends())
    if (b.name == GetParam() && !b.available) GTEST_SKIP() << b.why_not;
  const Simulation sim = large_plane(GetParam());
  // the viewer of the test, its inflating and the server want a core of their own
  const Machine machine = umov::test::on(GetParam(), 1);
  double alone = 1e9, served = 1e9, watched = 1e9;
  double idle_looks = 1, looks = 1, one = 0;
  std::atomic<int> frames{0}, none{0};
  for (int n = 0; n < 5; ++n) {  // the least of each: what else the machine does only adds
    alone = std::min(alone, seconds(machine, [&] { run(sim, machine); }));
    served = std::min(served, viewed(sim, machine, false, none, one));
    idle_looks = std::min(idle_looks, one);
    frames = 0;
    watched = std::min(watched, viewed(sim, machine, true, frames, one));
    looks = std::min(looks, one);
  }
  fmt::print(
      "alone {:.3f} s; served, no viewer {:.3f} s ({:+.1f} %, in looks {:.2f} %); one viewer {:.3f} s "
      "({:+.1f} "
      "%, in looks {:.2f} %), {:.1f} frames/s\n",
      alone, served, 100 * (served / alone - 1), 100 * idle_looks, watched, 100 * (watched / alone - 1),
      100 * looks, frames / watched);
  // benchmarks/results/view_cost.json
  EXPECT_LT(served, 1.02 * alone);
  EXPECT_LT(watched, (machine.backend == "cuda" ? 1.03 : 1.05) * alone);
}

INSTANTIATE_TEST_SUITE_P(Backends, ValidateViewCost, testing::Values("cpu", "cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace umov::fdtd
