// Fields, coefficients and sources of a directory of `umov pmaxwell`, read and checked.
#include "pmaxwell/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace umov::pmaxwell {

namespace {

double size_of(Value v) { return std::hypot(double(v.re), double(v.im)); }

/// Coefficients are rounded to single precision.
constexpr double rounding_of_singles = 1e-5;

struct Worst {
  double value = 0;
  int array = -1;
  index_t at = 0;
};

/// Last planes across a periodic axis are not read and do not count.
Worst largest(const System& s, Group group, double (*measure)(Value)) {
  Worst out;
  for (int part = 0; part < 6; ++part) {
    const auto& a = s.arrays[6 * group + part];
    const Int3 n = s.points(6 * group + part);
    for (index_t i = 0; i < index_t(a.size()); ++i) {
      if (i % n[0] >= s.cells[0] || i / n[0] % n[1] >= s.cells[1]) continue;
      if (const double v = measure(a[i]); v > out.value) out = {v, 6 * group + part, i};
    }
  }
  return out;
}

/// The square of Courant's number at a cell: the sum over axes of s_E s_H, which must not pass 1.
double courant_squared(const System& s, int i, int j, int k) {
  const auto coefficient = [&](int array) {
    const Int3 n = s.points(array);
    return size_of(s.arrays[array][(index_t(k) * n[1] + j) * n[0] + i]);
  };
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis < 2 && s.cells[axis] == 1) continue;  // periodic: nothing changes along it
    double most = 0;
    for (int c = 0; c < 3; ++c)
      if (c != axis)
        most = std::max(most,
                        coefficient(array_of(s_e, c, axis)) * coefficient(array_of(s_h, 3 - c - axis, axis)));
    sum += most;
  }
  return sum;
}

}  // namespace

double array_bytes(const Int3& cells) {
  double points = 0;
  for (int a = 0; a < array_count; ++a) {
    const Int3 n = points_of(is_electric(a), component_of(a), cells);
    points += double(n[0]) * n[1] * n[2];
  }
  return points * sizeof(Value);
}

double turn_per_step(const System& s) {
  double lost = rounding_of_singles, turn = 0;
  for (int part = 0; part < 6; ++part)
    for (const Value t : s.arrays[6 * t_h + part])
      if (const double off = std::abs(size_of(t) - 1); t.im != 0 && off < lost)
        lost = off, turn = std::atan2(double(t.im), double(t.re));
  return turn;
}

double amplitude(const System& s) {
  double most = 0;
  for (int c = 0; c < 2; ++c) {
    const auto &e = s.arrays[bnd_e + c], &se = s.arrays[array_of(s_e, c, 2)];
    for (std::size_t i = 0; i < e.size(); ++i)
      if (size_of(se[i]) > 0) most = std::max(most, size_of(e[i]) / size_of(se[i]));
    const auto &h = s.arrays[bnd_h + c], &sh = s.arrays[array_of(s_h, c, 2)];
    for (std::size_t i = 0; i < h.size(); ++i)
      if (size_of(sh[i]) > 0) most = std::max(most, size_of(h[i]) / size_of(sh[i]));
  }
  for (const Group g : {field_e, field_h}) most = std::max(most, largest(s, g, size_of).value);
  return most;
}

bool lacks_faradays_minus(const System& s) {
  return largest(s, s_h, [](Value v) { return double(v.re); }).value == 0 &&
         largest(s, s_h, [](Value v) { return -double(v.re); }).value > 0;
}

std::string place_text(const Int3& n, index_t at) {
  return fmt::format("({}, {}, {})", at % n[0], at / n[0] % n[1], at / n[0] / n[1]);
}

std::vector<std::string> doubts(const System& s) {
  std::vector<std::string> out;
  const auto where = [&](const Worst& w) {
    return fmt::format("{} at {}", name_of(w.array, s.layout), place_text(s.points(w.array), w.at));
  };
  for (const Group g : {t_e, t_h})
    if (const Worst w = largest(s, g, size_of); w.value > 1 + rounding_of_singles)
      out.push_back(fmt::format("{} has the absolute value {:.6g} (above 1 the field there grows by itself)",
                                where(w), w.value));
  for (const Group g : {s_e, s_h})
    if (const Worst w = largest(s, g, [](Value v) { return -double(v.re); }); w.value > 0)
      out.push_back(
          fmt::format("{} has the real part {:.6g} (a negative permittivity must be iterated backward: "
                      "s keeps the sign of the curl)",
                      where(w), is_negated(w.array, s.layout) ? w.value : -w.value));
  double most = 0;
  Int3 at{0, 0, 0};
  for (int k = 0; k < s.cells[2]; ++k)
    for (int j = 0; j < s.cells[1]; ++j)
      for (int i = 0; i < s.cells[0]; ++i)
        if (const double c = courant_squared(s, i, j, k); c > most) {
          most = c;
          at = {i, j, k};
        }
  if (most > 1 + rounding_of_singles)
    out.push_back(fmt::format(
        "the time step is {:.4g} times Courant's limit at cell ({}, {}, {}) (s_E s_H, summed over "
        "the axes, is {:.4g})",
        std::sqrt(most), at[0], at[1], at[2], most));
  return out;
}

}  // namespace umov::pmaxwell
