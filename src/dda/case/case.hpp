// The case of `umov dda` as its user writes it, and the table of its parameters.
#pragma once

#include <optional>
#include <string>

#include "cases/read_when.hpp"
#include "cases/view_parameters.hpp"
#include "dda/machine.hpp"
#include "dda/simulation.hpp"
#include "parameters/parameters.hpp"
#include "parameters/value_list.hpp"

namespace umov::dda {

/// A Simulation plus what only exists on the way to one: other spellings of the same quantity, and
/// flags that concern this call of the program rather than the simulation.
struct Case {
  Simulation simulation;
  Machine machine;
  GivenLists lists;  ///< parameters with several values, each of which is a case of its own
  double vacuum_wavelength = 2 * pi;
  std::vector<MaterialRequest> materials;  ///< empty: one of m = 1.5
  std::string medium = "1";
  bool many = false;              ///< it is one of several that the case stands for
  std::optional<double> spacing;  ///< dipole spacing (um), becomes dipoles per wavelength
  std::optional<double> granule_fraction, granule_diameter;
  int granule_domain = 1;
  std::optional<shapes::ShapeFormat> geometry_format;
  cases::ViewSettings view;
  bool sync = false;  ///< the GPU finishes every operation
  bool help = false, help_markdown = false, list_devices = false, show_memory = false;
};

/// Every parameter of `umov dda`. TO ADD A PARAMETER: one `add` in table.cpp or table_io.cpp.
const ParameterTable<Case>& parameters();

/// The parts of that table: what is computed, and what goes in and out of the program.
void add_physics_parameters(ParameterTable<Case>&);
void add_run_parameters(ParameterTable<Case>&);

/// The parameters that only some cases read. A new parameter of that kind gets its line in reads.cpp.
const std::vector<cases::ReadWhen<Case>>& dda_reads();

/// The case that `finish_case` would turn into this simulation.
Case case_of(const Simulation&);

/// The simulation and its machine as a case with every default filled in. Reading it back gives the same.
std::string resolved_toml(const Simulation&, const Machine& = {});

/// Checks what concerns several parameters at once and derives what follows from them. Throws BadInput
/// naming the origin of the offending value. Of lists the first value is taken. The case's machine is
/// completed.
Simulation finish_case(Case&, const Origins&);

/// Wavelength and refractive indices: those of materials by name or from files at the case's wavelength, all
/// relative to the medium. Throws BadInput.
void set_light(const Case&, const Origins&, Simulation&);

/// Refuses an FFT grid smaller than twice the box of the particle; a zero in `box` is not known yet,
/// an `fft_grid` of zeros is chosen by the program. `place` opens the message of the BadInput.
void require_fft_grid(const Int3& fft_grid, const Int3& box, const std::string& place);

/// Refuses a name of the saved shape that a result of the run has, in the folder of the results (empty: not
/// made yet). `place` opens the message of the BadInput.
void require_own_name(const std::string& geometry_file, const std::string& folder, const std::string& place);

/// A diagonal tensor of the refractive index: `1.5`, `1.5,0.1`, `(1.5,0.1)`,
/// `((re,im),(re,im),(re,im))`, the same with brackets in TOML. Refuses m = 1 in any component.
Codec<CVec3> refractive_index();
/// The same, or a name of the library, or a file that exists.
Codec<MaterialRequest::Index> material_index();
/// A number or a name of the library of materials.
Codec<std::string> medium_index();

}  // namespace umov::dda
