// The density of the lost power per element, from its field.
#pragma once

#include <vector>

#include "eqs/materials/curve_table.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

/// kappa(|E|) |E|^2 (W/m^3) of every element of a mesh, with its material's conductivity.
class LossDensity {
 public:
  LossDensity() = default;
  explicit LossDensity(const Problem&);
  /// Without conduction there is none.
  bool empty() const { return curve_.empty(); }
  /// `field` holds three components per element, V/m.
  std::vector<float> of(const std::vector<float>& field) const;

 private:
  CurveTable curves_;
  std::vector<int> curve_;     ///< of the conductivity, per material
  std::vector<int> material_;  ///< per element
};

}  // namespace umov::eqs
