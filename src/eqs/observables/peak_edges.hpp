// Edges that the largest field of a material sits on.
#pragma once

#include <string>
#include <vector>

#include "eqs/problem.hpp"

namespace umov::eqs {

/// An edge between faces of a material at the place of its largest field. The field of facets is singular
/// there, unless the surface ends and the material does not reach around the edge.
struct PeakEdge {
  double turn = 0;        ///< by which its surface turns there, rad; 0: there is none
  bool mirrored = false;  ///< it ends at a plane of symmetry or another wall, and turns to its mirror image
  bool of_round = false;  ///< whatever the turn: all surfaces of the model are round
  /// It stands for a round surface, and refinement makes it flatter; else the edge is meant.
  bool round() const;
};

/// Per material: the sharpest such edge at `at`, where its largest field was seen (a vertex of elements of
/// second order, the middle of one of first order).
std::vector<PeakEdge> peak_edges(const Problem&, const std::vector<Vec3>& at);

/// "largest |E| of material 'void' lies on ..."; "" where the edge makes less of an error than a hundredth.
std::string peak_warning(const Problem&, std::size_t material, const PeakEdge&);

/// ", on an edge between facets": what such a warning among those of a run says of a material; "" without.
std::string peak_remark(const std::vector<std::string>& warnings, const std::string& material);

}  // namespace umov::eqs
