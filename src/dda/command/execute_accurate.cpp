// Finished grids of a run to an accuracy, saved as the rows of many cases are.
#include "dda/command/execute_accurate.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "command/perform.hpp"
#include "dda/case/many.hpp"
#include "dda/run/checkpoints.hpp"
#include "dda/run/many_state.hpp"
#include "run/file_contents.hpp"

namespace umov::dda {

namespace {

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
             o.phi_integr, run::file_name(o.scat_grid_file)) +
         run::contents_of({o.scat_grid_file});
}

class States {
 public:
  explicit States(const Simulation& sim) : sim_(sim) {
    state_.settings = settings_of(sim);
    std::error_code ignored;
    if (sim.checkpoint.resume && std::filesystem::exists(path(), ignored))
      state_ = load_many_state(path(), state_.settings);
  }

  AccuracyObserver watch(const std::function<RunObserver(int)>& observer) {
    AccuracyObserver w;
    w.observer = observer;
    w.finished = [this](const Simulation& s) -> std::optional<CaseRow> {
      const auto found = state_.rows.find(key_of(s));
      return found == state_.rows.end() ? std::nullopt : std::optional(found->second);
    };
    w.kept = [this] { return state_.rows.size(); };
    w.ready = [this](const Simulation& s) { return ready(s); };
    w.solved = [this](const Simulation& s, const CaseRow& row) {
      state_.rows[key_of(s)] = row;
      save(state_, path());
      remove_states(sim_.checkpoint.directory);
    };
    return w;
  }

  std::string path() const { return sim_.checkpoint.directory + "/" + grids_state; }

 private:
  Simulation ready(Simulation s) {
    std::error_code ignored;
    s.checkpoint.resume = s.checkpoint.resume && !s.orientation.average && state_.under_way == key_of(s) &&
                          std::filesystem::exists(sim_.checkpoint.directory + "/checkpoint-Y", ignored);
    state_.under_way = key_of(s);
    save(state_, path());
    return s;
  }

  const Simulation& sim_;
  ManyState state_;
};

}  // namespace

Outcome run_with_state(const Simulation& sim, const std::function<RunObserver(int)>& observer,
                       comm::Communicator* comm) {
  States states(sim);
  Outcome out = run_accurate(sim, states.watch(observer), comm);
  if (out.converged) command::remove_quietly(states.path());
  return out;
}

}  // namespace umov::dda
