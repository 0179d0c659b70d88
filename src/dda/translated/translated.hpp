// Commands that take another program's input: read it, run it as a case with lists, write that program's
// files.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "dda/case/translation.hpp"
#include "dda/command/execute_many.hpp"

namespace umov::dda {

/// What such a command is made of.
struct TranslatedCommand {
  std::string name;   ///< "opendda"
  std::string usage;  ///< begins the help
  std::string input;  ///< name of the file when none is given: "control.input"
  /// Reads the file into a translation; `extras` are for the run of its cases. Throws BadInput.
  std::function<Translation(const std::string& path, ManyExtras& extras)> read;
};

/// `umov NAME ARGS`: the program's exit code. Errors are thrown.
int translated_command(const TranslatedCommand&, std::span<const std::string> args);

/// What the numbers that such a command keeps of a case depend on besides it (ManyExtras::kept_of). `x`, `y`:
/// the Jones vector of the light.
std::string light_lines(cplx x, cplx y, const Translation&);

/// The case that the file and the flags stand for, its files in `folder`, where they are written unless they
/// are there; for tests and fuzzing, too.
Request placed_request(Translation, std::span<const std::string> flags, const std::string& folder,
                       bool write = true);

}  // namespace umov::dda
