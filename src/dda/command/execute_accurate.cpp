// Finished grids of a run to an accuracy, saved as the rows of many cases are.
#include "dda/command/execute_accurate.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "command/perform.hpp"
#include "core/file_contents.hpp"
#include "dda/case/many.hpp"
#include "dda/run/case_rows.hpp"
#include "dda/run/checkpoints.hpp"

namespace umov::dda {

namespace {

/// A grid as it would be alone: its accuracy is that of all grids together.
Simulation alone(Simulation sim) {
  sim.accuracy = sim.accuracy_time = 0;
  return sim;
}

/// What all grids share: the case without its grid, and the directions of its Mueller matrices.
std::string settings_of(Simulation sim) {
  sim.shape.grid = {0, 0, 0};
  const Outputs& o = sim.outputs;
  return shared_settings(case_of(sim), sim) +
         fmt::format(
             "output.mueller = {}\noutput.theta_intervals = {}\noutput.yz_plane = {}\n"
             "output.scattering_plane = {}\noutput.scattering_grid = {}\noutput.phi_integrals = {}\n"
             "output.scattering_grid_file = {}\n",
             o.mueller || o.amplitude || o.efield, o.ntheta, o.yz, o.scat_plane, o.store_scat_grid,
             o.phi_integr, file_name(o.scat_grid_file)) +
         contents_of({o.scat_grid_file});
}

class States {
 public:
  States(const Simulation& sim, const Machine& machine)
      : folder_(machine.checkpoint_dir),
        resume_(machine.checkpoint.resume),
        rows_(folder_ + "/" + grids_state, settings_of(alone(sim)),
              resume_ && std::filesystem::exists(folder_ + "/" + grids_state)) {}

  AccuracyObserver watch(const std::function<RunObserver(int)>& observer) {
    AccuracyObserver w;
    w.observer = observer;
    w.finished = [this](const Simulation& s) -> std::optional<CaseRow> {
      const CaseRow* found = rows_.find(key_of(alone(s)));
      return found ? std::optional(*found) : std::nullopt;
    };
    w.kept = [this] { return rows_.size(); };
    w.begin = [this](const Simulation& s) {
      const bool begun = rows_.begin(key_of(alone(s)));
      return resume_ && !s.orientation.average && begun;
    };
    w.solved = [this](const Simulation& s, const CaseRow& row) {
      rows_.add(key_of(alone(s)), row);
      remove_states(folder_);
    };
    return w;
  }

  const std::string& path() const { return rows_.path(); }

 private:
  const std::string folder_;
  const bool resume_;
  CaseRows rows_;
};

}  // namespace

Outcome run_with_state(const Simulation& sim, const Machine& machine,
                       const std::function<RunObserver(int)>& observer, comm::Communicator* comm) {
  States states(sim, machine);
  Outcome out = run_accurate(sim, machine, states.watch(observer), comm);
  if (out.converged) command::remove_quietly(states.path());
  return out;
}

}  // namespace umov::dda
