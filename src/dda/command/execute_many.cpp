// A case with lists as a command performs it.
#include "dda/command/execute_many.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "comm/world.hpp"
#include "command/on_ranks.hpp"
#include "command/perform.hpp"
#include "core/console.hpp"
#include "core/digest.hpp"
#include "core/process_age.hpp"
#include "core/signals.hpp"
#include "core/timer.hpp"
#include "core/wording.hpp"
#include "dda/case/many.hpp"
#include "dda/command/execute.hpp"
#include "dda/command/live_run.hpp"
#include "dda/command/many_words.hpp"
#include "dda/output/many.hpp"
#include "dda/output/write_results.hpp"
#include "dda/run/case_checks.hpp"
#include "dda/run/case_rows.hpp"
#include "dda/run/checkpoints.hpp"
#include "dda/run/many.hpp"
#include "dda/run/rank_use.hpp"
#include "dda/run/run.hpp"
#include "results/finite.hpp"
#include "run/finished.hpp"
#include "run/ranks.hpp"

namespace umov::dda {

namespace {

constexpr const char* state_of_list = "checkpoint-cases";

/// The plan of the largest case; warnings are said.
Outcome plan_largest(const Request& r, CaseWarnings& warnings) {
  std::vector<std::string> texts;
  // ranks compute a case of many each, a case alone together
  Outcome largest = plan_many(
      r.cases, r.given.machine, [&](const std::string& text) { texts.push_back(text); },
      r.cases.size() == 1 ? ranks_asked(r.given.machine.ranks) : 1);
  warnings.say_largest(texts);
  return largest;
}

/// The cases of a list in their folder, on each rank: with what they are computed, what is kept and told of
/// them.
class ListRun {
 public:
  /// `warnings` hears those of the first rank, and is nullptr on others; `live` is nullptr where nobody
  /// looks. Throws as CaseRows does.
  ListRun(const Request& r, const ManyExtras& extras, std::string folder, CaseWarnings* warnings,
          LiveRun* live)
      : request_(r),
        extras_(extras),
        folder_(std::move(folder)),
        warnings_(warnings),
        live_(live),
        machine_(r.given.machine),
        cases_(r.cases) {
    machine_.output_dir = folder_;
    if (!warnings_) return;
    for (const Simulation& sim : cases_) keys_.push_back(key_of(sim));
    rows_.emplace(folder_ + "/" + state_of_list, shared_settings(r.given, r.cases.front()) + extras.kept_of,
                  machine_.checkpoint.resume);
  }

  /// With what `as` computes with. `viewed`: the first rank is looked at, which matters where all ranks share
  /// a case.
  ManyOutcome run(comm::Communicator& comm, const Machine& as, bool viewed) {
    ranks_ = comm.size();
    viewed_ = viewed;
    if (rows_) rows_->open();  // a run that is stopped early goes on, too
    try {
      ManyOutcome out = run_many(comm, cases_, as, watch(as));
      out.settings = resolved_toml(request_.given, request_.simulation);
      out.machine = machine_;
      out.times.add("files", files_);
      out.times.add("pictures", pictures_);
      return out;
    } catch (const run::Interrupted& e) {
      // an average has no state of its own, the cases before are kept
      if (!rows_ || !request_.simulation.orientation.average) throw;
      throw run::Interrupted("interrupted; " + how_to_go_on(), e.code());
    }
  }

  void plan() {
    const int sharing = cases_.size() == 1 ? std::max(1, ranks_asked(machine_.ranks)) : 1;
    for (const Simulation& sim : cases_) require_room(sim, machine_, sharing);
    Outcome largest = plan_largest(request_, *warnings_);
    largest.planned_ranks = machine_.ranks.ranks;
    if (request_.given.show_memory) fmt::print("{}", plan_text(largest, ""));
    require_memory(largest);
  }

  /// Says where rows that are taken over were computed elsewhere than the others will be.
  void warn_of_backends() {
    const std::string resolved = folder_ + "/resolved.toml";
    if (rows_->size() == 0 || !std::filesystem::exists(resolved)) return;
    Case before;
    Origins unused;
    parameters().read_toml(resolved, before, unused);
    if (before.machine.backend != machine_.backend)
      warnings_->say(
          fmt::format("rows of the run before were computed by `machine.backend = '{}'`, the "
                      "others are by `machine.backend = '{}'`",
                      before.machine.backend, machine_.backend));
  }

