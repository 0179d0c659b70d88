// OpenDDA's control file (Mc Donald, Golden and Jennings 2009, Int. J. High Perform. Comput. Appl. 23, 42) as
// its user wrote it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dda/observables/jones.hpp"
#include "dda/opendda/index_table.hpp"

namespace umov::dda::opendda {

/// Values of one quantity: minimum, increment, maximum, or those of the file that stands in for them.
struct Sweep {
  std::vector<double> values;
  double minimum = 0, increment = 0, maximum = 0;
  std::string file;   ///< "": from the control file
  std::string place;  ///< "control.input:14"
};

/// n + ik of a material, or the table that stands in for it.
struct Material {
  std::optional<cplx> m;
  IndexTable table;  ///< where there is no m
  std::string file, place;
};

struct Control {
  std::string path;
  Sweep wavelength, radius;    ///< um
  Sweep euler_phi, euler_psi;  ///< degrees
  Sweep euler_theta;           ///< cosines
  Sweep phi, theta;            ///< scattering directions (degrees)
  Jones polarization;          ///< e0, normalised
  bool both = false;           ///< e1, orthogonal to it, too
  std::string shape;           ///< ellipsoid, cuboid, or a file
  bool from_file = false;
  Int3 box{0, 0, 0};  ///< sites K, J, P along x, y, z
  std::vector<Material> materials;
  std::string solver;
  int starting_vectors = 0;
  double tolerance = 0, breakdown = 0;
  long max_iterations = 0;
  int initial_guess = 0, preconditioning = 0, degree = 3;
  bool vtk = false, timing = false;
  int digits = 15;                            ///< of numbers in its files
  std::vector<std::string> warnings;          ///< lines that say nothing, or less than a file beside them
  std::vector<std::string> unread;            ///< INPUT_*.input files beside it that no line of it reads
  std::map<std::string, std::string> places;  ///< of each description string
};

/// Reads a control file and the lists of INPUT_*.input files in its folder. Throws BadInput with file:line.
Control read_control(const std::string& path);

/// A file of one number a line, comments with #.
std::vector<double> read_list(const std::string& path);

/// Numbers of a text, and which of them an i follows.
struct Numbers {
  std::vector<double> values;
  std::vector<bool> imaginary;

  /// An i that is not behind the second number of a pair re+imi; pairs begin with number `first`.
  bool has_stray_unit(std::size_t first) const;
};

/// All numbers in a text in which signs, commas, brackets and i part them; none where it has anything else.
Numbers numbers_in(std::string_view text);

}  // namespace umov::dda::opendda
