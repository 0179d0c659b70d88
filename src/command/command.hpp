// Parts that the commands of all families share: the line as typed, help, and the case of a run to be
// resumed.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <span>
#include <string>

#include "core/console.hpp"
#include "parameters/parameters.hpp"
#include "run/machine.hpp"

namespace umov::command {

/// "umov COMMAND ARGS".
inline std::string typed(const std::string& command, std::span<const std::string> args) {
  std::string line = "umov " + command;
  for (const auto& word : args) line += " " + word;
  return printable(line);
}

/// The case of the run in `folder`, for --resume. Throws BadInput when there is none.
std::string saved_case(const std::string& folder);

/// The one case file among the words of a command line; "" without any. Throws BadInput for a second one.
std::string only_case(const std::string& command, const std::vector<std::string>& words);

/// Throws MachineFailure when a GPU was chosen by its number, the backend was left open, and there is no GPU.
void refuse_missing_gpu(const std::string& backend, int device);

/// What a dry run owes the run: throws MachineFailure when the cuda backend was asked for and cannot be used
/// here. Called last, so that what is wrong with the case is said before what is wrong with the machine.
void refuse_missing_backend(const std::string& backend);

/// Prints the backends of this program and their devices.
void print_devices();

/// Answers what concerns only this call (help, the list of devices, --dry-run), else runs. `Request` has
/// `given` (the case as written, with its machine).
template <class Request, class Plan, class Run>
int answer(const std::string& command, std::span<const std::string> args, const char* usage,
           const ParameterList& table, Request request, const Plan& plan, const Run& run) {
  if (request.given.help) {
    fmt::print("{}{}", usage, table.help());
    return 0;
  }
  if (request.given.help_markdown) {
    fmt::print("{}", table.markdown());
    return 0;
  }
  if (request.given.list_devices) {
    print_devices();
    return 0;
  }
  run::Machine& machine = request.given.machine;
  machine.command_line = typed(command, args);
  refuse_missing_gpu(machine.backend, machine.device);
  if (machine.dry_run) {
    plan(request);
    refuse_missing_backend(machine.backend);
    return 0;
  }
  return static_cast<int>(run(request));
}

}  // namespace umov::command