  void finish() { line_.finish(); }
  /// Rows of a list that has not converged stay: a run that goes on from it ends as this one.
  void remove_state(bool converged) const {
    if (converged) command::remove_quietly(rows_->path());
    remove_states(folder_);
  }

 private:
  ManyObserver watch(const Machine& as) {
    ManyObserver watch;
    watch.finished = [this](std::size_t i) { return finished(i); };
    watch.begin = [this, as](const auto& together) { return begin(together, as); };
    watch.ready = [this](std::size_t i) { return ready(i); };
    watch.observer = [this](std::size_t i) { return observer(i); };
    watch.solved = [this](std::size_t i, const Outcome& o, CaseRow& row) { solved(i, o, row); };
    watch.row = [this](std::size_t i, const CaseRow& row) { keep(i, row); };
    watch.apart = [this](const std::function<bool()>& stopped) {
      if (live_) live_->stop_by(stopped);  // this thread may not ask other ranks
    };
    watch.stop = interrupted;
    // of this rank the case itself is held
    watch.held = [this] { return at_case_ && live_ && live_->paused(); };
    watch.how_to_go_on = [this] { return how_to_go_on(); };
    return watch;
  }

  Simulation ready(std::size_t i) {
    Simulation sim = cases_[i];
    if (ranks_ > 1) sim.solver.block = 1;
    if (Outputs& o = sim.outputs; !o.case_folders)  // what goes into the table, and no more
      o.mueller = o.amplitude = o.efield = o.hdf5 = o.csv = o.pictures = false;
    if (extras_.ask) extras_.ask(i, sim);
    return sim;
  }

  Machine begin(const std::vector<std::size_t>& together, const Machine& as) {
    const std::size_t first = together.front() + 1;
    in_words_ = together.size() == 1 ? fmt::format("case {}", first)
                                     : fmt::format("{} cases together from case {}", together.size(), first);
    Machine machine = as;
    machine.ranks = {};  // of the run, not of a case
    machine.output_dir = machine.checkpoint_dir = folder_;
    machine.checkpoint.resume = false;
    if (ranks_ > 1 && cases_.size() > 1) {  // cases begin anew
      machine.checkpoint_kind = CheckpointKind::none;
      machine.checkpoint_dir.clear();
      return machine;
    }
    machine = with_checkpoints(machine, folder_);
    if (!rows_) return machine;
    Digest key;
    for (const std::size_t j : together) key.add(&keys_[j], sizeof keys_[j]);
    machine.checkpoint.resume = rows_->begin(key.value());
    return machine;
  }

  /// A row whose folder is wanted and not there, or not whole, is found anew.
  std::optional<CaseRow> finished(std::size_t i) const {
    const CaseRow* found = rows_->find(keys_[i]);
    if (!found || (extras_.keep && found->extra.size() != extras_.kept)) return {};
    const std::string own = folder_of(i);
    if (cases_[i].outputs.case_folders && !run::has_finished(own, own + "/checkpoint-Y")) return {};
    return *found;
  }

  std::string folder_of(std::size_t i) const { return fmt::format("{}/case_{:04}", folder_, i + 1); }

  RunObserver observer(std::size_t i) {
    at_case_ = true;
    RunObserver o;
    if (!warnings_) {
      if (viewed_) o.watcher = &follower_;
      o.iteration = [this](char, long, double) {
        follower_.iterate();
        return !interrupted();
      };
      return o;
    }
    o = watch_with(line_, cases_[i], machine_.quiet, fmt::format("{} of {}, ", in_words_, cases_.size()));
    o.warning = [this](const std::string& text) {
      line_.finish();
      warnings_->say(text);
    };
    if (live_) {
      // Of several ranks the first one's cases are seen, and as many are computed beside them.
      const std::size_t ranks = std::size_t(ranks_), before = ranks == 1 ? i : rows_there() / ranks;
      live_->next(fmt::format("case {} of {}", i + 1, cases_.size()), before,
                  (cases_.size() + ranks - 1) / ranks);
      live_->listen(o);
    }
    return o;
  }

