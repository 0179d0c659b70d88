// ddscat.par of DDSCAT 7.3 (Draine and Flatau, arXiv:1305.6497, "User Guide for the discrete dipole
// approximation code DDSCAT 7.3") as its user wrote it.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "dda/observables/jones.hpp"

namespace umov::dda::ddscat {

/// Values from `first` to `last`, and the line that says so.
struct Range {
  double first = 0, last = 0;
  int count = 1;
  std::string place;
};

/// A plane of scattering directions: phi, theta from `first` to `last` by `step` (degrees).
struct ScatteringPlane {
  double phi = 0, first = 0, last = 0, step = 0;
};

struct Parameters {
  std::string path;
  std::string solver, fft, method;           ///< CMDSOL, CMDFFT, CALPHA
  std::string shape;                         ///< CSHAPE
  std::vector<double> shape_parameters;      ///< SHPAR
  std::string shape_file;                    ///< of shapes that read one
  std::vector<std::string> materials;        ///< files, beside ddscat.par
  double tolerance = 0;                      ///< TOL
  long max_iterations = 0;                   ///< MXITER
  double eta = 0;                            ///< ETASCA
  std::vector<double> wavelengths, radii;    ///< um
  double medium = 1;                         ///< NAMBIENT
  Jones polarization;                        ///< e01 along y and z of the lab frame, normalised
  int polarizations = 2;                     ///< IORTH
  bool write_each = true;                    ///< IWRKSC
  Range beta, theta, phi;                    ///< rotations of the target (degrees)
  std::vector<std::array<int, 2>> elements;  ///< of the Mueller matrix, from 1
  bool target_frame = false;                 ///< CMDFRM: scattering directions in the target's frame
  std::vector<ScatteringPlane> planes;
  std::map<std::string, std::string> places;  ///< of CSHAPE, TOL, ...
};

/// Throws BadInput with file:line: of what is no ddscat.par, and of what umov does not compute, by name.
Parameters read_parameters(const std::string& path);

/// The key in `places` of the file of material i, from 0.
std::string material_key(std::size_t i);

/// Which shapes are there, for messages and the manual.
const std::vector<std::string>& shape_names();

/// Angles and weights of the average over orientations (User Guide, section "Target orientation"): beta and
/// phi at the middle of equal intervals; theta likewise in its cosine for an even count, with Simpson's rule
/// and both ends for an odd one.
struct Orientations {
  std::vector<double> beta, theta, phi;                       ///< degrees
  std::vector<double> beta_weight, theta_weight, phi_weight;  ///< each of sum 1
};
Orientations orientations(const Parameters&);

/// Scattering directions of all planes: theta, phi (degrees).
std::vector<std::array<double, 2>> plane_directions(const Parameters&);

}  // namespace umov::dda::ddscat
