// A .msh file as it is read, before groups are resolved.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mesh/gmsh_cursor.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov {
struct GivenArrays;
}

namespace umov::mesh {

/// From the file's node numbers to places in memory: an array when the numbers are dense, else a sorted list.
class NodeNumbers {
 public:
  /// Number number[i] means node i. Throws through `cursor` when one is there twice.
  void assign(std::vector<std::int64_t> numbers, const GmshCursor& cursor);
  /// -1 when there is none.
  int find(std::int64_t number) const;

 private:
  std::int64_t low_ = 0;
  std::vector<int> dense_;
  std::vector<std::pair<std::int64_t, int>> sorted_;
};

struct RawMesh {
  static constexpr int by_entity = -1;
  /// Where elements come from: an elementary entity and, in version 2, the physical group (0: none).
  struct Origin {
    int dim, entity, physical;
    bool operator==(const Origin&) const = default;
  };
  /// Elements that are not read.
  struct Skipped {
    std::size_t count = 0;
    Origin first{};
  };

  std::vector<Vec3> nodes;  ///< in the file's unit
  NodeNumbers numbers;
  std::vector<Origin> origins;
  std::vector<Tet> tets;
  std::vector<Tri> triangles;
  std::vector<int> tet_origin, triangle_origin;
  std::map<int, Skipped> skipped;                             ///< by Gmsh's element type
  std::map<std::pair<int, int>, std::string> names;           ///< (dimension, physical tag)
  std::map<std::pair<int, int>, std::vector<int>> physicals;  ///< (dimension, entity): version 4
  std::size_t second_order = 0, curved = 0;                   ///< tetrahedra
  bool periodic = false;                                      ///< it has a section $Periodic
  double worst_bend = 0;  ///< distance of a mid-edge node from the middle, per edge

  /// Its place in `origins`; elements come in long runs of one.
  int origin(const Origin&);

 private:
  std::size_t last_ = 0;
};

/// What is known of Gmsh's element types; nodes = 0 for an unknown one.
struct GmshType {
  int dim, nodes, order;
  const char* name;
};
GmshType gmsh_type(int type);

/// Reads one element's nodes and adds it: tetrahedra and triangles of first and second order. `nodes` are
/// numbers of the file.
void add_element(RawMesh&, int type, std::int64_t number, const std::int64_t* nodes, int origin,
                 const GmshCursor&);
inline bool is_kept(int type) { return type == 2 || type == 4 || type == 9 || type == 11; }

/// $Nodes and $Elements of version 2.x; $Entities, $PartitionedEntities, $Nodes and $Elements of 4.1.
void read_nodes_2(GmshCursor&, RawMesh&);
void read_elements_2(GmshCursor&, RawMesh&);
void read_entities_4(GmshCursor&, RawMesh&);
void read_partitioned_entities_4(GmshCursor&, RawMesh&);
void read_nodes_4(GmshCursor&, RawMesh&);
void read_elements_4(GmshCursor&, RawMesh&);

/// Of arrays: `nodes` [n][3], `tetrahedra` [m][4] and `triangles` [k][3] with numbers of nodes from 0,
/// `regions` [m] and `surfaces` [k] with numbers of their names. Throws BadInput.
RawMesh raw_mesh_of(const GivenArrays&);

/// Adds a node after checking that it is finite.
void add_node(RawMesh&, std::int64_t number, const Vec3& x, const GmshCursor&);

/// Groups resolved, nodes scaled, unused ones left out. Throws BadInput.
TetMesh assemble(RawMesh&&, const std::string& path, double scale);

}  // namespace umov::mesh
