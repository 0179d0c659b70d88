// A geometry described by parameters, from which a mesh is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {

/// A solid of one region. Later parts cover earlier ones, so a droplet on a rod is a sphere before the rod.
/// Lengths in metres, angles in degrees. A part may reach out of the domain only across a plane of symmetry.
struct Part {
  std::string region;  ///< name of the volume group; several parts may share one
  /// box: size; cylinder: radius, height; cone: radius (bottom), top_radius, height; sphere: radius; torus:
  /// radius of the ring, top_radius of its tube; revolution: profile (r, z); extrusion: profile (x, y),
  /// height; sheds
  std::string shape = "box";
  bool conductor = false;      ///< cut out: its surface becomes the surface group `region`
  bool surface_group = false;  ///< name its surface as surface group region + "_surface" too
  Vec3 center{0, 0, 0};        ///< of the box, the sphere, the ring; else the middle of the axis' length, but
                               ///< the origin of the profile of a revolution
  Vec3 size{0, 0, 0};          ///< box
  double radius = 0, top_radius = 0, height = 0;
  double inner_radius = 0;                     ///< cylinder: a tube; sphere: a shell
  Vec3 axis{0, 0, 1};                          ///< of all but the box and the sphere
  std::vector<std::array<double, 2>> profile;  ///< a closed polygon; corners may be repeated
  double fillet =
      0;  ///< radius that rounds the corners of profiles, cylinders and cones (not those on the axis)
  /// cylinder, cone, revolution: a sector from `start` over `angle`, counted from the x axis (for another
  /// axis a: from the image of x under the shortest turn that takes z to a)
  double angle = 360, start = 0;
  /// sheds: a tube (or rod) of `radius` and `height` with `shed_count` sheds, evenly spaced between the ends
  /// less `shed_margin` at each; radii alternate between the two, the larger one first (at the bottom). A
  /// shed is `shed_thickness` thick at its root and `shed_tip` at its rim, and slants by `shed_slope` towards
  /// the bottom.
  int shed_count = 0;
  double shed_radius = 0, shed_radius_small = 0;  ///< 0 = like the other one
  double shed_thickness = 0, shed_tip = 0;        ///< 0 = half the root's
  double shed_slope = 0, shed_margin = 0;
  /// The part again, copies - 1 times, each moved by `shift` and turned by `turn` about the z axis from the
  /// last.
  int copies = 1;
  Vec3 shift{0, 0, 0};
  double turn = 0;
  double mesh_size = 0;  ///< largest element edge in it and on its surface; 0 = by the domain's
  /// A thin tube (cylinder with inner_radius, whole or a sector) in a structured grid: this many elements
  /// across, mesh_size around, mesh_size * stretch along the axis. Nothing may cut it but the planes of
  /// symmetry.
  int across = 0;
  double stretch = 1;
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
  double growth = 0;     ///< growth of the edges per distance from parts with smaller ones; 0 = 0.35
  double curvature = 0;  ///< elements per full turn of a curved part, at least; 0 = 12
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
