// The program umov: its commands, and how errors become exit codes.
#include "commands/program.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <system_error>
#include <vector>

#include "commands/devices.hpp"
#include "commands/materials.hpp"
#include "commands/mie.hpp"
#include "commands/solve.hpp"
#include "core/console.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/command/adda_command.hpp"
#include "dda/command/command.hpp"
#include "eqs/command/command.hpp"
#include "fdtd/command/command.hpp"
#include "front/device_parameter.hpp"
#include "front/version.hpp"

namespace umov::commands {

namespace {

struct Command {
  std::string name, text;
  std::function<int(std::span<const std::string>)> run;
};

/// TO ADD A COMMAND: one line here.
const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"dda", "scattering by a particle: discrete dipole approximation", dda::command},
      {"adda", "the same, with ADDA's own command line", dda::adda_command},
      {"fdtd", "waves in time, from a picture or a case: finite differences", fdtd::command},
      {"eqs", "high voltage: electroquasistatic fields, finite elements", eqs::command},
      {"mie", "scattering by a sphere: Mie theory", mie_command},
      {"solve", "a linear system from Matrix Market files: multigrid", solve_command},
      {"devices", "what can compute here, and why something cannot", devices_command},
      {"materials", "named materials: sources, ranges, eps, n and k", materials_command},
  };
  return list;
}

int print_version() {
  fmt::print("umov {}\n", front::version());
  return 0;
}

int print_help() {
  fmt::print("umov: electromagnetic fields on CPUs and GPUs\n\nusage: umov COMMAND [options]\n\n");
  for (const auto& command : commands()) fmt::print("  {:<9} {}\n", command.name, command.text);
  fmt::print("  {:<9} {}\n  {:<9} {}\n\n", "version", "the version of this program", "help", "this text");
  fmt::print("umov COMMAND --help describes a command.\n");
  fmt::print(
      "Exit codes: 0 done, 1 a bug, 2 bad input, 3 did not converge, 4 the machine failed,\n"
      "130 or 143 interrupted (a checkpoint is kept).\n");
  return 0;
}

int dispatch(std::span<const std::string> args) {
  if (args.empty()) {
    print_help();
    return static_cast<int>(Exit::bad_input);
  }
  const std::string& name = args[0];
  if (name == "--help" || name == "-h") return print_help();
  if (name == "version" || name == "--version") return print_version();
  std::vector<std::string> known{"version", "help"};
  for (const auto& command : commands()) {
    if (command.name == name) return command.run(args.subspan(1));
    known.push_back(command.name);
  }
  if (name == "help") {
    if (args.size() == 1) return print_help();
    const std::vector<std::string> asked{args[1], args[1] == "adda" ? "-h" : "--help"};
    return dispatch(asked);
  }
  const std::string hint = did_you_mean(name, known);
  throw BadInput(fmt::format("unknown command '{}'; {}", name, hint.empty() ? "see umov help" : hint));
}

int fail(Exit code, const std::string& message) {
  complain("umov: " + message);
  return static_cast<int>(code);
}

std::string output_failure(int code) {
  return fmt::format("standard output cannot be written ({}); send it where there is space",
                     code ? std::strerror(code) : "an earlier write failed");
}

/// What the system refused, and nobody below expected: the user's path, or the machine.
int fail(const std::system_error& e) {
  if (std::ferror(stdout)) return fail(Exit::machine, output_failure(e.code().value()));
  switch (e.code().value()) {
    case EISDIR:
    case ENOTDIR:
    case ENOENT:
    case ELOOP:
    case ENAMETOOLONG:
    case EACCES:
    case EPERM:
    case EINVAL:
    case EROFS:
      return fail(Exit::bad_input, fmt::format("{}; check the path", e.what()));
    default:
      return fail(Exit::machine, fmt::format("{}; check the disk and the limits of this machine", e.what()));
  }
}

}  // namespace

int run_program(std::span<const std::string> args) {
  // OMP_NUM_THREADS may say anything; each thread takes a stack of its own.
  if (omp_get_max_threads() > front::most_threads) omp_set_num_threads(front::most_threads);
  try {
    const int code = dispatch(args);
    errno = 0;
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    return fail(Exit::machine, output_failure(errno));
  } catch (const std::system_error& e) {
    return fail(e);
  } catch (const Error& e) {
    return fail(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return fail(Exit::machine,
                "out of memory (the system gave no more); use a coarser grid or --ftype float");
  } catch (const std::exception& e) {
    return fail(Exit::bug, fmt::format("{} (this is a bug in umov); please report it", e.what()));
  }
}

}  // namespace umov::commands
