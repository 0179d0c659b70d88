// Flat stacks solved exactly: plane waves through layers of complex refractive index, s and p, any angle.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace umov::layers {

/// s: E along y, normal to the plane of incidence xz; p: H along y.
enum class Polarization { s, p };

/// A layer of a flat stack. Time dependence exp(-i w t): Im(permittivity) >= 0 absorbs.
struct FlatLayer {
  double thickness;  ///< um
  cplx permittivity;
};

/// Layers between two half spaces; light comes through the superstrate, which must not absorb.
struct FlatStack {
  double superstrate = 1;  ///< relative permittivity
  std::vector<FlatLayer> layers;
  cplx substrate = 1;  ///< relative permittivity
};

/// What becomes of a plane wave of unit power.
struct FlatResponse {
  cplx amplitude;                  ///< reflected over incident tangential E (s), tangential H (p)
  double reflection = 0;           ///< |amplitude|^2
  double transmission = 0;         ///< power into the substrate, whether absorbed there or not
  std::vector<double> absorption;  ///< power absorbed per layer
  double sum() const;
};

/// Waves of a stack at one wavelength (um), angle of incidence (rad, in the superstrate) and polarization.
///
/// Reflection coefficients go from the substrate up, amplitudes from the superstrate down (Airy's recursion;
/// Yeh, Optical Waves in Layered Media, 1988, ch. 5), so that only exponentials that decay occur: a thick
/// absorbing layer costs no digits, as products of transfer matrices would.
/// Throws BadInput for a wavelength or thickness that is not positive, an angle outside [0, pi/2), a
/// superstrate that is not positive, a permittivity with Im < 0 or equal to 0.
class FlatWaves {
 public:
  FlatWaves(const FlatStack&, double wavelength, double angle, Polarization);

  FlatResponse response() const;
  /// Net power through depth z (um) below the top of medium i, over the incident power. Medium 0 is the
  /// superstrate, where z is below 0, the last one the substrate.
  double flux(std::size_t medium, double z) const { return flux(media_[medium], z); }
  /// |E|^2 at depth z (um) below the top of layer i, over that of the incident wave; 0 <= z <= thickness.
  double intensity(std::size_t layer, double z) const;
  /// Power absorbed per um of depth there, over the incident power.
  double absorption_density(std::size_t layer, double z) const;

 private:
  struct Medium {
    cplx permittivity, kz, admittance;  ///< admittance: kz/k0 (s), kz/(k0 permittivity) (p)
    cplx down, up;                      ///< amplitudes of E (s), H (p): at its top, at its bottom
    double thickness;
  };
  struct Tangential {
    cplx field, partner;  ///< E and H (s), H and E (p), tangential
  };
  Tangential at(const Medium&, double z) const;
  double flux(const Medium&, double z) const;

  Polarization polarization_;
  double k0_, kx_;
  std::vector<Medium> media_;  ///< superstrate, layers, substrate
};

FlatResponse flat_response(const FlatStack&, double wavelength, double angle, Polarization);

}  // namespace umov::layers
