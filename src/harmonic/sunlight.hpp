// Sunlight: photons per wavelength, and what a spectrum of absorption makes of them.
#pragma once

#include <string>
#include <vector>

namespace umov::harmonic {

inline constexpr int am15g_rows = 2002;
extern const double am15g_table[am15g_rows];

/// Spectral irradiance over vacuum wavelength.
struct Sunlight {
  std::string name;
  std::vector<double> wavelength;  ///< um, ascending
  std::vector<double> irradiance;  ///< W m^-2 um^-1
};

/// AM1.5G of ASTM G173-03, 0.28 to 4 um.
Sunlight am15g();

/// A text file of two columns, wavelength (um, or what its heading says) and irradiance (W m^-2 um^-1).
/// Throws BadInput with file:line.
Sunlight read_sunlight(const std::string& path);

/// Numbers w such that sum w[i] f[i] is the integral of photon flux (m^-2 s^-1) times f, which is linear
/// between the ascending `wavelengths` (um) and 0 beyond them; the photon flux is linear between the rows of
/// the spectrum. All 0 for fewer than two wavelengths.
std::vector<double> photon_weights(const Sunlight&, const std::vector<double>& wavelengths);

/// mA/cm^2 per photon flux of 1 m^-2 s^-1: 0.1 e.
inline constexpr double current_per_photon = 0.1 * 1.602176634e-19;

}  // namespace umov::harmonic
