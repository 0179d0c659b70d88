// The course of an electroquasistatic run, shared by the files that each do a part of it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eqs/observables/cut_field.hpp"
#include "eqs/observables/path.hpp"
#include "eqs/observables/surface_field.hpp"
#include "eqs/run/checkpoint.hpp"
#include "eqs/run/run.hpp"
#include "eqs/step_control.hpp"

namespace umov::eqs {

/// Times, s, that the steps of a run must hit.
struct Schedule {
  double end = 0, period = 0;         ///< period 0: nothing repeats
  std::vector<double> saved;          ///< ascending, with 0 and the end
  std::vector<double> stops;          ///< saved, ends of periods, bends of waveforms; without 0
  std::vector<StepLimit> limits;      ///< of all waveforms
  std::vector<std::string> warnings;  ///< steps that miss what a waveform does, tables that end early
};
/// The problem's electrodes have their tables read.
Schedule make_schedule(const Simulation&, const Problem&);

/// Estimates of the memory for a problem, before its engine is made.
struct MemoryEstimate {
  std::size_t device = 0, host = 0;
};
MemoryEstimate estimate_bytes(const Problem&);

ModelSummary summarise(const Problem&);

class EqsRun {
 public:
  EqsRun(const Simulation&, const front::Observer&, FrameSink*);

  Plan plan();
  Outcome run();

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void stage(const std::string& text) const {
    if (observer_.stage) observer_.stage(text);
  }
  void warn(const std::string& text);

  // run.cpp
  /// Mesh, problem, warnings, times: everything that needs no device.
  void prepare();
  void require_memory() const;
  void stop_if_asked() const;
  /// Engine, and what is to be looked at.
  void open();
  void place_probes();
  void warn_of_tables();
  void collect();

  // steps.cpp
  void solve_static();
  void solve_harmonic();
  void check_currents();
  void go();
  /// One accepted step towards the next stop; false when none can be taken.
  bool step();
  void take(Record);
  /// Fields at a saved time.
  void save_fields(double time);
  void sample_points(Record&, const std::vector<double>& potential) const;
  void count(const Effort&);
  /// Tells the observer, and saves when it is time or when the observer wants to stop.
  void report();
  bool checkpoints_on() const { return !sim_.output_dir.empty(); }
  void save();
  void resume();

  Simulation sim_;
  front::Observer observer_;
  FrameSink* frames_;
  Outcome out_;
  std::unique_ptr<Problem> problem_;
  std::optional<Sampler> sampler_;
  std::optional<mesh::Locator> locator_;
  std::vector<Path> paths_;
  std::vector<SurfaceField> surfaces_;
  std::vector<CutField> cuts_;
  std::vector<std::optional<mesh::Place>> points_;
  std::unique_ptr<Engine> engine_;
  Schedule schedule_;
  std::optional<StepControl> control_;
  std::uint64_t fingerprint_ = 0;
  double peak_ = -1, last_save_ = 0;
};

}  // namespace umov::eqs
