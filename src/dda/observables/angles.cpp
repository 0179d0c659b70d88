// Parser of the angle files: keys are looked for in order, everything between them is comment.
#include "dda/observables/angles.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/types.hpp"

namespace umov::dda {
namespace {

constexpr double degree = pi / 180;
constexpr int deepest_refinement = 24;
constexpr double most_angles = 1e8;
constexpr const char* built_in = "built-in defaults";

class AngleFile {
 public:
  explicit AngleFile(const std::string& path) : path_(path), in_(path) {
    std::error_code ignored;
    if (!in_ || std::filesystem::is_directory(path, ignored)) {
      throw BadInput(fmt::format("{}: cannot be opened (no such file, or not readable)", path));
    }
  }

  std::string where() const { return fmt::format("{}:{}", path_, line_); }

  /// Rest of the next line that begins with `key`.
  std::string after(const std::string& key) {
    const long from = line_;
    std::string text;
    while (next(text)) {
      if (text.compare(0, key.size(), key) == 0) return text.substr(key.size());
    }
    throw BadInput(fmt::format("{}:{}: no line begins with '{}' after this one (keys are read in order)",
                               path_, from, key));
  }

  double number(const std::string& key) { return parse_numbers(after(key), 1, key)[0]; }

  long integer(const std::string& key) {
    const double x = number(key);
    if (x != std::floor(x) || std::abs(x) > 1e15) {
      throw BadInput(fmt::format("{}: '{}' needs a whole number", where(), key));
    }
    return static_cast<long>(x);
  }

  std::size_t count(const std::string& key) {
    const long n = integer(key);
    if (n < 1 || n > most_angles) {
      throw BadInput(fmt::format("{}: '{}{}' is out of range (1 to {:g})", where(), key, n, most_angles));
    }
    return static_cast<std::size_t>(n);
  }

  std::string word(const std::string& key) {
    std::istringstream s(after(key));
    std::string w;
    if (!(s >> w)) throw BadInput(fmt::format("{}: '{}' has no value", where(), key));
    return w;
  }

  bool flag(const std::string& key) {
    const std::string w = word(key);
    if (w == "true") return true;
    if (w == "false") return false;
    throw BadInput(fmt::format("{}: '{}{}' is neither true nor false", where(), key, w));
  }

  /// Numbers of the next line.
  std::vector<double> row(std::size_t columns) {
    std::string text;
    if (!next(text)) throw BadInput(fmt::format("{}: the list of angles ends too early", where()));
    return parse_numbers(text, columns, "the list of angles");
  }

 private:
  bool next(std::string& text) {
    if (!std::getline(in_, text)) return false;
    ++line_;
    return true;
  }

  std::vector<double> parse_numbers(const std::string& text, std::size_t n, const std::string& what) const {
    std::vector<double> values(n);
    std::string_view rest = text;
    for (double& v : values) {
      if (!take(rest, v) || !std::isfinite(v)) {
        throw BadInput(fmt::format("{}: '{}' needs {} finite number{}, not '{}'", where(), what, n,
                                   n == 1 ? "" : "s", text));
      }
    }
    return values;
  }

  std::string path_;
  std::ifstream in_;
  long line_ = 0;
};

IntegrationAngle read_integration(AngleFile& f, const std::string& section, bool in_cosine) {
  f.after(section);
  IntegrationSpec s;
  s.min = f.number("min=");
  s.max = f.number("max=");
  s.jmin = static_cast<int>(f.integer("Jmin="));
  s.jmax = static_cast<int>(f.integer("Jmax="));
  s.eps = f.number("eps=");
  s.equivalent = f.flag("equiv=");
  s.periodic = f.flag("periodic=");
  return make_integration_angle(s, in_cosine, f.where());
}

std::vector<double> equidistant(double min, double max, std::size_t n) {
  if (n == 1) return {(min + max) / 2};
  std::vector<double> v(n);
  const double step = (max - min) / (n - 1);
  for (std::size_t i = 0; i < n; ++i) v[i] = min + step * i;
  return v;
}

using Range = std::optional<std::array<double, 2>>;

std::vector<double> read_set(AngleFile& f, const std::string& section, Range& range) {
  f.after(section);
  const std::string type = f.word("type=");
  if (type != "range" && type != "values") {
    throw BadInput(fmt::format("{}: unknown type '{}' of angles; use 'range' or 'values'", f.where(), type));
  }
  const std::size_t n = f.count("N=");
  if (type == "range") {
    const double min = f.number("min="), max = f.number("max=");
    if (min > max) {
      throw BadInput(
          fmt::format("{}: the range of angles is reversed (min={:g}, max={:g})", f.where(), min, max));
    }
    range = {min, max};
    return equidistant(min, max, n);
  }
  f.after("values=");
  std::vector<double> v(n);
  for (double& x : v) x = f.row(1)[0];
  return v;
}

void read_pairs(AngleFile& f, ScatteringGrid& grid) {
  grid.pairs = true;
  const std::size_t n = f.count("N=");
  f.after("pairs=");
  for (std::size_t i = 0; i < n; ++i) {
    const auto pair = f.row(2);
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
  AngleFile f(path);
  ScatteringGrid grid;
  grid.source = path;
  const std::string type = f.word("global_type=");
  if (type == "pairs") {
    if (integrate_over_phi) {
      throw BadInput(fmt::format(
          "{}: integration over phi needs 'global_type=grid' (pairs have no common phi)", f.where()));
    }
    read_pairs(f, grid);
  } else if (type == "grid") {
    grid.theta = read_set(f, "theta:", grid.theta_range);
    if (integrate_over_phi) {
      const IntegrationAngle phi = read_integration(f, "phi_integr:", false);
      grid.phi = phi.values;
      grid.phi_axis = phi.axis;
      grid.phi_range = {phi.min, phi.max};
    } else {
      grid.phi = read_set(f, "phi:", grid.phi_range);
    }
  } else {
    throw BadInput(fmt::format("{}: unknown global_type '{}'; use 'grid' or 'pairs'", f.where(), type));
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

AllDirections load_all_directions(const std::string& file) {
  if (file.empty()) {
    return {make_integration_angle({.min = 0, .max = 180, .jmax = 6, .equivalent = false, .periodic = false},
                                   true, built_in),
            make_integration_angle({}, false, built_in), built_in};
  }
  AngleFile f(file);
  AllDirections d;
  d.theta = read_integration(f, "theta:", true);
  d.phi = read_integration(f, "phi:", false);
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

OrientationAngles load_orientation_angles(const std::string& file) {
  if (file.empty()) {
    const IntegrationSpec gamma{.jmax = 4, .eps = 1e-3};
    const IntegrationSpec beta{
        .min = 0, .max = 180, .jmax = 4, .eps = 1e-3, .equivalent = false, .periodic = false};
    return {make_integration_angle({}, false, built_in), make_integration_angle(beta, true, built_in),
            make_integration_angle(gamma, false, built_in), built_in};
  }
  AngleFile f(file);
  OrientationAngles a;
  a.alpha = read_integration(f, "alpha:", false);
  a.beta = read_integration(f, "beta:", true);
  a.gamma = read_integration(f, "gamma:", false);
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
