// DDSCAT's files of dielectric functions.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::dda::ddscat {

/// Rows by ascending wavelength (um): n and k, or the real and imaginary part of epsilon.
struct Dielectric {
  std::string path;
  bool epsilon = false;
  std::vector<double> wavelength, first, second;
};

/// A description, columns of wavelength (of energy in eV where negative), n, k, eps1, eps2 (0: not there; eps
/// is read where it is; a negative column of n or eps1 holds it less 1), a heading, rows. Throws BadInput
/// with file:line.
Dielectric read_dielectric(const std::string& path);

/// n + ik, each column between rows by the parabola through the two next ones that comes nearest to the two
/// beyond them (User Guide 7.3: "parabolic interpolation"). Throws BadInput outside of the rows.
cplx index_at(const Dielectric&, double wavelength);

}  // namespace umov::dda::ddscat
