// A material property as a function of the field strength |E|: what a case says, and what kernels evaluate.
#pragma once

#include <string>
#include <vector>

#include "core/complex.hpp"
#include "core/fields.hpp"
#include "core/types.hpp"

namespace umov::eqs {

/// A property p(|E|) as a case gives it. E in V/m; kappa in S/m, eps_r without unit.
struct CurveSpec {
  enum class Kind { constant, table, formula, named } kind = Kind::constant;
  double value = 0;                   ///< constant
  std::vector<double> field, values;  ///< table: ascending fields, positive values
  std::string file;                   ///< table: CSV of E, value
  std::string formula;                ///< text in E, e.g. "1e-10 * (1 + (E / 5e5)^4)"
  std::string named;                  ///< "microvaristor": p0 (1 + p1^((E - p2)/p2)) / (1 + p1^((E - p3)/p2))
  std::vector<double> parameters;     ///< of a named curve; empty = its defaults
  bool nonlinear() const { return kind != Kind::constant; }
  UMOV_FIELDS(kind, value, field, values, file, formula, named, parameters)
};

/// Value and derivative with respect to |E| at one |E|.
struct CurveValue {
  double value, slope;
};

}  // namespace umov::eqs
