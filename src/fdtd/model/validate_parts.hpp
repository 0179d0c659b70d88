// The parts of the validation, each adding what it finds.
#pragma once

#include "fdtd/model/extent.hpp"
#include "fdtd/model/picture.hpp"
#include "fdtd/model/validate.hpp"

namespace umov::fdtd {

using Findings = std::vector<Finding>;
using Severity = Finding::Severity;

/// Where boxes and cells lie between the walls.
class Surroundings {
 public:
  Surroundings(const Simulation&, const Grid&);

  enum class Where { inside, partly_absorbed, absorbed, outside };
  /// Of a box given by centre and size; axes the grid lacks do not count.
  Where box(const Vec3& center, const Vec3& size) const;
  /// Of a place in cells from the low corner of the grid.
  bool place_absorbed(const Vec3&) const;
  bool place_outside(const Vec3&) const;
  /// Absorbing layers at a wall.
  int layers(int axis, int side) const { return layers_[axis][side]; }
  const Grid& grid() const { return grid_; }
  const Extent& extent() const { return extent_; }

 private:
  Grid grid_;
  Extent extent_;
  std::array<std::array<int, 2>, 3> layers_{};
};

/// Centre frequency of the fastest source; 0 without one.
double highest_carrier(const Simulation&);

void validate_sources(const Simulation&, const Scene&, const Surroundings&, Findings&);
void validate_monitors(const Simulation&, const Surroundings&, Findings&);
void validate_frequencies(const Simulation&, const Scene&, const Grid&, Findings&);
void validate_total_field(const Simulation&, const Scene&, const Grid&, Findings&);
void validate_places(const Simulation&, const Grid&, Findings&);
void validate_endless(const Simulation&, Findings&);
void validate_resolution(const Simulation&, const Scene&, const Grid&, Findings&);
void validate_ranges(const Simulation&, const Scene&, Findings&);
void validate_fits(const Simulation&, const Scene&, Findings&);
void validate_metals(const Simulation&, const Scene&, const Grid&, Findings&);
/// n + ik at a frequency, the axis of the largest n; conductivity included where there are no poles.
cplx index_of(const materials::Material&, double frequency);
void validate_bodies(const Simulation&, const Surroundings&, Findings&);
void validate_domain(const Simulation&, const Scene&, const Surroundings&, Findings&);
void validate_mirrors(const Simulation&, const Scene&, const Surroundings&, Findings&);
/// The grid as a material has it: of a graded one equal cells as long as the longest in its bodies,
/// `across_surfaces`: along axes where these end within the domain.
Grid grid_in(const Scene&, const Grid&, int material, bool across_surfaces = false);
void validate_graded(const Simulation&, const Grid&, Findings&);
void validate_layers(const Simulation&, const Scene&, const Surroundings&, Findings&);
void validate_absorbers(const Simulation&, const Scene&, const Grid&, Findings&);
void validate_picture(const Simulation&, Findings&);
void validate_marks(const PictureSpec&, const PictureStack&, Findings&);

/// "pixel (3, 4)", "pixel (3, 4) of picture 2": column, row from the top.
std::string pixel_name(const Int3&, const PictureStack&);
/// "2, 3, 5 and 7 more".
std::string some(const std::vector<std::string>&);

}  // namespace umov::fdtd
