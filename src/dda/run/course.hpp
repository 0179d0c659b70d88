// The course of a dipole run, shared by the files that each do a part of it.
#pragma once

#include <chrono>

#include "dda/observables/cross_sections.hpp"
#include "dda/observables/orientation_average.hpp"
#include "dda/observables/scattering.hpp"
#include "dda/run/run.hpp"
#include "front/version.hpp"

namespace umov::dda {

/// One run: prepare, then a solve and its observables per incident polarization, or an average of them.
class DdaRun {
 public:
  DdaRun(const Simulation& sim, const front::Observer& observer) : sim_(sim), observer_(observer) {
    out_.simulation = sim;
    out_.version = front::version();
  }

  Outcome plan();
  Outcome run();

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void stage(const std::string& text) const {
    if (observer_.stage) observer_.stage(text);
  }
  void warn(const std::string& text) {
    out_.warnings.push_back(text);
    if (observer_.warning) observer_.warning(text);
  }
  void time(const std::string& name, double since) {
    for (auto& t : out_.timings)
      if (t.name == name) {
        t.seconds += now() - since;
        return;
      }
    out_.timings.push_back({name, now() - since});
  }

  /// An average has no single state to save.
  bool checkpoints_on() const {
    return sim_.checkpoint.kind != CheckpointKind::none && !sim_.orientation.average;
  }
  /// V (m^2 - 1)/(4 pi): polarization of a dipole per unit internal field (um^3).
  cplx susceptibility(int material, int c) const {
    const cplx m = sim_.m[material][c];
    return out_.particle.dipole_volume() * (m * m - 1.0) / (4 * pi);
  }
  template <class F>
  void for_each_dipole(const F& f) const {
    std::size_t i = 0;
    for (const int m : out_.particle.material)
      if (m) f(i++, m - 1);
  }
  FarFieldSums far_field() const {
    return [this](std::span<const Vec3> n, std::span<CVec3> sums) { engine_->far_field(n, sums); };
  }
  FarFieldScale scale() const { return {k_, sim_.formula, out_.particle.spacing}; }

  // run.cpp
  /// Everything that needs no device: checks, particle, frames, grid, memory.
  void prepare();
  /// Reads and checks what a run reads later: whatever refuses must do so before the run takes the place of
  /// the results there, and in a dry run too.
  void check_inputs();
  std::string where_not_finite() const;
  void require_materials();
  void start_engine();
  void orient(const Orientation& orientation);
  void directions_needed();
  void check_case();
  void check_beam();
  void check_machine();

  // solve.cpp
  void prepare_checkpoints() const;
  PolarizationResult solve(char label);
  void set_incident(char label);
  SolveOptions solve_options(char label);
  void checkpoint_options(char label, SolveOptions& o) const;
  std::string checkpoint_file(char label) const;
  [[noreturn]] void interrupted(char label) const;
  /// V chi E per dipole for a start field E inside the particle.
  std::vector<CVec3> start_polarization(char label) const;

  // observe.cpp
  void single_orientation();
  void observe();
  /// Angles of the grid and of the integrals over all directions, where they are wanted.
  void load_angles();
  void partial_sphere();
  void solve_and_observe(char label);
  void cross_sections(char label, const FarFieldSums& sums, PolarizationResult& result);
  void extinction_and_absorption(char label, const FarFieldSums& sums, const std::vector<CVec3>& alpha,
                                 CrossSections& cross);
  ScatteringIntegrals integrate_all_directions(char label, const FarFieldSums& sums);
  void check_balance(const ScatteringIntegrals& integrals, const CrossSections& cross);
  void warn_of_integrals();
  void forces(PolarizationResult& result);
  void keep_fields(PolarizationResult& result) const;
  void tabulate();

  // average.cpp
  void average();
  OrientedPolarization oriented(char label, const AverageRequest& request, SolveReport& all);

  struct Amplitudes {
    std::vector<CVec3> plane, grid;
  };

  const Simulation& sim_;
  const front::Observer& observer_;
  Outcome out_;
  Problem problem_;
  std::unique_ptr<Engine> engine_;
  double k_ = 1, begin_ = now();
  BeamFrame frame_;
  shapes::Symmetry symmetry_;
  bool matrices_ = false, grid_wanted_ = false, one_solve_ = false;
  std::optional<Plane> plane_;
  std::vector<Observation> plane_directions_, grid_directions_;
  std::optional<ScatteringGrid> grid_;
  std::optional<AllDirections> all_;
  Amplitudes amplitudes_[2], turned_;
  int finer_ = 0;                              ///< refinements of the built-in directions
  double integral_error_ = 0, imbalance_ = 0;  ///< the largest, relative to Csca
  std::vector<CVec3> start_;
  bool stopped_by_observer_ = false, angles_loaded_ = false;
};

}  // namespace umov::dda
