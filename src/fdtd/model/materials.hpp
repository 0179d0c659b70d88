// The materials of a case: looked up, converted to the case's unit, checked.
#pragma once

#include <string>
#include <vector>

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// Materials in the order they are first used, [0] the background; all in units of c / unit.
class MaterialList {
 public:
  /// Throws BadInput naming the material.
  explicit MaterialList(const Simulation&);

  /// Index of a material by name: one the case declares, or one of the library; of several that are the same
  /// but for their names the first one's, so that no surface between them is one. `user` says who asks, for
  /// the message. Throws BadInput.
  int index(const std::string& name, const std::string& user);
  /// Adds a material of this permittivity and conductivity (c / unit), or finds it.
  int add_permittivity(double eps, double sigma = 0);
  std::vector<materials::Material> take() { return std::move(list_); }

 private:
  materials::Material make(const std::string& name, const std::string& user) const;
  /// Index of the first material that is the same medium as the last one.
  int first_of_its_kind() const;

  const Simulation& simulation_;
  std::vector<std::pair<std::string, int>> names_;  ///< and index
  std::vector<materials::Material> list_;
};

/// Throws BadInput, behind `user`, where a name is of no material of the case and of none of the library.
void require_material(const Simulation&, const std::string& name, const std::string& user);

/// One declared material in units of c / unit. Throws BadInput naming it.
materials::Material make_material(const MaterialSpec&, double unit_um);

}  // namespace umov::fdtd
