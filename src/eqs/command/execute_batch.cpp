#include "eqs/command/execute_batch.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "command/case_line.hpp"
#include "command/on_ranks.hpp"
#include "command/perform.hpp"
#include "command/plan_warnings.hpp"
#include "command/stage_watch.hpp"
#include "core/console.hpp"
#include "core/signals.hpp"
#include "core/text.hpp"
#include "core/wording.hpp"
#include "eqs/case/case.hpp"
#include "eqs/command/batch_results.hpp"
#include "eqs/command/batch_run.hpp"
#include "eqs/command/batch_state.hpp"
#include "eqs/command/execute.hpp"
#include "eqs/command/live_batch.hpp"
#include "eqs/observables/peak_edges.hpp"
#include "eqs/output/results.hpp"
#include "results/entries.hpp"
#include "results/finite.hpp"
#include "results/formats.hpp"
#include "run/finished.hpp"
#include "run/ranks.hpp"

namespace umov::eqs {

namespace {

constexpr const char* state_name = "checkpoint-variants";

/// The folder of a variant in that of its batch.
std::string variant_folder(const std::string& folder, std::size_t k) {
  return fmt::format("{}/variant_{:04}", folder, k + 1);
}

/// All results of a variant, in that folder.
void write_variant(const std::string& folder, std::size_t k, const Outcome& o) {
  command::OutputFolder own(variant_folder(folder, k), [] { return std::string(); });
  own.begin(resolved_toml(o.simulation, o.machine));
  write_results(o, own.path());
  write_file(own.file("log"), printable(worded(log_text(o)) + "\n" + resolved_toml(o.simulation, o.machine)));
  own.settle(true);
}

/// A batch, its folder and the rows that are kept there.
class BatchRun {
 public:
  /// `live`, unless nullptr, hears of the batch.
  BatchRun(const Batch& batch, const std::string& folder, LiveBatch* live)
      : batch_(batch), folder_(folder), live_(live) {
    if (!comm::talks()) return;
    keys_ = variant_keys(batch);
    const bool resume = batch.machine.checkpoint.resume;
    state_ = resume ? load_batch_state(state_file(), batch) : begin_batch_state(batch);
    for (std::size_t i = 0; i < state_.rows.size(); ++i) places_[state_.rows[i].key] = i;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const auto found = places_.find(keys_[k]);
      rows_.emplace_back();
      if (found != places_.end() && has_folder(k)) rows_.back() = state_.rows[found->second].row;
    }
  }

  BatchOutcome run() {
    if (!comm::world()) return run(*comm::one_rank(), seat_of_process(batch_));
    return command::on_ranks(batch_.machine, [&](const run::Machine& own, comm::Communicator& comm) {
      return run(comm, seat_of_rank(batch_, own));
    });
  }
  /// Whether nothing is left to compute.
  bool complete() const {
    return std::ranges::all_of(rows_, [](const auto& row) { return row.has_value(); });
  }
  void finish() { line_.reset(); }

