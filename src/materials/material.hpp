// An electromagnetic material as time-domain solvers use it: constants, conductivities and poles.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace umov::materials {

/// One term of the susceptibility, time dependence exp(-i w t), angular frequencies in rad/fs or, once
/// `scaled_to` was applied, in units of c / (length unit):
///   drude:   -wp^2 / (w^2 + i gamma w)                    (strength = wp^2, omega unused)
///   lorentz: delta w0^2 / (w0^2 - w^2 - i gamma w)         (strength = delta, omega = w0)
///   debye:   delta / (1 - i w tau)                         (strength = delta, tau)
struct Pole {
  enum class Kind { drude, lorentz, debye } kind = Kind::lorentz;
  double strength = 0, omega = 0, gamma = 0, tau = 0;
};

/// Relative constants on the three axes, conductivities in units of eps0 c / (length unit) (electric) and
/// mu0 c / (length unit) (magnetic).
struct Material {
  std::string name;
  Vec3 eps{1, 1, 1};  ///< instantaneous relative permittivity (eps infinity)
  Vec3 mu{1, 1, 1};
  Vec3 sigma{0, 0, 0}, sigma_magnetic{0, 0, 0};
  std::vector<Pole> poles;                            ///< isotropic
  bool perfect_conductor = false;                     ///< E = 0 inside
  std::string source;                                 ///< citation of a named material
  std::optional<std::pair<double, double>> range_um;  ///< vacuum wavelengths where the data hold

  bool dispersive() const { return !poles.empty(); }
  /// Relative permittivity on one axis at angular frequency w (same units as the poles).
  cplx permittivity(double w, int axis = 0) const;
};

}  // namespace umov::materials
