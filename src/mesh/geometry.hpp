// A geometry described by parameters, from which a mesh is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// A solid of one region. Later parts cover earlier ones. Lengths in metres, angles in degrees.
struct Part {
  std::string region;          ///< name of the volume group; several parts may share one
  std::string shape = "box";   ///< box, cylinder, cone, sphere, torus, revolution, extrusion, sheds
  bool conductor = false;      ///< cut out: its surface becomes the surface group `region`
  bool surface_group = false;  ///< name its surface as surface group region + "_surface" too
  Vec3 center{0, 0, 0};
  Vec3 size{0, 0, 0};  ///< box
  double radius = 0, top_radius = 0,
         height = 0;        ///< cylinder, cone, sphere; torus: radius of the ring, top_radius of its tube
  double inner_radius = 0;  ///< a tube or shell
  Vec3 axis{0, 0, 1};       ///< centre is the middle of the axis' length
  std::vector<std::array<double, 2>> profile;  ///< revolution: (r, z) closed polygon; extrusion: (x, y)
  /// sheds: a housing of `radius` and `height` with `shed_count` sheds, radii alternating between the two,
  /// rounded or slanted
  int shed_count = 0;
  double shed_radius = 0, shed_radius_small = 0, shed_thickness = 0, shed_slope = 0;
  double angle = 360;    ///< revolution
  double mesh_size = 0;  ///< largest element edge in it and on its surface; 0 = by the domain's
};

/// What is meshed: a box (or cylinder) of air with parts in it, possibly cut by symmetry planes.
struct Geometry {
  std::string name = "geometry";
  /// parts: built with the Gmsh library. Structured grids, made without it:
  /// layers: a column of boxes stacked along z; coaxial: a sector of a cylinder, layers along r; spherical: a
  /// sector of a sphere.
  std::string kind = "parts";
  std::string domain_shape = "box";  ///< box, cylinder
  std::string domain_region = "air";
  Vec3 low{0, 0, 0}, high{0, 0, 0};  ///< of the domain
  std::vector<Part> parts;
  std::vector<std::string>
      cut;  ///< "x", "y", "z": keep only x >= 0 (mirror symmetry); the plane's group is "symmetry_x"
  /// Faces of the domain get the surface groups "x_min" ... "z_max" (cylinder: "side", "z_min", "z_max").
  double mesh_size = 0;  ///< largest edge in the domain
  double growth = 0;     ///< how fast edges may grow with the distance from small parts; 0 = default
  double curvature = 0;  ///< elements per full turn of a curved surface; 0 = default
  /// layers, coaxial, spherical: surfaces "inner" and "outer" (layers: "bottom" and "top"), regions as named
  /// here
  struct Layer {
    std::string region;
    double thickness = 0;
    int elements = 1;    ///< across the layer
    double grading = 1;  ///< ratio of the last cell's thickness to the first one's
  };
  double inner_radius = 0;  ///< coaxial, spherical
  std::vector<Layer> layers;
  double width = 0;         ///< layers: edge of the square column; coaxial: length along z
  double angle = 0;         ///< coaxial, spherical: of the sector, degrees
  int elements_across = 1;  ///< in the other directions
};

/// Makes the mesh. Throws BadInput naming the part, MachineFailure when a part needs the Gmsh library and it
/// is not there.
TetMesh build_mesh(const Geometry&);

}  // namespace umov::mesh
