// Curves compiled for kernels: tables as monotone cubics in the logarithm, formulas, named curves.
#include "eqs/materials/curve_table.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace umov::eqs {

std::vector<double> monotone_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> rise(n - 1), m(n);
  for (std::size_t i = 0; i + 1 < n; ++i) rise[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  m.front() = rise.front();
  m.back() = rise.back();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    // the parabola through three points, third-order accurate where the limiter below leaves it alone
    const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    m[i] = rise[i - 1] * rise[i] <= 0 ? 0 : (h1 * rise[i - 1] + h0 * rise[i]) / (h0 + h1);
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (rise[i] == 0) {
      m[i] = m[i + 1] = 0;
      continue;
    }
    const double a = m[i] / rise[i], b = m[i + 1] / rise[i], s = a * a + b * b;
    if (s <= 9) continue;
    m[i] = 3 * a / std::sqrt(s) * rise[i];
    m[i + 1] = 3 * b / std::sqrt(s) * rise[i];
  }
  return m;
}

int CurveTable::add(const CurveSpec& spec, double factor) {
  CurveEntry c;
  if (spec.kind == CurveSpec::Kind::constant) {
    c.p0 = spec.value * factor;
  } else if (spec.kind == CurveSpec::Kind::table) {
    c.kind = CurveEntry::table;
    c.first = int(knot.size());
    c.count = int(spec.field.size());
    std::vector<double> y;
    for (const double v : spec.values) y.push_back(std::log(v * factor));
    auto m = monotone_slopes(spec.field, y);
    // a falling property stays as it is beyond its table: on a falling line the flux would turn back
    if (y.back() < y[y.size() - 2]) m.back() = 0;
    knot.insert(knot.end(), spec.field.begin(), spec.field.end());
    log_value.insert(log_value.end(), y.begin(), y.end());
    log_slope.insert(log_slope.end(), m.begin(), m.end());
  } else if (spec.kind == CurveSpec::Kind::formula) {
    c.kind = CurveEntry::formula;
    auto code = parse_formula(spec.formula, "curve");
    if (factor != 1) {
      code.push_back({CurveOp::number, factor});
      code.push_back({CurveOp::multiply, 0});
    }
    c.first = int(ops.size());
    c.count = int(code.size());
    ops.insert(ops.end(), code.begin(), code.end());
  } else {
    c.kind = CurveEntry::microvaristor;
    const auto& p = spec.parameters;
    c.p0 = std::log(p.at(0) * factor);
    c.p1 = std::log(p.at(1));
    c.p2 = p.at(2);
    c.p3 = p.at(3);
  }
  entries.push_back(c);
  return int(entries.size()) - 1;
}

}  // namespace umov::eqs
