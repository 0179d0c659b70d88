// The front `umov dda`: a TOML case and flags become a Simulation.
#include "run/dda_front.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"
#include "run/devices_command.hpp"
#include "run/execute.hpp"

namespace umov::run {

namespace {

/// The case file: the one named, else that of the run to be resumed.
std::string case_file(const std::vector<std::string>& words, const dda::Simulation& flags) {
  if (words.size() > 1)
    throw BadInput(
        fmt::format("'{}' is left over on the command line (one case file, '{}', is taken); see "
                    "umov dda --help",
                    words[1], words[0]));
  if (!words.empty()) return words[0];
  if (!flags.checkpoint.resume) return "";
  const std::string saved = (std::filesystem::path(flags.checkpoint.directory) / "resolved.toml").string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(saved, ignored))
    throw BadInput(
        fmt::format("--resume {}: no resolved.toml there (it describes the run to continue); give "
                    "the folder of an interrupted run",
                    flags.checkpoint.directory));
  return saved;
}

}  // namespace

DdaRequest parse_dda(std::span<const std::string> args) {
  const auto& table = dda_parameters();
  // The flags are read twice: first to learn which file lies under them, then over that file.
  DdaCase flags;
  Origins flag_origins;
  const auto words = table.read_flags(args, flags, flag_origins);
  DdaRequest request;
  if (flags.help || flags.help_markdown || flags.list_devices) {
    request.wishes = flags;
    return request;
  }
  Origins origins;
  const std::string file = case_file(words, flags.simulation);
  if (!file.empty()) table.read_toml(file, request.wishes, origins);
  // A spelling on the command line replaces the other spellings of the same quantity in the file.
  if (flags.spacing) request.wishes.simulation.shape.dpl.reset(), origins.erase("shape.dpl");
  if (flags.simulation.shape.dpl) request.wishes.spacing.reset(), origins.erase("shape.spacing");
  if (flags.simulation.shape.size)
    request.wishes.simulation.shape.eq_radius.reset(), origins.erase("shape.eq_radius");
  if (flags.simulation.shape.eq_radius)
    request.wishes.simulation.shape.size.reset(), origins.erase("shape.size");
  table.read_flags(args, request.wishes, origins);
  request.simulation = finish_case(request.wishes, origins);
  return request;
}

std::string resolved_toml(const dda::Simulation& simulation) {
  return "# The case as it was run: every default filled in. `umov dda resolved.toml` repeats it.\n" +
         dda_parameters().write_toml(case_of(simulation));
}

namespace {

constexpr const char* usage =
    "umov dda [case.toml] [options]: light scattering by a particle, discrete dipole approximation\n\n"
    "Options override the file; the file overrides the defaults. The section in brackets and the key\n"
    "beside a flag in docs/guide/dda.md are its place in a TOML case.\n";

std::string typed(std::span<const std::string> args) {
  std::string line = "umov dda";
  for (const auto& word : args) line += " " + word;
  return line;
}

}  // namespace

int dda_command(std::span<const std::string> args) {
  DdaRequest request = parse_dda(args);
  if (request.wishes.help) {
    fmt::print("{}{}", usage, dda_parameters().help());
    return 0;
  }
  if (request.wishes.help_markdown) {
    fmt::print("{}", dda_parameters().markdown());
    return 0;
  }
  if (request.wishes.list_devices) return devices_command({});
  request.simulation.command_line = typed(args);
  if (request.simulation.dry_run) {
    print_plan(request.simulation);
    return 0;
  }
  if (request.wishes.show_memory) print_memory(request.simulation);
  return static_cast<int>(execute(request.simulation));
}

}  // namespace umov::run
