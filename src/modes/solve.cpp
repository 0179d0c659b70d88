#include "modes/solve.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "fdtd/sources/guided_pairs.hpp"
#include "fdtd/sources/local.hpp"
#include "modes/measure.hpp"

namespace umov::modes {
namespace {

using fdtd::CrossSectionOf;
using fdtd::EigenpairOf;

/// Coordinates of a section that are stretched in layers at its open ends and bent about an axis. The end
/// inside a bend needs no layers where waves do not travel: there (1 + s / R) of a complex s makes a decaying
/// wave one that hardly decays, and the matrices so far from normal that no eigenvector is to be had.
class Coordinates {
 public:
  Coordinates(const Section& s, const Simulation& sim, bool travels_inward)
      : section_(&s), sim_(&sim), travels_inward_(travels_inward) {
    // exp(-2 k int sigma) = 1e-6 of a wave with the wave number of vacuum across the layer.
    strength_ = 3 * std::log(1e6) / (2 * 2 * pi / sim.wavelengths.front() * sim.absorber * s.dx());
  }
  bool straight() const { return sim_->absorber == 0 && sim_->bend_radius == 0; }

  /// J J^T / det J: s1 s2 / s of the component's own axis. The axis of travel is stretched by 1 + u / R.
  cplx operator()(int component, const Int3& cell) const {
    cplx stretch[3] = {1, 1, 1};
    cplx all = 1;
    for (int k = 0; k < 2; ++k) {
      const int a = section_->axis(k);
      if (!section_->problem.grid.active(a)) continue;
      const double x = cell[a] - section_->plane.lo[a] + (at_half(*section_, component, k) ? 0.5 : 0);
      const auto [slope, place] = at(k, x);
      stretch[a] = slope;
      if (sim_->bend_radius > 0 && k == sim_->bend_axis)
        stretch[section_->plane.axis] = 1.0 + place / sim_->bend_radius;
    }
    for (const cplx s : stretch) all *= s;
    const cplx own = stretch[fdtd::axis_of(component)];
    return all / (own * own);
  }

 private:
  /// ds/dx and s from the middle, at x cells from the low end.
  std::pair<cplx, cplx> at(int k, double x) const {
    const double n = section_->cells(k), layers = sim_->absorber, length = layers * section_->dx();
    const double u = section_->problem.grid.graded() ? section_->place(k, x) - section_->middle(k)
                                                     : (x - n / 2) * section_->dx();
    for (int side = 0; side < 2; ++side) {
      const double depth = (layers - (side == 0 ? x : n - x)) / std::max(layers, 1.0);
      if (!(depth > 0) || layers == 0 || !section_->open(k, side)) continue;
      if (side == 0 && sim_->bend_radius > 0 && k == sim_->bend_axis && !travels_inward_) continue;
      const double reach = strength_ * length * depth * depth * depth / 3;
      return {cplx(1, strength_ * depth * depth), cplx(u, side == 0 ? -reach : reach)};
    }
    return {1, u};
  }

  const Section* section_;
  const Simulation* sim_;
  bool travels_inward_;
  double strength_ = 0;
};

/// Whether a mode is faster than the waves of a medium in the layers inside the bend: n (1 + u / R) is its
/// index there.
bool travels_inward(const Section& s, const Simulation& sim, const fdtd::CrossSection& cut,
                    const std::vector<Mode>& straight, double w) {
  if (sim.bend_radius <= 0 || straight.empty()) return true;
  const auto slower = [](const Mode& a, const Mode& b) { return a.n_eff.real() < b.n_eff.real(); };
  const double least = std::ranges::min_element(straight, slower)->n_eff.real();
  const fdtd::Layout layout(s.problem.grid);
  const int a = s.axis(sim.bend_axis);
  for (int c = 0; c < 3; ++c) {
    if (!has_component(s.problem.grid.mode, c)) continue;
    for (const Int3& cell : cut.places(c)) {
      const int x = cell[a] - s.plane.lo[a];
      if (x >= sim.absorber) continue;
      const double u = (x + 0.5 - s.cells(sim.bend_axis) / 2.0) * s.dx();
      const double eps = fdtd::discrete_medium(s.problem, fdtd::Component(c), layout.at(cell), w).real();
      if (std::isfinite(eps) && std::sqrt(std::max(eps, 0.0)) * (1 + u / sim.bend_radius) > least)
        return true;
    }
  }
  return false;
}

/// The matrices of a section at a frequency and, for differences over frequency, beside it.
template <class T>
class Matrices {
 public:
  Matrices(const Section& s, double frequency, fdtd::MediumFactor factor)
      : section_(s),
        w_(2 * pi * frequency),
        cut_(s.problem, s.plane, w_, -1, factor),
        below_(s.problem, s.plane, w_ * (1 - step), -1, factor),
        above_(s.problem, s.plane, w_ * (1 + step), -1, factor) {}

