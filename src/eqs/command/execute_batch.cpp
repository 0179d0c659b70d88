#include "eqs/command/execute_batch.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "command/case_line.hpp"
#include "command/on_ranks.hpp"
#include "command/perform.hpp"
#include "core/console.hpp"
#include "core/signals.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "eqs/command/batch_places.hpp"
#include "eqs/command/execute.hpp"
#include "eqs/command/live_batch.hpp"
#include "eqs/observables/peak_edges.hpp"
#include "eqs/output/batch_results.hpp"
#include "eqs/output/results.hpp"
#include "eqs/run/batch.hpp"
#include "eqs/run/batch_state.hpp"
#include "results/finite.hpp"
#include "run/ranks.hpp"

namespace umov::eqs {

namespace {

constexpr const char* state_name = "checkpoint-variants";

class BatchRun {
 public:
  /// `live`, unless nullptr, hears of the batch.
  BatchRun(const Batch& batch, command::OutputFolder& folder, LiveBatch* live)
      : batch_(batch), folder_(folder), first_(batch.cases.front()), live_(live) {
    for (const Simulation& sim : batch.cases) keys_.push_back(variant_key(sim));
    state_ = first_.checkpoint.resume ? load_batch_state(state_file(), batch) : begin_batch_state(batch);
  }

  /// `placed`: the batch with what this process computes with.
  BatchOutcome run(comm::Communicator& comm, const Batch& placed) {
    BatchObserver watch;
    watch.columns = state_.columns;
    watch.finished = [this](std::size_t k) -> std::optional<BatchRow> {
      // one that did not converge has another try
      return has_row(k) && has_folder(k) ? std::optional(state_.rows.at(keys_[k])) : std::nullopt;
    };
    if (batch_.spec.folders)
      watch.computed = [this](std::size_t k, const Outcome& o) { write_variant(folder_.path(), k, o); };
    watch.solved = [this](std::size_t k, const BatchRow& row, const std::vector<BatchColumn>& columns) {
      solved(k, row, columns);
    };
    watch.progress = [this](const run::CaseProgress& p) {
      if (!line_) line_ = std::make_unique<command::CaseLine>("eqs", "variants", first_.quiet);
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
      live_->begin(folder_.path());
      for (std::size_t k = 0; k < batch_.cases.size(); ++k)
        if (const auto row = watch.finished(k)) live_->solved(k, *row, state_.columns);
    }
    try {
      BatchOutcome out = run_batch(comm, placed, watch);
      out.command_line = first_.command_line;
      out.settings = resolved_toml(batch_);
      return out;
    } catch (const run::Interrupted&) {
      keep();
      throw run::Interrupted(
          fmt::format("interrupted; {} of {} variants are finished, continue with umov eqs "
                      "--resume {}",
                      state_.rows.size(), batch_.cases.size(), folder_.path()));
    }
  }
  /// Whether nothing is left to compute.
  bool complete() const {
    for (std::size_t k = 0; k < keys_.size(); ++k)
      if (!has_row(k) || !has_folder(k)) return false;
    return true;
  }
  void finish() { line_.reset(); }
  std::string state_file() const { return folder_.file(state_name); }
  /// There is a file, whatever rows it has.
  void keep() {
    if (!file_) file_.emplace(begin_file(state_, state_file()));
  }

 private:
  bool has_row(std::size_t k) const {
    const auto found = state_.rows.find(keys_[k]);
    return found != state_.rows.end() && found->second.converged;
  }
  /// Where variants have folders: whether that of its number is this variant's. In a list that has grown
  /// numbers may have moved.
  bool has_folder(std::size_t k) const {
    const std::string own = variant_folder(folder_.path(), k);
    std::error_code ignored;
    return !batch_.spec.folders || (std::filesystem::exists(own + "/log", ignored) &&
                                    command::difference_to(own, resolved_toml(batch_.cases[k])).empty());
  }
  void solved(std::size_t k, const BatchRow& row, const std::vector<BatchColumn>& columns) {
    state_.columns = columns;
    if (row.converged) {
      keep();
      add_row(*file_, keys_[k], row);
      state_.rows[keys_[k]] = row;
    }
    if (live_) live_->solved(k, row, columns);
  }

