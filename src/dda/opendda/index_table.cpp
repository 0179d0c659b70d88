// Tables of refractive index over wavelength, interpolated as OpenDDA does.
#include "dda/opendda/index_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/opendda/control.hpp"
#include "dda/opendda/entry.hpp"
#include "parameters/columns.hpp"

namespace umov::dda::opendda {

namespace {

using List = std::vector<double>;

/// Slope at point `a` of the cubic through four points (Akima 1991, eq. 8, as Newton's divided differences).
double cubic_slope(const List& x, const List& y, const std::array<std::size_t, 4>& p, std::size_t a) {
  // Lagrange's form differentiated at x[a].
  double slope = 0;
  for (const std::size_t j : p) {
    if (j == a) continue;
    double weight = 1 / (x[j] - x[a]);
    for (const std::size_t k : p)
      if (k != j && k != a) weight *= (x[a] - x[k]) / (x[j] - x[k]);
    slope += (y[j] - y[a]) * weight;
  }
  return slope;
}

/// Sum of squares about the least-squares line through four points (eq. 9).
double volatility(const List& x, const List& y, const std::array<std::size_t, 4>& p) {
  double mx = 0, my = 0, sxx = 0, sxy = 0, out = 0;
  for (const std::size_t j : p) mx += x[j] / 4, my += y[j] / 4;
  for (const std::size_t j : p) sxx += (x[j] - mx) * (x[j] - mx), sxy += (x[j] - mx) * (y[j] - my);
  for (const std::size_t j : p) {
    const double rest = y[j] - my - sxy / sxx * (x[j] - mx);
    out += rest * rest;
  }
  return out;
}

double interpolated(const List& x, const List& y, double at) {
  const std::size_t n = x.size();
  if (n <= 4) {  // the polynomial through all
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double term = y[i];
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) term *= (at - x[j]) / (x[i] - x[j]);
      sum += term;
    }
    return sum;
  }
  const std::size_t right =
      std::clamp<std::size_t>(std::size_t(std::upper_bound(x.begin(), x.end(), at) - x.begin()), 1, n - 1);
  const std::size_t left = right - 1;
  const double h = x[right] - x[left], t = (at - x[left]) / h;
  const double s0 = akima_slope(x, y, left), s1 = akima_slope(x, y, right);
  const double slope = (y[right] - y[left]) / h;
  return y[left] + t * h * (s0 + t * (3 * slope - 2 * s0 - s1 + t * (s0 + s1 - 2 * slope)));
}

}  // namespace

double akima_slope(const List& x, const List& y, std::size_t i) {
  double finite = 0, weights = 0, infinite = 0;
  int lines = 0;
  for (int first = int(i) - 3; first <= int(i); ++first) {
    if (first < 0 || first + 3 >= int(x.size())) continue;
    std::array<std::size_t, 4> p;
    for (int k = 0; k < 4; ++k) p[k] = std::size_t(first + k);
    const double slope = cubic_slope(x, y, p, i);
    double distance = 0, scale = 0;
    for (const std::size_t j : p) {
      distance += (x[j] - x[i]) * (x[j] - x[i]);
      scale += y[j] * y[j];
    }
    const double v = volatility(x, y, p);
    if (v > std::numeric_limits<double>::epsilon() * scale) {  // as OpenDDA; ACM algorithm 697 has 1e-12
      finite += slope / (v * distance);
      weights += 1 / (v * distance);
    } else {  // points on a line have infinite weight
      infinite += slope;
      ++lines;
    }
  }
  return lines > 0 ? infinite / lines : finite / weights;
}

IndexTable read_index_table(const std::string& path) {
  IndexTable t;
  t.path = path;
  const auto lines = read_lines(path, "refractive index");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto text = without_remark(lines[i]);
    if (text.empty()) continue;
    const auto refuse = [&](const std::string& why) {
      throw BadInput(fmt::format("{}:{}: {}; write wavelength,n+ki", path, i + 1, why));
    };
    const Numbers numbers = numbers_in(text);
    const auto& x = numbers.values;
    if (x.size() != 3) refuse(fmt::format("'{}' is not a wavelength and an index", shortened(text)));
    if (numbers.has_stray_unit(1))
      refuse(fmt::format("'{}' has an i that is not behind the last number", shortened(text)));
    if (!(x[0] > 0)) refuse("the wavelength is not positive");
    if (!t.wavelength.empty() && !(x[0] > t.wavelength.back())) refuse("the wavelength does not increase");
    t.wavelength.push_back(x[0]);
    t.m.emplace_back(x[1], x[2]);
  }
  if (t.wavelength.size() < 2)
    throw BadInput(
        fmt::format("{}: fewer than two rows (an index over the wavelength needs them); give more, or "
                    "the index itself in the control file",
                    path));
  return t;
}

cplx index_at(const IndexTable& t, double wavelength) {
  if (wavelength < t.wavelength.front() || wavelength > t.wavelength.back())
    throw BadInput(
        fmt::format("{}: the wavelength {} um is outside of its rows, {} to {} um (OpenDDA would go on "
                    "along the last slope); give more rows",
                    t.path, wavelength, t.wavelength.front(), t.wavelength.back()));
  List n, k;
  for (const cplx& m : t.m) n.push_back(m.real()), k.push_back(m.imag());
  return {interpolated(t.wavelength, n, wavelength), interpolated(t.wavelength, k, wavelength)};
}

}  // namespace umov::dda::opendda
