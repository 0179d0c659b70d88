// Absorbers anywhere in the domain: media that lose what enters them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fdtd/model/extent.hpp"
#include "fdtd/scene.hpp"
#include "shapes/body.hpp"

namespace umov::fdtd {

/// An absorber in space. At depth d a rate q is added to both curl equations of whatever medium is there,
///   eps (dE/dt + q E) = curl H,  mu (dH/dt + q H) = -curl E:  sigma = q eps, sigma* = q mu,
///   q = strength min(1, d / thickness)^order.
/// The impedance sqrt(mu / eps) does not change with q, so that nothing is reflected at normal incidence but
/// by the grid (Berenger 1994, J. Comput. Phys. 114, 185, eq. 2), and w becomes w + i q: the power of a wave
/// of group velocity v falls by exp(-2 integral q ds / v), in a waveguide too, whose mode is the same.
class Absorber {
 public:
  /// Throws BadInput naming the absorber: its shape, a direction along which it has no front, no cells, media
  /// that have memory.
  Absorber(const Simulation&, std::size_t number, const Scene&, const Grid&);

  /// 0 outside. Depths are rounded to an eighth of a cell, so that coefficients are few.
  double rate(const Vec3&) const;
  /// Farther than `below` from its surface.
  bool inside(const Vec3&, double below = 0) const;
  /// Cells lo <= (i, j, k) <= hi of the grid outside which it is not.
  const Int3& low() const { return low_; }
  const Int3& high() const { return high_; }
  /// Which way, how thick, how strong and what goes through.
  std::string text() const;
  double thickness() const { return thickness_; }
  /// Of the deepest place within the grid, which may be less.
  double depth() const { return depth_; }
  /// Share of the power of a wave that goes straight to the deepest place which is left there, in the medium
  /// of the least index.
  double left() const;
  const std::string& label() const { return label_; }

 private:
  using Bodies = std::vector<std::unique_ptr<shapes::Body>>;
  void set_cells();
  void scan(const Scene&);
  double rate_at(const Vec3&) const;
  double depth(const Vec3&) const;
  double depth_along(const shapes::Body&, const Vec3&) const;

  AbsorberSpec spec_;
  std::string label_;
  Grid grid_;
  Bodies bodies_;
  Vec3 direction_{0, 0, 0};  ///< of unit length; zero: inward
  Int3 low_{0, 0, 0}, high_{0, 0, 0};
  double thickness_ = 0, depth_ = 0, strength_ = 0;
  double index_ = 1;  ///< least of its media
};

std::vector<Absorber> make_absorbers(const Simulation&, const Scene&, const Grid&);

/// What is wrong with a medium that has memory under an absorber.
std::string memory_problem(const std::string& medium, const Vec3& place);

/// What absorbers make of coefficients, indices and tensor terms that media have been painted with. Throws
/// BadInput where an edge has memory.
void add_absorbers(const Simulation&, const Scene&, Problem&);

/// Refuses what of an absorber can be told without the grid. Throws BadInput naming it.
void check_absorber(const Simulation&, std::size_t number);

}  // namespace umov::fdtd