  const CrossSectionOf<T>& cut() const { return cut_; }

  Mode mode(const EigenpairOf<T>& pair, int layers) const {
    Mode m;
    m.frequency = w_ / (2 * pi);
    const cplx kappa = std::sqrt(cplx(pair.value));
    const double along = section_.along(), ratio = along / cut_.dx;
    const cplx beta = 2 / along * std::asin(ratio * kappa / 2.0);
    m.n_eff = beta / w_;
    const Vector e = cut_.N * pair.vector, h = cut_.B * pair.vector;  // h: kappa times
    const Vector left = cut_.A * h, right = e * pair.value;
    m.residual = double((left - right).norm() / right.norm());
    m.n_group = (slope(pair, h) / (2.0 * kappa * std::cos(beta * along / 2.0) * cut_.dx)).real();
    place(m, cut_.electric, e, 1);
    place(m, cut_.magnetic, h, 1.0 / kappa);
    const Vector ex = cut_.along(section_.problem, w_, true) * h;
    const Vector hx = cut_.along(section_.problem, w_, false) * e;
    if (ex.size() > 0) place(m, {cut_.axis}, ex, cplx(0, 1) / kappa);
    if (hx.size() > 0) place(m, {3 + cut_.axis}, hx, cplx(0, -1));
    normalise(section_, m);
    measure(section_, layers, m);
    return m;
  }

 private:
  static constexpr double step = 1e-4;
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

  /// d kappa^2 / dw = y (d(A B)/dw - kappa^2 dN/dw) d / (y N d): y, the left vector, is the H across each E,
  /// weighted by areas, since A and B N^-1 are symmetric between E and H turned by 90 degrees.
  cplx slope(const EigenpairOf<T>& pair, const Vector& h) const {
    Vector y(pair.vector.size());
    Eigen::Index to = 0;
    for (const int e : cut_.electric) {
      Eigen::Index from = 0;
      for (const int c : cut_.magnetic) {
        const auto places = cut_.places(c);
        if (fdtd::axis_of(c) != fdtd::axis_of(e)) {
          const double sign = fdtd::axis_of(e) == cut_.t[0].axis ? 1 : -1;
          for (std::size_t i = 0; i < places.size(); ++i)
            y[to + Eigen::Index(i)] = sign * area(e, places[i]) * h[from + Eigen::Index(i)];
        }
        from += Eigen::Index(places.size());
      }
      to += Eigen::Index(cut_.places(e).size());
    }
    const auto form = [&](const CrossSectionOf<T>& c) -> T {
      const Vector bd = c.B * pair.vector, abd = c.A * bd, nd = c.N * pair.vector;
      return (y.transpose() * abd)(0) - pair.value * (y.transpose() * nd)(0);
    };
    const Vector nd = cut_.N * pair.vector;
    return cplx(form(above_) - form(below_)) / (2 * step * w_) / cplx((y.transpose() * nd)(0));
  }

  double area(int component, const Int3& cell) const {
    double size = 1;
    for (const fdtd::Transverse& t : cut_.t)
      if (t.active) size /= section_.problem.grid.rate(component, t.axis, cell[t.axis]);
    for (const fdtd::Transverse& t : cut_.t)
      if (t.active && section_.problem.grid.offset(component, t.axis) == 0 &&
          ((t.mirror[0] && cell[t.axis] == t.low) || (t.mirror[1] && cell[t.axis] == t.high)))
        size /= 2;
    return size;
  }

  void place(Mode& m, const std::vector<int>& names, const Vector& values, cplx factor) const {
    const int nx = section_.cells(0) + 1, ny = section_.cells(1) + 1;
    Eigen::Index at = 0;
    for (const int c : names) {
      m.fields[c].assign(std::size_t(nx) * ny, 0);
      for (const Int3& cell : cut_.places(c)) {
        int i[2];
        for (int k = 0; k < 2; ++k) i[k] = cell[section_.axis(k)] - section_.plane.lo[section_.axis(k)];
        m.fields[c][std::size_t(i[1]) * nx + i[0]] = factor * cplx(values[at++]);
      }
      for (int k = 0; k < 2; ++k)
        if (cut_.t[k].periodic && cut_.t[k].active && !at_half(section_, c, k))
          for (int other = 0; other < (k == 0 ? ny : nx); ++other)
            m.fields[c][k == 0 ? other * nx + nx - 1 : (ny - 1) * nx + other] =
                m.fields[c][k == 0 ? other * nx : other];
    }
  }

