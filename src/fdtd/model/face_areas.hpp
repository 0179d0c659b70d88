// Free areas of faces that conductors cut, as large as the time step asks for.
#pragma once

#include <array>
#include <map>

#include "fdtd/model/cut_grid.hpp"

namespace umov::fdtd {

/// Areas of the faces of one grid in units of a whole face: 1 where nothing is listed.
class FaceAreas {
 public:
  double at(int component, index_t cell) const {
    const auto found = lists_[component].find(cell);
    return found == lists_[component].end() ? 1 : found->second;
  }
  void set(int component, index_t cell, double area) { lists_[component][cell] = area; }
  const std::map<index_t, double>& list(int component) const { return lists_[component]; }

 private:
  std::array<std::map<index_t, double>, components> lists_;
};

/// The area at which the sum of a face's row of dt^2 |M| reaches the limit (see below).
double least_area(const CutGrid&, int face, const Int3& at);

/// Makes areas stable at the grid's time step, and says in the report how well that went.
///
/// The scheme is a leapfrog of x'' = -M x, M symmetric and positive up to a scaling: it is stable exactly
/// when dt^2 max eig M < 4, and no eigenvalue is larger than the largest sum of a row of |M| (Gershgorin
/// 1931). The row of a face of area A has (1 / (mu A)) sum over its edges of l / eps times the faces around
/// the edge, so there is an area that each face needs. One that has less gets what it lacks from the faces
/// beyond its free edges in the same plane, which have more than they need when the step is below the limit.
/// The sum of areas stays, so that at a surface, where tangential H has no slope across it, the error is of
/// second order (the idea of the enlarged cells of Xiao and Liu 2004, IEEE Microw. Wireless Compon. Lett. 14,
/// 551, without their change of the update). What no neighbour can give is added all the same.
void stable_areas(const CutGrid&, FaceAreas&, ConductorReport&);

}  // namespace umov::fdtd
