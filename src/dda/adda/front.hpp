// The command line of ADDA 1.5, understood as ADDA understands it: `umov adda -shape sphere -grid 16 ...`.
#pragma once

#include <span>
#include <string>

#include "cases/view_parameters.hpp"
#include "dda/machine.hpp"
#include "dda/simulation.hpp"

namespace umov::dda::adda {

/// What a command line asks for.
struct AddaCommand {
  Simulation simulation;
  Machine machine;
  bool test_folder = false;  ///< the numbered folder is called test000_..., not run000_...
  cases::ViewSettings view;  ///< whether and where it can be looked at
  std::string toml;          ///< file that the same case for `umov dda` goes to; empty = run
  std::string answer;        ///< text asked for by -h or -V: print it and stop; empty = run
};

/// Parses the arguments after the program's name. Defaults, conflicts and number formats are those of
/// ADDA 1.5 (manual: Yurkin and Hoekstra, "User manual for the discrete dipole approximation code ADDA",
/// appendix C), except that a number must be a number to its last character and finite.
/// Throws BadInput naming the option.
AddaCommand parse_adda_command(std::span<const std::string> arguments);

/// The simulation of parse_adda_command.
Simulation parse_adda(std::span<const std::string> arguments);

/// Help from the option table: all options when `topic` is empty, else one option ("shape") or one of its
/// choices ("shape coated").
std::string adda_help(const std::string& topic = "");

}  // namespace umov::dda::adda
