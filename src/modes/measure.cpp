#include "modes/measure.hpp"

#include <algorithm>
#include <cmath>

namespace umov::modes {
namespace {

/// The area of a point of a component: half on a mirror, in units of cells of dx.
double weight(const Section& s, int component, int i, int j) {
  const int at[2] = {i, j};
  double w = 1;
  for (int k = 0; k < 2; ++k) {
    const int a = s.axis(k);
    if (!s.problem.grid.active(a)) continue;
    w /= s.problem.grid.rate(component, a, s.plane.lo[a] + at[k]);
    if (at_half(s, component, k)) continue;
    for (int side = 0; side < 2; ++side)
      if (!s.open(k, side) && s.problem.walls[a][side] == fdtd::Closure::pmc &&
          at[k] == (side == 0 ? 0 : s.cells(k)))
        w /= 2;
  }
  return w;
}

double cell_area(const Section& s) { return std::pow(s.dx(), dimensions(s.problem.grid.mode) - 1); }

/// 1/2 sum (e x h), h conjugated or not.
template <bool conjugated>
cplx cross(const Section& s, const Mode& a, const Mode& b) {
  cplx sum = 0;
  const int nx = s.cells(0) + 1, ny = s.cells(1) + 1;
  for (int k = 0; k < 2; ++k) {
    const int e = s.axis(k), h = 3 + s.axis(1 - k);
    if (a.fields[e].empty() || b.fields[h].empty()) continue;
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const cplx hb = b.fields[h][j * nx + i];
        sum += (k == 0 ? 0.5 : -0.5) * weight(s, e, i, j) * a.fields[e][j * nx + i] *
               (conjugated ? std::conj(hb) : hb);
      }
  }
  return sum * cell_area(s);
}

bool in_layers(const Section& s, int layers, int i, int j) {
  const int at[2] = {i, j};
  for (int k = 0; k < 2; ++k)
    if ((s.open(k, 0) && at[k] < layers) || (s.open(k, 1) && at[k] >= s.cells(k) - layers)) return true;
  return false;
}

}  // namespace

cplx product(const Section& s, const Mode& a, const Mode& b) { return cross<false>(s, a, b); }

void normalise(const Section& s, Mode& m) {
  const double beta = 2 * pi * m.frequency * m.n_eff.real();
  const double power = cross<true>(s, m, m).real() * std::cos(beta * s.along() / 2);
  cplx largest = 0;
  for (int k = 0; k < 2; ++k)
    for (const cplx v : m.fields[s.axis(k)])
      if (std::abs(v) > std::abs(largest) * (1 + 1e-6)) largest = v;
  if (largest == cplx(0) || power == 0) return;
  const cplx factor = std::conj(largest) / std::abs(largest) / std::sqrt(std::abs(power));
  for (auto& field : m.fields)
    for (cplx& v : field) v *= factor;
}

std::array<std::vector<cplx>, 6> centred(const Section& s, const Mode& m) {
  std::array<std::vector<cplx>, 6> out;
  const int nx = s.cells(0), ny = s.cells(1);
  for (int c = 0; c < 6; ++c) {
    if (m.fields[c].empty()) continue;
    const int di = at_half(s, c, 0) || !s.problem.grid.active(s.axis(0)) ? 0 : 1;
    const int dj = at_half(s, c, 1) || !s.problem.grid.active(s.axis(1)) ? 0 : 1;
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        cplx sum = 0;
        for (const int jj : {j, j + dj})
          for (const int ii : {i, i + di}) sum += m.fields[c][jj * (nx + 1) + ii];
        out[c].push_back(0.25 * sum);
      }
  }
  return out;
}

void measure(const Section& s, int layers, Mode& m) {
  const auto f = centred(s, m);
  const int nx = s.cells(0), ny = s.cells(1), p = s.axis(0), q = s.axis(1);
  const auto square = [](const std::vector<cplx>& v, std::size_t n) {
    return v.empty() ? 0 : std::norm(v[n]);
  };
  double first = 0, across = 0, all = 0, fourth = 0, outside = 0, flow = 0;
  m.confined.assign(s.scene->materials().size(), 0);
  fdtd::Mixture mixture;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const std::size_t n = std::size_t(j) * nx + i;
      const double e2 = square(f[0], n) + square(f[1], n) + square(f[2], n), share = s.share(i, j);
      if (layers > 0 && in_layers(s, layers, i, j)) {
        outside += share * e2;
        continue;
      }
      first += share * square(f[p], n);
      across += share * (square(f[p], n) + square(f[q], n));
      all += share * e2;
      fourth += share * e2 * e2;
      double power = 0;
      if (!f[p].empty() && !f[3 + q].empty()) power += (f[p][n] * std::conj(f[3 + q][n])).real();
      if (!f[q].empty() && !f[3 + p].empty()) power -= (f[q][n] * std::conj(f[3 + p][n])).real();
      power *= share;
      flow += power;
      Vec3 lo, hi;
      lo[s.plane.axis] = hi[s.plane.axis] = s.problem.grid.place(s.plane.axis, s.plane.lo[s.plane.axis]);
      lo[p] = s.place(0, i), hi[p] = s.problem.grid.active(p) ? s.place(0, i + 1) : lo[p];
      lo[q] = s.place(1, j), hi[q] = s.problem.grid.active(q) ? s.place(1, j + 1) : lo[q];
      s.scene->shares(lo, hi, mixture);
      for (const auto& share : mixture) m.confined[share.material] += share.fraction * power;
    }
  m.te = across > 0 ? first / across : 0;
  m.area = fourth > 0 ? all * all / fourth * cell_area(s) : 0;
  m.rim = all + outside > 0 ? outside / (all + outside) : 0;
  if (flow != 0)
    for (double& c : m.confined) c /= flow;
}

