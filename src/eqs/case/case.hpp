// The case of `umov eqs` as its user writes it, and the table of its parameters.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/parameters.hpp"
#include "eqs/simulation.hpp"

namespace umov::run {

/// A property of a material in its spellings, of which one may be given.
struct CurveCase {
  using Value = std::variant<double, std::string>;
  std::optional<Value> value;  ///< a constant or the name of a curve
  struct Table {
    std::string file;
    std::vector<double> field, values;
    bool empty() const { return file.empty() && field.empty(); }
  } table;
  std::string formula;
  std::vector<double> parameters;  ///< of a named curve
};

struct EqsMaterialCase {
  eqs::MaterialSpec spec;  ///< without its curves
  CurveCase permittivity, conductivity;
};

struct EqsElectrodeCase {
  eqs::ElectrodeSpec spec;
  std::optional<double> amplitude, rms, frequency;
};

/// A Simulation plus what only exists on the way to one: other spellings of the same quantity, and
/// wishes about this call of the program rather than about the simulation.
struct EqsCase {
  eqs::Simulation simulation;  ///< its materials, electrodes and geometry are made of those below
  mesh::Geometry geometry;
  std::optional<std::string> geometry_kind;  ///< none: the mesh is a file's, or parts'
  std::vector<EqsMaterialCase> materials;
  std::vector<EqsElectrodeCase> electrodes;
  std::string resume_from;
  bool help = false, help_markdown = false, list_devices = false;
};

/// Every parameter of `umov eqs`. TO ADD A PARAMETER: one `add` in table*.cpp.
const ParameterTable<EqsCase>& eqs_parameters();

/// The parts of that table.
void add_eqs_call_parameters(ParameterTable<EqsCase>&);
void add_mesh_parameters(ParameterTable<EqsCase>&);
void add_method_parameters(ParameterTable<EqsCase>&);
void add_eqs_run_parameters(ParameterTable<EqsCase>&);
ParameterTable<mesh::Part> part_parameters();
ParameterTable<mesh::Geometry::Layer> layer_parameters();
ParameterTable<EqsMaterialCase> eqs_material_parameters();
ParameterTable<EqsElectrodeCase> electrode_parameters();
void add_places(ParameterTable<EqsCase>&);

/// The case that `finish_case` would turn into this simulation.
EqsCase case_of(const eqs::Simulation&);

/// The simulation as a case with every default filled in. Reading it back gives the same Simulation.
std::string resolved_toml(const eqs::Simulation&);

/// Throws BadInput, beginning with `where`, for keys of another kind of electrode or waveform: they would be
/// passed over in silence.
void refuse_foreign_keys(const EqsElectrodeCase&, const std::string& where);

/// Checks what concerns several parameters at once and derives what follows from them. Throws BadInput
/// naming the origin of the offending value.
eqs::Simulation finish_case(const EqsCase&, const Origins&);

}  // namespace umov::run
