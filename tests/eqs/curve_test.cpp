// Material curves: values, derivatives, interpolation, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "eqs/materials/curve_table.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

CurveSpec field_curve(std::vector<double> e, std::vector<double> v) {
  CurveSpec c;
  c.kind = CurveSpec::Kind::table;
  c.field = std::move(e);
  c.values = std::move(v);
  return c;
}

/// The derivative against the central difference: an error of the order of h^2 (1e-7 for these curves), and
/// rounding of the value over h = 1e-5 field: exponents reach 40, so values carry 40 * 2^-53 of themselves,
/// twice.
void expect_derivative(const CurveSpec& spec, double field) {
  CurveTable t;
  t.add(spec);
  const auto p = t.view();
  const double h = 1e-5 * field;
  const double difference = (p(0, field + h).value - p(0, field - h).value) / (2 * h);
  EXPECT_NEAR(p(0, field).slope, difference, 1e-7 * std::abs(difference) + 1e-9 * p(0, field).value / field)
      << field;
}

TEST(EqsCurve, MicrovaristorFollowsItsPublishedFormula) {
  CurveSpec c = microvaristor();
  check_curve(c, "conductivity", true);
  CurveTable t;
  t.add(c);
  for (double e = 0; e < 6e6; e += 1.7e4) {
    const double p0 = 1e-10, p1 = 1864, p2 = 0.7e6, p3 = 2.4e6;
    const double expected = p0 * (1 + std::pow(p1, (e - p2) / p2)) / (1 + std::pow(p1, (e - p3) / p2));
    EXPECT_NEAR(t.view()(0, e).value, expected, 1e-13 * expected) << e;
    if (e > 0) expect_derivative(c, e);
  }
}

TEST(EqsCurve, TableMeetsItsPointsStaysMonotoneAndGoesOnStraightInTheLogarithm) {
  CurveSpec c = field_curve({0, 1e5, 5e5, 6e5, 2e6}, {1e-12, 1e-12, 3e-10, 2e-7, 5e-6});
  check_curve(c, "conductivity", true);
  CurveTable t;
  t.add(c);
  const auto p = t.view();
  for (std::size_t k = 0; k < c.field.size(); ++k)
    EXPECT_NEAR(p(0, c.field[k]).value, c.values[k], 1e-13 * c.values[k]);
  double before = 0;
  for (double e = 0; e < 2.5e6; e += 997) {
    const auto v = p(0, e);
    EXPECT_GE(v.value, before * (1 - 1e-13));
    EXPECT_GE(v.slope, 0);
    before = v.value;
  }
  // beyond the end: equal factors over equal distances
  const double a = p(0, 2.1e6).value, b = p(0, 2.2e6).value, d = p(0, 2.3e6).value;
  EXPECT_NEAR(b / a, d / b, 1e-12 * b / a);
  for (const double e : {3e4, 2e5, 4.7e5, 5.5e5, 1.1e6, 2.4e6}) expect_derivative(c, e);
}

TEST(EqsCurve, TableOfASmoothCurveConvergesWithItsPoints) {
  // third order where slopes come from parabolas: halving the distance divides the error by 8 or more
  const auto exact = [](double e) { return 1e-9 * std::exp(std::sin(e) + 2 * e); };
  double before = 0;
  for (const int n : {8, 16, 32, 64}) {
    CurveSpec c = field_curve({}, {});
    for (int k = 0; k <= n; ++k) {
      c.field.push_back(1.5 * k / n);
      c.values.push_back(exact(c.field.back()));
    }
    CurveTable t;
    t.add(c);
    double worst = 0;
    for (double e = 0.3; e < 1.2; e += 0.001)
      worst = std::max(worst, std::abs(t.view()(0, e).value / exact(e) - 1));
    if (before > 0) {
      EXPECT_LT(worst, before / 6);
    }
    before = worst;
  }
}

