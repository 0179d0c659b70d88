// A run in time while viewers look at it.
#pragma once

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/live_arrays.hpp"
#include "command/live_view.hpp"
#include "fdtd/command/live_arrays.hpp"
#include "fdtd/command/live_ranks.hpp"
#include "fdtd/run/run.hpp"

namespace umov::fdtd {

/// The run is to begin anew, with this picture as its model; `title`: what it is called, empty as before.
struct Restart {
  std::string png, title;
};

/// Looks on rank 0 of the run; the other ranks have a LiveFollower each.
class LiveRun : public MarchWatcher {
 public:
  /// `given`: the case as asked for; `title`: what a run with another model is called; `interval`: steps
  /// between looks, 0 for as often as viewers take them.
  LiveRun(command::LiveView& view, const Simulation& given, std::string title = "", long interval = 0)
      : view_(view), given_(given), title_(std::move(title)), interval_(interval), curves_(view.hub()) {}

  void begin(const Prepared&, const March&) override;
  long next(long step) const override;
  /// Throws Restart when a viewer sent another model that makes a case.
  Answer look(const Prepared&, const March&) override;
  void end(const Prepared&, const March&) override;

  /// Tells viewers of stages and warnings.
  void listen(RunObserver& o) { view_.listen(o); }
  /// Tells viewers of steps; for the run's observer.
  void report(const StepReport&);
  /// Tells viewers where the results are and why the run did not come to its end, at the end.
  void wrote(const std::string& folder, const std::string& why_not) { view_.wrote(folder, why_not); }
  /// The case with this picture, in the file `path`, as its model.
  static Simulation with_model(const Simulation&, const std::string& path);
  /// The new model, if there is one and it makes a case; else the viewers are told why not.
  std::optional<Restart> new_model() const;

 private:
  using Clock = std::chrono::steady_clock;
  /// Means of squares over the frames of one request.
  struct Mean {
    view::Request request;
    std::vector<double> sum;
    long step = -1, frames = 0;
  };

  bool between(long step) const;
  long next_here(long step) const;
  Answer look_here(const Prepared&, const March&);
  view::Data sample(const view::Request&);
  void add_to_mean(const view::Request&, long step, std::vector<float>& values);
  void refresh_curves(const Prepared&, const March&, bool at_once = false);
  void say(const StepReport&, view::State);
  void offer_picture(const Prepared&);
  view::Maker kept_mean(double step, double time, view::Maker magnitude) const;

  command::LiveView& view_;
  const Simulation& given_;
  const std::string title_;
  const long interval_;
  std::optional<AskedEngine> asked_;  ///< of several ranks
  const Engine* engine_ = nullptr;    ///< what looks ask
  long next_ = 0;                     ///< step of the next look, as the other ranks know it
  std::exception_ptr lost_;           ///< another rank that failed while it was asked
  std::vector<LiveField> fields_;
  std::vector<Mean> means_;
  command::LiveArrays curves_;
  struct CurvePace : command::Pace {
    CurvePace() : Pace(std::chrono::milliseconds(500), 50) {}
  } curve_pace_;
  Clock::time_point reported_{}, started_{}, seen_{};
  long reported_step_ = 0;
  bool kept_ = false;  ///< the fields of the last step are the hub's
  double dt_ = 0;
};

}  // namespace umov::fdtd
