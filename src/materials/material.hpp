// An electromagnetic material as time-domain solvers use it: constants, conductivities and poles.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "parameters/kind_name.hpp"

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

inline constexpr KindName<Pole::Kind> pole_kinds[] = {
    {Pole::Kind::drude, "drude", "drude pole"},
    {Pole::Kind::lorentz, "lorentz", "lorentz pole"},
    {Pole::Kind::debye, "debye", "debye pole"},
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
  double fit_error = 0;  ///< rms relative error of n + ik of a fit to a user's table

  bool dispersive() const { return !poles.empty(); }
  /// Relative permittivity on one axis at angular frequency w > 0 (same units as the poles and sigma). Throws
  /// BadInput for a perfect conductor, which has none.
  cplx permittivity(double w, int axis = 0) const;
};

inline constexpr double light_um_per_fs = 0.299792458;  ///< speed of light (exact)
/// 1 eV / hbar in rad/fs, from the exact e and h of the SI.
inline constexpr double rad_per_fs_per_ev = 1.602176634e-19 * 2 * pi / 6.62607015e-34 * 1e-15;

/// Angular frequency (rad/fs) of a vacuum wavelength (um).
inline double angular_frequency(double wavelength_um) { return 2 * pi * light_um_per_fs / wavelength_um; }

/// A material given in rad/fs (poles, and sigma in units of eps0 rad/fs), as the library's are, in units of
/// c / (length unit), the unit being `unit_um` micrometres long. Throws BadInput unless unit_um > 0.
Material scaled_to(const Material&, double unit_um);

/// n + ik of a material given in rad/fs, mu included, at a vacuum wavelength (um).
cplx refractive_index(const Material&, double wavelength_um, int axis = 0);

/// Whether Im eps(w) >= 0 for every w > 0 and all poles are damped or lossless: what a stable time-domain
/// model needs. Looked up on 4000 frequencies around the poles, logarithmically spaced.
bool passive(const Material&);

/// Empty when all wavelengths (um) from `shortest` to `longest` lie where the material's data hold; otherwise
/// a sentence naming the range and the citation. Whether to warn or to refuse is the caller's choice.
std::string check_range(const Material&, double shortest_um, double longest_um);

}  // namespace umov::materials
