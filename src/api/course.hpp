// The course of a run below the library, the same for every family: the case of a tree, what is told
// meanwhile.
#pragma once

#include <memory>
#include <string>

#include "api/family.hpp"
#include "run/machine.hpp"
#include "run/observer.hpp"
#include "run/ranks.hpp"

namespace umov::api {

/// The tree with what the machine says put into its tables [machine] and [checkpoint], as far as `table` has
/// these parameters. Throws BadInput where a state is to be resumed that has no folder.
Tree with_machine(const Tree&, const Machine&, const ParameterList& table);

/// The folder that the tree's file lies in; "" for a tree that was built.
std::string folder_of(const Tree&);

/// The folder of the state, made where it is not there. Throws MachineFailure.
void make_folder(const std::string& folder);

/// What a machine wants of a run, in the words of its case: nothing printed, a state where one is wanted.
void take_over(run::Machine&, const Machine&);

/// A case, read and checked, and what computes it.
template <class Simulation, class Own = run::Machine>
struct Ready {
  Simulation sim;
  Own machine;
};

/// The case of a tree, read and checked: `finish(case, origins)` makes its simulation. Nothing of it prints,
/// and it writes nothing but a state where the machine wants one.
template <class Case, class Finish>
auto ready_case(const ParameterTable<Case>& table, const Tree& tree, const Machine& machine,
                const Finish& finish) {
  Case c;
  Origins origins;
  table.read(with_machine(tree, machine, table), c, origins, folder_of(tree));
  table.refuse_idle(&c, origins);
  Ready<decltype(finish(c, origins)), decltype(c.machine)> out{finish(c, origins), {}};
  out.machine = c.machine;
  take_over(out.machine, machine);
  return out;
}

/// Backend, threads and, where the case names one, device.
inline Machine machine_of(const run::Machine& own, const Tree& tree) {
  Machine m;
  m.backend = own.backend, m.threads = own.threads;
  if (tree.contains("machine.device")) m.device = own.device;
  return m;
}

/// The tree as a seat computes it: without what it says of the machine.
Tree seated(const Tree&, const Machine& seat, const ParameterList& table);

/// A series on each seat, made by `make(seat)`.
template <class Make>
std::vector<std::unique_ptr<Series>> series_on(const std::vector<Machine>& seats, const Make& make) {
  std::vector<std::unique_ptr<Series>> all;
  for (const Machine& seat : seats) all.push_back(make(seat));
  return all;
}

/// Computes the case of a tree that is seated already.
using Compute = results::Result (*)(const Tree&, const Machine& seat, const Observer&);

/// The same of what keeps nothing from one case to the next.
std::vector<std::unique_ptr<Series>> series_of(const std::vector<Machine>& seats, const ParameterList& table,
                                               Compute);

/// Writes why a run has not converged into its attribute.
void say_converged(results::Result&, bool converged, const std::string& why_not);

/// An observer while its run goes on.
class Told {
 public:
  explicit Told(const Observer& observer) : observer_(observer) {}

  /// What every family tells; an observer that wants no more ends a stage, too.
  void listen(run::Observer&);
  void warn(const std::string& text) {
    if (observer_.warning) observer_.warning(text);
  }
  /// Whether to go on.
  bool progress(double fraction, const std::string& text);
  /// The next step after `step` at which the observer looks at the fields; beyond all where it does not. One
  /// that has ended the run keeps it from going far.
  long next_moment(long step) const;
  /// Shows the fields where that is due.
  void show(long step, double time, const std::function<results::Result()>& fields);

 private:
  const Observer& observer_;
  double fraction_ = 0;
  long shown_ = 0;  ///< step
  bool ended_ = false;
};

/// What a solver tells of an iteration, for an observer's moment: `iteration` of its solve, `residual`.
results::Result solver_state(long iteration, double residual);

/// Throws BadInput where an observer wants to see the fields of what has no steps, or not on one rank.
void refuse_moments(const Observer&, const std::string& why);

/// Whether CUDA loads kernels at once, as several GPUs of one process want it; a program says so before it
/// begins.
bool loads_kernels_at_once();

/// A run on the ranks that the case or the machine asks for.
template <class Own, class Run>
auto on_ranks(const Own& machine, Told& told, const Run& run) {
  if (machine.ranks.gpus != 0 && machine.ranks.gpus != 1 && !loads_kernels_at_once())
    told.warn(
        "several GPUs compute together and CUDA loads kernels when they are first used (one that waits for "
        "another "
        "GPU's may keep that from being loaded); set CUDA_MODULE_LOADING=EAGER before the program starts");
  return umov::run::on_ranks(machine, run, [&](const std::string& text) { told.warn(text); });
}

/// Makes arrays of the voxels that are there, under `group`: [z][y][x], and the components where there are
/// several. The result then refers to nothing.
void own_voxels(results::Result&, const results::VoxelGrid&, const std::string& group);
/// The same of its own voxels, under "voxels/", with their spacing and the corner of the first.
void own_voxels(results::Result&);

}  // namespace umov::api
