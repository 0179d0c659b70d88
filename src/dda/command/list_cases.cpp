#include "dda/command/list_cases.hpp"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "command/output_folder.hpp"
#include "core/signals.hpp"
#include "dda/case/case.hpp"
#include "dda/command/live_ranks.hpp"
#include "dda/output/write_results.hpp"
#include "dda/run/many.hpp"

namespace umov::dda {

namespace {

/// What goes into the table, and no more.
Simulation lean(Simulation sim) {
  Outputs& o = sim.outputs;
  o.mueller = o.amplitude = o.efield = o.hdf5 = o.csv = o.pictures = false;
  return sim;
}

}  // namespace

ListCases::ListCases(const Request& r, const ManyExtras& extras, std::string folder)
    : extras_(extras), folder_(std::move(folder)), cases_(r.cases) {
  for (Simulation& sim : cases_) {
    sim.ranks = {};  // of the run, not of a case
    sim.command_line = r.simulation.command_line;
    sim.output_dir = folder_;
  }
}

Simulation ListCases::ready(std::size_t i, const Simulation& as, int ranks) const {
  Simulation sim = cases_[i];
  sim.backend = as.backend;
  sim.device = as.device;
  sim.threads = as.threads;
  sim.quiet = as.quiet;
  if (ranks > 1) sim.solver.block = 1;
  auto& checkpoint = sim.checkpoint;
  checkpoint.directory = folder_;
  if (checkpoint.kind == CheckpointKind::none) {
    checkpoint.kind = CheckpointKind::regular;
    checkpoint.interval = 0;
  }
  if (!has_checkpoints(*this, ranks)) checkpoint = {};
  if (!sim.outputs.case_folders) sim = lean(sim);
  if (extras_.ask) extras_.ask(i, sim);
  return sim;
}

double ListCases::leave(std::size_t i, const Outcome& o, CaseRow& row) const {
  if (extras_.keep) row.extra = extras_.keep(i, o);
  return cases_[i].outputs.case_folders ? write_folder(i, o) : 0;
}

double ListCases::write_folder(std::size_t i, Outcome o) const {
  static std::mutex one_at_a_time;  // ranks may be threads, for which HDF5 is not made
  const std::lock_guard hold(one_at_a_time);
  command::OutputFolder own(fmt::format("{}/case_{:04}", folder_, i + 1), [] { return std::string(); });
  o.simulation = cases_[i];
  o.simulation.output_dir = own.path();
  o.simulation.outputs.case_folders = false;
  o.simulation.solver.neighbours = true;
  o.settings = resolved_toml(o.simulation);
  own.begin(o.settings);
  const std::size_t before = o.timings.size();
  write_results(o, own.path());
  double pictures = 0;
  for (std::size_t t = before; t < o.timings.size(); ++t)
    if (o.timings[t].name == "pictures") pictures += o.timings[t].seconds;
  own.settle(true);
  return pictures;
}

ManyOutcome compute_cases(comm::Communicator& comm, const ListCases& cases, const Simulation& as,
                          bool viewed) {
  ManyObserver watch;
  LiveFollower follower;
  watch.ready = [&](std::size_t i, const auto&) { return cases.ready(i, as, comm.size()); };
  watch.observer = [&](std::size_t) {
    RunObserver silent;
    if (viewed) silent.watcher = &follower;
    silent.iteration = [&](char, long, double) {
      follower.iterate();
      return !interrupted();
    };
    return silent;
  };
  watch.solved = [&](std::size_t i, const Outcome& o, CaseRow& row) { cases.leave(i, o, row); };
  watch.stop = interrupted;
  return run_many(comm, cases.all(), watch);
}

}  // namespace umov::dda
