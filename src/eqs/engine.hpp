// The boundary to the device: a problem goes in, time steps are tried and accepted, fields come out.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/fields.hpp"
#include "eqs/problem.hpp"

namespace umov::comm {
class Communicator;
}

namespace umov::eqs {

struct EngineRequest {
  std::string backend = "auto";         ///< auto, serial, cpu, cuda
  int threads = 0;                      ///< cpu: 0 = all
  int device = 0;                       ///< cuda
  comm::Communicator* ranks = nullptr;  ///< that compute together, each with its share; null: one
};

/// What a nonlinear solve or a try of a time step took.
struct Effort {
  int newton = 0, linear = 0;     ///< iterations, summed over stages
  int setups = 0, refreshes = 0;  ///< of the preconditioner: full, products only
  int stages = 0;                 ///< of stabilised explicit steps, those done again too
  int unstable = 0;               ///< such steps that were found outside of their stability region
  double renewal_seconds = 0;     ///< matrices and preconditioners
  double linear_seconds = 0;      ///< linear systems
  bool converged = true;
  std::string why_not;  ///< which stage, what residual
  UMOV_FIELDS(newton, linear, setups, refreshes, stages, unstable, renewal_seconds, linear_seconds, converged,
              why_not)

  /// What another one took, whether it converged or not.
  void add_work(const Effort& more) {
    newton += more.newton;
    linear += more.linear;
    setups += more.setups;
    refreshes += more.refreshes;
    stages += more.stages;
    unstable += more.unstable;
    renewal_seconds += more.renewal_seconds;
    linear_seconds += more.linear_seconds;
  }
};

struct StepTry {
  Effort effort;
  double error = 0;       ///< estimated, in the energy norm, relative to the largest energy norm so far
  int stages = 0;         ///< of the try itself, where it was a stabilised explicit one; else 0
  double rate = 0;        ///< 1/s, the fastest decay that it was laid out for
  double first_rate = 0;  ///< 1/s, the bound of it at the start of a run, in its first step
  std::vector<double> material_error;  ///< V/m, estimated, the root mean square in every material
};

/// How a shot towards a steady state closed (shooting.hpp). Relative to the largest field in it, by
/// relative_error (field_size.hpp).
struct ShotEnd {
  Effort effort;
  double residual = 0;   ///< its end beside its start
  double error = 1;      ///< of its start, as what the shots so far tell
  double predicted = 1;  ///< the same of the next one's
};

/// Sums over the model as it is now (times the symmetry factor).
struct Observation {
  double time = 0;
  std::vector<double> potential;  ///< per electrode, V
  std::vector<double> charge;     ///< per electrode, C: from the residual, outward flux of D
  /// Per electrode, A: the current that leaves it through the material, and that with d(charge)/dt. Empty in
  /// electrostatics.
  std::vector<double> conduction, current;
  /// Harmonic: the four above are real parts of complex peak values and these the imaginary ones, with
  /// value(t) = Im(v exp(j omega t)), so that a sine without phase is real; energy and power are means over
  /// a period, and `peaks` the largest over one.
  std::vector<double> potential_imaginary, charge_imaginary, conduction_imaginary, current_imaginary;
  double energy = 0;      ///< stored, J
  double power = 0;       ///< lost, W; 0 in electrostatics
  double dissipated = 0;  ///< since the start, J
  std::vector<double> material_energy, material_power;
  struct Peak {
    double field = 0;  ///< V/m
    Vec3 at{0, 0, 0};
  };
  std::vector<Peak> peaks;  ///< per material: the largest |E| and where
  std::string why_not;      ///< not empty: these are not accurate, and why
  UMOV_FIELDS(time, potential, charge, conduction, current, potential_imaginary, charge_imaginary,
              conduction_imaginary, current_imaginary, energy, power, dissipated, material_energy,
              material_power, peaks, why_not)
};

/// One problem on one device. Not for use by several threads at once.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string device() const = 0;
  /// Calls `told` within solves and tries of steps, after each linear solve (harmonic: each iteration), with
  /// what this one took so far; nobody hears of engines on several ranks.
  virtual void tell([[maybe_unused]] std::function<void(const Effort&)> told) {}
  virtual std::size_t bytes() const = 0;  ///< held on the device now
  virtual std::size_t peak_bytes() const = 0;
  virtual std::string describe()
      const = 0;  ///< solver, levels, complexities, set-up times: lines for the log

  /// electrostatic, conduction: potentials at time t of the waveforms; NaN for t takes the amplitudes
  /// (amplitude_of), whatever their phases.
  virtual Effort solve_static(double t) = 0;
  /// harmonic: complex peak values at angular frequency omega (rad/s).
  virtual Effort solve_harmonic(double omega) = 0;

  /// transient: the state without free charge at time t.
  virtual Effort start(double t) = 0;
  /// A first length for controlled steps, at most `most`, for an error of `tolerance`; 0: nothing is known.
  virtual double first_step(double most, double tolerance, Effort&) = 0;
  /// Before attempt(): the length, at most dt, that the next step can have. Here Scheme::automatic chooses;
  /// `most`: no step may be longer, whatever its error.
  virtual double plan(double dt, double most) = 0;
  /// One step from the accepted state, at `time()`, over dt; the state stays until accept().
  virtual StepTry attempt(double dt) = 0;
  virtual void accept() = 0;
  virtual double time() const = 0;

  /// transient, implicit schemes: the accepted state begins a shot, one march over a period (sign 1)
  /// or half of it (-1).
  virtual void begin_shot(double sign) = 0;
  /// The accepted state, times the sign, beside the one that began the shot; where the next one should begin
  /// is found. `learns`: the shots before were marched in the same steps, and tell of it, too.
  virtual ShotEnd end_shot(bool learns) = 0;
  /// To the state that end_shot() found, at the time at which shots begin.
  virtual void next_shot() = 0;

  virtual Observation observe() = 0;
  /// Per space node, V. Harmonic: the real part, then the imaginary part.
  virtual std::vector<double> potential() const = 0;
  /// E at the 4 vertices of each element, [element][vertex][x, y, z], V/m (first order: the same four times;
  /// second order: linear inside). Harmonic: real, then imaginary.
  virtual std::vector<float> field() const = 0;

  /// Everything that changes with time, as bytes: restoring them continues bit for bit.
  virtual std::vector<std::byte> save() const = 0;
  virtual void restore(const std::vector<std::byte>&) = 0;
  /// transient: to the accepted state before the last one, once; false where it is not kept.
  virtual bool go_back() = 0;
};

/// Throws BadInput (unknown backend), MachineFailure (no such device, out of memory).
std::unique_ptr<Engine> make_engine(const Problem&, const EngineRequest&);

/// The capacitance matrix [e][f], F: charge on e with 1 V on f and 0 V on the others. Row sums are what flows
/// to no electrode (0 with natural walls). Linear permittivity; nonlinear ones at E = 0. Throws
/// Exit::not_converged where the solver stops.
std::vector<std::vector<double>> capacitance(const Problem&, const EngineRequest&);
/// The same with engines of another kind.
std::vector<std::vector<double>> capacitance(
    const Problem&, const std::function<std::unique_ptr<Engine>(const Problem&)>& make);

}  // namespace umov::eqs
