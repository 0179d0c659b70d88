// The course of a run in time, shared by the files that each do a part of it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "fdtd/observables/monitors.hpp"
#include "fdtd/outcome.hpp"
#include "fdtd/run/checkpoint.hpp"
#include "fdtd/run/divergence.hpp"
#include "fdtd/run/film.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/run/stop.hpp"

namespace umov::fdtd {

/// One case: prepare, then perhaps the reference run of a normalised pair, then the run itself.
class FdtdRun {
 public:
  FdtdRun(const Simulation&, const front::Observer&);

  Plan plan();
  Outcome run();

 private:
  /// One passage through time: the reference run or the run itself.
  struct Passage {
    int phase = 1;  ///< 0: reference
    std::unique_ptr<Scene> own_scene;
    const Scene* scene = nullptr;
    Problem problem;
    std::optional<Monitors> monitors;
    std::unique_ptr<Engine> engine;
    std::optional<StopRule> rule;
    std::optional<DivergenceWatch> divergence;
    std::optional<Film> film;
    double seconds = 0;
    std::string stop_reason;
    bool converged = true;
  };

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void stage(const std::string& text) const {
    if (observer_.stage) observer_.stage(text);
  }
  void warn(const std::string& text);

  // run.cpp
  /// Everything that needs no device and no arrays: pictures, scene, grid, validation, the end of the run.
  void prepare();
  /// What the validation found becomes notes and warnings, or ends the run.
  void take_findings();
  void require_memory() const;
  Passage open(int phase);
  void report_conductors(const Problem&);
  void pose(Passage&) const;
  void collect(Passage&, const ReferenceFields*);
  void keep_fields(const Engine&);

  // steps.cpp
  /// Takes the steps of a passage to its end.
  void go(Passage&);
  /// Steps to the next moment at which anything has to be done.
  long stride(const Passage&) const;
  /// What is due after steps; true when the passage has ended.
  bool attend(Passage&);
  /// Tells the observer, and saves when it is time or when the observer wants to stop.
  void report(Passage&);
  bool checkpoints_on() const { return !sim_.output_dir.empty(); }
  void save(Passage&) const;
  void resume(Passage&);

  Simulation given_;  ///< as asked for
  Simulation sim_;    ///< with what pictures say
  front::Observer observer_;
  Outcome out_;
  std::unique_ptr<Scene> scene_;
  Grid grid_;
  StopPlan stop_;
  std::uint64_t fingerprint_ = 0;
  std::optional<RunState> resumed_;
  ReferenceFields reference_;
  double last_save_ = 0;
};

/// What a user should know about how far to trust a run, besides what the validation finds: walls, averaging.
std::vector<std::string> trust_notes(const Simulation&, const Grid&);

/// Memory that the engine will need for a problem on this grid, before it is posed: fields, material indices
/// and absorbing layers.
std::size_t estimate_bytes(const Simulation&, const Scene&, const Grid&);

}  // namespace umov::fdtd