  const Section& section_;
  double w_;
  CrossSectionOf<T> cut_, below_, above_;
};

/// Pairs of complex matrices near an index.
std::vector<EigenpairOf<cplx>> near(const CrossSectionOf<cplx>& cut, const Section& s, cplx index, double f,
                                    int wanted) {
  const double ratio = s.along() / s.dx();
  const cplx kappa = 2.0 / ratio * std::sin(pi * f * index * s.along());
  return fdtd::eigenpairs(fdtd::product(cut.A, cut.B), fdtd::SparseOf<cplx>(cut.N + cut.absent),
                          kappa * kappa * (1 + 1e-7), {wanted}, cut.elimination_order());
}

/// How like the transverse E of two modes are, 0 to 1.
double likeness_of_fields(const Section& s, const Mode& a, const Mode& b) {
  cplx ab = 0;
  double aa = 0, bb = 0;
  for (int k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < a.fields[s.axis(k)].size(); ++i) {
      const cplx x = a.fields[s.axis(k)][i], y = b.fields[s.axis(k)][i];
      ab += std::conj(x) * y, aa += std::norm(x), bb += std::norm(y);
    }
  return std::abs(ab) / std::sqrt(aa * bb);
}

constexpr double most_in_layers = 0.5;

/// Of each mode of the straight guide the one that is most like it. Thick layers have many modes of their own
/// about the guide's, so that more are looked at until one is like it beyond doubt.
std::vector<Mode> bent(const Section& s, const Simulation& sim, const Matrices<cplx>& bent,
                       const std::vector<Mode>& straight, double f) {
  constexpr double least = 0.3, sure = 0.7;
  std::vector<Mode> found;
  for (const Mode& known : straight) {
    std::optional<Mode> best;
    double most = least;
    for (const int wanted : {6, 24, 96}) {
      for (const auto& pair : near(bent.cut(), s, known.n_eff, f, wanted)) {
        Mode m = bent.mode(pair, sim.absorber);
        const double like = likeness_of_fields(s, m, known);
        if (like <= most || m.rim > most_in_layers) continue;
        most = like;
        best = std::move(m);
      }
      if (most > sure) break;
    }
    if (best) found.push_back(std::move(*best));
  }
  return found;
}

std::vector<Mode> guided(const Section& s, const Simulation& sim, const Matrices<double>& all, double f) {
  std::vector<Mode> found;
  for (const auto& pair : guided_pairs(s.problem, s.plane, all.cut(), f, sim.count, sim.index_guess))
    found.push_back(all.mode(pair, 0));
  return found;
}

std::vector<Mode> lossy(const Section& s, const Simulation& sim, const Matrices<cplx>& all,
                        const fdtd::CrossSection& real, double f) {
  const double guess = sim.index_guess.value_or(1.0001 * std::sqrt(std::max(real.highest, 1e-6)));
  const double slowest = sim.absorber > 0 ? 0 : fdtd::slowest_leaving(s.problem, s.plane, real, f);
  std::vector<Mode> found;
  for (const auto& pair : near(all.cut(), s, guess, f, sim.count + (sim.absorber > 0 ? 12 : 4))) {
    if (pair.value.real() <= real.phase * real.phase * std::max(slowest, 1e-6) * (1 + 1e-7)) continue;
    Mode m = all.mode(pair, sim.absorber);
    if (m.rim < most_in_layers) found.push_back(std::move(m));
  }
  if (!sim.index_guess)
    std::stable_sort(found.begin(), found.end(),
                     [](const Mode& a, const Mode& b) { return a.n_eff.real() > b.n_eff.real(); });
  if (int(found.size()) > sim.count) found.resize(std::size_t(sim.count));
  return found;
}

}  // namespace

std::vector<Mode> solve(const Section& s, const Simulation& sim, double f) {
  const double w = 2 * pi * f;
  const Matrices<double> real(s, f, {});
  std::vector<Mode> straight, modes;
  if (sim.bend_radius > 0) straight = guided(s, sim, real, f);
  const Coordinates coordinates(s, sim, travels_inward(s, sim, real.cut(), straight, w));
  if (coordinates.straight() && fdtd::lossless(s.problem, real.cut(), w)) {
    modes = guided(s, sim, real, f);
  } else {
    const Matrices<cplx> all(s, f, coordinates.straight() ? fdtd::MediumFactor{} : coordinates);
    modes = sim.bend_radius > 0 ? bent(s, sim, all, straight, f) : lossy(s, sim, all, real.cut(), f);
  }
  const double decibels = 20 / std::log(10.0) * 1e4 / sim.model.unit_um;  // of 1 / unit, per cm
  for (Mode& m : modes) {
    m.loss = decibels * w * m.n_eff.imag();
    if (sim.beam_waist > 0) m.beam = coupled_to_beam(s, m, sim.beam_waist);
  }
  return modes;
}

}  // namespace umov::modes
