// Which family `umov fdtd` means: the time domain, or single wavelengths.
#include "commands/fdtd.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "fdtd/command/command.hpp"
#include "harmonic/command/command.hpp"
#include "parameters/tree.hpp"
#include "s_parameters/command.hpp"

namespace umov::commands {

bool is_harmonic(std::span<const std::string> args) {
  if (std::find(args.begin(), args.end(), "--harmonic") != args.end()) return true;
  const auto has_table = [](const std::string& file) {
    try {
      return tree_of_toml_file(file).contains("harmonic");
    } catch (const Error&) {
      return false;
    }
  };
  for (const auto& word : args)
    if (word.ends_with(".toml")) return has_table(word);
  // --resume FOLDER or --resume=FOLDER without a case file: the case of that run
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--resume" && i + 1 < args.size()) return has_table(args[i + 1] + "/resolved.toml");
    if (args[i].starts_with("--resume=")) return has_table(args[i].substr(9) + "/resolved.toml");
  }
  return false;
}

int fdtd_command(std::span<const std::string> args) {
  return is_harmonic(args) ? harmonic::command_named("fdtd", args)
                           : fdtd::command(args, {s_parameters::print_plan, s_parameters::execute});
}

}  // namespace umov::commands
