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
#include "run/machine.hpp"
#include "run/observer.hpp"
#include "run/ranks.hpp"

namespace umov::command {

/// The first entry in which the resolved.toml of a folder differs from `resolved`, with both values; empty
/// where none does. Entries that only one of them has, [machine], [output] and [checkpoint] do not count.
/// With a `table` all of its parameters do but those of the machine, and those that only `resolved` has where
/// they are no defaults.
std::string difference_to(const std::string& folder, const std::string& resolved,
                          const ParameterList* table = nullptr);

/// Throws BadInput: the run in the folder is finished, and of another case, by `what`.
[[noreturn]] void refuse_finished(const std::string& folder, const std::string& what);

/// Says that the run is finished. Throws BadInput where its resolved.toml is of another case than `resolved`
/// (difference_to).
Exit tell_finished(const std::string& folder, const std::string& resolved,
                   const ParameterList* table = nullptr);

/// Whether the run that is to go on has come to its end. `checkpoint`: of its file, from the output folder;
/// "": nothing says so.
bool is_there(const run::Machine&, const std::string& checkpoint);

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

/// What a family does in the course of `perform`. `Machine` is run::Machine, or what the family adds to it.
/// Members after `unfit` may be left out.
template <class Machine, class Outcome>
struct FamilyRun {
  StageWatch* stages = nullptr;       ///< of this run; always there
  std::function<std::string()> stem;  ///< end of the name of a numbered folder
  /// Of the checkpoint, from the output folder; "": its state stays in the folder.
  std::string checkpoint;
  std::function<std::string(const Machine&)> resolved;
  /// Calls `begun`, unless it is empty, as Observer::begun; it returns what it has warned of, for the log.
  std::function<Outcome(const Machine&, const std::function<std::string()>& begun)> run;
  std::function<void()> finish;  ///< ends the progress line
  /// With the times of the stages so far.
  std::function<void(Outcome&, const std::string& folder, const std::vector<StageTime>&)> write;
  std::function<std::string(const Outcome&)> log;  ///< the file; may be left out where `write` writes it
  std::function<std::string(const Outcome&)> summary;
  std::function<std::string(const Outcome&)> why_not;  ///< of a run that did not converge
  std::function<std::string(const Outcome&)> unfit;    ///< what is wrong with the numbers found; "" = nothing

  FolderNaming naming = {};              ///< of a numbered folder
  const ParameterList* table = nullptr;  ///< says what of a finished run counts (difference_to)
  /// Before the run, in the folder, which other processes have not heard of yet. It may refuse the run.
  std::function<void(const Machine&)> prepare = {};
  /// Files that a run reads after it has begun. Where this is there, results of the run before are taken away
  /// when it begins, all but these, and not first when it ends.
  std::function<std::vector<std::string>()> reads = {};
  /// Whether the end is one that the program's exit code calls good; else whether it has converged.
  std::function<bool(const Outcome&)> good = {};
  /// Takes away the state that the run leaves; else the checkpoint goes where the run has converged.
  std::function<void(const Outcome&, const std::string& folder)> forget = {};
  /// What is warned of behind the summary; else why the run did not converge.
  std::function<std::vector<std::string>(const Outcome&)> doubts = {};
  /// Hears of the folder when all is written, and why the run did not converge or what is wrong with its
  /// numbers ("" = nothing).
  std::function<void(const std::string& folder, const std::string& why_not)> written = {};
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
template <class Machine, class Outcome>
Exit follow(const Machine& machine, const FamilyRun<Machine, Outcome>& family) {
  const SignalGuard guard;
  Machine own = machine;
  own.output_dir = run::from_first("");
  if (!own.output_dir.empty()) family.run(own, {});
  family.finish();
  return Exit::done;
}

/// Runs in the folder until there are results to write. What `begun` has warned of is added to `said`.
template <class Machine, class Outcome>
Outcome run_in(OutputFolder& folder, const Machine& recorded, const FamilyRun<Machine, Outcome>& family,
               std::string& said) {
  const bool resume = recorded.checkpoint.resume;
  const auto begun = [&] {  // a run that is refused replaces nothing
    said = warn_if_used(folder, resume);
    if (family.reads && !resume) folder.replace(family.reads());
    return said;
  };
  return guarded(folder, family.finish, [&] {
    if (family.prepare) family.prepare(recorded);
    folder.begin(resume ? "" : family.resolved(recorded));
    run::from_first(folder.path());
    return family.run(recorded, begun);
  });
}

/// The whole of it: folder, resolved.toml, run, results, log, exit code. Errors are thrown.
template <class Machine, class Outcome>
Exit perform(const Machine& machine, const FamilyRun<Machine, Outcome>& family) {
  if (!comm::talks()) return follow(machine, family);
  const bool resume = machine.checkpoint.resume;
  if (is_there(machine, family.checkpoint)) {
    run::from_first("");
    return tell_finished(machine.output_dir, family.resolved(machine), family.table);
  }
  const SignalGuard guard;  // from before there is a folder until all is written
  OutputFolder folder(machine.output_dir, family.stem, family.naming);
  Machine recorded = machine;
  recorded.output_dir = folder.path();
  std::string used;
  Outcome outcome = run_in(folder, recorded, family, used);
  const bool good = family.good ? family.good(outcome) : is_converged(outcome);
  const SignalGuard until_written;  // the results come whole; a second signal ends the program at once
  // A continued run keeps the case of the first until it has succeeded: it may be refused.
  if (resume) write_file(folder.file("resolved.toml"), family.resolved(recorded));
  const std::vector<StageTime> times = family.stages->times();
  family.stages->finish("output");
  family.write(outcome, folder.path(), times);
  const std::string unfit = family.unfit(outcome);
  std::string warnings;
  for (const std::string& text : {used, unfit})
    if (!text.empty()) warnings += "warning: " + text + "\n";
  family.stages->rest();
  if (family.log)
    write_file(folder.file("log"), printable(worded(warnings + family.log(outcome)) + "\n" +
                                             family.stages->table() + "\n" + family.resolved(recorded)));
  if (family.forget)
    family.forget(outcome, folder.path());
  else if (is_converged(outcome) && !family.checkpoint.empty())
    remove_quietly(folder.file(family.checkpoint));
  folder.settle(!resume);
  if (!machine.quiet)
    fmt::print("{}",
               printable(fmt::format("{}results: {}\n", worded(family.summary(outcome)), folder.path())));
  const std::string why_not = good ? "" : family.why_not(outcome);
  if (family.written) family.written(folder.path(), !unfit.empty() ? unfit : why_not);
  if (family.doubts)
    for (const std::string& text : family.doubts(outcome)) warn(text);
  else if (!good)
    warn(why_not + "; the results are marked as not converged");
  if (!unfit.empty()) throw Error(Exit::not_converged, folder.path() + ": " + unfit);
  return good ? Exit::done : Exit::not_converged;
}

}  // namespace umov::command
