// Guided modes from the matrices of a cross-section, by shift and invert; overlaps with them.
#include "fdtd/sources/mode_solver.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "core/error.hpp"
#include "fdtd/sources/guided_pairs.hpp"
#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

double square(double x) { return x * x; }

/// Two modes of one index, as of a round rod, come in any mixture: turns them so that the first has the most
/// of its E along the first transverse axis.
void turn_apart(Eigenpair& a, Eigenpair& b, Eigen::Index along_first) {
  const auto gram = [&](Eigen::Index rows) {
    Eigen::Matrix2d g;
    const auto x = a.vector.head(rows), y = b.vector.head(rows);
    g << x.dot(x), x.dot(y), x.dot(y), y.dot(y);
    return g;
  };
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> axes(gram(along_first),
                                                                       gram(a.vector.size()));
  const Eigen::Matrix2d turn = axes.eigenvectors();
  const Eigen::VectorXd first = turn(0, 1) * a.vector + turn(1, 1) * b.vector;
  b.vector = turn(0, 0) * a.vector + turn(1, 0) * b.vector;
  a.vector = first;
}

void turn_equals_apart(std::vector<Eigenpair>& pairs, const CrossSection& cut) {
  if (cut.electric.size() < 2) return;
  const auto along_first = Eigen::Index(cut.places(cut.electric[0]).size());
  for (std::size_t i = 0; i + 1 < pairs.size(); ++i)
    if (std::abs(pairs[i].value - pairs[i + 1].value) < 1e-7 * pairs[i].value) {
      turn_apart(pairs[i], pairs[i + 1], along_first);
      ++i;
    }
}

/// Points of a plane count half on each mirror they lie on.
double area(const CrossSection& cut, const Int3& cell, int component, const Grid& g) {
  double size = std::pow(g.dx, dimensions(g.mode) - 1);
  for (const Transverse& s : cut.t)
    if (s.active) size /= g.rate(component, s.axis, cell[s.axis]);
  for (const Transverse& s : cut.t)
    if (s.active && g.offset(component, s.axis) == 0 &&
        ((s.mirror[0] && cell[s.axis] == s.low) || (s.mirror[1] && cell[s.axis] == s.high)))
      size /= 2;
  return size;
}

std::vector<ModeProfile::Part> parts(const CrossSection& cut, const Grid& g, const std::vector<int>& names,
                                     const Eigen::VectorXd& values) {
  const Layout layout(g);
  std::vector<ModeProfile::Part> all;
  Eigen::Index at = 0;
  for (const int c : names) {
    ModeProfile::Part part{Component(c), {}, {}, {}};
    for (const Int3& cell : cut.places(c)) {
      part.cells.push_back(layout.at(cell));
      part.values.push_back(values[at++]);
      part.areas.push_back(area(cut, cell, c, g));
    }
    all.push_back(std::move(part));
  }
  return all;
}

/// Visits points of E with those of the H across: e x h along the axis is Ep Hq - Eq Hp.
template <class Visit>
void for_each_pair(const ModeProfile& m, Visit&& visit) {
  for (std::size_t e = 0; e < m.electric.size(); ++e)
    for (std::size_t h = 0; h < m.magnetic.size(); ++h) {
      const int p = axis_of(m.electric[e].component);
      if (p == axis_of(m.magnetic[h].component)) continue;
      const double sign = p == (m.axis + 1) % 3 ? 1 : -1;
      for (std::size_t i = 0; i < m.electric[e].cells.size(); ++i)
        visit(e, h, i, sign * m.electric[e].areas[i]);
    }
}

double value_of(const ModeProfile::Part& part, std::size_t i, double) { return part.values[i]; }
cplx value_of(const ModeProfile::Part& part, std::size_t i, cplx) { return part.lossy[i]; }

/// Sum of e x h along the axis, of real fields or of the lossy ones.
template <class T>
T cross_sum(const ModeProfile& m) {
  T sum = 0;
  for_each_pair(m, [&](std::size_t e, std::size_t h, std::size_t i, double weight) {
    sum += weight * value_of(m.electric[e], i, T()) * value_of(m.magnetic[h], i, T());
  });
  return sum;
}

bool is_lossy(const ModeProfile& m) { return !m.electric.empty() && !m.electric.front().lossy.empty(); }

/// Power of the lossy fields, by the H in the plane of E.
double lossy_power(const ModeProfile& m) {
  const cplx mean = std::cos(m.travel * m.dx / 2.0);
  double sum = 0;
  for_each_pair(m, [&](std::size_t e, std::size_t h, std::size_t i, double weight) {
    sum += weight * (m.electric[e].lossy[i] * std::conj(mean * m.magnetic[h].lossy[i])).real();
  });
  return sum / 2;
}

