// The case of `umov eqs` as its user writes it, and the table of its parameters.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cases/design_parameters.hpp"
#include "cases/first_gpu.hpp"
#include "cases/view_parameters.hpp"
#include "eqs/comparison.hpp"
#include "eqs/simulation.hpp"
#include "parameters/parameters.hpp"

namespace umov::eqs {

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

struct MaterialCase {
  MaterialSpec spec;  ///< without its curves
  CurveCase permittivity, conductivity;
};

struct ElectrodeCase {
  ElectrodeSpec spec;
  std::optional<double> amplitude, rms, frequency;
};

/// How the variants of a case are computed.
struct BatchSpec : cases::DesignSpec {
  int workers = 0;       ///< variants at a time on each device; 0: as many as their size suggests
  bool folders = false;  ///< keep all results of each variant, in a folder of its own
};

/// A Simulation plus what only exists on the way to one: other spellings of the same quantity, and
/// flags that concern this call of the program rather than the simulation.
struct Case {
  Simulation simulation;  ///< its materials, electrodes and geometry are made of those below
  run::Machine machine = cases::on_first_gpu();
  mesh::Geometry geometry;
  std::optional<std::string> geometry_kind;  ///< none: the mesh is a file's, or parts'
  std::vector<MaterialCase> materials;
  std::vector<ElectrodeCase> electrodes;
  BatchSpec batch;
  ComparisonSpec compare;
  bool varied = false;  ///< it is one of several variants
  std::string resume_from;
  std::string save_mesh;  ///< where the mesh of the geometry is to be written, instead of a run
  cases::ViewSettings view;
  bool device_by_number = false;  ///< --device N
  bool help = false, help_markdown = false, list_devices = false;
};

/// Every parameter of `umov eqs`. TO ADD A PARAMETER: one `add` in table*.cpp.
const ParameterTable<Case>& parameters();

/// The parts of that table.
void add_call_parameters(ParameterTable<Case>&);
void add_mesh_parameters(ParameterTable<Case>&);
void add_method_parameters(ParameterTable<Case>&);
void add_run_parameters(ParameterTable<Case>&);
ParameterTable<mesh::Part> part_parameters();
ParameterTable<mesh::Geometry::Layer> layer_parameters();
ParameterTable<MaterialCase> material_parameters();
ParameterTable<ElectrodeCase> electrode_parameters();
void add_batch_parameters(ParameterTable<Case>&);
void add_compare_parameters(ParameterTable<Case>&);
void add_places(ParameterTable<Case>&);

/// The case that `finish_case` would turn into this simulation, on a machine whose GPU has a number.
Case case_of(const Simulation&, const run::Machine& = {});

/// The simulation and its machine as a case with every default filled in. Reading it back gives the same.
std::string resolved_toml(const Simulation&, const run::Machine& = {});
/// With what is compared; the comparison itself is asked for by a flag.
std::string resolved_toml(const Simulation&, const run::Machine&, const ComparisonSpec&);

/// Throws BadInput, beginning with `where`, for keys of another kind of electrode or waveform: they would be
/// passed over in silence.
void refuse_foreign_keys(const ElectrodeCase&, const std::string& where);

/// The mesh of a case, as finish_case.
MeshSpec finish_mesh(const Case&, const Origins&);

/// Checks what concerns several parameters at once and derives what follows from them. Throws BadInput
/// naming the origin of the offending value.
Simulation finish_case(const Case&, const Origins&);

}  // namespace umov::eqs
