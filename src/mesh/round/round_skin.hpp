// The round surfaces of a mesh, known while it is refined.
#pragma once

#include <string>
#include <vector>

#include "mesh/round/normals.hpp"
#include "mesh/round/surface.hpp"

namespace umov::mesh {

/// What refinement did for round surfaces.
struct RoundReport {
  std::size_t moved = 0;     ///< new nodes that were put on them
  double farthest = 0;       ///< m, of these
  std::size_t short_of = 0;  ///< that were left short of them, where elements would be badly shaped
  double gap = 0;            ///< m, the farthest of those
  Vec3 where{0, 0, 0};       ///< of it
};

/// Which surface every face of the skin belongs to. Of a described geometry all are known in closed form. Of
/// a mesh from a file (no geometry) planes, spheres, cylinders, cones and tori are recognised by their nodes,
/// and other smooth surfaces stand on normals at their nodes.
class RoundSkin {
 public:
  RoundSkin(const TetMesh&, const Geometry*);
  /// Nothing of it is round.
  bool flat() const { return flat_; }
  /// Moves new nodes of round surfaces onto them, and those inside after them. `fine` is what refine made of
  /// `coarse`, with `middles`; no element is inverted or loses more than four fifths of its quality, nodes
  /// stay short of their surface instead.
  void follow(const TetMesh& coarse, const std::vector<Edge>& middles, TetMesh& fine);
  const RoundReport& report() const { return report_; }

 private:
  void recognise_known(const TetMesh&);
  void find_normals(const TetMesh&);
  void cut_faces(const TetMesh& coarse, const std::vector<Edge>& middles);

  std::vector<RoundSurface> surfaces_;
  std::vector<Tri> faces_;
  std::vector<int> surface_;            ///< per face: in surfaces_, or surfaces_.size() + a patch of its own
  std::vector<CornerNormals> normals_;  ///< per face, of those patches; empty: there are none
  bool flat_ = true;
  RoundReport report_;
};

/// `mesh` refined `times` times, its round surfaces followed where there is a skin, and sorted by place.
/// Throws what refine does.
Lineage refine_and_sort(TetMesh& mesh, int times, RoundSkin*);

/// "refinement left 3 of 4000 nodes ..." where a report has such nodes; else "".
std::string round_warning(const std::string& source, const RoundReport&);
/// Whether a warning is one of these.
bool tells_of_nodes_left_short(const std::string& warning);

}  // namespace umov::mesh