  void solved(std::size_t i, const Outcome& o, CaseRow& row) {
    const Stopwatch files;
    at_case_ = false;
    line_.finish();
    if (rows_) remove_states(folder_);
    if (extras_.keep) row.extra = extras_.keep(i, o);
    const double pictures = pictures_;
    if (cases_[i].outputs.case_folders) write_folder(i, o);
    files_ += files.seconds() - (pictures_ - pictures);
  }

  void write_folder(std::size_t i, Outcome o) {
    static std::mutex one_at_a_time;  // ranks may be threads, for which HDF5 is not made
    const std::lock_guard hold(one_at_a_time);
    command::OutputFolder own(folder_of(i), [] { return std::string(); });
    o.simulation = cases_[i];
    o.machine = machine_;
    o.machine.ranks = {};
    o.machine.output_dir = own.path();
    o.simulation.outputs.case_folders = false;
    o.simulation.solver.neighbours = true;
    o.settings = resolved_toml(o.simulation, o.machine);
    own.begin(o.settings);
    const std::size_t before = o.timings.size();
    write_results(o, own.path());
    for (std::size_t t = before; t < o.timings.size(); ++t)
      if (o.timings[t].name == "pictures") pictures_ += o.timings[t].seconds;
    own.settle(true);
  }

  /// A row of any rank, on the thread that hears of it. Viewers have the table so far.
  void keep(std::size_t i, const CaseRow& row) {
    const std::lock_guard hold(rows_lock_);
    rows_->add(keys_[i], row);
    if (!live_) return;
    ManyOutcome so_far;
    for (std::size_t k = 0; k < cases_.size(); ++k)
      if (const CaseRow* found = rows_->find(keys_[k])) {
        so_far.cases.push_back(cases_[k]);
        so_far.rows.push_back(*found);
      }
    live_->show(to_result(so_far));
  }

  std::size_t rows_there() const {
    const std::lock_guard hold(rows_lock_);
    return rows_->size();
  }

  std::string how_to_go_on() const {
    return fmt::format("{} of {} cases are finished, continue with {} --resume {}", rows_there(),
                       cases_.size(), extras_.command, folder_);
  }

