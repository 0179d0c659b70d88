// Results of an electroquasistatic run, before anything is written.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/fields.hpp"
#include "eqs/engine.hpp"
#include "eqs/simulation.hpp"
#include "run/machine.hpp"

namespace umov::eqs {

/// The mesh and the space on it, in numbers.
struct ModelSummary {
  std::string source;  ///< file or geometry
  int order = 1;
  std::size_t mesh_nodes = 0, space_nodes = 0, elements = 0, unknowns = 0, vertex_unknowns = 0,
              nonlinear_elements = 0;
  Vec3 low{0, 0, 0}, high{0, 0, 0};
  double shortest_edge = 0, longest_edge = 0;
  struct Region {
    std::string material;
    std::size_t elements = 0;
    double volume = 0;  ///< m^3, of the part that is computed
    bool nonlinear = false;
  };
  std::vector<Region> regions;  ///< per material
  struct Conductor {
    std::string name;
    std::size_t nodes = 0;
  };
  std::vector<Conductor> conductors;  ///< per electrode
};

/// One accepted step (or a static solution) and what was seen after it.
struct Record {
  double time = 0, step = 0, error = 0;
  std::vector<double> material_error;  ///< as StepTry has it
  int rejected = 0;                    ///< tries that were repeated with a shorter step before this one
  int stages = 0;                      ///< of a stabilised explicit step; 0: it was implicit
  double rate = 0;                     ///< 1/s, the fastest decay that it was laid out for
  bool cut = false;                    ///< shorter than the error asked for, as max_stages were not enough
  Effort effort;                       ///< of the accepted try and the rejected ones
  Observation seen;
  std::vector<double> point_potential;  ///< per point, V; NaN outside the model
  std::vector<Vec3> point_field;        ///< per point, V/m; harmonic: peaks of the components
  std::vector<double> point_peak;       ///< harmonic: largest |E| over a period, which those do not tell
  UMOV_FIELDS(time, step, error, material_error, rejected, stages, rate, cut, effort, seen, point_potential,
              point_field, point_peak)
  double point_magnitude(std::size_t i) const {
    return i < point_peak.size() ? point_peak[i] : i < point_field.size() ? norm(point_field[i]) : 0;
  }
};

/// The field along one path, at every saved time.
struct LineResult {
  std::string name;
  std::vector<double> length;   ///< along the path, m
  std::vector<Vec3> at;         ///< m
  std::vector<Vec3> direction;  ///< of the path, a unit vector
  std::vector<int> material;    ///< that the sample lies in; -1: in none (inside a conductor)
  /// [time][sample], NaN outside. Field strengths in V/m: along the path (signed), across it (its size), and
  /// in all.
  std::vector<float> potential, tangential, normal, magnitude;
};

/// The field on both sides of a surface, at every saved time.
struct SurfaceResult {
  std::string name;
  std::vector<Vec3> center, unit_normal;     ///< per triangle; the normal points from side 0 to side 1
  std::vector<double> area;                  ///< m^2
  std::array<std::vector<int>, 2> material;  ///< per side; -1: nothing is meshed there
  /// [time][triangle], V/m, NaN where a side has no element: along the normal (signed) on either side, and
  /// the size of the tangential field.
  std::array<std::vector<float>, 2> normal;
  std::vector<float> tangential;
};

/// A plane cut at one time, pixel by pixel: [row][column], the first row at the bottom.
struct CutResult {
  std::string name;
  int normal = 1;
  double position = 0, time = 0;
  int columns = 0, rows = 0;
  double u0 = 0, u1 = 1, v0 = 0, v1 = 1;  ///< edges of the picture along the two other axes, m
  std::vector<int> material;              ///< -1: in none
  std::vector<float> potential, field;    ///< V, |E| in V/m; NaN outside
};

/// How the steady state was found.
struct SteadyState {
  double periods = 0;   ///< marched, the one of the results among them; 0: none was sought
  bool halves = false;  ///< half a period tells of all, with the other sign
  double residual = 0;  ///< the end of the last shot beside its start, as ShotEnd
  double error = 0;     ///< of its start, estimated, as ShotEnd
  UMOV_FIELDS(periods, halves, residual, error)
};

/// What the steps and solves of a run took, counted as Effort does.
struct RunEffort {
  long steps = 0, rejected = 0, newton = 0, linear = 0, setups = 0, refreshes = 0, stages = 0, unstable = 0;
  double seconds = 0;
  /// Of these: in matrices and preconditioners, in linear systems, in what is made of whole solutions at
  /// saved times.
  double renewal_seconds = 0, linear_seconds = 0, field_seconds = 0;
  UMOV_FIELDS(steps, rejected, newton, linear, setups, refreshes, stages, unstable, seconds, renewal_seconds,
              linear_seconds, field_seconds)
};

struct Outcome : RunEffort {
  Simulation simulation;
  run::Machine machine;
  std::string version, device;
  std::vector<std::string> warnings;
  ModelSummary model;
  std::string solver;  ///< lines: the engine's description
  std::string ranks;   ///< lines on ranks and messages; "": one rank
  std::vector<std::string> material_names, electrode_names;
  double end = 0, period = 0;  ///< s; period 0: nothing repeats
  std::vector<Record> history;
  /// Per material: what it conducts at the first record, where a voltage jumps, is over long before the
  /// second (run/passing.hpp). Empty: nothing is.
  std::vector<char> passing;
  SteadyState steady;
  std::vector<double> saved_times;  ///< of lines, surfaces and frames
  std::vector<LineResult> lines;
  std::vector<SurfaceResult> surfaces;
  std::vector<CutResult> cuts_at_peak, cuts_at_end;  ///< at the saved time of the largest field, at the last
  std::vector<std::vector<double>> capacitance;      ///< F; empty unless asked for
  bool converged = true;
  std::string why_not;
  std::size_t device_bytes = 0, device_peak_bytes = 0, host_peak_bytes = 0;
  std::vector<std::pair<std::string, double>> setup_seconds;  ///< mesh and model, solver

  bool harmonic() const { return simulation.analysis == Analysis::harmonic; }
  /// The first record that largest currents and powers are taken from.
  std::size_t first_lasting() const { return passing.empty() ? 0 : 1; }
  /// Electrostatics knows no currents and no losses.
  bool conducts() const { return simulation.analysis != Analysis::electrostatic; }
};

/// Energy lost in each whole period, J, from the records at its ends (which steps hit exactly).
std::vector<double> energy_per_period(const Outcome&);

/// The largest |E| of each material over the run, between steps too (peaks.hpp), when, and where at the
/// nearest end of a step.
struct Extreme {
  double field = 0, time = 0;
  Vec3 at{0, 0, 0};
};
std::vector<Extreme> extremes(const Outcome&);

}  // namespace umov::eqs
