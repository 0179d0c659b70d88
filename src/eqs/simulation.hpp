// The electroquasistatic case as the user states it: one struct filled by every front. SI units.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fields.hpp"
#include "core/types.hpp"
#include "eqs/curve.hpp"
#include "linalg/amg/options.hpp"
#include "mesh/geometry.hpp"
#include "results/formats.hpp"

namespace umov::eqs {

enum class Analysis {
  transient,      ///< div(kappa grad phi) + div(eps grad d phi/dt) = 0
  electrostatic,  ///< div(eps grad phi) = 0
  conduction,     ///< div(kappa grad phi) = 0
  harmonic        ///< div((kappa + j omega eps) grad phi) = 0, complex peak values, exp(+j omega t)
};

struct MeshSpec {
  std::string file;         ///< .msh; empty: the geometry below
  double unit = 1;          ///< metres per length in the file
  bool unit_given = false;  ///< by the user: metres are meant then, however large the model
  std::optional<mesh::Geometry> geometry;
  int refine = 0;  ///< times every tetrahedron is cut into eight
  int order = 0;   ///< of the elements, 1 or 2; 0 = the file's own
};

/// Constants and curves of the named volumes.
struct MaterialSpec {
  std::string name;
  std::vector<std::string> regions;  ///< volume groups; empty = the one of the material's name
  CurveSpec permittivity{CurveSpec::Kind::constant, 1, {}, {}, "", "", "", {}};  ///< eps_r
  CurveSpec conductivity;                                                        ///< kappa, S/m
  std::string place = {};  ///< where the case says it: "case.toml:14: material 'glass'"; "": a program did

  std::string said() const { return place.empty() ? "material '" + name + "'" : place; }
};

struct WaveformSpec {
  enum class Kind { sine, step, impulse, table, constant } kind = Kind::sine;
  double amplitude = 0;  ///< peak value, V
  double frequency = 50;
  double phase = 0;  ///< degrees: amplitude sin(2 pi f t + phase)
  enum class Ramp {
    none,
    linear,  ///< factor 2 t / T until t = T / 2: ends in the zero crossing of a sine without phase
    smooth   ///< (1 - cos(pi t / ramp_time)) / 2
  } ramp = Ramp::none;
  double ramp_time = 0;                 ///< s; 0 = T / 2 (linear, sine), T (smooth)
  double rise = 0;                      ///< step: time of a linear rise, 0 = at once
  double front = 1.2e-6, tail = 50e-6;  ///< impulse: IEC 60060-1 front time T1 and time to half value T2
  std::string file;                     ///< table: CSV of t, value (times amplitude when that is set)
  std::vector<double> time, values;     ///< filled from file
  UMOV_FIELDS(kind, amplitude, frequency, phase, ramp, ramp_time, rise, front, tail, file, time, values)
};

/// A conductor: every node of its surfaces and volumes has one potential.
struct ElectrodeSpec {
  std::string name;
  std::vector<std::string> groups;  ///< surface or volume groups; empty = the one of the electrode's name
  enum class Kind { driven, ground, floating } kind = Kind::driven;
  WaveformSpec waveform;
  double charge = 0;       ///< floating: its net charge, C
  std::string place = {};  ///< as that of a material

  std::string said() const { return place.empty() ? "electrode '" + name + "'" : place; }
};

/// Implicit ones (tableau.hpp), stabilised explicit ones (stabilised_scheme.hpp), and both in turn.
enum class Scheme { sdirk3, implicit_euler, esdirk3, rkc, rkl2, automatic };
/// How stabilised schemes learn of the fastest decay (spectral_radius.hpp); richter: not at all, their stages
/// follow from errors (stage_count.hpp).
enum class SpectralRadius { bound, power, rayleigh, richter };

struct TimeSpec {
  std::optional<double> end;  ///< s; or periods / frequency
  std::optional<double>
      periods;            ///< given with `end` (cases of older versions): the one that is not 0 counts
  double frequency = 50;  ///< for `periods`; harmonic: of electrodes' sines, by common_frequency
  /// transient: one period, 1 / frequency, of the state that repeats itself (shooting.hpp), and the periods
  /// that finding it may take.
  bool steady_state = false;
  int most_periods = 50;

  /// transient: where time ends; static analyses: the moment they are for, s. Nothing where none is given.
  std::optional<double> moment() const {
    if (end && (*end > 0 || !periods)) return end;
    return periods ? std::optional<double>(*periods / frequency) : std::nullopt;
  }
  Scheme scheme = Scheme::sdirk3;
  SpectralRadius spectral_radius = SpectralRadius::bound;
  int max_stages = 1000;  ///< of a stabilised step
  int power_steps = 25;   ///< SpectralRadius::power: accepted steps from one power iteration to the next
  double step = 0;        ///< s, fixed steps; 0 = controlled by the error
  /// 0 = defaults (end / 1000, end * 1e-9, end / 10). Whatever they are, controlled steps stay within
  /// step_limits (waveform.hpp).
  double first_step = 0, min_step = 0, max_step = 0;
  double tolerance = 1e-3;  ///< of a step's error in the energy norm, relative

