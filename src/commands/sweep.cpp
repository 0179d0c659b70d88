// The course of a sweep: case and axes, folder, state, cases, table.
#include "commands/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "api/family.hpp"
#include "comm/apart.hpp"
#include "comm/world.hpp"
#include "command/case_line.hpp"
#include "command/command.hpp"
#include "command/perform.hpp"
#include "command/spelling.hpp"
#include "commands/sweep_request.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "core/wording.hpp"
#include "results/formats.hpp"
#include "run/finished.hpp"
#include "run/version.hpp"
#include "s_parameters/family.hpp"
#include "sweep/responses.hpp"
#include "sweep/table.hpp"

namespace umov::commands {

namespace {

namespace fs = std::filesystem;
using Cases = std::vector<std::size_t>;

constexpr const char* usage =
    "umov sweep case.toml --set PATH=VALUES ... [options]: one case, of any family, with parameters varied\n"
    "umov sweep --resume DIR\n"
    "umov sweep --merge DIR ... --output DIR\n\n"
    "A path names a parameter as the case has it: domain.resolution, body.disk.radius (an item by its "
    "name),\n"
    "body.2.radius (by its number, from 1), source.1.center[2] (an element, from 1). Axes may stand in the\n"
    "case, too, as tables [[vary]]. The manual is docs/guide/sweep.md.\n";

/// What is to be computed, and what there is of it.
struct Job {
  const Family* family = nullptr;
  sweep::Sweep whole;
  sweep::State state;  ///< its rows belong to these cases
  Cases wanted;
  std::shared_ptr<sweep::Keys> keys;  ///< of files as they were when all cases were checked
};

const Family& told_family(const Tree& base) {
  try {
    return s_parameters::family_of(base);
  } catch (const BadInput& e) {
    throw BadInput(fmt::format("{} with --family", e.what()));
  }
}

sweep::Keys keys_of(const Family& family) { return {family.name(), family.parameters()}; }

/// Meets the files of these cases.
std::shared_ptr<sweep::Keys> keys_of(const Family& family, const sweep::Sweep& s, const Cases& cases) {
  auto keys = std::make_shared<sweep::Keys>(keys_of(family));
  for (const std::size_t k : cases) keys->of(s.case_of(k));
  return keys;
}

sweep::Sweep sweep_by(const SweepRequest& r, const std::string& file, const Family*& family) {
  Tree base = tree_of_toml_file(file);
  const std::string folder = fs::path(file).parent_path().string();
  base = sweep::with_whole_paths(std::move(base), folder);
  Origins places;
  const auto of_case = sweep::take_design(base, folder, places);
  const auto design = design_by(r, of_case, places);
  auto axes = sweep::take_axes(base);
  for (const auto& text : r.set) axes.push_back(sweep::parse_axis(text, "--set"));
  for (const auto& text : r.zip) axes.push_back(sweep::parse_axis(text, "--zip", true));
  for (auto& axis : axes)
    for (Value& v : axis.values) v = *sweep::with_whole_paths(Tree(v), "").value();
  sweep::refuse_idle(design, places, of_case);
  family = r.family.empty() ? &told_family(base) : &s_parameters::family(r.family);
  return sweep::make_sweep(family->name(), family->parameters(), std::move(base), std::move(axes), design);
}

/// A sweep that goes on may have other surfaces; its cases are those that it has.
void take_responses(cases::DesignSpec& design, const SweepRequest& r) {
  Origins flags;
  design = design_by(r, design, flags);
  for (const char* own : {"batch.design", "batch.variants", "batch.seed", "batch.table"})
    if (const auto flag = flags.find(own); flag != flags.end())
      throw BadInput(fmt::format(
          "{} without a case (the sweep in that folder has its cases); leave it out, or give the case, too",
          flag->second));
  sweep::refuse_idle(design, flags, design);
}

Job make_job(const SweepRequest& r) {
  Job job;
  const std::string file = command::only_case("sweep", r.words);
  if (file.empty() && r.resume.empty())
    throw BadInput("no case (a sweep varies one); give a case.toml, or --resume DIR");
  sweep::State before;
  if (!r.resume.empty()) before = sweep::read_state(r.resume);
  job.state.shard = r.resume.empty() ? parse_shard(r.shard) : before.shard;
  if (!file.empty()) {
    job.whole = sweep_by(r, file, job.family);
    job.state.identity = sweep::identity_of(job.whole, r.settings.most_values);
  } else {
    if (!r.set.empty() || !r.zip.empty())
      throw BadInput(
          "--set without a case (the sweep in that folder has its axes); leave it out, or give the "
          "case, too");
    job.family = &s_parameters::family(before.identity.family);
    job.whole = sweep::sweep_of(before.identity, r.resume + "/resolved.toml");
    take_responses(job.whole.design, r);
    job.state.identity = sweep::identity_of(job.whole, before.identity.most_values);
  }
  job.wanted = job.state.shard.cases(job.whole.cases);
  if (job.wanted.empty())
    throw BadInput(fmt::format("--shard {}: the sweep has {} cases, none for this part; give fewer parts",
                               r.shard, job.whole.cases));
  job.keys = keys_of(*job.family, job.whole, job.wanted);
  job.state.files = job.keys->files();
  sweep::check_cases(job.whole, *job.family, job.wanted, r.dry_run);
  job.state.rows = sweep::taken_over(before.rows, job.whole, *job.keys, job.wanted);
  return job;
}

/// The plan of a case, on the machine that the flags ask for.
Plan plan_of(const SweepRequest& r, const Job& job) {
  Plan plan = job.family->plan(job.whole.case_of(job.wanted.front()));
  Machine& asked = plan.machine;
  if (r.cpu) asked.backend = "cpu", asked.device.reset();
  if (r.gpu || r.device >= 0) asked.backend = "cuda";
  if (r.device >= 0) asked.device = r.device;
  if (asked.backend == "cuda") command::refuse_missing_backend("cuda");
  return plan;
}

/// The seats of this process, one of those that mpirun has started where `world` is not nullptr.
std::vector<Machine> seats_of(const SweepRequest& r, const Job& job, const Plan& plan,
                              const comm::World* world) {
  if (world) return sweep::choose_seats(plan, r.wishes, job.whole.cases, *world);
  return sweep::choose_seats(plan, r.wishes, job.whole.cases);
}

void print_plan(const SweepRequest& r, const Job& job) {
  const auto seats = seats_of(r, job, plan_of(r, job), nullptr);
  for (const std::size_t k : job.wanted)
    fmt::print("{}\n", printable(fmt::format("case {}: {}", k + 1, job.whole.describe(k))));
  fmt::print("# {} cases of umov {}, {}\n", job.wanted.size(), job.family->name(),
             sweep::describe_seats(seats));
}

/// An unfinished sweep is not replaced by a slip.
void refuse_unfinished(const std::string& folder) {
  std::error_code ignored;
  if (!folder.empty() && run::is_unfinished(folder) && fs::exists(sweep::state_file(folder), ignored))
    throw BadInput(
        fmt::format("{} has an unfinished sweep; continue it with --resume {}, or give another "
                    "folder",
                    folder, folder));
}

sweep::Rows rows_of(const sweep::State& state, std::size_t cases) {
  sweep::Rows rows(cases);
  for (const auto& x : state.rows) rows[x.number] = x.row;
  return rows;
}

/// What this process hears of the cases; rows are kept as they come.
sweep::Watch watch_of(const SweepRequest& r, const Job& job, std::unique_ptr<command::CaseLine>& line,
                      sweep::StateFile& file, std::string& log) {
  sweep::Watch watch;
  watch.finished = [&](std::size_t k, const sweep::Row& row) {
    const Tree tree = job.whole.case_of(k);
    job.keys->require_unchanged(tree);
    file.add({k, job.keys->of(tree), row});
  };
  watch.progress = [&](const run::CaseProgress& p) { line->update(p); };
  watch.warning = [&](const std::string& text) {
    line->finish();
    line = std::make_unique<command::CaseLine>("sweep", "cases", r.quiet);
    warn(text);
    log += "warning: " + text + "\n";
  };
  watch.stop = [] { return interrupted(); };
  return watch;
}

/// Runs what is missing, on this process and those of `comm`.
void compute(comm::Communicator& comm, const SweepRequest& r, const Job& job, const std::string& folder,
             const std::vector<Machine>& seats, sweep::Rows& rows, std::string& log) {
  auto settings = r.settings;
  settings.most_values = job.state.identity.most_values;
  const auto run = [&](const sweep::Watch& watch) {
    return sweep::run(comm, job.whole, *job.family, seats, job.wanted, rows, settings, watch);
  };
  if (!comm.first()) {
    sweep::Watch silent;
    silent.stop = [] { return interrupted(); };
    run(silent);
    return;
  }
  sweep::StateFile file(sweep::state_file(folder), job.state);
  auto line = std::make_unique<command::CaseLine>("sweep", "cases", r.quiet);
  try {
    const sweep::Course course = run(watch_of(r, job, line, file, log));
    if (comm.size() > 1) log += course.words + "\n" + course.ranks;
  } catch (const run::Interrupted&) {
    std::size_t there = 0;
    for (const auto& row : rows) there += row.has_value();
    throw run::Interrupted(
        fmt::format("interrupted; {} of {} cases are finished, continue with umov sweep "
                    "--resume {}",
                    there, job.wanted.size(), folder));
  }
}

std::string summary_of(const sweep::Rows& rows, const Cases& wanted) {
  std::map<sweep::Status, std::size_t> count;
  double seconds = 0;
  for (const std::size_t k : wanted) {
    ++count[rows[k] ? rows[k]->status : sweep::Status::missing];
    if (rows[k]) seconds += rows[k]->seconds;
  }
  std::string out = fmt::format("{} cases", wanted.size());
  for (const auto& [status, n] : count) out += fmt::format(", {} {}", n, sweep::word(status));
  return out + fmt::format("; {:.3g} s of computing\n", seconds);
}

/// Surfaces of the columns that are asked for.
std::vector<sweep::Response> responses_of(const sweep::Sweep& s, const sweep::Rows& rows,
                                          const Cases& wanted) {
  const auto& names = s.design.response;
  auto columns = sweep::columns_of(s, rows, wanted);
  if (names.empty() || columns.empty()) return {};
  sweep::require_columns(names, columns, "sweep.csv");
  std::erase_if(columns,
                [&](const sweep::Scalar& c) { return !std::count(names.begin(), names.end(), c.name); });
  return sweep::fit_responses(s, rows, columns);
}

/// The rows of a sweep, and what is told of how they came.
struct Found {
  sweep::Rows rows;
  std::string log;
  bool converged = false;  ///< all that were wanted are done
};

std::string log_text(const SweepRequest& r, const Found& found, const Cases& wanted,
                     const std::string& summary) {
  std::string text = fmt::format("umov {}\n{}\n\n{}{}", run::version(), r.command_line, summary, found.log);
  for (const std::size_t k : wanted)
    if (const auto& row = found.rows[k])
      text += fmt::format("case {}: {}, {:.3g} s{}{}\n", k + 1, word(row->status), row->seconds,
                          row->message.empty() ? "" : ": ", row->message);
  return text;
}

/// A sweep in its folder: the rows that `rows` finds there or computes, their table, surfaces and log.
Exit perform(
    const SweepRequest& r, const std::string& folder, const sweep::State& state, const sweep::Sweep& s,
    const Cases& wanted,
    const std::function<Found(const std::string& folder, const std::function<void()>& begun)>& rows) {
  run::Machine machine;
  machine.output_dir = folder;
  machine.checkpoint.resume = !r.resume.empty();
  machine.quiet = r.quiet;
  std::string summary;
  command::StageWatch stages(command::StageWatch::only_timed);
  command::FamilyRun<run::Machine, Found> family;
  family.stages = &stages;
  family.stem = [] { return std::string("sweep"); };
  family.resolved = [&](const run::Machine&) { return state.identity.text; };
  family.run = [&](const run::Machine& m, const std::function<std::string()>& begun) {
    stages.begin("cases");
    Found found = rows(m.output_dir, begun);
    found.converged = count_done(found.rows, wanted) == wanted.size();
    return found;
  };
  family.finish = [] {};
  family.write = [&](const Found& found, const std::string& path, const std::vector<StageTime>&) {
    const auto responses = responses_of(s, found.rows, wanted);
    results::Result result = sweep::to_result(s, found.rows, wanted);
    sweep::add_responses(result, s, responses, "case", {fmt::format("umov sweep {}", run::version())});
    results::write(result, path, r.formats);
    if (r.pictures) sweep::draw_responses(s, responses, "case", path);
    summary = summary_of(found.rows, wanted);
    for (const auto& response : responses) summary += sweep::response_text(s, response, "case");
  };
  family.log = [&](const Found& found) { return log_text(r, found, wanted, summary); };
  family.summary = [&](const Found&) { return summary; };
  family.why_not = [](const Found&) { return std::string(); };
  family.unfit = [](const Found&) { return std::string(); };
  family.doubts = [&](const Found& found) {
    std::vector<std::string> out;
    if (!found.converged)
      out.push_back(
          fmt::format("{} of {} cases are not done; column 'status' of the table and the log say which",
                      wanted.size() - count_done(found.rows, wanted), wanted.size()));
    return out;
  };
  return command::perform(machine, family);
}

/// As of a single run: the flag, else what the case says.
std::string folder_of(const SweepRequest& r, const sweep::Sweep& s) {
  if (!r.resume.empty() || !r.output.empty()) return r.resume.empty() ? r.output : r.resume;
  const Tree* said = s.base.find("output.folder");
  return said ? text().read(said->as_value()) : "";
}

Exit run_sweep(const SweepRequest& r) {
  comm::World* const world = comm::world();
  auto apart = std::make_unique<comm::Apart>();  // a case is one process's
  const Job job = make_job(r);
  if (r.resume.empty() && comm::talks()) refuse_unfinished(folder_of(r, job.whole));
  if (r.dry_run) {
    print_plan(r, job);
    return Exit::done;
  }
  const Plan plan = plan_of(r, job);
  apart.reset();
  const auto seats = seats_of(r, job, plan, world);
  const auto single = comm::one_rank();
  comm::Communicator& comm = world ? *world : *single;
  const auto rows = [&](const std::string& folder, const std::function<void()>& begun) {
    const comm::Apart alone;
    Found found{rows_of(job.state, job.whole.cases), world ? "" : sweep::describe_seats(seats) + "\n"};
    if (begun) begun();
    const Stopwatch watch;
    compute(comm, r, job, folder, seats, found.rows, found.log);
    found.log += fmt::format("{} in {:.3g} s\n", job.wanted.size(), watch.seconds());
    return found;
  };
  return perform(r, folder_of(r, job.whole), job.state, job.whole, job.wanted, rows);
}

/// Adds the files of a shard to those of the shards before; `elsewhere`: its case lies in another folder, and
/// files are known by their names.
void refuse_other_files(sweep::Files& all, const sweep::Files& own, const std::string& folder,
                        bool elsewhere) {
  const auto name = [](const std::string& path) { return fs::path(path).filename(); };
  for (const auto& [path, digest] : own) {
    const auto like = [&](const auto& file) {
      return elsewhere ? name(file.first) == name(path) : file.first == path;
    };
    const auto same = [&](const auto& file) { return like(file) && file.second == digest; };
    if (std::ranges::any_of(all, like) && std::ranges::none_of(all, same))
      throw BadInput(
          fmt::format("{} was computed with another {} than a folder before it (the file was changed in "
                      "between); compute one of them again",
                      folder, name(path).string()));
  }
  all.insert(own.begin(), own.end());
}

/// One list of the rows of all folders. Throws BadInput where they are of different sweeps.
sweep::State merged(const std::vector<std::string>& folders) {
  sweep::State all;
  std::map<std::size_t, sweep::Finished> rows;
  for (const auto& folder : folders) {
    sweep::State state = sweep::read_state(folder);
    if (folder == folders.front())
      all.identity = state.identity;
    else if (!is_same(state.identity, all.identity))
      throw BadInput(
          fmt::format("{} has another sweep than {} (case, axes or --arrays differ: see resolved.toml "
                      "in both); merge shards of one",
                      folder, folders.front()));
    refuse_other_files(all.files, state.files, folder, !(state.identity == all.identity));
    for (auto& row : state.rows) {
      const auto [there, fresh] = rows.emplace(row.number, row);
      if (there->second.key != row.key)
        throw BadInput(
            fmt::format("{}: case {} is another than in a folder before it (its files have changed "
                        "in between); compute one of them again",
                        folder, row.number + 1));
      if (!fresh && row.row.status < there->second.row.status) there->second = std::move(row);
    }
  }
  for (auto& [number, row] : rows) all.rows.push_back(std::move(row));
  return all;
}

/// Rows of other files than those that are here now beside rows of these: the files were changed in between.
void refuse_mixed(const sweep::Sweep& s, const sweep::State& state) {
  sweep::Keys keys = keys_of(family(s.family));
  std::vector<std::size_t> now, before;
  for (const auto& row : state.rows)
    (row.key == keys.of(s.case_of(row.number)) ? now : before).push_back(row.number + 1);
  if (now.empty() || before.empty()) return;
  throw BadInput(
      fmt::format("case {} was computed with files as they are, case {} with others (they were changed in "
                  "between); compute "
                  "the folder of the latter again",
                  now.front(), before.front()));
}

void refuse_own_output(const SweepRequest& r) {
  std::error_code ignored;
  for (const auto& folder : r.words)
    if (!r.output.empty() && (folder == r.output || fs::equivalent(folder, r.output, ignored)))
      throw BadInput(
          fmt::format("--output {} is one of the folders to be merged (its own rows would be "
                      "replaced); give another folder",
                      r.output));
}

Exit merge_shards(const SweepRequest& r) {
  run::require_one_rank({}, "a merge of shards");
  refuse_own_output(r);
  refuse_unfinished(r.output);
  const sweep::State state = merged(r.words);
  const sweep::Sweep s = sweep::sweep_of(state.identity, r.words.front() + "/resolved.toml");
  refuse_mixed(s, state);
  const auto rows = [&](const std::string& folder, const std::function<void()>&) {
    const sweep::StateFile file(sweep::state_file(folder), state);
    return Found{rows_of(state, s.cases), ""};
  };
  return perform(r, r.output, state, s, state.shard.cases(s.cases), rows);
}

}  // namespace

int sweep_command(std::span<const std::string> args) {
  speak(command::by_flags(sweep_flags()));
  const SweepRequest r = parse_sweep(args);
  if (r.help) {
    fmt::print("{}{}", usage, sweep_flags().help());
    return 0;
  }
  return int(r.merge ? merge_shards(r) : run_sweep(r));
}

}  // namespace umov::commands
