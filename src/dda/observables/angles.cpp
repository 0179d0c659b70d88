// Angles of grids, integrals and averages: built in, or from ADDA's files.
#include "dda/observables/angles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/types.hpp"
#include "dda/observables/angle_file.hpp"

namespace umov::dda {
namespace {

constexpr int deepest_refinement = 24;
constexpr double most_angles = 1e8;
constexpr const char* built_in = "built-in defaults";

const std::vector<AngleKey> integration_keys{{"min", AngleValue::number},   {"max", AngleValue::number},
                                             {"Jmin", AngleValue::integer}, {"Jmax", AngleValue::integer},
                                             {"eps", AngleValue::number},   {"equiv", AngleValue::flag},
                                             {"periodic", AngleValue::flag}};
const std::vector<AngleKey> set_keys{{"type", AngleValue::word},
                                     {"N", AngleValue::integer},
                                     {"min", AngleValue::number},
                                     {"max", AngleValue::number},
                                     {"values", AngleValue::list, 1}};
const AngleSections all_directions_sections{{"theta", integration_keys}, {"phi", integration_keys}};
const AngleSections orientation_sections{
    {"alpha", integration_keys}, {"beta", integration_keys}, {"gamma", integration_keys}};
const AngleSections grid_sections{
    {"", {{"global_type", AngleValue::word}, {"N", AngleValue::integer}, {"pairs", AngleValue::list, 2}}},
    {"theta", set_keys},
    {"phi", set_keys},
    {"phi_integr", integration_keys}};

IntegrationAngle read_integration(const AngleFile& f, const std::string& section, bool in_cosine) {
  IntegrationSpec s;
  s.min = f.number(section, "min");
  s.max = f.number(section, "max");
  const auto stages = [&](const char* key) {
    return int(std::clamp(f.integer(section, key), -1000L, 1000L));  // out of range either way
  };
  s.jmin = stages("Jmin");
  s.jmax = stages("Jmax");
  s.eps = f.number(section, "eps");
  s.equivalent = f.flag(section, "equiv");
  s.periodic = f.flag(section, "periodic");
  return make_integration_angle(s, in_cosine, f.where(section));
}

std::size_t count(const AngleFile& f, const std::string& section) {
  const long n = f.integer(section, "N");
  if (n < 1 || n > most_angles)
    throw BadInput(
        fmt::format("{}: 'N={}' is out of range (1 to {:g})", f.where(section, "N"), n, most_angles));
  return std::size_t(n);
}

const std::vector<std::vector<double>>& list(const AngleFile& f, const std::string& section,
                                             const std::string& key) {
  const auto& rows = f.rows(section, key);
  const std::size_t n = count(f, section);
  if (rows.size() != n)
    throw BadInput(fmt::format("{}: '{}=' is followed by {} lines of angles, but N={}; make both agree",
                               f.where(section, key), key, rows.size(), n));
  return rows;
}

std::vector<double> equidistant(double min, double max, std::size_t n) {
  if (n == 1) return {(min + max) / 2};
  std::vector<double> v(n);
  const double step = (max - min) / (n - 1);
  for (std::size_t i = 0; i < n; ++i) v[i] = min + step * i;
  return v;
}

using Range = std::optional<std::array<double, 2>>;

std::vector<double> read_set(const AngleFile& f, const std::string& section, Range& range) {
  const std::string& type = f.word(section, "type");
  if (type != "range" && type != "values")
    throw BadInput(fmt::format("{}: unknown type '{}' of angles; use 'range' or 'values'",
                               f.where(section, "type"), shortened(type)));
  if (type == "range") {
    const double min = f.number(section, "min"), max = f.number(section, "max");
    if (min > max)
      throw BadInput(fmt::format("{}: the range of angles is reversed (min={:g}, max={:g})",
                                 f.where(section, "min"), min, max));
    range = {min, max};
    return equidistant(min, max, count(f, section));
  }
  std::vector<double> v;
  for (const auto& row : list(f, section, "values")) v.push_back(row[0]);
  return v;
}

void read_pairs(const AngleFile& f, ScatteringGrid& grid) {
  grid.pairs = true;
  for (const auto& pair : list(f, "", "pairs")) {
    grid.theta.push_back(pair[0]);
    grid.phi.push_back(pair[1]);
  }
}

void limit_directions(const std::string& source, double n) {
  if (n > most_angles) {
    throw BadInput(fmt::format("{}: {:g} directions are too many (the limit is {:g}); use fewer points",
                               source, n, most_angles));
  }
}

ScatteringGrid read_grid(const std::string& path, bool integrate_over_phi) {
  const AngleFile f(path, grid_sections);
  ScatteringGrid grid;
  grid.source = path;
  const std::string& type = f.word("", "global_type");
  if (type == "pairs") {
    if (integrate_over_phi) {
      throw BadInput(
          fmt::format("{}: integration over phi needs 'global_type=grid' (pairs have no common phi)",
                      f.where("", "global_type")));
    }
    read_pairs(f, grid);
  } else if (type == "grid") {
    grid.theta = read_set(f, "theta", grid.theta_range);
    if (integrate_over_phi) {
      const IntegrationAngle phi = read_integration(f, "phi_integr", false);
      grid.phi = phi.values;
      grid.phi_axis = phi.axis;
      grid.phi_range = {phi.min, phi.max};
    } else {
      grid.phi = read_set(f, "phi", grid.phi_range);
    }
  } else {
    throw BadInput(fmt::format("{}: unknown global_type '{}'; use 'grid' or 'pairs'",
                               f.where("", "global_type"), shortened(type)));
  }
  limit_directions(path, double(grid.size()));
  return grid;
}

std::string describe_set(const char* name, const std::vector<double>& v, const Range& range) {
  if (!range) return fmt::format("{}: {} given values\n", name, v.size());
  return fmt::format("{}: from {:g} to {:g} in {} steps\n", name, (*range)[0], (*range)[1], v.size());
}

}  // namespace

IntegrationAngle make_integration_angle(const IntegrationSpec& s, bool in_cosine, const std::string& where) {
  auto refuse = [&](const std::string& problem) { throw BadInput(fmt::format("{}: {}", where, problem)); };
  if (s.min > s.max)
    refuse(fmt::format("the range of angles is reversed (min={:g}, max={:g})", s.min, s.max));
  if (in_cosine && (s.min < 0 || s.max > 180)) {
    refuse(fmt::format("angles from {:g} to {:g} leave [0, 180], the range of this angle", s.min, s.max));
  }
  IntegrationAngle a;
  a.min = s.min;
  a.max = s.max;
  a.axis.jmin = s.jmin;
  a.axis.jmax = s.jmax;
  a.axis.eps = s.eps;
  a.axis.equivalent = s.equivalent;
  a.axis.periodic = s.periodic;
  auto tidy = [](double c) { return std::abs(c) < 1e-15 ? 0.0 : c; };
  a.axis.lower = in_cosine ? tidy(std::cos(s.max * degree)) : s.min * degree;
  a.axis.upper = in_cosine ? tidy(std::cos(s.min * degree)) : s.max * degree;
  if (s.min == s.max) {
    a.axis.jmax = 1;
    a.axis.intervals = 0;
    a.values = {s.min};
    return a;
  }
  if (s.jmax < s.jmin) refuse(fmt::format("Jmax={} is below Jmin={}", s.jmax, s.jmin));
  if (s.jmin < 1) refuse(fmt::format("Jmin={} is below 1", s.jmin));
  if (s.jmax > deepest_refinement) refuse(fmt::format("Jmax={} is above {}", s.jmax, deepest_refinement));
  if (s.eps < 0) refuse(fmt::format("eps={:g} is negative", s.eps));
  a.axis.intervals = std::size_t(1) << s.jmax;
  const std::size_t points = a.axis.intervals + (s.equivalent ? 0 : 1);
  const double lower = in_cosine ? a.axis.lower : s.min, upper = in_cosine ? a.axis.upper : s.max;
  const double step = (upper - lower) / a.axis.intervals;
  for (std::size_t i = 0; i < points; ++i) {
    const double x = lower + step * i;
    a.values.push_back(in_cosine ? std::acos(x) / degree : x);
  }
  return a;
}

bool AllDirections::whole_sphere() const {
  const double turns = (phi.max - phi.min) / 360;
  return theta.min == 0 && theta.max == 180 && turns > 0.5 && std::abs(turns - std::round(turns)) < 1e-12;
}

AllDirections load_all_directions(const std::string& file) {
  if (file.empty()) {
    const IntegrationSpec theta{.min = 0, .max = 180, .jmax = 6, .equivalent = false, .periodic = false};
    return {make_integration_angle(theta, true, built_in), make_integration_angle({}, false, built_in),
            built_in};
  }
  const AngleFile f(file, all_directions_sections);
  AllDirections d;
  d.theta = read_integration(f, "theta", true);
  if (d.theta.axis.equivalent && d.theta.axis.intervals > 0)
    throw BadInput(fmt::format(
        "{}: 'equiv=true' says that light scattered to both ends of theta is the same (forward and backward "
        "it is not); write equiv=false",
        f.where("theta", "equiv")));
  d.phi = read_integration(f, "phi", false);
  d.source = file;
  limit_directions(file, double(d.theta.values.size()) * d.phi.values.size());
  return d;
}

ScatteringGrid load_scattering_grid(const std::string& file, bool integrate_over_phi) {
  if (!file.empty()) return read_grid(file, integrate_over_phi);
  ScatteringGrid g;
  g.theta = equidistant(0, 180, 91);
  g.phi = equidistant(0, 360, 61);
  if (integrate_over_phi) {
    const IntegrationAngle phi = make_integration_angle({}, false, built_in);
    g.phi = phi.values;
    g.phi_axis = phi.axis;
  }
  g.theta_range = {0, 180};
  g.phi_range = {0, 360};
  g.source = built_in;
  return g;
}

ScatteringGrid listed_directions(const std::vector<std::array<double, 2>>& directions) {
  ScatteringGrid g;
  g.pairs = true;
  for (const auto& [theta, phi] : directions) {
    g.theta.push_back(theta);
    g.phi.push_back(phi);
  }
  g.source = "listed one by one";
  return g;
}

OrientationAngles load_orientation_angles(const std::string& file) {
  if (file.empty()) {
    const IntegrationSpec gamma{.jmax = 4, .eps = 1e-3};
    const IntegrationSpec beta{
        .min = 0, .max = 180, .jmax = 4, .eps = 1e-3, .equivalent = false, .periodic = false};
    return {make_integration_angle({}, false, built_in), make_integration_angle(beta, true, built_in),
            make_integration_angle(gamma, false, built_in), built_in};
  }
  const AngleFile f(file, orientation_sections);
  OrientationAngles a;
  a.alpha = read_integration(f, "alpha", false);
  a.beta = read_integration(f, "beta", true);
  a.gamma = read_integration(f, "gamma", false);
  a.source = file;
  return a;
}

std::string describe(const AllDirections& d) {
  return fmt::format(
      "\nScattered field is calculated for all directions (for integrated scattering quantities)\n"
      "theta: from {:g} to {:g} in (up to) {} steps (equally spaced in cosine values)\n"
      "phi: from {:g} to {:g} in (up to) {} steps\n"
      "see files 'log_int_***' for details\n\n",
      d.theta.min, d.theta.max, d.theta.values.size(), d.phi.min, d.phi.max, d.phi.values.size());
}

std::string describe(const ScatteringGrid& g) {
  std::string s = "\nScattered field is calculated for multiple directions\n";
  if (g.pairs) return s + fmt::format("Total {} given (theta,phi) pairs\n\n", g.size());
  s += describe_set("theta", g.theta, g.theta_range);
  s += describe_set("phi", g.phi, g.phi_range);
  if (g.phi_axis) s += "(Mueller matrix is integrated over phi)\n";
  return s + "\n";
}

std::string describe(const OrientationAngles& a) {
  return fmt::format(
      "alpha: from {:g} to {:g} in {} steps\n"
      "beta: from {:g} to {:g} in (up to) {} steps (equally spaced in cosine values)\n"
      "gamma: from {:g} to {:g} in (up to) {} steps\n"
      "see file 'log_orient_avg' for details\n",
      a.alpha.min, a.alpha.max, a.alpha.values.size(), a.beta.min, a.beta.max, a.beta.values.size(),
      a.gamma.min, a.gamma.max, a.gamma.values.size());
}

}  // namespace umov::dda
