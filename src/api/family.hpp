// The library: cases of every family, planned and run by a program of one's own.
//
// Nothing below this prints, reads the environment for its own use, ends the process, handles signals or
// writes a file other than the checkpoints that are asked for. What is wrong is thrown: BadInput for a case,
// with the place where it says so; MachineFailure; Error with Exit::interrupted where the observer stopped a
// run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "parameters/parameters.hpp"
#include "parameters/tree.hpp"
#include "results/result.hpp"

namespace umov {

/// What computes a case, and where its state is kept. What is left out is as [machine] and [checkpoint] of
/// the case say, and as each family's defaults.
struct Machine {
  std::optional<std::string> backend = {};  ///< auto, serial, cpu, cuda
  std::optional<int> device = {};           ///< number of the GPU
  std::optional<int> threads = {};          ///< of the backend cpu; 0: all
  std::optional<int> ranks = {};            ///< parts of this process that share the case
  std::optional<int> gpus = {};             ///< GPUs that share the case
  std::string checkpoint = {};              ///< folder of the run's state, which is made; "": none is kept
  std::optional<double> checkpoint_interval = {};  ///< s; 0: only when the run is stopped
  bool resume = false;                             ///< go on from the state in `checkpoint`
};

/// A run on its way, between two steps.
struct Moment {
  long step = 0;    ///< taken so far
  double time = 0;  ///< in the family's unit
  /// The fields as they are: fdtd has each component [z][y][x], eqs `potential` and `nodes`. To be called
  /// before the observer returns.
  std::function<results::Result()> fields;
};

/// What a run tells while it goes on. Each may be empty. They are called one at a time, by any thread.
struct Observer {
  std::function<void(const std::string& text)> stage;    ///< what is begun
  std::function<void(const std::string& text)> warning;  ///< what a user should know but need not stop for
  /// How much is done, 0 to 1, and where the run is, in words. false stops it: its state is saved where
  /// Machine says where, and Error with Exit::interrupted is thrown.
  std::function<bool(double fraction, const std::string& text)> progress;
  /// Called after every `every` steps of fdtd and of transient runs of eqs on one rank, and iterations of dda
  /// and harmonic, whose `fields` are `iteration` and `residual`; others refuse it. false stops the run as
  /// that of `progress` does.
  std::function<bool(const Moment&)> moment;
  long every = 0;
};

/// What a case is, before it is run.
struct Plan {
  std::string resolved;  ///< the case with every default, in TOML
  double bytes = 0;      ///< estimate of the memory that it takes, of the fullest rank; 0: not known
  std::vector<std::string> warnings, notes;
  Machine machine = {};  ///< backend, device and threads as the case has them; no device: any
};

/// Cases that one thread computes one after another, keeping what the next can use: an engine, a mesh.
class Series {
 public:
  virtual ~Series() = default;
  /// As Family::run, on the seat of the series, whatever the case says of the machine; without fields in
  /// space.
  virtual results::Result run(const Tree&, const Observer& = {}) = 0;
};

/// A method. Files that a case names are looked for beside the file that the tree was read from, then in the
/// current folder.
class Family {
 public:
  virtual ~Family() = default;
  virtual std::string name() const = 0;
  /// All that a case may say: names, units, ranges, defaults, help.
  virtual const ParameterList& parameters() const = 0;
  /// Reads and checks a case alone. Throws BadInput.
  virtual void check(const Tree&) const = 0;
  /// Checks a case as far as that takes little time. Throws BadInput.
  virtual Plan plan(const Tree&, const Machine& = {}) const = 0;
  /// The results as arrays that the caller owns; docs/guide/library.md says which. Pictures and files that
  /// the case asks for are not made. A run that does not converge has the attribute "converged" other than
  /// "yes": "no: WHY".
  virtual results::Result run(const Tree&, const Machine& = {}, const Observer& = {}) const = 0;
  /// What the case describes, as arrays to look at: fdtd has `permittivity` at the highest frequency of its
  /// sources [z][y][x], dda `material` of each dipole, 0 outside [z][y][x], both with `x`, `y` and `z`; fdtd
  /// also `sources` and `monitors`, of each its middle and its size. Others refuse.
  virtual results::Result model(const Tree&) const {
    throw BadInput("a case of " + name() + " has no model as arrays (fdtd and dda have one); plan it");
  }
  /// One for each seat, which may share what they keep. Each is used by one thread; several at a time.
  virtual std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const = 0;
};

/// "dda", "fdtd", "harmonic", "eqs", "mie" or "solve". Throws BadInput for other names.
const Family& family(std::string_view name);
std::vector<std::string> families();
/// The family of a case: the one whose parameters have most of the names at its top; [harmonic] decides for
/// itself. Throws BadInput where none has any, or several have as many.
const Family& family_of(const Tree&);

}  // namespace umov
