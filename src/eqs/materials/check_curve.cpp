// Conditions on a curve before a solver meets it: positive, rising in flux, finite.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/materials/curve_table.hpp"
#include "parameters/columns.hpp"

namespace umov::eqs {

namespace {

/// Published by TU Darmstadt for a microvaristor-filled silicone: S/m, -, V/m, V/m.
constexpr double microvaristor_defaults[4] = {1e-10, 1864, 0.7e6, 2.4e6};
/// Fields at which curves are looked at: far above what any insulation stands.
constexpr double least_field = 1, most_field = 1e8;

std::string at(double field) { return " at E = " + shortest(field) + " V/m"; }

/// `lines`: of the file that the points are from, if they are.
void check_table(CurveSpec& c, const std::string& what, const std::vector<int>& lines) {
  const auto point_at = [&](std::size_t i) {
    return lines.empty() ? what + ", point " + std::to_string(i + 1)
                         : what + ": " + c.file + ":" + std::to_string(lines[i]);
  };
  const std::string where = what + (c.file.empty() ? "" : ", file '" + c.file + "'");
  const auto& e = c.field;
  const auto& v = c.values;
  if (e.size() != v.size())
    throw BadInput(where + ": " + std::to_string(e.size()) + " fields but " + std::to_string(v.size()) +
                   " values; give one value per field");
  if (e.size() < 2) throw BadInput(where + ": a table needs two points or more; give a constant instead");
  for (std::size_t i = 0; i < e.size(); ++i) {
    const std::string point = point_at(i);
    if (!std::isfinite(e[i]) || !std::isfinite(v[i])) throw BadInput(point + ": not a number");
    if (e[i] < 0) throw BadInput(point + ": negative field " + shortest(e[i]) + " V/m; give |E|");
    if (v[i] <= 0)
      throw BadInput(point + ": value " + shortest(v[i]) +
                     " (it must be positive: its logarithm is interpolated)");
    if (i && e[i] <= e[i - 1])
      throw BadInput(point + ": field " + shortest(e[i]) + " V/m after " + shortest(e[i - 1]) +
                     " V/m (fields must ascend); sort the table and drop repeated points");
  }
  int direction = 0;
  for (std::size_t i = 1; i < v.size(); ++i) {
    const int d = (v[i] > v[i - 1]) - (v[i] < v[i - 1]);
    if (d && direction && d != direction)
      throw BadInput(point_at(i) + ": value " + shortest(v[i]) + " after " + shortest(v[i - 1]) +
                     " (a curve that is not monotone has no unique field); smooth or correct the table");
    if (d) direction = d;
  }
}

void check_named(CurveSpec& c, const std::string& what) {
  const std::vector<std::string> known{"microvaristor"};
  if (c.named != known[0])
    throw BadInput(what + ": unknown curve '" + c.named + "' (known: microvaristor) " +
                   did_you_mean(c.named, known));
  if (c.parameters.empty())
    c.parameters.assign(std::begin(microvaristor_defaults), std::end(microvaristor_defaults));
  const auto& p = c.parameters;
  if (p.size() != 4)
    throw BadInput(what + ": microvaristor takes four parameters p0 (S/m), p1, p2 (V/m), p3 (V/m), not " +
                   std::to_string(p.size()));
  for (const double v : p)
    if (!(v > 0) || !std::isfinite(v))
      throw BadInput(what + ": parameter " + shortest(v) + " of the microvaristor curve must be positive");
  if (p[1] <= 1)
    throw BadInput(what + ": p1 = " + shortest(p[1]) + " of the microvaristor curve must exceed 1");
  if (p[3] <= p[2])
    throw BadInput(what + ": p3 = " + shortest(p[3]) +
                   " V/m of the microvaristor curve (where it saturates) must " +
                   "exceed p2 = " + shortest(p[2]) + " V/m (where it switches)");
}

/// p and d(p E)/dE at many fields: the second is the slope that Newton's matrix has along E.
void check_flux(const CurveSpec& c, const std::string& what) {
  CurveTable table;
  table.add(c);
  const CurveView p = table.view();
  std::vector<double> fields{0};
  const int steps = 4000;
  for (int i = 0; i <= steps; ++i)
    fields.push_back(least_field * std::pow(most_field / least_field, double(i) / steps));
  for (std::size_t i = 0; i + 1 < c.field.size(); ++i)
    for (int k = 0; k < 8; ++k) fields.push_back(c.field[i] + (c.field[i + 1] - c.field[i]) * k / 8);
  std::sort(fields.begin(), fields.end());
  for (const double e : fields) {
    const CurveValue v = p(0, e);
    if (std::isinf(v.value) && v.value > 0 && c.kind == CurveSpec::Kind::formula)
      throw BadInput(what + " overflows" + at(e) + " (no number is as large; it must be one from 0 to " +
                     shortest(most_field) +
                     " V/m, whatever field the run has); bound what grows, as in exp(min(E / 1e5, 50))");
    if (!std::isfinite(v.value) || v.value <= 0 || !std::isfinite(v.slope))
      throw BadInput(what + " is " + shortest(v.value) + at(e) + " with slope " + shortest(v.slope) +
                     " (it must be a positive number from 0 to " + shortest(most_field) +
                     " V/m); correct the formula");
    if (v.value + v.slope * e < -1e-9 * v.value)
      throw BadInput(
          what + ": its product with E falls" + at(e) +
          " (a curve that is not monotone has no unique field); make it fall more slowly than 1/E");
  }
}

}  // namespace

void check_curve(CurveSpec& c, const std::string& what, bool zero_allowed) {
  using Kind = CurveSpec::Kind;
  if (c.kind == Kind::constant) {
    if (!std::isfinite(c.value)) throw BadInput(what + " is not a number");
    if (c.value < 0 || (c.value == 0 && !zero_allowed))
      throw BadInput(what + " is " + shortest(c.value) + " (it must be " +
                     (zero_allowed ? "zero or positive)" : "positive); air has 1"));
    return;
  }
  std::vector<int> lines;
  if (c.kind == Kind::table && !c.file.empty() && c.field.empty()) {
    // what may be zero is a conductivity
    auto columns =
        read_columns(c.file, {{{"E", "V/m"}, {"value", zero_allowed ? "S/m" : ""}}, 0, true, 2}, what);
    c.field = std::move(columns.value[0]);
    c.values = std::move(columns.value[1]);
    lines = std::move(columns.line);
  }
  if (c.kind == Kind::table) check_table(c, what, lines);
  if (c.kind == Kind::named) check_named(c, what);
  if (c.kind == Kind::formula) parse_formula(c.formula, what);
  check_flux(c, what);
}

}  // namespace umov::eqs
