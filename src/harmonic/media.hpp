// The media of a cell: n and k over wavelength by name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "harmonic/simulation.hpp"
#include "materials/nk_table.hpp"

namespace umov::harmonic {

/// Permittivities at any wavelength of the case's materials, and of those of the library under their own
/// names.
class Media {
 public:
  /// Reads the files. Throws BadInput for what is no material, or has no n and k at one of the case's
  /// wavelengths.
  explicit Media(const Simulation&);
  /// Relative permittivity, exp(-i w t), of a name that the case uses. A table is linear in n and k between
  /// its rows, a formula of a file is itself.
  cplx permittivity(const std::string& name, double wavelength) const;
  /// Of the superstrate, the layers and the substrate.
  std::vector<cplx> of_cell(const Simulation&, double wavelength) const;
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Where the n and k of each material come from: file or name, range, citation, licence.
  const std::vector<std::string>& sources() const { return sources_; }

 private:
  struct Medium {
    MaterialSpec spec;
    materials::NkTable table;
  };
  void add(const Simulation&, const std::string& name);

  std::map<std::string, Medium> media_;
  std::vector<std::string> warnings_, sources_;
};

}  // namespace umov::harmonic
