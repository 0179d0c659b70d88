// The voxelised particle: what every shape, analytic or read from a file, becomes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::shapes {

/// What the user asks for. Lengths in micrometres. Unset optionals are derived.
struct Request {
  std::string shape = "sphere";     ///< name in the list of shapes, or "read"
  std::vector<double> arguments;    ///< shape parameters, relative to the extent along x
  std::string file;                 ///< for shapes that read one ("read", "axisymmetric")
  Int3 grid{0, 0, 0};               ///< box in lattice sites before `jagged` divides them; 0 = derived
  std::optional<double> size;       ///< extent of the box along x (um)
  std::optional<double> eq_radius;  ///< volume-equivalent radius (um)
  std::optional<double> dpl;        ///< dipoles per wavelength
  double wavelength = 2 * pi;       ///< um
  double max_abs_m = 1.5;           ///< largest |m|, for the default dpl = 10 |m|
  int jagged = 1;                   ///< each lattice site becomes a cube of jagged^3 dipoles
  Vec3 rectangular{1, 1, 1};        ///< relative edges of a dipole
  bool volume_correction = true;    ///< keep the analytic volume rather than the extent
  struct Granules {
    double fraction, diameter;  ///< volume fraction; diameter (um)
    int domain = 1;             ///< 1-based domain filled with granules
  };
  std::optional<Granules> granules;
};

/// Mirror planes (x -> -x, ...) and the rotation by 90 degrees about z that maps the particle,
/// materials included, on itself.
struct Symmetry {
  bool x = false, y = false, z = false, rotation_z = false;
};

/// A particle on a simple (possibly rectangular) lattice.
struct Particle {
  Int3 box{0, 0, 0};                   ///< sites along x, y, z
  std::vector<std::uint8_t> material;  ///< [nz][ny][nx]; 0 = void, else 1-based material
  int materials = 1;                   ///< number of domains the shape has
  Vec3 spacing{0, 0, 0};               ///< edges of a dipole (um)
  double eq_radius = 0;                ///< radius of the sphere of equal volume (um)
  double dpl = 0;                      ///< dipoles per wavelength, as ADDA reports it
  Symmetry symmetry;                   ///< of the voxelised particle
  std::string description;             ///< one line, as in ADDA's log after "shape: "
  std::vector<std::size_t> dipoles_per_material;
  std::vector<Vec3> granule_positions;  ///< um, filled when granules were asked for
  double granule_diameter = 0;          ///< um, after volume correction
  double granule_fraction = 0;          ///< volume fraction reached by the voxelised granules
  Vec3 rectangular{1, 1, 1};            ///< relative edges of a dipole, as asked for
  double size = 0;                      ///< the extent along x that `description` names (um)
  bool volume_corrected = false;        ///< the analytic volume was kept, rather than the extent
  std::vector<std::string> warnings;    ///< one sentence each, for the log and stderr

  std::size_t sites() const { return std::size_t(box[0]) * box[1] * box[2]; }
  std::size_t dipoles() const {
    std::size_t n = 0;
    for (auto m : dipoles_per_material) n += m;
    return n;
  }
  double dipole_volume() const { return spacing[0] * spacing[1] * spacing[2]; }
  /// Position (um) of a site relative to the centre of the box.
  Vec3 position(int x, int y, int z) const {
    return {(x - 0.5 * (box[0] - 1)) * spacing[0], (y - 0.5 * (box[1] - 1)) * spacing[1],
            (z - 0.5 * (box[2] - 1)) * spacing[2]};
  }
};

/// Dipoles of the planes of constant z below each plane, and of all: [nz + 1].
std::vector<std::size_t> dipoles_below(const Particle&);

/// How many of these sites are void, and of each material.
std::array<std::size_t, 256> sites_of_materials(std::span<const std::uint8_t>);

/// Builds the particle on the sites that ADDA occupies for the same request (M.A. Yurkin and A.G. Hoekstra,
/// "User manual for the discrete dipole approximation code ADDA"). Throws BadInput naming the shape, its
/// argument, or the file and line; or the box, when it does not fit into memory.
Particle make_particle(const Request&);

/// Names of all shapes with one line of help each (`name`, `arguments`, `text`).
struct ShapeHelp {
  std::string name, arguments, text;
};
const std::vector<ShapeHelp>& shape_list();

enum class ShapeFormat { text, text_ext, ddscat6, ddscat7 };

/// Writes the particle in one of the field's formats (write aside, then rename).
void save_particle(const Particle&, const std::string& path, ShapeFormat, const std::string& shape_name);

}  // namespace umov::shapes
