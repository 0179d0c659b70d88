// DDSCAT's results of a case, from umov's scattered amplitudes: efficiencies and moments for e01 and e02.
#pragma once

#include <array>
#include <vector>

#include "dda/ddscat/translate.hpp"
#include "dda/many_outcome.hpp"

namespace umov::dda::ddscat {

/// Of one incident polarization; efficiencies over the area of the sphere of equal volume.
struct Efficiencies {
  double ext = 0, abs = 0, sca = 0, back = 0, phase = 0;
  std::array<double, 3> sca_g{};  ///< Qsca <cos>, and its components along y and z of DDSCAT's lab frame
  double sca_g2 = 0;              ///< Qsca <cos^2>

  static constexpr std::size_t numbers = 9;
};

/// All that is kept of a case.
struct Reduced {
  std::array<Efficiencies, 2> light;  ///< e01, e02
  std::vector<Amplitude> directions;  ///< those of the planes
};

/// Directions of a case: the planes, forward and backward, and those of the integrals over the sphere, about
/// 6.5 ((3 + x)/ETASCA)^2 of them as in DDSCAT, for its size parameter x; theta and phi of umov's grid.
std::vector<std::array<double, 2>> case_directions(const Job&, double size_parameter);
/// How many of the integrals.
std::size_t integral_directions(const Job&, double size_parameter);

/// Numbers for CaseRow::extra, of an Outcome computed in these directions.
std::vector<double> reduce(const Job&, double size_parameter, const Outcome&);
std::size_t reduced_size(const Job&);
Reduced reduced(const Job&, const CaseRow&);

/// Mean over the orientations of one wavelength and radius, weighted.
struct Averaged {
  std::array<Efficiencies, 2> light;
  std::vector<Mueller> mueller;
  std::vector<std::array<double, 4>> fields;  ///< |f11|^2, |f21|^2, Re and Im of conj(f11) f21
};
Averaged averaged(const Job&, const ManyOutcome&, std::size_t wavelength, std::size_t radius);

/// Arrays of the Mueller matrices of all cases, and of the planes' directions; none without planes.
std::vector<ExtraColumn> matrix_arrays(const Job&, const ManyOutcome&);

/// |f11|^2, |f21|^2, Re and Im of conj(f11) f21 in the planes' direction `i` (User Guide, f_ml).
std::array<double, 4> fields_of(const Job&, const Amplitude&, std::size_t i);

}  // namespace umov::dda::ddscat