  /// Of controlled steps; 0: steps are fixed.
  double step_tolerance() const { return step > 0 ? 0 : tolerance; }
};

/// How exactly the linear systems of Newton's method are solved.
enum class ForcingTerm {
  fixed,    ///< every one to `LinearSpec::tolerance` of the fluxes
  adaptive  ///< no further than the nonlinear residual would follow (forcing.hpp)
};

struct NewtonSpec {
  double tolerance = 1e-8;  ///< nonlinear residual, relative
  ForcingTerm forcing = ForcingTerm::fixed;
  int max_iterations = 25;
};

/// Where the conjugate gradients of a time step's systems begin (start_vectors.hpp).
enum class StartVector {
  last,        ///< at the straight line through the states before
  spe,         ///< there, and the projection on the last 10 solutions (subspace projection extrapolation)
  pod,         ///< ... on the first 20 (proper orthogonal decomposition)
  pod_renewed  ///< ... on the last 20; `LinearSpec::start_solutions` takes other numbers
};

/// How systems are multiplied with.
enum class OperatorForm {
  automatic,    ///< by solver_choice.cpp
  assembled,    ///< a matrix in rows
  matrix_free,  ///< element by element; nothing of the matrix is stored
};

struct LinearSpec {
  double tolerance = 1e-12;
  int max_iterations = 500;
  std::string preconditioner = "auto";  ///< auto, amg, p-multigrid, jacobi
  OperatorForm form = OperatorForm::automatic;
  StartVector start_vector = StartVector::spe;
  int start_solutions = 0;   ///< that start vectors are made of; 0: those of their kind
  int start_directions = 0;  ///< kept of them, at most; 0: all that are not rounding
  amg::Options amg;
  bool reuse = true;           ///< Richter 2019, 6.1
  double reuse_growth = 1.25;  ///< iterations over the first count past which the hierarchy is renewed
  UMOV_FIELDS(tolerance, max_iterations, preconditioner, form, start_vector, start_solutions,
              start_directions, amg, reuse, reuse_growth)
};

/// What a case says of its solution: the same in the case, in the problem and on every rank.
struct Settings {
  Analysis analysis = Analysis::transient;
  TimeSpec time;
  NewtonSpec newton;
  LinearSpec linear;

  bool steady_state() const { return analysis == Analysis::transient && time.steady_state; }
  UMOV_FIELDS(analysis, time, newton, linear)
};

/// Where results are wanted besides the maxima, charges, currents and power, which are always kept.
struct LineSpec {
  std::string name;
  std::vector<Vec3> points;  ///< a polyline, m (a creepage path)
  int samples = 200;
};
struct PointSpec {
  std::string name;
  Vec3 at{0, 0, 0};
};
struct SurfaceSpec {  ///< field tangential and normal on a named surface or between two volumes
  std::string name;
  std::string group;
};
struct CutSpec {  ///< a picture: plane with equipotentials and |E|
  std::string name;
  int normal = 1;  ///< 0 x, 1 y, 2 z
  double position = 0;
  std::optional<std::array<double, 4>> window;  ///< from/to along the two other axes
  int pixels = 900;
};

/// Linear systems that are written as files while they are solved (system_sink.hpp).
struct SystemsSpec {
  std::string folder;         ///< empty: none are
  int every = 1, most = 100;  ///< every so many, so many at most

  bool wanted() const { return !folder.empty(); }
};

struct OutputSpec : results::Formats {
  double interval = 0;        ///< s between saved fields; 0 = 40 over the run
  std::vector<double> times;  ///< further times to save, hit exactly
  bool vtk = true, vtu = false, pictures = true;
  std::vector<LineSpec> lines;
  std::vector<PointSpec> points;
  std::vector<SurfaceSpec> surfaces;
  std::vector<CutSpec> cuts;
  bool capacitance = false;  ///< capacitance matrix of the electrodes
  SystemsSpec systems;
};

struct Simulation : Settings {
  MeshSpec mesh;
  std::vector<MaterialSpec> materials;
  std::vector<ElectrodeSpec> electrodes;
  /// Planes the model is mirrored at, "x", "y", "z": natural (even) planes; charges, currents, energies are
  /// those of the whole.
  std::vector<std::string> symmetry;
  OutputSpec outputs;
};

}  // namespace umov::eqs