  const Request& request_;
  const ManyExtras& extras_;
  const std::string folder_;
  CaseWarnings* warnings_;
  LiveRun* live_;
  Machine machine_;
  const std::vector<Simulation>& cases_;
  std::vector<std::uint64_t> keys_;
  std::optional<CaseRows> rows_;  ///< of the first rank
  mutable std::mutex rows_lock_;
  std::atomic<bool> at_case_ = false;  ///< this rank
  int ranks_ = 1;
  bool viewed_ = false;
  double files_ = 0, pictures_ = 0;  ///< s, of cases
  std::string in_words_;             ///< the cases that are solved for
  command::LineWatch<Progress> line_;
  LiveFollower follower_;
};

std::string stem_of(const Request& r) {
  return folder_stem(r.simulation) + fmt::format("_{}cases", r.cases.size());
}

/// What lists cannot have on several ranks.
void refuse_on_ranks(const Request& r) {
  const Simulation& sim = r.simulation;
  if (ranks_asked(r.given.machine.ranks) <= 1) return;
  if (sim.solver.block > 1)
    throw BadInput(
        "a case with lists cannot have blocks of right-hand sides on several ranks (its cases go to ranks of "
        "their own); leave --block out, or give one rank");
  if (r.given.machine.split == RankSplit::particle && r.cases.size() > 1)
    throw BadInput("--split particle: a case with lists gives its cases to ranks of their own; leave it out");
}

}  // namespace

void print_plan_many(const Request& r) {
  CaseWarnings warnings;
  const Outcome largest = plan_largest(r, warnings);
  refuse_on_ranks(r);
  warn_of_idle_split(r.given.machine);
  fmt::print("{}\n# {} runs; the largest:\n{}", resolved_toml(r.given, r.simulation), r.cases.size(),
             plan_text(largest, "# "));
  require_memory(largest);
  command::require_writable(r.given.machine.output_dir);
}

namespace {

/// The request as its files in the folder make it.
Request placed(const Request& asked, const ManyExtras& extras, const std::string& folder, bool write) {
  if (!extras.place) return asked;
  Request r = extras.place(folder, write);
  r.given.machine.command_line = asked.given.machine.command_line;
  return r;
}

/// The log; `words`: the summary.
std::string log_text(const Request& r, const ManyOutcome& o, const CaseWarnings& warnings,
                     const std::string& words) {
  return fmt::format("{}\n{}{}\n{}\n\n{}", r.given.machine.command_line, worded(warnings.lines()), words,
                     times_table(o.times), resolved_toml(r.given, r.simulation));
}

/// The whole of a run, looked at by `live` on the rank that talks where it is viewed.
Exit execute_once(const Request& asked, const ManyExtras& extras, LiveRun* live) {
  Request r = asked;
  const Machine& machine = asked.given.machine;
  const bool viewed = asked.given.view.on;
  CaseWarnings warnings;
  std::optional<ListRun> run;  // of the rank that talks
  double before = 0;           // s, of the process
  std::string words, missed;
  command::StageWatch stages(command::StageWatch::only_timed);
  command::FamilyRun<Machine, ManyOutcome> family;
  family.stages = &stages;
  family.stem = [&] { return extras.stem.empty() ? stem_of(r) : extras.stem; };
  family.checkpoint = state_of_list;
  family.resolved = [&](const Machine&) {
    const Request now = !run && extras.saved ? extras.saved() : r;
    return resolved_toml(now.given, now.simulation) + extras.remark;
  };
  family.prepare = [&](const Machine& recorded) {
    warnings.keep(warn_of_idle_split(machine));
    try {
      r = placed(asked, extras, recorded.output_dir, true);
      refuse_on_ranks(r);
      run.emplace(r, extras, recorded.output_dir, &warnings, live);
      run->plan();
    } catch (...) {
      if (extras.withdraw) extras.withdraw();
      throw;
    }
    if (machine.checkpoint.resume) run->warn_of_backends();
  };
  family.run = [&](const Machine& recorded, const std::function<std::string()>& begun) {
    if (begun) warnings.keep(begun());
    if (!run) r = placed(asked, extras, recorded.output_dir, false);
    before = process_age();
    return command::on_ranks(r.given.machine, [&](const Machine& own, comm::Communicator& comm) {
      if (comm.first()) return run->run(comm, own, viewed);
      return ListRun(r, extras, recorded.output_dir, nullptr, nullptr).run(comm, own, viewed);
    });
  };
  family.finish = [&] {
    if (run) run->finish();
  };
  family.write = [&](ManyOutcome& o, const std::string& folder, const std::vector<StageTime>&) {
    if (extras.tabulate) extras.tabulate(o);
    o.times.set("start", before);
    const Stopwatch files;
    write_results(o, folder);
    if (live) live->show(to_result(o));
    if (extras.write) extras.write(o, folder);
    o.times.add("files", files.seconds());
    o.times.set("total", process_age() - before - o.times.spent("files") - o.times.spent("pictures"));
    missed = missed_words(o, folder);
    warnings.keep(missed);
    words = summary(o);
    write_file(folder + "/log", printable(log_text(r, o, warnings, words + "results: " + folder + "\n")));
  };
  family.summary = [&](const ManyOutcome& o) { return (extras.say ? extras.say(o) : "") + words; };
  family.why_not = [](const ManyOutcome&) { return "not every case reached its end"; };
  family.unfit = [](const ManyOutcome& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)));
  };
  family.table = &parameters();
  family.reads = [&] { return files_read(r.simulation); };
  family.forget = [&](const ManyOutcome& o, const std::string&) { run->remove_state(o.converged()); };
  family.doubts = [&](const ManyOutcome&) {
    return missed.empty() ? std::vector<std::string>() : std::vector<std::string>{missed};
  };
  if (live)
    family.written = [live](const std::string& folder, const std::string& why) { live->wrote(folder, why); };
  return command::perform(machine, family);
}

}  // namespace

Exit execute_many(const Request& r, const ManyExtras& extras) {
  const Machine& machine = r.given.machine;
  refuse_on_ranks(r);  // cases of another code's input are not known yet
  const cases::ViewSettings& settings = r.given.view;
  const bool shown = settings.on && comm::talks() && !command::is_there(machine, state_of_list);
  if (!shown) return execute_once(r, extras, nullptr);
  const std::string title = extras.stem.empty() ? stem_of(r) : extras.stem;
  command::LiveView view(settings, title);
  LiveRun live(view, title, machine.command_line);
  return view.through([&] { return execute_once(r, extras, &live); }, [&] { return live.stopped(); });
}

}  // namespace umov::dda
