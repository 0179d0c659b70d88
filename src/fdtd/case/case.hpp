// The case of `umov fdtd` as its user writes it, and the table of its parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/parameters.hpp"
#include "fdtd/simulation.hpp"

namespace umov::run {

/// A source with the other spellings of its frequency.
struct FdtdSourceCase {
  fdtd::SourceSpec spec;
  std::optional<double> frequency, wavelength, wavelength_um;
};

/// A monitor with the other spellings of its frequencies.
struct FdtdMonitorCase {
  fdtd::MonitorSpec spec;
  std::vector<double> wavelengths, wavelengths_um;
};

/// A Simulation plus what only exists on the way to one: other spellings of the same quantity, and
/// wishes about this call of the program rather than about the simulation.
struct FdtdCase {
  fdtd::Simulation simulation;  ///< its sources and monitors are made of those below
  fdtd::PictureSpec picture;    ///< taken when it has files
  std::vector<FdtdSourceCase> sources;
  std::vector<FdtdMonitorCase> monitors;
  std::string resume_from;
  bool help = false, help_markdown = false, list_devices = false;
};

/// Every parameter of `umov fdtd`. TO ADD A PARAMETER: one `add` in table*.cpp.
const ParameterTable<FdtdCase>& fdtd_parameters();

/// The parts of that table.
void add_fdtd_call_parameters(ParameterTable<FdtdCase>&);
void add_domain_parameters(ParameterTable<FdtdCase>&);
void add_fdtd_run_parameters(ParameterTable<FdtdCase>&);
ParameterTable<fdtd::MaterialSpec> material_parameters();
ParameterTable<fdtd::BodySpec> body_parameters();
ParameterTable<FdtdSourceCase> source_parameters();
ParameterTable<FdtdMonitorCase> monitor_parameters();

/// A field component by its name, Ex to Hz.
Codec<fdtd::Component> field_component();
/// +1 or -1.
Codec<int> sign();

/// The case that `finish_case` would turn into this simulation.
FdtdCase case_of(const fdtd::Simulation&);

/// The simulation as a case with every default filled in. Reading it back gives the same Simulation.
std::string resolved_toml(const fdtd::Simulation&);

/// Checks what concerns several parameters at once and derives what follows from them. Throws BadInput
/// naming the origin of the offending value.
fdtd::Simulation finish_case(const FdtdCase&, const Origins&);

}  // namespace umov::run
