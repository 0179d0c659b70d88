// Material curves as kernels see them: plain data, evaluated with the derivative on any backend.
#pragma once

#include <cmath>

#include "core/complex.hpp"
#include "eqs/curve.hpp"

namespace umov::eqs {

/// One instruction of a formula: a stack machine on dual numbers (value, derivative with respect to E).
struct CurveOp {
  enum Code {
    number,
    field,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    exp,
    log,
    sqrt,
    tanh,
    abs,
    min,
    max
  };
  int code;
  double value;
};
/// Deepest stack of a formula.
inline constexpr int curve_stack = 12;
/// Logarithms of properties are kept within these, so that no wild iterate overflows.
inline constexpr double most_log = 300;

/// One curve: which kind, and where its numbers are in the tables.
struct CurveEntry {
  enum Kind { constant, table, formula, microvaristor };
  int kind = constant;
  int first = 0, count = 0;               ///< knots or instructions
  double p0 = 0, p1 = 0, p2 = 0, p3 = 0;  ///< constant: p0. microvaristor: ln p0, ln p1, p2, p3
};

UMOV_HD inline CurveValue from_log(double log_value, double log_slope) {
  if (log_value > most_log) return {std::exp(most_log), 0};
  if (log_value < -most_log) return {std::exp(-most_log), 0};
  const double v = std::exp(log_value);
  return {v, v * log_slope};
}

/// ln(1 + e^x) and its derivative.
UMOV_HD inline CurveValue softplus(double x) {
  if (x > 40) return {x, 1};
  const double e = std::exp(x);
  return {std::log1p(e), e / (1 + e)};
}

/// All curves of a problem; pointers into the memory of one device.
struct CurveView {
  const CurveEntry* entries = nullptr;
  const double *knot = nullptr, *log_value = nullptr, *log_slope = nullptr;  ///< of tables
  const CurveOp* ops = nullptr;

  /// p(E) and dp/dE at E >= 0.
  UMOV_HD CurveValue operator()(int curve, double e) const {
    const CurveEntry c = entries[curve];
    if (c.kind == CurveEntry::table) return from_table(c, e);
    if (c.kind == CurveEntry::formula) return from_formula(c, e);
    if (c.kind == CurveEntry::microvaristor) {
      const double s = c.p1 / c.p2;
      const CurveValue up = softplus(s * (e - c.p2)), down = softplus(s * (e - c.p3));
      return from_log(c.p0 + up.value - down.value, s * (up.slope - down.slope));
    }
    return {c.p0, 0};
  }

 private:
  /// Cubic Hermite pieces of ln p over E; straight lines in ln p outside.
  UMOV_HD CurveValue from_table(const CurveEntry& c, double e) const {
    const double *x = knot + c.first, *y = log_value + c.first, *m = log_slope + c.first;
    const int last = c.count - 1;
    if (e <= x[0]) return from_log(y[0] + m[0] * (e - x[0]), m[0]);
    if (e >= x[last]) return from_log(y[last] + m[last] * (e - x[last]), m[last]);
    int low = 0, high = last;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (e < x[middle] ? high : low) = middle;
    }
    const double h = x[low + 1] - x[low], t = (e - x[low]) / h, rise = (y[low + 1] - y[low]) / h;
    const double c2 = 3 * rise - 2 * m[low] - m[low + 1], c3 = m[low] + m[low + 1] - 2 * rise;
    return from_log(y[low] + h * t * (m[low] + t * (c2 + t * c3)), m[low] + t * (2 * c2 + 3 * t * c3));
  }

  UMOV_HD CurveValue from_formula(const CurveEntry& c, double e) const {
    CurveValue s[curve_stack];
    int top = -1;
    for (int k = 0; k < c.count; ++k) {
      const CurveOp op = ops[c.first + k];
      if (op.code == CurveOp::number) {
        s[++top] = {op.value, 0};
      } else if (op.code == CurveOp::field) {
        s[++top] = {e, 1};
      } else if (op.code <= CurveOp::power || op.code >= CurveOp::min) {
        const CurveValue b = s[top--];
        s[top] = combine(op.code, s[top], b);
      } else {
        s[top] = apply(op.code, s[top]);
      }
    }
    return s[0];
  }

  UMOV_HD static CurveValue combine(int code, const CurveValue& a, const CurveValue& b) {
    switch (code) {
      case CurveOp::add:
        return {a.value + b.value, a.slope + b.slope};
      case CurveOp::subtract:
        return {a.value - b.value, a.slope - b.slope};
      case CurveOp::multiply:
        return {a.value * b.value, a.slope * b.value + a.value * b.slope};
      case CurveOp::divide: {
        const double v = a.value / b.value;
        return {v, (a.slope - v * b.slope) / b.value};
      }
      case CurveOp::power: {
        const double v = std::pow(a.value, b.value);
        double slope = b.value == 0 || a.slope == 0 ? 0 : b.value * std::pow(a.value, b.value - 1) * a.slope;
        if (b.slope != 0 && a.value > 0) slope += v * std::log(a.value) * b.slope;
        return {v, slope};
      }
      case CurveOp::min:
        return a.value <= b.value ? a : b;
      default:
        return a.value >= b.value ? a : b;
    }
  }
  UMOV_HD static CurveValue apply(int code, const CurveValue& a) {
    switch (code) {
      case CurveOp::negate:
        return {-a.value, -a.slope};
      case CurveOp::exp: {
        const double v = std::exp(a.value);
        return {v, v * a.slope};
      }
      case CurveOp::log:
        return {std::log(a.value), a.slope / a.value};
      case CurveOp::sqrt: {
        const double v = std::sqrt(a.value);
        return {v, a.slope == 0 ? 0 : a.slope / (2 * v)};
      }
      case CurveOp::tanh: {
        const double v = std::tanh(a.value);
        return {v, (1 - v * v) * a.slope};
      }
      default:
        return a.value < 0 ? CurveValue{-a.value, -a.slope} : a;
    }
  }
};

}  // namespace umov::eqs
