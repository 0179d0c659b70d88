// From what a case says about a property to what kernels evaluate: reads, checks and compiles curves.
#pragma once

#include <string>
#include <vector>

#include "eqs/kernels/curve.hpp"

namespace umov::eqs {

/// The curves of a problem on the host.
struct CurveTable {
  std::vector<CurveEntry> entries;
  std::vector<double> knot, log_value, log_slope;
  std::vector<CurveOp> ops;

  /// Adds a checked curve, values times `factor`; returns its number.
  int add(const CurveSpec&, double factor = 1);
  CurveView view() const {
    return {entries.data(), knot.data(), log_value.data(), log_slope.data(), ops.data()};
  }
};

/// A formula in E as instructions: numbers, E, + - * / ^, parentheses, exp log sqrt tanh abs min max pow, pi.
/// Throws BadInput with `what`, the position and what was expected there.
std::vector<CurveOp> parse_formula(const std::string& text, const std::string& what);

/// Slopes of the monotone cubic through the points (Fritsch and Carlson 1980, SIAM J. Numer. Anal. 17, 238).
std::vector<double> monotone_slopes(const std::vector<double>& x, const std::vector<double>& y);

/// Reads a table's file, then throws BadInput, beginning with `what` ("conductivity of material 'x'"), when
/// the property is not a finite positive number at every field (a constant conductivity may be 0), a table's
/// fields do not ascend or its values go up and down, or the flux p(E) E falls somewhere.
void check_curve(CurveSpec&, const std::string& what, bool zero_allowed);

}  // namespace umov::eqs
