// A shape before it is voxelised: its proportions and, for every point, its material.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "shapes/particle.hpp"
#include "shapes/textfile.hpp"

namespace umov {
struct GivenArrays;
}

namespace umov::shapes {

/// Most domains one particle can have: a site is one byte and 0 is void.
inline constexpr int max_materials = 255;
/// Largest edge of the box, so that a coordinate fits into 16 bits in every format we write.
inline constexpr int max_edge = 65535;

/// The centre of a lattice site, relative to the centre of the box.
struct Point {
  double x, y, z;  ///< in units of the extent of the box along x
  Int3 half;       ///< in half sites, exact; one step of the lattice is 2
};

/// One site that a file names, counted from the lowest coordinates in the file.
struct Voxel {
  int x, y, z;
  int material;  ///< 1-based
  std::size_t line;
};

/// What a shape says about itself. Ratios are relative to the extent along x; a length without a value is
/// not known before the lattice is.
struct Recipe {
  std::string before, after;  ///< the description is `before SIZE after`
  std::optional<double> y_ratio, z_ratio;
  std::optional<double> volume_ratio;  ///< analytic volume over the cube of the extent along x
  std::optional<double> size;          ///< extent along x (um), where a file gives it
  Int3 box{0, 0, 0};                   ///< sites, where the shape itself fixes them
  int materials = 1;
  Symmetry symmetry{true, true, true, true};
  std::function<int(const Point&)> material;  ///< 1-based, 0 = void
  std::vector<Voxel> voxels;                  ///< used instead of `material` by shapes read from a file
  std::vector<std::string> warnings;
};

/// The arguments of a shape, checked as they are read. Every reader throws BadInput naming the argument.
class Arguments {
 public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  enum class Ends { closed, open_below, open_above, open };

  Arguments(const Request& request, std::string usage) : request_(request), usage_(std::move(usage)) {}

  std::size_t count() const { return request_.arguments.size(); }
  const std::string& file() const { return request_.file; }
  const Vec3& rectangular() const { return request_.rectangular; }
  double any(std::size_t i) const { return request_.arguments[i]; }
  double positive(std::size_t i, const char* name) const { return within(i, name, 0, infinity, Ends::open); }
  double non_negative(std::size_t i, const char* name) const {
    return within(i, name, 0, infinity, Ends::open_above);
  }
  double within(std::size_t i, const char* name, double low, double high, Ends ends = Ends::closed) const;
  /// A whole number of at least `low`.
  int integer(std::size_t i, const char* name, int low) const;
  [[noreturn]] void refuse(const std::string& problem, const std::string& why) const;

 private:
  const Request& request_;
  std::string usage_;
};

/// One row of the list of shapes.
struct Entry {
  ShapeHelp help;
  std::vector<int> counts;  ///< how many arguments are accepted; {low, -high} stands for a range
  bool file;                ///< reads a file instead of arguments
  Recipe (*make)(const Arguments&);
};

/// All shapes in alphabetical order.
const std::vector<Entry>& catalogue();
/// Finds the shape, checks the number of arguments and builds its recipe. Throws BadInput.
Recipe make_recipe(const Request&);

// TO ADD A NEW SHAPE: write its recipe beside its relatives, declare it here, give it a row in
// catalogue.cpp and a case in tests/shared/shapes_sites_test.cpp.
Recipe axisymmetric(const Arguments&);
Recipe bicoated(const Arguments&);
Recipe biellipsoid(const Arguments&);
Recipe bisphere(const Arguments&);
Recipe box(const Arguments&);
Recipe capsule(const Arguments&);
Recipe chebyshev(const Arguments&);
Recipe coated(const Arguments&);
Recipe coated2(const Arguments&);
Recipe cylinder(const Arguments&);
Recipe egg(const Arguments&);
Recipe ellipsoid(const Arguments&);
Recipe line(const Arguments&);
Recipe onion(const Arguments&);
Recipe onion_ell(const Arguments&);
Recipe plate(const Arguments&);
Recipe prism(const Arguments&);
Recipe rbc(const Arguments&);
Recipe read(const Arguments&);
/// Of one array of whole numbers [z][y][x], 0 outside. Throws BadInput for another one.
Recipe read_array(const GivenArrays&);
/// What the header of a DDSCAT file says beyond its voxels, whose lowest and highest sites are `extent`:
/// lattice spacings must be those of the dipoles asked for (BadInput); target axes and origin get a warning
/// where they differ from the box's.
void check_ddscat_header(const TextFile&, bool has_origin, const Vec3& rectangular,
                         const std::array<Vec3, 2>& extent, std::vector<std::string>& warnings);
Recipe sphere(const Arguments&);
Recipe spherebox(const Arguments&);
Recipe superellipsoid(const Arguments&);

}  // namespace umov::shapes
