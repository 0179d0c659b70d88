// The case of a time-harmonic cell as its user writes it, and the table of its parameters.
#pragma once

#include <optional>
#include <string>

#include "cases/view_parameters.hpp"
#include "harmonic/problem.hpp"
#include "harmonic/simulation.hpp"
#include "parameters/parameters.hpp"
#include "run/machine.hpp"

namespace umov::harmonic {

/// A Simulation plus other spellings of it and wishes about this call of the program.
struct Case {
  Simulation simulation;
  run::Machine machine;            ///< its state is saved after every row
  std::optional<double> from, to;  ///< um
  int count = 0;
  std::string resume_from;
  cases::ViewSettings view;
  bool harmonic = false, help = false, help_markdown = false, list_devices = false;
};

/// Every parameter of a time-harmonic case. TO ADD A PARAMETER: one `add` in table.cpp.
const ParameterTable<Case>& parameters();

/// The simulation and its machine as a case with every default filled in. Reading it back gives the same.
std::string resolved_toml(const Simulation&, const run::Machine& = {});

/// What the finished rows of two runs must share to stand in one table, as text: the case without its lists
/// of wavelengths and angles, what its files hold, the grid (which wavelengths may decide), and nothing of
/// where it runs, how long, or what it writes.
std::string shared_settings(const Simulation&, const CellGrid&);

/// Checks what concerns several parameters at once and derives what follows from them. Throws BadInput naming
/// the origin of the offending value.
Simulation finish_case(const Case&, const Origins&);

}  // namespace umov::harmonic