 private:
  BatchOutcome run(comm::Communicator& comm, const BatchSeat& seat) {
    BatchWatch watch;
    if (batch_.spec.folders)
      watch.computed = [this](std::size_t k, const Outcome& o) { write_variant(folder_, k, o); };
    watch.finished = [this](std::size_t k, const sweep::Row& row) { solved(k, row); };
    watch.progress = [this](const run::CaseProgress& p) {
      if (!line_) line_ = std::make_unique<command::CaseLine>("eqs", "variants", batch_.machine.quiet);
      line_->update(p);
      if (live_) live_->progress(p);
    };
    watch.warning = [this](const std::string& text) {
      finish();
      warn(text);
    };
    watch.stop = [] { return interrupted(); };
    if (live_) {
      watch.enough = [this] { return live_->enough(); };
      watch.held = [this] { return live_->held(); };
      watch.hold = [this](const std::function<bool()>& over) { live_->hold(over); };
      live_->begin(folder_);
      for (std::size_t k = 0; k < rows_.size(); ++k)
        if (rows_[k]) live_->solved(k, *rows_[k]);
    }
    try {
      BatchOutcome out = run_batch(comm, batch_, seat, watch, rows_);
      if (comm.first()) keep();
      return out;
    } catch (const run::Interrupted&) {
      if (!comm.first()) throw;
      keep();
      throw run::Interrupted(
          fmt::format("interrupted; {} of {} variants are finished, continue with umov eqs "
                      "--resume {}",
                      state_.rows.size(), batch_.size(), folder_));
    }
  }
  std::string state_file() const { return folder_ + "/" + state_name; }
  /// There is a file, whatever rows it has.
  void keep() {
    if (!file_) file_.emplace(state_file(), state_);
  }
  /// Where variants have folders: whether that of its number is this variant's. In a list that has grown
  /// numbers may have moved.
  bool has_folder(std::size_t k) const {
    const std::string own = variant_folder(folder_, k);
    std::error_code ignored;
    return !batch_.spec.folders || (std::filesystem::exists(own + "/log", ignored) &&
                                    command::difference_to(own, resolved_toml(batch_.cases[k])).empty());
  }
  /// One that did not converge has another try.
  void solved(std::size_t k, const sweep::Row& row) {
    if (row.status == sweep::Status::done) {
      keep();
      const sweep::Finished found{0, keys_[k], row};
      file_->add(found);
      const auto [at, fresh] = places_.emplace(keys_[k], state_.rows.size());
      if (fresh)
        state_.rows.push_back(found);
      else
        state_.rows[at->second] = found;
    }
    if (live_) live_->solved(k, row);
    if (!row.scalars.empty() && !std::exchange(told_, true))
      sweep::require_columns(batch_.spec.response, row.scalars, "variants.csv");
  }

  const Batch& batch_;
  std::string folder_;
  std::vector<std::uint64_t> keys_;
  sweep::State state_;                           ///< stays in the folder: a longer list goes on from it
  std::map<std::uint64_t, std::size_t> places_;  ///< of its rows, by their keys
  sweep::Rows rows_;                             ///< that an earlier run has found
  LiveBatch* live_;
  std::unique_ptr<command::CaseLine> line_;
  std::optional<sweep::StateFile> file_;
  bool told_ = false;  ///< the columns are known
};

/// Fields of a material's peak that its warning says are singular, whatever fits them.
std::string seen_on_edges(const BatchOutcome& o, const std::string& column) {
  constexpr std::string_view peak = " peak";
  if (!column.ends_with(peak)) return "";
  const auto on = peak_remark(o.warnings, column.substr(0, column.size() - peak.size()));
  return on.empty() ? "" : on + ", which the error of the fit knows nothing of (see the warning)";
}

std::string summary(const Batch& batch, const BatchOutcome& o,
                    const std::vector<sweep::Response>& responses) {
  const auto unfound =
      std::ranges::count_if(o.rows, [](const auto& row) { return !BatchOutcome::is_done(row); });
  std::string out = fmt::format("{} variants{}{}, {} mesh{}; {:.3g} s", o.rows.size(),
                                o.taken_over ? fmt::format(", {} of them taken over", o.taken_over) : "",
                                unfound ? fmt::format(", {} NOT CONVERGED", unfound) : "", o.course.made,
                                o.course.made == 1 ? "" : "es", o.seconds);
  if (!o.course.words.empty()) out += "; " + o.course.words;
  out += "\n" + o.course.ranks;
  for (const auto& r : responses)
    out += sweep::response_text(batch.sweep, r, "variant", seen_on_edges(o, r.column.name));
  return out;
}

std::string stem_of(const Batch& batch) {
  return fmt::format("{}_{}variants", folder_stem(batch.cases.front()), batch.size());
}

}  // namespace

