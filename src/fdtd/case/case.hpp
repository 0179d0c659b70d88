// The case of `umov fdtd` as its user writes it, and the table of its parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/first_gpu.hpp"
#include "cases/view_parameters.hpp"
#include "fdtd/machine.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/spelled.hpp"
#include "parameters/parameters.hpp"

namespace umov::fdtd {

/// What this call of the program does besides the run, which does not depend on it.
struct CallSettings {
  long view_interval = 0;  ///< steps between updates of the view; 0: as often as viewers take them
  bool field_csv = false;  ///< fields as tables, too
};

/// Other spellings of frequencies.
struct SpelledFrequencies {
  std::vector<double> wavelengths, wavelengths_um;
};

/// A Simulation plus what only exists on the way to one: other spellings of the same quantity, and
/// flags that concern this call of the program rather than the simulation.
struct Case {
  Simulation simulation;  ///< its sources and monitors are made of those below
  Machine machine{cases::on_first_gpu()};
  PictureSpec picture;  ///< taken when it has files
  LayoutSpec layout;    ///< taken when it has a file
  std::vector<SourceCase> sources;
  std::vector<MonitorCase> monitors;
  SpelledFrequencies s_parameters;
  std::string resume_from;
  cases::ViewSettings view;
  CallSettings call;
  bool help = false, help_markdown = false, list_devices = false;
};

/// Every parameter of `umov fdtd`. TO ADD A PARAMETER: one `add` in table*.cpp.
const ParameterTable<Case>& parameters();

/// The parts of that table.
void add_call_parameters(ParameterTable<Case>&);
void add_domain_parameters(ParameterTable<Case>&);
void add_grid_parameters(ParameterTable<Case>&);
void add_layout_parameters(ParameterTable<Case>&);
void add_run_parameters(ParameterTable<Case>&);
void add_s_parameters(ParameterTable<Case>&);
ParameterTable<MaterialSpec> material_parameters();
ParameterTable<BodySpec> body_parameters();
ParameterTable<AbsorberSpec> absorber_parameters();
ParameterTable<LayerSpec> layer_parameters();
ParameterTable<PortSpec> port_parameters();
ParameterTable<SourceCase> source_parameters();
ParameterTable<MonitorCase> monitor_parameters();

/// A field component by its name, Ex to Hz.
Codec<Component> field_component();

/// The case that `finish_case` would turn into this simulation.
Case case_of(const Simulation&);

/// The simulation and its machine as a case with every default filled in. Reading it back gives the same.
std::string resolved_toml(const Simulation&, const Machine& = {});

/// Checks what concerns several parameters at once and derives what follows from them. Throws BadInput
/// naming the origin of the offending value.
Simulation finish_case(const Case&, const Origins&);

}  // namespace umov::fdtd
