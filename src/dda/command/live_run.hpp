// A dipole run while viewers look at it: particle, residuals, fields as they are, results at the end.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "command/live_arrays.hpp"
#include "command/live_view.hpp"
#include "core/progress.hpp"
#include "dda/command/live_ranks.hpp"
#include "dda/command/shown_particle.hpp"
#include "dda/run/observer.hpp"
#include "dda/run/solve.hpp"
#include "results/result.hpp"
#include "view/from_result.hpp"

namespace umov::dda {

/// Looks on rank 0 of the run; the other ranks have a LiveFollower each.
class LiveRun : public SolveWatcher {
 public:
  /// `title`: what the case is called, throughout.
  LiveRun(command::LiveView& view, std::string title, std::string command_line);

  // ---- from the run ----

  void begin(const Prepared&) override;
  void solving(const Prepared&, std::span<const Incident>, const Engine&) override;
  void solved(const Prepared&, const Solution&) override;

  // ---- from the command around it ----

  /// Hears of stages, warnings and iterations, besides whoever hears of them already, and may stop the run.
  void listen(RunObserver&);
  /// One of several runs begins, the one of this number from 0; `count` 0: nobody knows how many there are.
  void next(const std::string& name, std::size_t number, std::size_t count);
  /// How a run that is held learns that it is stopped, instead of comm::stop_wanted.
  void stop_by(std::function<bool()> stop) { stop_wanted_ = std::move(stop); }
  /// Whether a viewer holds the run.
  bool paused() const { return view_.hub().paused(); }
  /// Tables and numbers of results; those of the same name are replaced. From any thread.
  void show(const results::Result&);
  /// Tells viewers where the results are and why the run did not come to its end, at the end.
  void wrote(const std::string& folder, const std::string& why_not) { view_.wrote(folder, why_not); }
  /// Whether a viewer has ended the run.
  bool stopped() const { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// What is shown of one incident polarization.
  struct Shown {
    int residual = -1;        ///< ids
    std::vector<int> fields;  ///< in the order of FieldPart
    std::vector<double> iterations, residuals;
    std::shared_ptr<const ShownField> incident;
    std::shared_ptr<const ShownFields> newest;
    Clock::time_point drawn{};
  };

  bool iterate(char label, long iteration, double residual);
  void publish(const Prepared&);
  std::vector<view::Mark> marks_of(const Prepared&, const BeamFrame&) const;
  void pass();
  void let_go();
  void show_solved(const Prepared&, const Solution&);
  void look(char label, bool held);
  void refresh_residual(Shown&);
  void take_field(char label, const Engine&, bool scaled, std::span<const CVec3> alpha);
  void show_points();
  bool fields_wanted(const Shown&) const;
  double fraction(double residual) const;

  command::LiveView& view_;
  std::string title_, command_line_, where_, labels_;
  std::size_t number_ = 0, count_ = 1;
  std::function<bool()> stop_wanted_;
  bool stopped_ = false, passed_over_ = false;  ///< passed over: this case is not shown
  Clock::time_point published_{};

  const Prepared* prepared_ = nullptr;
  comm::Communicator* group_ = nullptr;  ///< ranks that share the particle, where there are any
  std::shared_ptr<const ShownParticle> particle_;
  view::LabelledSites points_;
  int points_id_ = -1;
  std::map<char, Shown> shown_;
  std::vector<std::pair<view::ArrayInfo, view::Maker>> tables_;
  std::map<std::string, int> table_ids_;
  std::mutex tables_lock_;

  // of the solve that goes on
  const Engine* engine_ = nullptr;  ///< nullptr while there is none to look into
  char label_ = 'Y';
  bool scaled_ = false;  ///< the engine's vectors are those of get_polarization() over S
  std::vector<CVec3> alpha_;
  double goal_ = 0, worst_ = 1;
  std::size_t solves_ = 0, solves_known_ = 0;  ///< begun in this run; of how many (0: unknown)
  std::unique_ptr<ResidualTrend> trend_;
  double look_seconds_ = 0;
  Clock::time_point looked_{}, told_{}, began_{};
  long steps_ = 0, told_step_ = 0;  ///< iterations of all solves
  double rate_ = 0;
};

}  // namespace umov::dda
