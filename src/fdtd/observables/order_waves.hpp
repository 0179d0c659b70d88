// The waves of a grating's orders on the grid, and how much of each a plane sees.
#pragma once

#include <functional>

#include "fdtd/observables/far_field.hpp"

namespace umov::fdtd {

/// One order at one frequency: its amplitudes along +axis and -axis, both polarizations (s, p), as fluxes:
/// |amplitude|^2 is the flux through the plane.
struct OrderAmplitudes {
  int m = 0, n = 0;
  Vec3 transverse{0, 0, 0};  ///< wave vector, rad / unit
  std::array<cplx, 2> up{}, down{};
};

/// The plane and the cell that repeats in it.
struct OrderPlane {
  int axis = 0;
  std::array<int, 2> across{1, 2};  ///< the other axes, x before y before z; the second is inactive in 2D
  std::array<double, 2> period{1, 1};
  Vec3 transverse{0, 0, 0};  ///< wave vector of order (0, 0), rad / unit
  FarMedium medium;
};

/// Range of orders along one of the plane's axes that may propagate with the wave number k in the medium.
std::array<int, 2> order_range(const OrderPlane&, int which, double k, const Grid&);
/// Wave number of order m along that axis.
inline double order_wave(const OrderPlane& plane, int which, int m) {
  return plane.transverse[plane.across[which]] + 2 * pi * m / plane.period[which];
}

/// patch_sums of each patch of the plane for the lateral wave vector of order (m, n).
using OrderSums = std::function<std::vector<std::array<cplx, 2>>(int m, int n, const Vec3& transverse)>;

/// All orders that the grid carries away from the plane at a frequency. The fields' Fourier components along
/// the plane are split into waves of the grid k = transverse + 2 pi (m, n) / period +- kappa axis with E = e,
/// H = K x e / (mu W): sums of E and of the mean H, which is h cos(kappa dx / 2), are enough for four
/// amplitudes. Orders of a plane over whole periods are orthogonal sums, so that their fluxes add up to the
/// flux of the grid.
std::vector<OrderAmplitudes> order_amplitudes(const OrderPlane&, const Surface&, const Grid&,
                                              const OrderSums&, double frequency);
std::vector<OrderAmplitudes> order_amplitudes(const OrderPlane&, const Surface&, const Grid&,
                                              const TransformValues&, std::size_t frequency_index,
                                              double frequency);

}  // namespace umov::fdtd