  const Batch& batch_;
  command::OutputFolder& folder_;
  const Simulation& first_;
  std::vector<std::uint64_t> keys_;
  BatchState state_;  ///< stays in the folder: a longer list goes on from it
  LiveBatch* live_;
  std::unique_ptr<command::CaseLine> line_;
  std::optional<run::BlockFile> file_;  ///< with the columns that it has, from the first row on
};

/// Fields of a material's peak that its warning says are singular, whatever fits them.
std::string seen_on_edges(const BatchOutcome& o, const std::string& column) {
  constexpr std::string_view peak = " peak";
  if (!column.ends_with(peak)) return "";
  const auto on = peak_remark(o.warnings, column.substr(0, column.size() - peak.size()));
  return on.empty() ? "" : on + ", which the error of the fit knows nothing of (see the warning)";
}

/// Largest fields, losses and the like have one sign; a polynomial does not know.
std::string sign_remark(const Response& r) {
  const auto [least, most] = std::minmax_element(r.values.begin(), r.values.end());
  if (!(*least >= 0 && r.predicted < 0) && !(*most <= 0 && r.predicted > 0)) return "";
  return ", of the other sign than every variant: the surface does not hold there, narrow the ranges";
}

std::string response_text(const BatchOutcome& o, const Response& r) {
  const auto& column = o.columns[r.column];
  if (!r.surface) return fmt::format("'{}': no surface ({})\n", column.name, r.why_not);
  const auto& q = r.surface->quality;
  const BatchBox box(o.batch);
  std::vector<std::string> at, idle;
  for (std::size_t p = 0; p < o.batch.parameters.size(); ++p) {
    const std::string& name = o.batch.parameters[p].name;
    if (r.importance[p] > 0 || !box.varies(p))
      at.push_back(fmt::format("{} = {:.5g}", name, r.optimum[p]));
    else
      idle.push_back(name);
  }
  return fmt::format(
      "'{}': {} surface, R2 {:.4f} ({:.4f} of variants left out, error {:.3g} {}); {} {:.5g} +- {:.2g} {} "
      "(of the fit{}){}{}{}; best variant {} with {:.5g}{}\n",
      column.name, linalg::surface_name(r.surface->kind), q.r_squared, q.cv_r_squared, q.cv_error,
      column.unit, o.batch.spec.goal == Goal::maximum ? "largest" : "least", r.predicted, q.cv_error,
      column.unit, sign_remark(r), at.empty() ? "" : " at ", join(at, ", "),
      idle.empty() ? "" : fmt::format("; it does not depend on {}", join(idle, ", ")), r.variant[r.best] + 1,
      r.values[r.best], seen_on_edges(o, column.name));
}

std::string summary(const BatchOutcome& o, const std::vector<Response>& responses) {
  std::size_t unfound = 0;
  for (const BatchRow& row : o.rows) unfound += !row.converged;
  std::string out = fmt::format("{} variants{}{}, {} mesh{}; {:.3g} s", o.rows.size(),
                                o.taken_over ? fmt::format(", {} of them taken over", o.taken_over) : "",
                                unfound ? fmt::format(", {} NOT CONVERGED", unfound) : "", o.meshes,
                                o.meshes == 1 ? "" : "es", o.seconds);
  for (const auto& note : o.notes) out += "; " + note;
  out += "\n" + o.ranks;
  for (const Response& r : responses) out += response_text(o, r);
  return out;
}

std::string stem_of(const Batch& batch) {
  return fmt::format("{}_{}variants", folder_stem(batch.cases.front()), batch.cases.size());
}

}  // namespace

void print_plan(const Batch& batch) {
  const BatchPlan plan = plan_batch(batch);
  fmt::print(
      "{}\n# {} variants on {} mesh{}; the first has {} unknowns\n# memory estimate of one: {} on the "
      "device, {} beside it\n",
      resolved_toml(batch), batch.cases.size(), plan.meshes, plan.meshes == 1 ? "" : "es", plan.unknowns,
      format_bytes(double(plan.device_bytes)), format_bytes(double(plan.host_bytes)));
  for (const auto& warning : plan.warnings) fmt::print("# warning: {}\n", warning);
}

namespace {

Exit run_once(Batch batch, LiveBatch* live) {
  const Simulation& first = batch.cases.front();
  const bool resume = first.checkpoint.resume;
  const bool finished = resume && run::has_finished(first.output_dir, "");
  std::error_code ignored;
  if (finished &&
      !std::filesystem::exists(first.output_dir + "/" + state_name, ignored)) {  // its rows are gone
    run::from_first("");
    return command::tell_finished(first.output_dir, resolved_toml(batch));
  }
  const SignalGuard guard;
  command::OutputFolder folder(first.output_dir, [&] { return stem_of(batch); });
  command::warn_if_used(folder, resume);
  for (Simulation& sim : batch.cases) sim.output_dir = folder.path();
  std::unique_ptr<BatchRun> run;
  const std::optional<BatchOutcome> found = command::guarded(
      folder,
      [&] {
        if (run) run->finish();
      },
      [&]() -> std::optional<BatchOutcome> {
        run = std::make_unique<BatchRun>(batch, folder, live);
        if (finished && run->complete() &&
            command::difference_to(folder.path(), resolved_toml(batch)).empty()) {
          run::from_first("");
          return {};
        }
        folder.begin(resume ? "" : resolved_toml(batch));
        run::from_first(folder.path());
        if (!comm::world()) return run->run(*comm::one_rank(), for_this_process(batch));
        return command::on_ranks(first, [&](const Simulation& own, comm::Communicator& comm) {
          return run->run(comm, for_rank(batch, own));
        });
      });
  if (!found) return command::tell_finished(folder.path(), resolved_toml(batch));
  const BatchOutcome& outcome = *found;
  const SignalGuard until_written;
  run->keep();
  const std::vector<Response> responses = fit_responses(outcome);
  if (resume) write_file(folder.file("resolved.toml"), resolved_toml(batch));
  write_results(outcome, responses, folder.path());
  const std::string unfit = results::describe_not_finite(results::not_finite(to_result(outcome, responses)));
  const std::string words = summary(outcome, responses);
  std::string log = fmt::format("umov {}\n{}\n\n{}", outcome.version, first.command_line, words);
  for (const auto& warning : outcome.warnings) log += "warning: " + warning + "\n";
  for (std::size_t k = 0; k < outcome.rows.size(); ++k)
    if (!outcome.rows[k].converged) log += fmt::format("variant {}: {}\n", k + 1, outcome.rows[k].why_not);
  write_file(folder.file("log"), printable(log + "\n" + resolved_toml(batch)));
  folder.settle(!resume);
  if (!first.quiet) fmt::print("{}results: {}\n", printable(words), folder.path());
  if (!outcome.converged())
    warn(
        "some variants were not computed or did not converge; column 'converged' of variants.csv and the log "
        "say which");
  if (!unfit.empty()) throw Error(Exit::not_converged, folder.path() + ": " + unfit);
  if (live)
    live->wrote(folder.path(),
                outcome.converged() ? "" : "some variants were not computed or did not converge");
  return outcome.converged() ? Exit::done : Exit::not_converged;
}

}  // namespace

Exit execute(const Batch& batch, const cases::ViewSettings& settings) {
  if (!comm::talks()) return follow_batch(batch);
  if (!settings.on) return run_once(batch, nullptr);
  command::LiveView view(settings, stem_of(batch));
  LiveBatch live(view, batch);
  return view.through([&] { return run_once(batch, &live); });
}

}  // namespace umov::eqs
