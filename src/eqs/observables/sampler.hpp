// Potential and field at places inside elements, from the potentials at the nodes.
#pragma once

#include <array>
#include <vector>

#include "eqs/problem.hpp"
#include "mesh/locate.hpp"

namespace umov::eqs {

/// Evaluates the finite-element function of one problem, which must outlive it. `u` are potentials per space
/// node, V.
class Sampler {
 public:
  explicit Sampler(const Problem& problem) : problem_(problem) {}

  double potential(const double* u, const mesh::Place&) const;
  /// E = -grad phi, V/m: constant in an element of first order, linear in one of second.
  Vec3 field(const double* u, const mesh::Place&) const;
  /// E in the middle of every element, [element][x, y, z], V/m.
  std::vector<float> element_fields(const double* u) const;

 private:
  /// Gradients of the four barycentric coordinates, 1/m.
  std::array<Vec3, 4> gradients(int tet) const;
  const Problem& problem_;
};

}  // namespace umov::eqs
