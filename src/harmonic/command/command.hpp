// The command `umov harmonic`.
#pragma once

#include <span>
#include <string>

#include "command/parse_case.hpp"
#include "harmonic/case/case.hpp"
#include "harmonic/outcome.hpp"

namespace umov::harmonic {

using Request = command::CaseRequest<Case, Simulation>;

/// Reads `[case.toml] [flags]`, flags over file over defaults. Throws BadInput with file:line or the flag.
Request parse(std::span<const std::string> args);

/// `umov harmonic ARGS`: the program's exit code. Errors are thrown.
int command(std::span<const std::string> args);

/// The same two as `umov NAME ARGS`, which is what the log and messages say.
Request parse_named(const std::string& name, std::span<const std::string> args);
int command_named(const std::string& name, std::span<const std::string> args);

/// The record of a run as text, and the results in a few lines.
std::string log_text(const Outcome&);
std::string summary_text(const Outcome&);

}  // namespace umov::harmonic
