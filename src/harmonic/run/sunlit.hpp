// Photons and currents of the rows of a run under a spectrum of light.
#pragma once

#include "harmonic/outcome.hpp"
#include "harmonic/sunlight.hpp"

namespace umov::harmonic {

/// The spectrum of the case. Throws BadInput for one without a photon at the case's wavelengths, which is in
/// another unit, or the wrong one.
Sunlight light_of(const Simulation&);

/// Warns where no wavelength of the case lies within the spectrum: those are in um.
void tell_dark(const Simulation&, std::vector<std::string>& warnings);

/// Fills light, photons, available_current and, for every incidence whose wavelengths are all there (and at
/// least two), sunlit.
void add_sunlight(Outcome&, const Sunlight&);

}  // namespace umov::harmonic
