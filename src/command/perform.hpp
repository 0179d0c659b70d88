// The work of every family's command around a run: warnings, finished runs, signals, refused runs.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "command/output_folder.hpp"
#include "command/stage_watch.hpp"
#include "core/atomic_file.hpp"
#include "core/console.hpp"
#include "core/error.hpp"
#include "core/signals.hpp"
#include "core/wording.hpp"
#include "parameters/parameters.hpp"
#include "run/finished.hpp"
#include "run/observer.hpp"
#include "run/ranks.hpp"

namespace umov::command {

/// The first entry in which the resolved.toml of a folder differs from `resolved`, with both values; empty
/// where none does. Entries that only one of them has, [machine], [output] and [checkpoint] do not count.
/// With a `table` all of its parameters do but those of the machine, and those that only `resolved` has where
/// they are no defaults.
std::string difference_to(const std::string& folder, const std::string& resolved,
                          const ParameterList* table = nullptr);

/// Says that the run is finished. Throws BadInput where its resolved.toml is of another case than `resolved`
/// (difference_to).
Exit tell_finished(const std::string& folder, const std::string& resolved,
                   const ParameterList* table = nullptr);

/// Takes a file away if it is there.
void remove_quietly(const std::string& path);

/// Warns of the files of an earlier run. Returns what it said, for the log; "" = nothing.
std::string warn_if_used(const OutputFolder&, bool resume);

/// Runs with signals as requests to stop: an interruption gets the exit code of its signal, and a run that
/// was refused leaves no folder. `finish` ends the progress line first.
template <class Run>
auto guarded(OutputFolder& folder, const std::function<void()>& finish, const Run& run) -> decltype(run()) {
  const SignalGuard guard;
  try {
    auto outcome = run();
    finish();
    return outcome;
  } catch (const run::Interrupted& e) {
    finish();
    const int signal = received_signal();
    throw run::Interrupted(e.what(), signal ? Exit(128 + signal) : e.code());
  } catch (...) {
    finish();
    folder.abandon();
    throw;
  }
}

/// What a family whose checkpoint lies in the output folder does.
template <class Simulation, class Outcome>
struct FamilyRun {
  StageWatch* stages = nullptr;       ///< of this run; always there
  std::function<std::string()> stem;  ///< end of the name of a numbered folder
  std::string checkpoint;             ///< name of the checkpoint's file; "": its state stays in the folder
  std::function<std::string(const Simulation&)> resolved;
  /// Calls `begun`, unless it is empty, as Observer::begun.
  std::function<Outcome(const Simulation&, const std::function<void()>& begun)> run;
  std::function<void()> finish;  ///< ends the progress line
  /// With the times of the stages so far.
  std::function<void(const Outcome&, const std::string& folder, const std::vector<StageTime>&)> write;
  /// Hears of the folder when all is written, and why the run did not converge or what is wrong with its
  /// numbers ("" = nothing). May be empty.
  std::function<void(const std::string& folder, const std::string& why_not)> written;
  std::function<std::string(const Outcome&)> log, summary;
  std::function<std::string(const Outcome&)> why_not;  ///< of a run that did not converge
  std::function<std::string(const Outcome&)> unfit;    ///< what is wrong with the numbers found; "" = nothing
};

/// Whether a run, or all of several, came to its end.
bool is_converged(const auto& outcome) {
  if constexpr (requires { outcome.converged(); })
    return outcome.converged();
  else
    return outcome.converged;
}

/// Of a process that another one talks and writes for: the run in the folder that the other has made, if it
/// runs.
template <class Simulation, class Outcome>
Exit follow(const Simulation& sim, const FamilyRun<Simulation, Outcome>& family) {
  const SignalGuard guard;
  Simulation own = sim;
  own.output_dir = run::from_first("");
  if (!own.output_dir.empty()) family.run(own, {});
  family.finish();
  return Exit::done;
}

/// The whole of it: folder, resolved.toml, run, results, log, exit code. Errors are thrown.
template <class Simulation, class Outcome>
Exit perform(const Simulation& sim, const FamilyRun<Simulation, Outcome>& family) {
  if (!comm::talks()) return follow(sim, family);
  if (sim.checkpoint.resume && !family.checkpoint.empty() &&
      run::has_finished(sim.output_dir, sim.output_dir + "/" + family.checkpoint)) {
    run::from_first("");
    return tell_finished(sim.output_dir, family.resolved(sim));
  }
  const SignalGuard guard;  // from before there is a folder until all is written
  OutputFolder folder(sim.output_dir, family.stem);
  Simulation recorded = sim;
  recorded.output_dir = run::from_first(folder.path());
  std::string used;
  const Outcome outcome = guarded(folder, family.finish, [&] {
    folder.begin(sim.checkpoint.resume ? "" : family.resolved(recorded));
    // a run that is refused replaces nothing
    return family.run(recorded, [&] { used = warn_if_used(folder, sim.checkpoint.resume); });
  });
  const bool converged = is_converged(outcome);
  const SignalGuard until_written;  // the results come whole; a second signal ends the program at once
  // A continued run keeps the case of the first until it has succeeded: it may be refused.
  if (sim.checkpoint.resume) write_file(folder.file("resolved.toml"), family.resolved(recorded));
  const std::vector<StageTime> times = family.stages->times();
  family.stages->finish("output");
  family.write(outcome, folder.path(), times);
  const std::string unfit = family.unfit(outcome);
  std::string warnings;
  for (const std::string& text : {used, unfit})
    if (!text.empty()) warnings += "warning: " + text + "\n";
  family.stages->rest();
  write_file(folder.file("log"), printable(worded(warnings + family.log(outcome)) + "\n" +
                                           family.stages->table() + "\n" + family.resolved(recorded)));
  if (converged && !family.checkpoint.empty()) remove_quietly(folder.file(family.checkpoint));
  folder.settle(!sim.checkpoint.resume);
  if (!sim.quiet)
    fmt::print("{}",
               printable(fmt::format("{}results: {}\n", worded(family.summary(outcome)), folder.path())));
  if (family.written)
    family.written(folder.path(), !unfit.empty() ? unfit : converged ? "" : family.why_not(outcome));
  if (!converged) warn(fmt::format("{}; the results are marked as not converged", family.why_not(outcome)));
  if (!unfit.empty()) throw Error(Exit::not_converged, folder.path() + ": " + unfit);
  return converged ? Exit::done : Exit::not_converged;
}

}  // namespace umov::command
