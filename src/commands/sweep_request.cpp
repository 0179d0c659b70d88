#include "commands/sweep_request.hpp"

#include <fmt/format.h>

#include "cases/declare.hpp"
#include "cases/design_parameters.hpp"
#include "cases/device_parameter.hpp"
#include "command/command.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::commands {

namespace {

using cases::declare;
using Table = ParameterTable<SweepRequest>;

/// A flag's text as it is.
Codec<std::string> words_of(const char* metavar) { return text(metavar); }

void add_axes(Table& t) {
  const char* s = "axes";
  t.add_repeated(
      declare(
          s, "", {"--set"}, "",
          "Vary a parameter of the case: values between commas (numbers, words, true, [lists]), or a range "
          "from:to:count, with :log at its end for equal ratios. Every value of one axis is computed with "
          "every value of the others."),
      words_of("PATH=VALUES"), UMOV_CASE(set));
  t.add_repeated(
      declare(s, "", {"--zip"}, "",
              "The same, but these axes go together: the first value of each, the second of each."),
      words_of("PATH=VALUES"), UMOV_CASE(zip));
  t.add(declare(s, "", {"--family"}, "",
                "The command that runs the case; without it the names at the top of the case tell.",
                "by the case"),
        words_of("NAME"), UMOV_CASE(family));
}

void add_course(Table& t) {
  const char* s = "course";
  t.add(declare(s, "", {"--output", "--output-dir"}, "", "Folder of the table.", "a numbered one"),
        path("DIR"), UMOV_CASE(output));
  t.add(declare(s, "", {"--resume"}, "",
                "Continue the sweep in this folder; with a case and axes: with these, keeping what it has of "
                "them."),
        path("DIR"), UMOV_CASE(resume));
  t.add(
      declare(s, "", {"--shard"}, "",
              "Compute one part of several, as 3/64: every 64th case from the third on. For arrays of jobs.",
              "all"),
      words_of("N/OF"), UMOV_CASE(shard));
  t.add(declare(s, "", {"--merge"}, "", "Make one table of the folders given: shards of a sweep."), boolean(),
        UMOV_CASE(merge));
  t.add(declare(s, "", {"--keep-going", "--no-keep-going"}, "",
                "Go on when a case fails, which is marked in the table."),
        boolean(), UMOV_CASE(settings.keep_going));
  t.add(declare(s, "", {"--dry-run"}, "", "Check every case, list them, and stop."), boolean(),
        UMOV_CASE(dry_run));
  t.add(declare(s, "", {"--quiet"}, "", "No progress line and no summary; errors still appear."), boolean(),
        UMOV_CASE(quiet));
  t.add(declare(s, "", {"--help", "-h"}, "", "Print this list and stop."), boolean(), UMOV_CASE(help));
}

void add_machine(Table& t) {
  const char* s = "machine";
  t.add(declare(s, "", {"--jobs"}, "",
                "Cases at a time, on GPUs for each; 0: as many as there are cores, 4 on a GPU."),
        integer<int>(Range::between(0, cases::most_threads)), UMOV_CASE(wishes.jobs));
  t.add(declare(s, "", {"--threads"}, "", "Threads of each case; 0: the cores shared among them."),
        integer<int>(Range::between(0, cases::most_threads)), UMOV_CASE(wishes.threads));
  t.add(declare(s, "", {"--cpu"}, "", "Compute on the CPU, whatever the case says."), boolean(),
        UMOV_CASE(cpu));
  t.add(declare(s, "", {"--gpu"}, "", "Compute on the GPUs."), boolean(), UMOV_CASE(gpu));
  t.add(declare(s, "", {"--device"}, "", "Compute on the GPU of this number.", "all"),
        integer<int>(Range::between(-1, 1023)), UMOV_CASE(device));
}

void add_output(Table& t) {
  const char* s = "output";
  t.add(declare(s, "", {"--arrays"}, "",
                "Most numbers of an array that is kept of each case; 0 keeps single numbers alone."),
        integer<std::size_t>(Range::at_least(0)), UMOV_CASE(settings.most_values));
  t.add(declare(s, "", {"--hdf5", "--no-hdf5"}, "", "One HDF5 file, results.h5, with arrays."), boolean(),
        UMOV_CASE(formats.hdf5));
  t.add(declare(s, "", {"--pictures", "--no-pictures"}, "", "A picture of each response surface."), boolean(),
        UMOV_CASE(pictures));
  t.add(declare(s, "", {"--csv", "--no-csv"}, "", "The table as sweep.csv."), boolean(),
        UMOV_CASE(formats.csv));
}

void check(const SweepRequest& r, const Origins& origins) {
  const auto refuse = [](const char* a, const char* b, const char* why) {
    throw BadInput(fmt::format("{} with {} ({}); give one of them", a, b, why));
  };
  if (r.cpu && (r.gpu || r.device >= 0))
    refuse("--cpu", r.gpu ? "--gpu" : "--device", "each says what computes");
  if (!r.resume.empty() && !r.output.empty()) refuse("--resume", "--output", "a sweep stays in its folder");
  if (!r.resume.empty() && !r.shard.empty()) refuse("--resume", "--shard", "a folder has one shard");
  if (!r.merge) return;
  if (!r.set.empty() || !r.zip.empty()) refuse("--merge", "--set", "its folders have their axes");
  if (!r.resume.empty()) refuse("--merge", "--resume", "it computes nothing");
  if (!r.shard.empty()) refuse("--merge", "--shard", "it computes nothing");
  for (const auto& [name, flag] : origins)
    if (name.starts_with("batch.")) refuse("--merge", flag.c_str(), "its folders have their design");
  if (r.words.empty()) throw BadInput("--merge without folders; give those of the shards");
  if (r.output.empty()) throw BadInput("--merge without --output (the folder of the one table); give it");
}

}  // namespace

const ParameterTable<SweepRequest>& sweep_flags() {
  static const Table made = [] {
    Table t;
    add_axes(t);
    add_course(t);
    add_machine(t);
    add_output(t);
    cases::add_design_parameters(t, UMOV_CASE(design),
                                 "Columns of the table to which a response surface is fitted.");
    return t;
  }();
  return made;
}

SweepRequest parse_sweep(std::span<const std::string> args) {
  SweepRequest r;
  Origins origins;
  r.words = sweep_flags().read_flags(args, r, origins);
  r.command_line = command::typed("sweep", args);
  r.args.assign(args.begin(), args.end());
  if (!r.help) check(r, origins);
  return r;
}

cases::DesignSpec design_by(const SweepRequest& r, const cases::DesignSpec& of_case, Origins& places) {
  SweepRequest over;
  over.design = of_case;
  sweep_flags().read_flags(r.args, over, places);
  return over.design;
}

sweep::Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  const auto parts = split(text, '/');
  const auto number = parse_integer(parts.front());
  const auto of = parts.size() == 2 ? parse_integer(parts[1]) : std::nullopt;
  if (!number || !of || *of < 1 || *number < 1 || *number > *of)
    throw BadInput(fmt::format(
        "--shard {}: no part of several (wanted: N/OF with N from 1 to OF); write 3/64", shortened(text)));
  return {std::uint64_t(*number), std::uint64_t(*of)};
}

}  // namespace umov::commands