/// Of real fields and lossy ones.
void scale(ModeProfile& m, double factor, double lossy) {
  for (auto* side : {&m.electric, &m.magnetic})
    for (auto& part : *side) {
      for (double& v : part.values) v *= factor;
      for (cplx& v : part.lossy) v *= lossy;
    }
}

}  // namespace

void normalise(ModeProfile& m) {
  const double power = cross_sum<double>(m) * std::cos(m.beta * m.dx / 2) / 2;
  double largest = 0;
  for (const auto& part : m.electric)
    for (const double v : part.values)
      if (std::abs(v) > std::abs(largest) * (1 + 1e-6)) largest = v;
  const double lossy = is_lossy(m) ? std::abs(lossy_power(m)) : 1;
  scale(m, std::copysign(1 / std::sqrt(std::abs(power)), largest),
        std::copysign(1 / std::sqrt(lossy), largest));
}

namespace {

ModeProfile profile(const CrossSection& cut, const Grid& g, const Eigenpair& pair, double frequency) {
  const double kappa = std::sqrt(pair.value);
  ModeProfile m;
  m.frequency = frequency;
  m.dx = g.graded() ? cut.along_edge * g.dx : g.dx;
  m.beta = 2 / m.dx * std::asin(cut.along_edge * kappa / 2);
  m.n_eff = m.beta / (2 * pi * frequency);
  m.travel = m.beta;
  m.axis = cut.axis;
  m.electric = parts(cut, g, cut.electric, cut.N * pair.vector);
  m.magnetic = parts(cut, g, cut.magnetic, cut.B * pair.vector / kappa);
  normalise(m);
  return m;
}

}  // namespace

namespace {

/// An index below which a mode is at its cutoff: rounding makes such ones of static fields.
constexpr double least_index = 1e-3;

/// (beta dx)^2 from which a wave of a metal's surface, which decays within 1 / beta, has less than two cells
/// to do so. Cells that a metal's surface cuts guide such waves on their own, at any index from 0.7 / (k dx).
constexpr double unresolved = 0.25;

/// What a plane with metal may guide; kappa^2.
double highest_value(const CrossSection& cut) {
  return cut.metal ? std::max(unresolved / square(cut.finest_edge), 1.05 * cut.phase * cut.phase * cut.solid)
                   : 4 / square(cut.along_edge);
}

/// Modes of a plane with metal, slower than waves in any of its media: looked for band by band, each a factor
/// 4 wide and with its own shift, since nobody knows how slow they are.
std::vector<Eigenpair> modes_beside_metal(const CrossSection& cut, int wanted) {
  const Sparse s = product(cut.A, cut.B), t = cut.N + cut.absent;
  const auto order = cut.elimination_order();
  const double fastest = 1.0001 * cut.phase * cut.phase * std::max(cut.solid, square(least_index));
  std::vector<Eigenpair> all;
  double top = highest_value(cut);
  const auto add = [&](double shift, double bottom) {
    for (Eigenpair& x : eigenpairs(s, t, shift, {wanted}, order))
      if (x.value < top && x.value >= bottom) all.push_back(std::move(x));
    top = bottom;
  };
  while (top > 1.5 * fastest) add(0.625 * top, 0.25 * top);
  add(fastest, -infinity);
  return all;
}

/// Modes of a plane near a shift.
std::vector<Eigenpair> near(const CrossSection& cut, double shift, const Wanted& wanted) {
  return eigenpairs(product(cut.A, cut.B), Sparse(cut.N + cut.absent), shift, wanted,
                    cut.elimination_order());
}

/// index^2 of the slowest wave along a cross-section; 0 where it carries none.
double slowest(const CrossSection& cut) {
  const double unit = cut.phase * cut.phase;
  constexpr int some = 4;
  double most = 0;
  for (const Eigenpair& x :
       cut.metal ? modes_beside_metal(cut, some) : near(cut, 1.0001 * unit * cut.highest, {some}))
    if (x.value < highest_value(cut)) most = std::max(most, x.value / unit);
  return most;
}

/// index^2 of the slowest wave that a plane's surroundings carry away, 0 between walls. Beyond an open end of
/// an axis they go on as they are there, in layers that may guide waves of their own: those that do not
/// change along the axis are the slowest.
double continuum(const Problem& p, const ModePlane& plane, const CrossSection& cut, double w) {
  double most = 0;
  for (const Transverse& t : cut.t)
    for (int side = 0; side < 2; ++side) {
      if (!t.active || !t.open[side]) continue;
      ModePlane line = plane;
      line.lo[t.axis] = side == 0 ? t.low : t.high - 1;
      line.hi[t.axis] = line.lo[t.axis] + 1;
      const CrossSection layers(p, line, w, t.axis);
      if (layers.metal || layers.highest > most * (1 + 1e-9)) most = std::max(most, slowest(layers));
    }
  return most;
}

/// index^2 < 0 of the first mode below its cutoff between conductors; none if it is far below, or the rim is
/// open. Static fields crowd at 0, so it is looked for beyond.
std::optional<double> cut_off_index(const Problem& p, const ModePlane& plane, double frequency) {
  const CrossSection cut(p, plane, 2 * pi * frequency);
  const double unit = cut.phase * cut.phase * cut.highest;
  if (continuum(p, plane, cut, 2 * pi * frequency) > 0) return {};
  for (const double beyond : {0.5, 2.0, 8.0}) {
    double best = -infinity;
    for (const Eigenpair& x : near(cut, -beyond * unit, {4}))
      if (x.value < -1e-4 * unit) best = std::max(best, x.value / (cut.phase * cut.phase));
    if (best > -infinity) return best;
  }
  return {};
}

}  // namespace