void print_plan(const Batch& batch) {
  const BatchPlan plan = plan_batch(batch);
  fmt::print(
      "{}\n# {} variants on {} mesh{}; the first has {} unknowns\n# memory estimate of one: {} on the "
      "device, {} beside it\n",
      resolved_toml(batch), batch.size(), plan.meshes, plan.meshes == 1 ? "" : "es", plan.unknowns,
      format_bytes(double(plan.device_bytes)), format_bytes(double(plan.host_bytes)));
  command::print_plan_warnings(plan.warnings);
}

namespace {

constexpr const char* unfound =
    "some variants were not computed or did not converge (column 'converged' of variants.csv and the log say "
    "which)";

std::string log_of(const BatchOutcome& o, const Batch& batch, const std::string& words) {
  std::string log = fmt::format("umov {}\n{}\n\n{}", o.version, batch.machine.command_line, words);
  for (const auto& warning : o.warnings) log += "warning: " + warning + "\n";
  for (std::size_t k = 0; k < o.rows.size(); ++k)
    if (!BatchOutcome::is_done(o.rows[k])) log += fmt::format("variant {}: {}\n", k + 1, o.why_not(k));
  return log;
}

/// Whether the folder has this batch already, and all of it.
bool is_there(const Batch& batch) {
  const std::string& folder = batch.machine.output_dir;
  if (!batch.machine.checkpoint.resume || !run::has_finished(folder, "")) return false;
  std::error_code ignored;
  return !std::filesystem::exists(folder + "/" + state_name, ignored) ||  // its rows are gone
         (BatchRun(batch, folder, nullptr).complete() &&
          command::difference_to(folder, resolved_toml(batch)).empty());
}

Exit run_once(Batch batch, LiveBatch* live) {
  const run::Machine machine = batch.machine;
  const OutputSpec& wanted = batch.cases.front().outputs;
  if (comm::talks() && is_there(batch)) {
    run::from_first("");
    return command::tell_finished(machine.output_dir, resolved_toml(batch));
  }
  std::optional<BatchRun> run;
  results::Result result;
  std::string words;
  command::StageWatch stages(command::StageWatch::only_timed);
  command::FamilyRun<run::Machine, BatchOutcome> family;
  family.stages = &stages;
  family.stem = [&] { return stem_of(batch); };
  family.resolved = [&](const run::Machine& m) {
    batch.machine.output_dir = m.output_dir;
    return resolved_toml(batch);
  };
  family.run = [&](const run::Machine& m, const std::function<void()>& begun) {
    run.emplace(batch, m.output_dir, live);
    if (begun) begun();
    stages.begin("variants");
    return run->run();
  };
  family.finish = [&] {
    if (run) run->finish();
  };
  family.write = [&](const BatchOutcome& o, const std::string& folder, const std::vector<StageTime>& times) {
    const auto responses = fit_responses(batch, o);
    words = summary(batch, o, responses);
    result = to_result(batch, o, responses);
    results::add_timings(result, times);
    results::write(result, folder, wanted);
    if (wanted.pictures) sweep::draw_responses(batch.sweep, responses, "variant", folder);
  };
  if (live)
    family.written = [live](const std::string& folder, const std::string& why) { live->wrote(folder, why); };
  family.log = [&](const BatchOutcome& o) { return log_of(o, batch, words); };
  family.summary = [&](const BatchOutcome&) { return words; };
  family.why_not = [](const BatchOutcome&) { return unfound; };
  family.unfit = [&](const BatchOutcome&) {
    return results::describe_not_finite(results::not_finite(result));
  };
  return command::perform(machine, family);
}

}  // namespace

Exit execute(const Batch& batch, const cases::ViewSettings& settings) {
  if (!settings.on || !comm::talks()) return run_once(batch, nullptr);  // other ranks follow the first
  command::LiveView view(settings, stem_of(batch));
  LiveBatch live(view, batch);
  return view.through([&] { return run_once(batch, &live); });
}

}  // namespace umov::eqs
