// A directory of `umov pmaxwell`: fields, coefficients and sources on one grid.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/complex.hpp"
#include "pmaxwell/layout.hpp"

namespace umov::pmaxwell {

using Value = Complex<float>;

struct System {
  Layout layout;  ///< of the files it came from; the arrays have signs of their own: s_H multiplies - curl E
  Int3 cells{0, 0, 0};
  std::array<std::vector<double>, 3> nodes;            ///< coordinates [cells + 1] of each axis
  std::array<std::vector<Value>, array_count> arrays;  ///< [z][y][x] of `points_of`

  Int3 points(int array) const { return points_of(is_electric(array), component_of(array), cells); }
};

/// Bytes of the arrays of a grid.
double array_bytes(const Int3& cells);

/// The angle by which a field that stands still turns in a step of the iteration, w tau: the argument of the
/// t_H that is nearest to absolute value 1, where nothing is lost, but not real. 0 when there is none.
double turn_per_step(const System&);

/// The largest amplitude that sources or initial fields have, in units of E.
double amplitude(const System&);

/// Whether every s_H has the sign that it must not have: its file was written for the other one.
bool lacks_faradays_minus(const System&);

/// What in the coefficients makes an iteration grow, in words, worst first: an abs(t) above 1, an s that
/// points against the curl (a negative permittivity that is iterated forward), a time step beyond Courant's
/// limit.
std::vector<std::string> doubts(const System&);

/// "(i, j, k)" of a place in an array.
std::string place_text(const Int3& points, index_t at);

}  // namespace umov::pmaxwell