std::vector<Eigenpair> guided_pairs(const Problem& p, const ModePlane& plane, const CrossSection& cut,
                                    double frequency, int count, std::optional<double> index_guess) {
  const double unit = cut.phase * cut.phase;
  // Above every guided mode, but not on the one of a homogeneous guide between conductors.
  double shift = 1.0001 * unit * cut.highest;
  if (index_guess) {
    const double edge = cut.along_edge;
    const double kappa =
        2 / edge * std::sin(std::min(pi / 2, pi * frequency * *index_guess * edge * p.grid.dx));
    shift = kappa * kappa * (1 + 1e-7);
  }
  // Layers alone have the continuum's own wave between the conductors at the rim, to rounding.
  const double least =
      unit * (1 + 1e-7) * std::max(continuum(p, plane, cut, 2 * pi * frequency), square(least_index));
  std::vector<Eigenpair> pairs;
  // More where some are no modes, unless there are no more.
  for (const int more : {0, 2, 8}) {
    Wanted wanted{count + more};
    if (!index_guess) wanted.least = least;
    pairs = cut.metal && !index_guess ? modes_beside_metal(cut, count + 2) : near(cut, shift, wanted);
    const bool all = int(pairs.size()) < wanted.count;
    std::erase_if(pairs,
                  [&](const Eigenpair& x) { return x.value <= least || x.value >= highest_value(cut); });
    if (all || cut.metal || int(pairs.size()) >= count) break;
  }
  std::sort(pairs.begin(), pairs.end(), [&](const Eigenpair& a, const Eigenpair& b) {
    return index_guess ? std::abs(a.value - shift) < std::abs(b.value - shift) : a.value > b.value;
  });
  turn_equals_apart(pairs, cut);
  if (int(pairs.size()) > count) pairs.resize(std::size_t(count));
  return pairs;
}

bool lossless(const Problem& p, const CrossSection& cut, double w) {
  const Layout layout(p.grid);
  for (int c = 0; c < 3; ++c)
    if (has_component(p.grid.mode, c))
      for (const Int3& cell : cut.places(c)) {
        const cplx eps = discrete_medium(p, Component(c), layout.at(cell), w);
        if (std::isfinite(eps.real()) && std::abs(eps.imag()) > 1e-12 * std::abs(eps)) return false;
      }
  return true;
}

