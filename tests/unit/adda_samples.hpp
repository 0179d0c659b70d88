// Reads sample outputs of ADDA and the fields that observables are computed from.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dda/observables/scattering.hpp"
#include "support/places.hpp"

namespace samples {

using umov::cplx;
using umov::CVec3;
using umov::Vec3;

inline std::string data(const std::string& name) { return umov::test::data("observables/" + name); }
inline std::string reference(const std::string& name) { return umov::test::reference("adda/" + name); }
inline bool exists(const std::string& path) { return std::filesystem::exists(path); }

inline std::string text(const std::string& path) {
  std::ifstream f(path);
  EXPECT_TRUE(f.good()) << path;
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}

/// Numbers of all lines but the first.
inline std::vector<std::vector<double>> table(const std::string& path) {
  std::istringstream f(text(path));
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(f, line);
  while (std::getline(f, line)) {
    std::istringstream s(line);
    rows.emplace_back();
    for (double x; s >> x;) rows.back().push_back(x);
  }
  return rows;
}

/// The numbers after "key\t= " in a CrossSec file; `which` counts repeated keys from 0.
inline std::vector<double> quantity(const std::string& path, const std::string& key, int which = 0) {
  std::istringstream f(text(path));
  for (std::string line; std::getline(f, line);) {
    if (line.compare(0, key.size() + 3, key + "\t= ") != 0 || which-- > 0) continue;
    for (char& c : line) {
      if (c == '(' || c == ')' || c == ',') c = ' ';
    }
    std::istringstream s(line.substr(key.size() + 3));
    std::vector<double> v;
    for (double x; s >> x;) v.push_back(x);
    return v;
  }
  ADD_FAILURE() << path << " has no " << key;
  return {0, 0, 0};
}

struct Dipoles {
  std::vector<Vec3> r;
  std::vector<CVec3> p;
};

inline Dipoles dipoles(const std::string& path) {
  Dipoles d;
  for (const auto& v : table(path)) {
    d.r.push_back({v[0], v[1], v[2]});
    d.p.push_back({cplx(v[4], v[5]), cplx(v[6], v[7]), cplx(v[8], v[9])});
  }
  return d;
}

/// ADDA's run of a sphere of 16 dipoles across in a wave along z, polarised along y: the whole of it when it
/// is at hand, else the quarter x < 0, y < 0 of its dipoles with tables cut to some rows.
struct SphereRun {
  std::string folder;
  bool whole;
  Dipoles y;
};

/// The quarter's mirrors added: P is a vector in a field that is even in x, odd in y. In the whole run they
/// differ by 5e-11 of the largest P, the rounding of ten printed digits.
inline Dipoles with_mirrors(const Dipoles& quarter) {
  Dipoles d;
  for (const auto& [sx, sy] : {std::pair{1, 1}, {-1, 1}, {1, -1}, {-1, -1}})
    for (std::size_t j = 0; j < quarter.r.size(); ++j) {
      const auto& [r, p] = std::tie(quarter.r[j], quarter.p[j]);
      d.r.push_back({sx * r[0], sy * r[1], r[2]});
      d.p.push_back({double(sx * sy) * p[0], p[1], double(sy) * p[2]});
    }
  return d;
}

inline SphereRun sphere_run() {
  const std::string folder = reference("outputs/ref_sphere16");
  if (exists(folder)) return {folder, true, dipoles(folder + "/DipPol-Y")};
  return {data("sphere16"), false, with_mirrors(dipoles(data("sphere16/DipPol-Y")))};
}

/// Sums by definition, the referee of any engine's far field.
inline umov::dda::FarFieldSums direct_sums(const Dipoles& d, double k) {
  return [&d, k](std::span<const Vec3> n, std::span<CVec3> sums) {
    for (std::size_t i = 0; i < n.size(); ++i) {
      sums[i] = {};
      for (std::size_t j = 0; j < d.r.size(); ++j) {
        const cplx phase = std::polar(1.0, -k * umov::dot(n[i], d.r[j]));
        for (int c = 0; c < 3; ++c) sums[i][c] += d.p[j][c] * phase;
      }
    }
  };
}

/// Columns from `first` of a printed matrix equal the computed numbers within `tolerance` of the largest.
template <class Row>
void expect_rows(const std::vector<std::vector<double>>& expected, const std::vector<Row>& rows,
                 std::size_t first, double tolerance) {
  ASSERT_EQ(expected.size(), rows.size());
  double scale = 0, worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(expected[i].size(), first + rows[i].size());
    for (std::size_t c = 0; c < rows[i].size(); ++c) {
      scale = std::max(scale, std::abs(expected[i][first + c]));
      worst = std::max(worst, std::abs(expected[i][first + c] - rows[i][c]));
    }
  }
  EXPECT_LT(worst, tolerance * scale);
}

inline std::vector<std::array<double, 16>> muellers(const std::vector<umov::dda::ScatteringRow>& rows) {
  std::vector<std::array<double, 16>> out;
  for (const auto& r : rows) out.push_back(r.mueller);
  return out;
}

inline std::vector<std::array<double, 8>> amplitudes(const std::vector<umov::dda::ScatteringRow>& rows) {
  std::vector<std::array<double, 8>> out;
  for (const auto& r : rows) {
    out.emplace_back();
    for (int i = 0; i < 4; ++i) {
      out.back()[2 * i] = r.amplitude[i].real();
      out.back()[2 * i + 1] = r.amplitude[i].imag();
    }
  }
  return out;
}

/// Line by line: same words, and numbers after "d=" within 1e-5 relative (six printed digits) or `noise`.
/// With `noise` above 1 only the words count.
inline void expect_same_log(const std::string& expected, const std::string& got, double noise) {
  std::istringstream a(expected), b(got);
  std::string x, y;
  while (std::getline(a, x)) {
    ASSERT_TRUE(static_cast<bool>(std::getline(b, y))) << "missing: " << x;
    const auto i = x.find("d="), j = y.find("d=");
    ASSERT_EQ(x.substr(0, i), y.substr(0, j));
    if (i == std::string::npos || noise > 1) continue;
    char *rest_x, *rest_y;
    const double u = std::strtod(x.c_str() + i + 2, &rest_x), v = std::strtod(y.c_str() + j + 2, &rest_y);
    EXPECT_STREQ(rest_x, rest_y);
    EXPECT_NEAR(u, v, 1e-5 * std::abs(u) + noise) << x;
  }
  EXPECT_FALSE(static_cast<bool>(std::getline(b, y))) << "additional: " << y;
}

}  // namespace samples
