// Time-harmonic cells in the command `umov fdtd`.
#pragma once

#include <span>
#include <string>

#include "fdtd/harmonic/case/case.hpp"
#include "fdtd/harmonic/outcome.hpp"
#include "front/parse_case.hpp"

namespace umov::fdtd::harmonic {

/// Whether `umov fdtd ARGS` is about a time-harmonic cell: --harmonic, or a case with the table [harmonic].
/// Of a file that cannot be read the answer is no: who reads it then says why.
bool is_meant(std::span<const std::string> args);

using Request = front::CaseRequest<Case, Simulation>;

/// Reads `[case.toml] [flags]`, flags over file over defaults. Throws BadInput with file:line or the flag.
Request parse(std::span<const std::string> args);

/// `umov fdtd ARGS` for such a cell: the program's exit code. Errors are thrown.
int command(std::span<const std::string> args);

/// The record of a run as text, and the results in a few lines.
std::string log_text(const Outcome&);
std::string summary_text(const Outcome&);

}  // namespace umov::fdtd::harmonic
