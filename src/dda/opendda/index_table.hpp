// OpenDDA's tables of refractive index over wavelength, and its way between their rows.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::dda::opendda {

struct IndexTable {
  std::string path;
  std::vector<double> wavelength;  ///< um, ascending
  std::vector<cplx> m;
};

/// Lines `wavelength,n+ki` or `wavelength,n,ki`, comments with #. Throws BadInput with file:line.
IndexTable read_index_table(const std::string& path);

/// n and k, each by Akima's method (1991, ACM Trans. Math. Softw. 17, 341) with cubics: Hermite polynomials
/// with the slopes of `akima_slope`. Two rows are joined by a line, three or four by the polynomial through
/// them. Throws BadInput outside of the rows, where OpenDDA goes on along the last slope.
cplx index_at(const IndexTable&, double wavelength);

/// Slope at point i: the mean of those of the cubics through four neighbouring points, weighted by one over
/// how far these are from a line (the volatility) and from i (Akima 1991, eqs. 8 to 12).
double akima_slope(const std::vector<double>& x, const std::vector<double>& y, std::size_t i);

}  // namespace umov::dda::opendda