double coupled_to_beam(const Section& s, const Mode& m, double waist) {
  const auto f = centred(s, m);
  const int k = m.te >= 0.5 ? 0 : 1, e = s.axis(k), h = 3 + s.axis(1 - k), nx = s.cells(0);
  if (f[e].empty() || f[h].empty()) return unknown;
  cplx with_h = 0, with_e = 0, own = 0;
  double beam = 0;
  for (int j = 0; j < s.cells(1); ++j)
    for (int i = 0; i < nx; ++i) {
      const auto off = [&](int axis, int at) {
        return s.problem.grid.active(s.axis(axis)) ? s.place(axis, at + 0.5) - s.middle(axis) : 0;
      };
      const double r2 = std::pow(off(0, i), 2) + std::pow(off(1, j), 2), share = s.share(i, j),
                   g = std::exp(-r2 / (waist * waist));
      const std::size_t n = std::size_t(j) * nx + i;
      with_h += share * g * std::conj(f[h][n]);
      with_e += share * f[e][n] * g;
      own += share * f[e][n] * std::conj(f[h][n]);
      beam += share * g * g;
    }
  return std::abs(with_h * with_e / own) / beam;
}

namespace {

/// Values at the middles of a section's cells at any place, linear between; 0 outside.
class Between {
 public:
  Between(const Section& s, const std::vector<cplx>& values) : s_(s), values_(values) {}
  cplx operator()(double x, double y) const {
    const auto [i, u] = place(0, x);
    const auto [j, v] = place(1, y);
    return (1 - v) * ((1 - u) * at(i, j) + u * at(i + 1, j)) +
           v * ((1 - u) * at(i, j + 1) + u * at(i + 1, j + 1));
  }

 private:
  std::pair<int, double> place(int axis, double x) const {
    if (!s_.problem.grid.active(s_.axis(axis))) return {0, 0};
    const double t = s_.problem.grid.index(s_.axis(axis), x) - s_.plane.lo[s_.axis(axis)] - 0.5;
    return {int(std::floor(t)), t - std::floor(t)};
  }
  cplx at(int i, int j) const {
    const int n = s_.cells(0);
    return i < 0 || j < 0 || i >= n || j >= s_.cells(1) ? 0 : values_[std::size_t(j) * n + i];
  }
  const Section& s_;
  const std::vector<cplx>& values_;
};

}  // namespace

namespace {

/// sum (e x h*) over the middles of cells.
double flow(const Section& s, const std::array<std::vector<cplx>, 6>& f) {
  cplx sum = 0;
  for (int k = 0; k < 2; ++k) {
    const int e = s.axis(k), h = 3 + s.axis(1 - k);
    if (f[e].empty() || f[h].empty()) continue;
    const int nx = s.cells(0);
    for (std::size_t n = 0; n < f[e].size(); ++n)
      sum += (k == 0 ? 1.0 : -1.0) * s.share(int(n) % nx, int(n) / nx) * f[e][n] * std::conj(f[h][n]);
  }
  return std::abs(sum) * cell_area(s);
}

}  // namespace

double coupled(const Section& at_a, const Mode& a, const Section& at_b, const Mode& b) {
  if (at_a.plane.axis != at_b.plane.axis) return 0;
  const auto fa = centred(at_a, a), fb = centred(at_b, b);
  cplx ab = 0, ba = 0;
  for (int k = 0; k < 2; ++k) {
    const int e = at_a.axis(k), h = 3 + at_a.axis(1 - k), nx = at_a.cells(0);
    if (fa[e].empty() || fa[h].empty() || fb[e].empty() || fb[h].empty()) continue;
    const Between eb(at_b, fb[e]), hb(at_b, fb[h]);
    const double sign = k == 0 ? 1 : -1;
    for (int j = 0; j < at_a.cells(1); ++j)
      for (int i = 0; i < nx; ++i) {
        const double x = at_a.place(0, i + 0.5), y = at_a.place(1, j + 0.5), share = at_a.share(i, j);
        const std::size_t n = std::size_t(j) * nx + i;
        ab += share * sign * fa[e][n] * std::conj(hb(x, y));
        ba += share * sign * eb(x, y) * std::conj(fa[h][n]);
      }
  }
  return std::abs(ab * ba) * cell_area(at_a) * cell_area(at_a) / (flow(at_a, fa) * flow(at_b, fb));
}

}  // namespace umov::modes
