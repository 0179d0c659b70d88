// Dispatch to commands, and how errors become exit codes.
#include "program/program.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

#include "cases/device_parameter.hpp"
#include "comm/world.hpp"
#include "core/console.hpp"
#include "core/error.hpp"
#include "core/signals.hpp"
#include "core/silence.hpp"
#include "core/text.hpp"
#include "program/leaving.hpp"
#include "program/waiting.hpp"
#include "run/version.hpp"

namespace umov::program {

namespace {

int print_version() {
  fmt::print("umov {}\n{}", run::version(), run::built_for());
  return 0;
}

int print_help(const std::vector<Command>& commands) {
  fmt::print("umov: electromagnetic fields on CPUs and GPUs\n\nusage: umov COMMAND [options]\n\n");
  for (const auto& command : commands) fmt::print("  {:<9} {}\n", command.name, command.text);
  fmt::print("  {:<9} {}\n  {:<9} {}\n\n", "version",
             "the version of this program, and what it was built for", "help", "this text");
  fmt::print("umov COMMAND --help describes a command.\n");
  fmt::print(
      "Exit codes: 0 done, 1 a bug, 2 bad input, 3 did not converge, 4 the machine failed,\n"
      "130 or 143 interrupted (a checkpoint is kept).\n");
  return 0;
}

int run_command(const Command& command, std::span<const std::string> args) {
  const comm::World* world = comm::world();
  if (world) be_silent_at_signals();
  if (world && !command.on_ranks)
    throw BadInput(fmt::format("umov {} was started {} times by {} (it runs as one process); start it alone",
                               command.name, world->size(), comm::launch().by));
  try {
    return command.run(args);
  } catch (const std::bad_alloc&) {
    throw MachineFailure("out of memory (the system gave no more); " + command.less_memory);
  }
}

int dispatch(std::span<const std::string> args, const std::vector<Command>& commands) {
  if (args.empty()) {
    print_help(commands);
    return static_cast<int>(Exit::bad_input);
  }
  const std::string& name = args[0];
  if (name == "--help" || name == "-h") return print_help(commands);
  if (name == "version" || name == "--version") return print_version();
  std::vector<std::string> known{"version", "help"};
  for (const auto& command : commands) {
    if (command.name == name) return run_command(command, args.subspan(1));
    known.push_back(command.name);
  }
  if (name == "help") {
    if (args.size() == 1) return print_help(commands);
    const auto command =
        std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == args[1]; });
    const std::vector<std::string> asked{args[1], command == commands.end() ? "--help" : command->help};
    return dispatch(asked, commands);
  }
  const std::string hint = did_you_mean(name, known);
  throw BadInput(fmt::format("unknown command '{}'; {}", name, hint.empty() ? "see umov help" : hint));
}

/// How a process has ended; a message: because something failed.
struct Ended {
  int code = 0;
  std::string message;
  bool for_another = false;  ///< because another rank has failed
};

Ended fail(Exit code, const std::string& message) { return {static_cast<int>(code), message}; }

std::string output_failure(int code) {
  return fmt::format("standard output cannot be written ({}); send it where there is space",
                     code ? std::strerror(code) : "an earlier write failed");
}

/// What the system refused, and nobody below expected: the user's path, or the machine.
Ended fail(const std::system_error& e) {
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

namespace {

Ended attempt(std::span<const std::string> args, const std::vector<Command>& commands) {
  try {
    if (!comm::talks()) {
      be_silent();
      ignore_signals_after_guards();  // from the end of its part on, rank 0 may still write results
    }
    const int code = dispatch(args, commands);
    errno = 0;
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return {code, ""};
    return fail(Exit::machine, output_failure(errno));
  } catch (const std::system_error& e) {
    return fail(e);
  } catch (const comm::OtherRankFailed& e) {
    return {static_cast<int>(e.code()), e.what(), true};
  } catch (const Error& e) {
    return fail(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return fail(Exit::machine, "out of memory (the system gave no more); close other programs");
  } catch (const std::exception& e) {
    return fail(Exit::bug, fmt::format("{} (this is a bug in umov); please report it", e.what()));
  }
}

comm::World* started_world() {
  try {
    return comm::world();
  } catch (const Error&) {
    return nullptr;  // its message is the command's
  }
}

}  // namespace

int run(std::span<const std::string> args, const std::vector<Command>& commands) {
  // OMP_NUM_THREADS may say anything; each thread takes a stack of its own.
  if (omp_get_max_threads() > cases::most_threads) omp_set_num_threads(cases::most_threads);
  Ended ended = attempt(args, commands);
  // a signal that ended this process would end rank 0, too
  if (!comm::talks()) ignore_signals();
  const auto say = [&] { complain_urgently("umov: " + ended.message); };
  comm::World* world = started_world();
  if (!world) {
    if (!ended.message.empty() && comm::talks()) say();
    return ended.code;
  }
  const bool failed = !ended.message.empty() && !ended.for_another;
  // Of a stop that all ranks agreed upon or another one tells of, one had the signal.
  if (ended.code == int(Exit::interrupted) && received_signal()) ended.code = 128 + received_signal();
  const auto verdict = world->end(ended.code, failed, say);
  if (verdict.says_why) say();
  world->leave();
  return verdict.code;
}

int start(int count, char** words, const std::vector<Command>& commands) {
  fill_closed_streams();
  spin_briefly(words);
  hear_signals();
  const std::vector<std::string> args(words + (count > 0 ? 1 : 0), words + count);
  const int code = run(args, commands);
  leave(code);
  return code;
}

}  // namespace umov::program
