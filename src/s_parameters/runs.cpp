#include "s_parameters/runs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>
#include <optional>
#include <set>

#include "backend/gpus.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "run/case_differences.hpp"
#include "run/observer.hpp"
#include "run/ranks.hpp"

namespace umov::s_parameters {

namespace {

const Family& runs_of() { return umov::family("fdtd"); }

/// GPUs that `machine.gpus` asks for; none: as the runs want.
std::vector<int> asked_gpus(const run::Machine& machine) {
  const int asked = machine.ranks.gpus;
  if (asked != comm::Asked::all && asked < 2) return {};
  std::vector<int> there = backend::usable_gpus();
  if (asked != comm::Asked::all && int(there.size()) > asked) there.resize(std::size_t(asked));
  return there;
}

/// Of what is measured in a run: rows of another kind are not to be had together with these.
constexpr const char* measured = "amplitudes in the planes of the ports";

/// Files that a run reads and that are not what they were, by their names.
std::vector<std::string> changed_files(const sweep::Files& before, const sweep::Files& now) {
  const auto by_name = [](const sweep::Files& files) {
    std::set<std::pair<std::string, std::uint64_t>> out;
    for (const auto& [path, digest] : files)
      out.emplace(std::filesystem::path(path).filename().string(), digest);
    return out;
  };
  const auto there = by_name(before);
  std::vector<std::string> out;
  for (const auto& [name, digest] : by_name(now))
    if (!there.count({name, digest})) out.push_back("the contents of " + name);
  return out;
}

/// Throws BadInput where finished runs are not of this case. Other columns may be asked for.
void refuse_other_case(const sweep::State& before, const sweep::State& now, const Setup& setup,
                       sweep::Keys& keys, const std::string& folder) {
  const std::string path = sweep::state_file(folder);
  std::vector<std::string> differ;
  if (before.identity.family != now.identity.family || before.identity.settings != now.identity.settings)
    differ.push_back("the version of umov, or the command, that began it");
  else
    for (const auto& d : run::case_differences(keys.text(sweep::sweep_of(before.identity, path).case_of(0)),
                                               keys.text(setup.sweep.case_of(0))))
      if (d.parameter() != "source.port" && d.parameter() != "source.mode")
        differ.push_back(fmt::format("{}: {} there, {} now", d.place(), d.words(d.there), d.words(d.now)));
  if (differ.empty()) differ = changed_files(before.files, now.files);
  if (differ.empty()) return;
  constexpr std::size_t most = 3;
  const std::size_t more = differ.size() - std::min(most, differ.size());
  differ.resize(differ.size() - more);
  throw BadInput(fmt::format(
      "{}: its runs are of another case ({}{}); continue with the case of that folder, or give this one a "
      "folder of its own",
      path, join(differ, "; "), more > 0 ? fmt::format("; and {} more", more) : ""));
}

}  // namespace

void refuse_ranks(const run::Machine& machine) {
  comm::Asked ranks = machine.ranks;
  ranks.gpus = 0;  // where runs go side by side
  run::require_one_rank(ranks, "a run for S-parameters");
}

std::vector<Machine> seats_of(const Setup& setup, const run::Machine& machine, const comm::World* world) {
  sweep::Wishes wishes;
  wishes.threads = machine.threads;
  Plan plan;
  plan.bytes = setup.bytes;
  plan.machine.backend = machine.backend;
  if (machine.device >= 0) plan.machine.device = machine.device;
  if (world) return sweep::choose_seats(plan, wishes, setup.sweep.cases, *world);
  if (machine.backend == "auto" || machine.backend == "cuda") wishes.gpus = asked_gpus(machine);
  return sweep::choose_seats(plan, wishes, setup.sweep.cases);
}

std::vector<std::size_t> all_runs(const Setup& setup) {
  std::vector<std::size_t> all(setup.sweep.cases);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string describe(const Setup& setup) {
  const auto counted = [](std::size_t n, const char* one, const char* several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
  };
  return fmt::format("S-parameters: {} ({}), {}, {}",
                     counted(setup.channels.size(), "port and mode", "ports and modes"),
                     join(names_of(setup.channels), ", "), counted(setup.excited.size(), "run", "runs"),
                     counted(setup.frequencies.size(), "frequency", "frequencies"));
}

std::string not_converged(const sweep::Rows& rows, const sweep::Sweep& s) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] && rows[k]->status == sweep::Status::not_converged)
      return fmt::format("the run of {}: {}", s.describe(k), rows[k]->message);
  return "";
}

Runs::Runs(const Setup& setup, const run::Machine& machine)
    : setup_(setup), keys_("fdtd", runs_of().parameters()), wanted_(all_runs(setup)) {
  for (const std::size_t k : wanted_) keys_.of(setup.sweep.case_of(k));
  sweep::check_cases(setup.sweep, runs_of(), wanted_);
  state_.identity = sweep::identity_of(setup.sweep, most_values);
  state_.identity.settings = measured;
  state_.files = keys_.files();
  rows_.resize(setup.sweep.cases);
  if (!machine.checkpoint.resume) return;
  const sweep::State before = sweep::read_state(machine.output_dir);
  refuse_other_case(before, state_, setup, keys_, machine.output_dir);
  state_.rows = sweep::taken_over(before.rows, setup.sweep, keys_, wanted_);
  for (const auto& x : state_.rows) rows_[x.number] = x.row;
}

void Runs::keep(sweep::StateFile& file, std::size_t k, const sweep::Row& row) {
  const Tree tree = setup_.sweep.case_of(k);
  keys_.require_unchanged(tree);
  if (row.status != sweep::Status::failed) file.add({k, keys_.of(tree), row});
}

sweep::Course Runs::compute(comm::Communicator& comm, const std::string& folder,
                            const std::vector<Machine>& seats, sweep::Watch watch,
                            const std::string& how_to_go_on) {
  const auto run = [&] {
    return sweep::run(comm, setup_.sweep, runs_of(), seats, wanted_, rows_, {false, most_values, "run"},
                      watch);
  };
  if (!comm.first()) return run();
  const std::string path = sweep::state_file(folder);
  std::optional<sweep::StateFile> file;
  if (!folder.empty()) {
    file.emplace(path, state_);
    watch.finished = [&](std::size_t k, const sweep::Row& row) { keep(*file, k, row); };
  }
  sweep::Course course;
  try {
    course = run();
  } catch (const run::Interrupted&) {
    throw run::Interrupted(fmt::format("interrupted; {} of {} runs are finished{}", done(), wanted_.size(),
                                       how_to_go_on.empty() ? "" : ", " + how_to_go_on));
  }
  const sweep::Row* row = failed();
  if (!row) return course;
  std::error_code ignored;
  if (file && done() == 0) std::filesystem::remove(path, ignored);
  throw BadInput(told_of_ports(row->message));
}

const sweep::Row* Runs::failed() const {
  for (const auto& row : rows_)
    if (row && row->status == sweep::Status::failed) return &*row;
  return nullptr;
}

std::size_t Runs::done() const {
  std::size_t there = 0;
  for (const auto& row : rows_) there += row && row->status != sweep::Status::failed;
  return there;
}

}  // namespace umov::s_parameters
