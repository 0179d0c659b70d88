// Tetrahedral meshes: nodes, elements, and the named regions that a case refers to.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::mesh {

using Tet = std::array<int, 4>;
using Tri = std::array<int, 3>;
using Edge = std::array<int, 2>;

/// A physical group: what a case calls a volume or a surface by.
struct Group {
  std::string name;  ///< unnamed groups are called by their number
  int tag = 0;       ///< as in the file
};

/// A mesh of straight tetrahedra, in metres. After `check` every element has a positive volume
/// (x1 - x0) . ((x2 - x0) x (x3 - x0)) / 6 and every node belongs to one.
struct TetMesh {
  std::vector<Vec3> nodes;
  std::vector<Tet> tets;
  std::vector<int> tet_group;  ///< per element, index into `volumes`
  std::vector<Tri> triangles;  ///< elements of the named surfaces
  std::vector<int>
      triangle_group;  ///< per triangle, index into `surfaces`; one that lies in two groups is there twice
  std::vector<Group> volumes, surfaces;
  std::string source;                 ///< file it came from, or the geometry's name, for messages
  bool second_order = false;          ///< the file had ten-node elements (their mid-edge nodes are not kept)
  std::vector<std::string> warnings;  ///< of the reader; `check` passes them on
};

/// The edges of a mesh, each once, and those of every element in the order 01, 12, 02, 03, 13, 23.
struct EdgeList {
  std::vector<Edge> ends;  ///< lower node first; sorted by (first, second)
  std::vector<std::array<int, 6>> of_tet;
};
inline constexpr int tet_edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

EdgeList find_edges(const TetMesh&);

/// Every tetrahedron into eight, every triangle into four: new nodes in the middle of the edges, the inner
/// octahedron along its shortest diagonal (ties: 02-13 first, in the element's own order of vertices, which
/// the children inherit so that Bey's congruent ones follow). The eight children of element i are 8 i ... 8 i
/// + 7; their first four keep a vertex each. Throws BadInput when the result would have 2^31 nodes or element
/// entries. Nodes keep their numbers and new ones follow; `middles`, where there is one, gets the two ends
/// that each new node lies between. (Bey 1995, Computing 55, 355; Zhang 1995, Houston J. Math. 21, 541)
TetMesh refine(const TetMesh&, std::vector<Edge>* middles = nullptr);

/// Renumbers nodes and elements along a Morton curve, so that neighbours in space are neighbours in memory.
/// Returns the new number of every node.
std::vector<int> sort_by_place(TetMesh&);

/// How a mesh came from refining another: the meshes on the way share nodes, and a node of a finer one lies
/// between two of the next coarser one. In the numbers that refine gives, where mesh l has the first
/// nodes[l].
struct Lineage {
  std::vector<int> nodes;     ///< of every mesh, the coarsest first and the finest last; empty: not refined
  std::vector<Edge> parents;  ///< of node nodes[0] + k: the ends of the edge it halves
  std::vector<int> number;    ///< of every node in the finest mesh as it is now
  bool empty() const { return nodes.empty(); }
};
/// `mesh` refined `times` times and sorted by place. Throws what refine does.
Lineage refine_and_sort(TetMesh& mesh, int times);

/// What a look at a mesh found: numbers for the log, and what the user should know but need not stop for.
struct MeshReport {
  double volume = 0, smallest = 0, largest = 0;  ///< of elements, m^3
  double shortest_edge = 0, longest_edge = 0;
  double worst_quality = 1;  ///< 3 r_in / r_out of the worst element: 1 = regular, 0 = flat
  Vec3 low{0, 0, 0}, high{0, 0, 0};
  std::vector<std::string> warnings;
};

/// Turns elements of negative volume about, and leaves out nodes that nothing uses. Throws BadInput with
/// file, element, its volume group and place for flat elements (quality below 1e-10) and those that lie in
/// others, nodes that are repeated or not finite, elements that are there twice, and triangles that are no
/// face of an element. Warns when the extent suggests millimetres (larger than 50 m), of nodes that lie on
/// one another (volumes that touch without being joined) and of very flat elements (quality below 1e-3), and
/// passes on the reader's warnings.
MeshReport check(TetMesh&);

}  // namespace umov::mesh
