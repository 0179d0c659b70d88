// A Gaussian beam on the grid: the sum of its plane waves over a plane.
#pragma once

#include <vector>

#include "fdtd/grid.hpp"

namespace umov::fdtd {

/// A beam whose E at the waist falls to 1 / e at `radius` from its axis, and is 1 in the middle as far as it
/// is paraxial. Its plane waves are exp(-q^2 radius^2 / 4), q being the part of k across the axis; each has
/// its E along `polarization`, made perpendicular to its k.
struct Beam {
  Vec3 travel{1, 0, 0}, polarization{0, 0, 1};  ///< unit vectors
  Vec3 center{0, 0, 0};                         ///< where the axis meets the plane of which fields are wanted
  double radius = 1;
  double ahead = 0;  ///< distance of the waist from there, along the axis
  double eps = 1, mu = 1;
};

/// Amplitudes of exp(-i w t) at one angular frequency. Every plane wave obeys the grid's dispersion relation
/// (Taflove and Hagness 2005, chapter 4), so that the sum is a wave of the grid, exactly. Evanescent ones are
/// left out, those that graze the plane are faded out. The phase is that of the carrier at `center`: 0 but
/// for the part that the beam's spread makes.
class BeamField {
 public:
  /// Of points up to `reach` from the center along each axis of the plane across `axis`.
  BeamField(const Grid&, const Beam&, int axis, double reach, double w);

  /// Of a component at cells lo <= i <= hi of one plane, the first axis after `axis` running fastest.
  std::vector<cplx> values(Component, const Int3& lo, const Int3& hi) const;
  /// Share of the amplitudes of the spectrum that is evanescent or grazes.
  double missing() const { return missing_; }

 private:
  /// A wave vector along one axis of the plane.
  struct Spectrum {
    double first = 0, step = 0;
    int count = 1;
    double at(int i) const { return first + i * step; }
  };

  Grid grid_;
  int axis_;
  Vec3 center_;
  Spectrum b_, c_;
  std::vector<double> along_;                            ///< k along the axis, [c][b]
  std::array<std::vector<cplx>, components> amplitude_;  ///< at the center, [c][b]
  double missing_ = 0;
};

}  // namespace umov::fdtd
