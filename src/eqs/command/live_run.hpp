// An electroquasistatic run while viewers look at it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "command/live_arrays.hpp"
#include "command/live_view.hpp"
#include "eqs/command/live_arrays.hpp"
#include "eqs/frame_sink.hpp"
#include "eqs/run/run.hpp"

namespace umov::eqs {

/// Looks between steps, and takes the saved fields on their way to the file. Cuts and surfaces are computed
/// by the server's thread from what is left here.
class LiveRun : public RunWatcher, public FrameSink {
 public:
  explicit LiveRun(command::LiveView& view) : view_(view), curves_(view.hub()) {}
  /// Where the fields go besides; nullptr: nowhere. To be set before the run.
  void pass_on(FrameSink* next) { next_ = next; }

  void begin(const Prepared&) override;
  Answer look(const Prepared&, const Engine&, const Outcome&) override;
  void solving(const Effort&) override;

  void begin(const Problem&, const std::vector<double>& times, std::size_t done) override;
  void frame(std::size_t index, const double* potential, const std::vector<float>& field) override;

  /// Tells viewers of stages and warnings.
  void listen(RunObserver& o) { view_.listen(o); }
  /// Tells viewers of steps; for the run's observer.
  void report(const TimeReport&);
  /// The last curves.
  void end(const Outcome&);
  /// Tells viewers where the results are and why the run did not come to its end, at the end.
  void wrote(const std::string& folder, const std::string& why_not) { view_.wrote(folder, why_not); }

 private:
  using Clock = std::chrono::steady_clock;
  void take_now(const Prepared&, const Engine&, const Outcome&, bool at_once);
  void refresh_curves(const Outcome&, bool at_once);
  void renew(double since);

  command::LiveView& view_;
  FrameSink* next_ = nullptr;
  const Problem* problem_ = nullptr;
  std::shared_ptr<view::KeptInstants> instants_;
  std::vector<double> times_;  ///< of the frames
  view::MeshArrays arrays_;
  command::LiveArrays curves_;
  /// States and curves each may take one part in 50 of a run's time.
  command::Pace state_pace_{std::chrono::milliseconds(100), 50};
  command::Pace curve_pace_{std::chrono::milliseconds(500), 50};
  double newest_ = -1;   ///< s, of the instants
  long looked_ = -1;     ///< step of the last look
  long taken_ = -1;      ///< step whose fields were taken last
  bool inside_ = false;  ///< viewers were told of a step that was not done
  bool told_of_memory_ = false;
  long newton_ = 0, linear_ = 0;  ///< iterations of the steps that are done
  Clock::time_point reported_{}, started_{};
};

}  // namespace umov::eqs
