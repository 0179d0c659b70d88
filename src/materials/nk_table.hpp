// Tables of refractive index over wavelength: what they hold, and reading them from files.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::materials {

/// n and k >= 0 at vacuum wavelengths (um), ascending and distinct.
struct NkTable {
  std::string name, source;
  std::vector<double> wavelength_um, n, k;

  std::size_t size() const { return wavelength_um.size(); }
  /// Rows with `low` <= wavelength <= `high`.
  NkTable between(double low_um, double high_um) const;
  /// n + ik at a wavelength, n and k each linear between rows. Throws BadInput, with the range of the rows,
  /// for a wavelength outside.
  cplx at(double wavelength_um) const;
};

/// Reads one of
///  - text of two or three columns, wavelength, n and k, as core/columns.hpp reads them: in um, or in what
///  the
///    heading says (nm, eV, THz, cm^-1 ...); without the third column k = 0. Two blocks headed `wl,n` and
///    `wl,k` (as refractiveindex.info exports) are joined, k interpolated to the wavelengths of n;
///  - a file *.yml of the refractiveindex.info database, with tabulated nk, n or k, or a formula 1 to 5 for
///  n,
///    which is sampled at 100 wavelengths.
/// Throws BadInput with file:line for anything else.
NkTable read_nk(const std::string& path);

}  // namespace umov::materials
