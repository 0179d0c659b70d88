// Tables of refractive index over wavelength: what they hold, and reading them from files.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::materials {

/// n over vacuum wavelength (um) by one of the formulas 1 to 9 of refractiveindex.info ("Dispersion
/// formulas").
struct DispersionFormula {
  int kind = 0;  ///< 0: none
  std::vector<double> coefficients;
  double n(double wavelength_um) const;
};

/// n and k >= 0 at vacuum wavelengths (um), ascending and distinct.
struct NkTable {
  std::string name, source;
  std::string citation, licence;  ///< as far as the file says
  std::vector<double> wavelength_um, n, k;
  DispersionFormula formula;  ///< of which n are samples
  std::string reach;          ///< "n reaches from 0.2 to 6.7 um, k from 0.5 to 0.7 um", where they differ

  std::size_t size() const { return wavelength_um.size(); }
  /// Wavelengths where both are known.
  double first() const { return wavelength_um.front(); }
  double last() const { return wavelength_um.back(); }
  /// Rows with `low` <= wavelength <= `high`.
  NkTable between(double low_um, double high_um) const;
  /// n + ik at a wavelength: n by the formula where there is one, else both linear between rows. Throws
  /// BadInput, with the range of the rows, for a wavelength outside of those of n or of k.
  cplx at(double wavelength_um) const;

 private:
  std::string refusal_at(double wavelength_um) const;
};

/// Reads one of
///  - text of two or three columns, wavelength, n and k, as parameters/columns.hpp reads them: in um, or in
///  what the
///    heading says (nm, eV, THz, cm^-1 ...); without the third column k = 0. Two blocks headed `wl,n` and
///    `wl,k` (as refractiveindex.info exports) are joined, each linear between its own rows;
///  - a file *.yml of the refractiveindex.info database, with tabulated nk, n or k, or a formula 1 to 9 for
///  n, which is sampled at 100 wavelengths; its REFERENCES are the citation.
/// Throws BadInput with file:line for anything else.
NkTable read_nk(const std::string& path);

/// What to do where a table of `first` to `last` um is asked from `low` to `high` um far below its rows and
/// would hold there, or nearby, were it in nm; "" where it would not.
std::string remedy_of_nm(double first, double last, double low, double high);

}  // namespace umov::materials
