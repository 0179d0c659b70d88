// Runs in time with viewers, for tests: in a thread of the test, or as a program.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "comm/in_process.hpp"
#include "fdtd/command/live_run.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/run/run.hpp"
#include "support/machines.hpp"
#include "support/png_file.hpp"
#include "support/program.hpp"
#include "view/viewed_program.hpp"

namespace umov::fdtd {

using test::Address, test::address_in, test::address_of, test::Json, test::state_when;

/// A pulse beside a box of glass in the plane, with a series and a flux; the tuned kernels and the simple
/// ones.
inline Simulation lit_box(bool tuned) {
  Simulation s;
  s.size = {6, 4, 0};
  s.resolution = 20;
  s.tuned = tuned;
  s.stop.steps = 3000;
  MaterialSpec glass;
  glass.name = "glass";
  glass.constants.eps = {4, 4, 4};
  s.materials = {glass};
  BodySpec box;
  box.material = "glass";
  box.center = {1, 0, 0};
  box.size = Vec3{1, 1, 0};
  s.bodies = {box};
  SourceSpec source;
  source.name = "dot";
  source.center = {-1.5, 0.2, 0};
  source.waveform.frequency = 1;
  s.sources = {source};
  MonitorSpec series;
  series.name = "behind";
  series.center = {2, 0.3, 0};
  MonitorSpec flux;
  flux.kind = MonitorSpec::Kind::flux;
  flux.name = "through";
  flux.center = {2, 0, 0};
  flux.size = {0, 2, 0};
  flux.frequencies = {0.9, 1, 1.1};
  s.monitors = {series, flux};
  return s;
}

/// A run in a thread of its own behind a view that begins paused.
class ViewedRun {
 public:
  explicit ViewedRun(const Simulation& sim, int ranks = 1, long interval = 0,
                     const Machine& machine = umov::test::one_thread)
      : sim_(sim), machine_(machine), interval_(interval), view_({.on = true, .paused = true}, "test") {
    view_.hub().begin_run();
    outcome_ = std::async(std::launch::async, [this, ranks] {
      if (ranks == 1) return run_here(*comm::one_rank());
      Outcome outcome;
      comm::run_in_process(ranks, [&](comm::Communicator& comm) {
        if (comm.first()) {
          outcome = run_here(comm);
          return;
        }
        LiveFollower follower;
        RunObserver o;
        o.watcher = &follower;
        run(sim_, machine_, o, comm);
      });
      return outcome;
    });
    const std::string url = view_.url();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
    token_ = url.substr(url.find("token=") + 6);
    while (view_.hub().catalogue().arrays.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ~ViewedRun() {
    if (!outcome_.valid()) return;
    view_.hub().order(view::Order::stop);  // a test that failed leaves the run behind
    outcome_.wait();
  }
  std::unique_ptr<test::Viewer> viewer() const { return std::make_unique<test::Viewer>(port_, token_); }
  Outcome outcome() { return outcome_.get(); }

 private:
  Outcome run_here(comm::Communicator& comm) {
    LiveRun live(view_, sim_, "", interval_);
    RunObserver o;
    live.listen(o);
    o.watcher = &live;
    o.step = [&](const StepReport& r) {
      live.report(r);
      return true;
    };
    return run(sim_, machine_, o, comm);
  }

  Simulation sim_;
  Machine machine_;
  long interval_;
  command::LiveView view_;
  std::future<Outcome> outcome_;
  int port_ = 0;
  std::string token_;
};

inline void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.steps, b.steps);
  ASSERT_EQ(a.of<SeriesResult>().size(), b.of<SeriesResult>().size());
  EXPECT_EQ(a.of<SeriesResult>()[0].value, b.of<SeriesResult>()[0].value);
  EXPECT_EQ(a.of<SeriesResult>()[0].time, b.of<SeriesResult>()[0].time);
  EXPECT_EQ(a.of<FluxResult>()[0].flux, b.of<FluxResult>()[0].flux);
  ASSERT_EQ(a.final_fields.size(), b.final_fields.size());
  for (std::size_t i = 0; i < a.final_fields.size(); ++i)
    EXPECT_EQ(a.final_fields[i].second.real, b.final_fields[i].second.real);
}

inline Json subscribe(int sub, int array, Json more = Json::object()) {
  more["do"] = "subscribe";
  more["sub"] = sub;
  more["array"] = array;
  return more;
}

/// A picture with a source on the left, free space, and a monitor on the right.
inline void draw_gap(const test::TemporaryFolder& folder) {
  test::Drawing picture(60, 40);
  for (int y = 18; y < 22; ++y) {
    picture.at(14, y).red = 255;
    picture.at(45, y).blue = 200;
  }
  picture.write((folder / "gap.png").string());
}

/// `umov fdtd` of that picture in a folder of its own, held at its first step, with a viewer; results in
/// `out`.
struct HeldProgram {
  explicit HeldProgram(long steps = 100000000)
      : program(drawn(), fmt::format("fdtd gap.png --steps {} --view-paused --cpu --output-dir out", steps)),
        at(address_of(program)),
        v(at.port, at.token) {}

  const test::TemporaryFolder& drawn() const {
    draw_gap(folder);
    return folder;
  }
  /// The viewer has seen enough.
  auto end() {
    program.send(SIGINT);
    return program.wait();
  }

  test::TemporaryFolder folder;
  test::Program program;
  Address at;
  test::Viewer v;
};

}  // namespace umov::fdtd