void take_losses(const Problem& p, const ModePlane& plane, ModeProfile& m) {
  const double w = 2 * pi * m.frequency;
  m.travel = m.beta;
  if (lossless(p, CrossSection(p, plane, w), w)) return;
  const CrossSectionOf<cplx> cut(p, plane, w);
  Eigen::VectorXd e(cut.N.rows());
  Eigen::Index at = 0;
  for (const auto& part : m.electric)
    for (const double v : part.values) e[at++] = v;
  const double kappa = 2 / cut.along_edge * std::sin(m.beta * m.dx / 2);
  const SparseOf<cplx> s = product(cut.A, cut.B), t = cut.N + cut.absent;
  constexpr double alike = 0.7;
  double most = -1;
  cplx like = 1;
  EigenpairOf<cplx> best{cplx(square(kappa)), {}};
  for (const int some : {4, 16}) {
    for (auto& pair :
         eigenpairs(s, t, cplx(square(kappa) * (1 + 1e-7)), Wanted{some}, cut.elimination_order())) {
      const Eigen::VectorXcd field = cut.N * pair.vector;
      const cplx product = e.cast<cplx>().dot(field) / field.norm();
      if (std::abs(product) > most) most = std::abs(product), like = product, best = std::move(pair);
    }
    if (most > alike * e.norm()) break;
  }
  if (most <= 0) return;
  const cplx own = std::sqrt(best.value);
  m.travel = 2 / m.dx * std::asin(cut.along_edge * own / 2.0);
  const Eigen::VectorXcd d = best.vector * (std::conj(like) / std::abs(like)),
                         fields[] = {cut.N * d, cut.B * d / own};
  for (const int side : {0, 1}) {
    at = 0;
    for (auto& part : side == 0 ? m.electric : m.magnetic)
      for (std::size_t i = 0; i < part.values.size(); ++i) part.lossy.push_back(fields[side][at++]);
  }
  normalise(m);
}

double slowest_leaving(const Problem& p, const ModePlane& plane, const CrossSection& cut, double frequency) {
  return continuum(p, plane, cut, 2 * pi * frequency);
}

std::vector<ModeProfile> guided_modes(const Problem& p, const ModePlane& plane, double frequency, int count,
                                      std::optional<double> index_guess) {
  const CrossSection cut(p, plane, 2 * pi * frequency);
  std::vector<ModeProfile> modes;
  for (const Eigenpair& pair : guided_pairs(p, plane, cut, frequency, count, index_guess))
    modes.push_back(profile(cut, p.grid, pair, frequency));
  return modes;
}

ModeProfile solve_mode(const Problem& p, const ModePlane& plane, double frequency, int number,
                       std::optional<double> index_guess, const std::string& owner) {
  if (number < 1)
    throw BadInput(fmt::format("{}: mode {} (modes count from 1); give 1 or more", owner, number));
  const auto modes = guided_modes(p, plane, frequency, number, index_guess);
  if (int(modes.size()) >= number) return modes[number - 1];
  if (const auto cut_off = cut_off_index(p, plane, frequency))
    throw BadInput(
        fmt::format("{}: no guided mode {} (its plane guides {} at frequency {:g}, and the next is cut off "
                    "there: it decays "
                    "as exp(-{:.3g} x), and evenly filled its cutoff is at about {:.4g}); raise the "
                    "frequency or lower the "
                    "mode number",
                    owner, number, modes.size(), frequency, 2 * pi * frequency * std::sqrt(-*cut_off),
                    frequency * std::sqrt(1 - *cut_off)));
  const double w = 2 * pi * frequency;
  throw BadInput(fmt::format(
      "{}: no guided mode {} (its plane guides {} at frequency {:g}; what is faster than the waves of the "
      "layers at its rim, of index {:.4g}, leaves through it); check that the plane "
      "crosses the waveguide and leaves room around it, or lower the mode number",
      owner, number, modes.size(), frequency, std::sqrt(continuum(p, plane, CrossSection(p, plane, w), w))));
}

namespace {

template <class T>
ModeAmplitudes amplitudes(const ModeProfile& m, T beta, const std::vector<std::vector<cplx>>& fields) {
  const std::size_t n = m.electric.size();
  cplx u = 0, v = 0;
  for_each_pair(m, [&](std::size_t e, std::size_t h, std::size_t i, double weight) {
    u += weight * fields[e][i] * value_of(m.magnetic[h], i, T());
    v += weight * value_of(m.electric[e], i, T()) * fields[n + h][i];
  });
  // E = (f + b) e and, half a cell up, H = (f exp(i a) - b exp(-i a)) h with a = beta dx / 2.
  const T whole = cross_sum<T>(m), a = beta * m.dx / 2.0;
  u /= whole;
  v /= whole;
  const cplx on = std::exp(cplx(0, 1) * a), back = std::exp(cplx(0, -1) * a);
  return {(v + u * back) / (2.0 * std::cos(a)), (u * on - v) / (2.0 * std::cos(a))};
}

}  // namespace

ModeAmplitudes overlap(const ModeProfile& m, const std::vector<std::vector<cplx>>& fields) {
  return is_lossy(m) ? amplitudes<cplx>(m, m.travel, fields) : amplitudes<double>(m, m.beta, fields);
}

}  // namespace umov::fdtd