TEST(EqsCurve, FormulasAreEvaluatedWithTheirDerivative) {
  const std::vector<std::pair<std::string, std::function<double(double)>>> cases{
      {"1e-10 * (1 + (E / 5e5)^4)", [](double e) { return 1e-10 * (1 + std::pow(e / 5e5, 4)); }},
      {"exp(-20 + 3*tanh(E/1e6 - 1)) + 2^(E/1e6)/1e9",
       [](double e) { return std::exp(-20 + 3 * std::tanh(e / 1e6 - 1)) + std::pow(2, e / 1e6) / 1e9; }},
      {"max(1, sqrt(1 + E*E/1e10)) / (2 - -3) + log(2 + abs(E))",
       [](double e) { return std::max(1.0, std::sqrt(1 + e * e / 1e10)) / 5 + std::log(2 + std::abs(e)); }},
      {"pow(min(E, 1e7), 2) / 1e12 + pi - 1",
       [](double e) { return std::pow(std::min(e, 1e7), 2) / 1e12 + pi - 1; }},
      {"-2^2 + 5 + 8/4/2", [](double) { return 2.0; }}};
  for (const auto& [text, f] : cases) {
    CurveTable t;
    t.add(formula(text));
    for (const double e : {1e3, 2.5e5, 7e5, 1.9e6}) {
      EXPECT_NEAR(t.view()(0, e).value, f(e), 1e-13 * std::abs(f(e))) << text << " at " << e;
      expect_derivative(formula(text), e);
    }
  }
}

std::string refusal(CurveSpec c, bool zero_allowed = true) {
  try {
    check_curve(c, "conductivity of material 'layer'", zero_allowed);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}
void expect_refused(const CurveSpec& c, const std::string& word, bool zero_allowed = true) {
  const std::string text = refusal(c, zero_allowed);
  EXPECT_NE(text.find(word), std::string::npos) << "'" << text << "' should say '" << word << "'";
  EXPECT_NE(text.find("material 'layer'"), std::string::npos) << text;
}

TEST(EqsCurve, BadCurvesAreRefusedByName) {
  expect_refused(field_curve({0, 1e5, 1e5}, {1, 2, 3}), "fields must ascend");
  expect_refused(field_curve({0, 1e5, 2e5}, {1e-9, 1e-8, 1e-9}), "not monotone");
  expect_refused(field_curve({0, 1e5}, {1e-9, -1e-8}), "must be positive");
  expect_refused(field_curve({0, 1e5}, {1e-9, NAN}), "not a number");
  expect_refused(field_curve({-1, 1e5}, {1e-9, 1e-8}), "negative field");
  expect_refused(field_curve({0}, {1e-9}), "two points");
  expect_refused(field_curve({0, 1e5}, {1e-9}), "one value per field");
  // falls faster than 1 / E: the flux turns back
  expect_refused(field_curve({1e5, 2e5}, {1e-8, 1e-9}), "falls at E");
  expect_refused(formula("1e-9 / (1 + (E/1e5)^3)"), "falls at E");
  expect_refused(formula("1e-9 * (1 - E/1e6)"), "not monotone");
  expect_refused(formula("1e-9 * (1 + x)"), "unknown name 'x'");
  expect_refused(formula("1e-9 * (1 + E"), "expected ')'");
  expect_refused(formula(""), "something is missing");
  expect_refused(formula("1 2"), "unexpected '2'");
  expect_refused(formula("log(E)"), "must be a positive number");
  expect_refused(constant(-1), "zero or positive");
  expect_refused(constant(NAN), "not a number");
  expect_refused(constant(0), "must be positive", false);
  CurveSpec c = microvaristor();
  c.named = "microvarister";
  expect_refused(c, "did you mean 'microvaristor'");
  c = microvaristor();
  c.parameters = {1e-10, 1864, 2.4e6, 0.7e6};
  expect_refused(c, "saturates");
  c.parameters = {1e-10};
  expect_refused(c, "four parameters");
  c = {};
  c.kind = CurveSpec::Kind::table;
  c.file = "/nowhere/curve.csv";
  expect_refused(c, "/nowhere/curve.csv: cannot be read");
  // a deeply nested text neither exhausts the stack of the machine nor that of the program
  expect_refused(formula(std::string(100000, '(') + "E"), "too deeply nested");
  expect_refused(formula("E" + std::string(3, ' ') + "^" + std::string(100000, '-') + "1"),
                 "too deeply nested");
}

}  // namespace
}  // namespace umov::eqs::test
