// The case of `umov modes`: one of `umov fdtd`, of which sources and monitors only name planes, with a table
// [modes] of its own.
#pragma once

#include <optional>
#include <string>

#include "fdtd/case/case.hpp"
#include "modes/simulation.hpp"
#include "parameters/parameters.hpp"
#include "parameters/value_list.hpp"
#include "run/machine.hpp"

namespace umov::modes {

struct Case {
  Simulation simulation;  ///< its model is made of the case below
  fdtd::Case model;       ///< the other tables of the file
  Origins model_origins;
  std::optional<NumberList> wavelengths;  ///< units; without them those of the source or monitor
  std::string normal;  ///< "x", "y", "z"; "": the axis along which the domain has no extent
  run::Machine machine;
  bool help = false, help_markdown = false, list_devices = false;
};

/// The parameters of [modes] and the flags. TO ADD A PARAMETER: one `add` in table.cpp. A file is read with
/// all its other tables.
class Table : public ParameterTable<Case> {
 public:
  void read_toml(const std::string& path, Case& target, Origins& origins) const;
};
const Table& parameters();

/// The case with every default filled in. Reading it back gives the same.
std::string resolved_toml(const Simulation&, const run::Machine& = {});

/// Checks what concerns several parameters at once. Throws BadInput naming the origin of the offending value.
Simulation finish_case(const Case&, const Origins&);

}  // namespace umov::modes
