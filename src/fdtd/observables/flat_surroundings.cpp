// Plane waves through the flat layers around a box, as the grid carries them.
#include "fdtd/observables/flat_surroundings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/observables/surroundings_of_box.hpp"
#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

constexpr double rounding = 1e-9;

bool finite(const cplx& value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); }
cplx inverse(const cplx& value) { return finite(value) ? 1.0 / value : 0.0; }
bool alike(const cplx& a, const cplx& b) {
  if (!finite(a) || !finite(b)) return finite(a) == finite(b);
  return std::abs(a - b) <= rounding * std::abs(a);
}

/// Neighbours along the axis: link[j] (F[j+1] - F[j]) - link[j-1] (F[j] - F[j-1]) + own[j] F[j] = 0. What F
/// is 0 at has no finite `own`. Beyond the ends the grid goes on as at them.
struct Ladder {
  std::vector<cplx> link;  ///< between j and j + 1, one fewer than `own`
  std::vector<cplx> own;
  std::array<bool, 2> closed{};  ///< no link leads on beyond the first, the last
};

/// Ratio of F one place farther out to F, of the wave that leaves where all places have this link and own: it
/// decays, or carries power outwards (time dependence exp(-i w t)).
cplx outgoing(const cplx& link, const cplx& own) {
  const cplx c = 1.0 - own / (2.0 * link), s = std::sqrt(1.0 - c * c);
  const cplx ratio = c + cplx(0, 1) * s, other = c - cplx(0, 1) * s;
  if (std::abs(std::abs(ratio) - std::abs(other)) <= rounding) return ratio.imag() >= 0 ? ratio : other;
  return std::abs(ratio) < std::abs(other) ? ratio : other;
}

/// F of a wave that comes in at the end of the ladder, where the incident part alone is `incident`. Ratios of
/// neighbours go from the far end up, values from the incident one down, so that nothing grows.
std::vector<cplx> descend(const Ladder& l, const cplx& incident) {
  const std::size_t n = l.own.size();
  std::vector<cplx> ratio(n), f(n);  // ratio[j]: F[j-1] / F[j]
  if (l.closed[0])
    ratio[0] = 1;
  else if (finite(l.own[0]))
    ratio[0] = outgoing(l.link.front(), l.own[0]);
  for (std::size_t j = 0; j + 1 < n; ++j) {
    const cplx below = j == 0 ? l.link.front() : l.link[j - 1];
    ratio[j + 1] = finite(l.own[j]) ? l.link[j] / (l.link[j] + below * (1.0 - ratio[j]) - l.own[j]) : cplx(0);
  }
  const cplx in = outgoing(l.link.back(), l.own.back()), back = 1.0 / in;
  f[n - 1] = incident * (1.0 + (in - ratio[n - 1]) / (ratio[n - 1] - back));
  for (std::size_t j = n - 1; j > 0; --j) f[j - 1] = ratio[j] * f[j];
  return f;
}

std::vector<cplx> through(Ladder l, const cplx& incident, bool from_above) {
  if (from_above) return descend(l, incident);
  std::ranges::reverse(l.link);
  std::ranges::reverse(l.own);
  std::ranges::reverse(l.closed);
  std::vector<cplx> f = descend(l, incident);
  std::ranges::reverse(f);
  return f;
}

}  // namespace

std::optional<FlatSurroundings> FlatSurroundings::find(const MonitorSpec& m, const Region& box,
                                                       const Surface& surface, const Whole& whole,
                                                       const Scene& scene, const Problem& p,
                                                       const std::vector<double>& frequencies) {
  const auto layers = layers_outside(box, whole, scene);
  if (!layers) return {};
  FlatSurroundings s;
  s.axis_ = layers->axis;
  s.words_ = layers->words;
  s.frequencies_ = frequencies;
  const int a = s.axis_;
  // A cell more than what is free on each side: a face may touch the absorbing layers, whose medium goes on.
  s.first_ = whole.first(a) + std::max(0, whole.layers(a, 0) - 1);
  const int last = whole.last(a) - std::max(0, whole.layers(a, 1) - 1);
  for (int i = s.first_; i <= last; ++i) {
    s.edge_.push_back(whole.place(a, i + 1) - whole.place(a, i));
    s.dual_.push_back((whole.place(a, i + 1) - whole.place(a, i - 1)) / 2);
    s.node_.push_back(whole.place(a, i));
    s.middle_.push_back(whole.place(a, i + 0.5));
  }
  for (const double f : frequencies) {
    Column& column = s.columns_.emplace_back();
    s.read_column(m, box, whole, p, 2 * pi * f, column);
    if (s.columns_.size() == 1) s.require_layers_on(m, surface, whole, p, 2 * pi * f);
    if (layers->wall[0]) column.electric.front() = infinity;
    if (layers->wall[1]) column.electric.back() = infinity;
  }
  return s;
}

void FlatSurroundings::read_column(const MonitorSpec& m, const Region& box, const Whole& whole,
                                   const Problem& p, double w, Column& column) {
  const Grid& g = whole.grid();
  const Layout layout(g);
  Int3 at{0, 0, 0};
  for (int b = 0; b < dimensions(g.mode); ++b)
    if (b != axis_)
      at[b] = std::max(whole.first(b) + whole.layers(b, 0), whole.nearest_node(b, box.lo[b]) - 1);
  const auto read = [&](std::array<int, 2> list, std::vector<cplx>& values) {
    for (std::size_t i = 0; i < node_.size(); ++i) {
      at[axis_] = first_ + int(i);
      bool any = false;
      cplx value = 1;
      for (const int c : list) {
        if (!has_component(g.mode, c)) continue;
        // A component half a cell above the last node has none: that of the cell below.
        if (at[axis_] == whole.last(axis_) && g.offset(c, axis_) > 0) --at[axis_];
        const cplx here = discrete_medium(p, Component(c), layout.at(whole.stored(Component(c), at).cell), w);
        if (any && !alike(here, value))
          throw BadInput(
              fmt::format("{} wants a far field through layers, one of which at {} = {:.4g} differs "
                          "along itself (layers have to be isotropic in their plane); make it so",
                          called(m), "xyz"[axis_], node_[i]));
        value = here;
        any = true;
      }
      values.push_back(value);
    }
  };
  const int b = (axis_ + 1) % 3, c = (axis_ + 2) % 3;
  read({b, c}, column.electric);
  read({axis_, axis_}, column.electric_along);
  read({3 + b, 3 + c}, column.magnetic);
  read({3 + axis_, 3 + axis_}, column.magnetic_along);
}

void FlatSurroundings::require_layers_on(const MonitorSpec& m, const Surface& surface, const Whole& whole,
                                         const Problem& p, double w) const {
  const Layout layout(whole.grid());
  const Column& column = columns_.back();
  for (const Patch& patch : surface.patches()) {
    const auto& expected = axis_of(patch.electric) == axis_ ? column.electric_along : column.electric;
    for (int k = 0; k < patch.count[2]; ++k)
      for (int j = 0; j < patch.count[1]; ++j)
        for (int i = 0; i < patch.count[0]; ++i) {
          const Int3 cell{patch.first[0] + i, patch.first[1] + j, patch.first[2] + k};
          const int height = cell[axis_] - first_;
          const Stored stored = whole.stored(patch.electric, cell);
          if (stored.factor == 0.0 || height < 0 || height >= int(expected.size())) continue;
          if (alike(expected[std::size_t(height)],
                    discrete_medium(p, patch.electric, layout.at(stored.cell), w)))
            continue;
          const Vec3 at = whole.grid().position(patch.electric, cell);
          throw BadInput(fmt::format(
              "{} cuts a body at ({:.4g}, {:.4g}, {:.4g}) (outside it a far field wants flat layers alone); "
              "make it larger or move it",
              called(m), at[0], at[1], at[2]));
        }
  }
}

std::optional<FarMedium> FlatSurroundings::medium(std::size_t f, double theta, double phi) const {
  const double rise = far_direction(theta, phi)[axis_];
  if (std::abs(rise) < 1e-9) return {};
  const Column& c = columns_[f];
  const cplx eps = rise > 0 ? c.electric.back() : c.electric.front(),
             mu = rise > 0 ? c.magnetic.back() : c.magnetic.front();
  const auto lossless = [](const cplx& value) {
    return finite(value) && value.real() > 0 && std::abs(value.imag()) <= rounding * value.real();
  };
  if (!lossless(eps) || !lossless(mu)) return {};
  return FarMedium{eps.real(), mu.real()};
}

// With t along the lateral wave vector and s = axis x t the fields go apart into E_s, H_t, H_a and H_s, E_t,
// E_a (a along the axis), each with one second-order difference equation along the axis:
//   D (D E_s / mu_t) + (W^2 eps_s - K^2 / mu_a) E_s = 0,   D (D H_s / eps_t) + (W^2 mu_s - K^2 / eps_a) H_s =
//   0,
// D the grid's difference, W = (2/dt) sin(w dt/2), K what lateral differences make of the lateral wave
// vector.
LayeredWave FlatSurroundings::wave(const Grid& g, const FarMedium& medium, std::size_t f, double theta,
                                   double phi) const {
  const double frequency = frequencies_[f], W = 2 / g.dt * std::sin(pi * frequency * g.dt);
  const FarWave far = far_wave(g, medium, frequency, theta, phi);
  const bool from_above = far.difference[axis_] > 0;
  const Column& c = columns_[f];
  const std::size_t nodes = node_.size(), cells = nodes - 1;
  const cplx i(0, 1);

  Vec3 t = far.difference, normal{0, 0, 0};
  t[axis_] = 0;
  normal[axis_] = 1;
  const double K = norm(t);
  if (K > 0)
    t = 1 / K * t;
  else
    t[(axis_ + 1) % dimensions(g.mode)] = 1;
  const Vec3 s = cross(normal, t);

  Ladder te, tm;
  tm.closed = {!finite(c.electric.front()), !finite(c.electric.back())};
  for (std::size_t j = 0; j < nodes; ++j) {
    te.own.push_back(finite(c.electric[j])
                         ? dual_[j] * (W * W * c.electric[j] - K * K * inverse(c.magnetic_along[j]))
                         : c.electric[j]);
    if (j > 0 && j < cells) tm.link.push_back(inverse(c.electric[j]) / dual_[j]);
  }
  for (std::size_t j = 0; j < cells; ++j) {
    te.link.push_back(inverse(c.magnetic[j]) / edge_[j]);
    tm.own.push_back(edge_[j] * (W * W * c.magnetic[j] - K * K * inverse(c.electric_along[j])));
  }

  LayeredWave wave;
  wave.k = far.k;
  wave.k[axis_] = 0;
  wave.axis = axis_;
  wave.first = first_;
  const auto phase = [&](const std::vector<double>& places, std::size_t count) {
    return std::polar(1.0, -far.k[axis_] * places[from_above ? count - 1 : 0]);
  };
  for (int q = 0; q < 2; ++q) {
    // the incident wave has H = -K x e / (mu W)
    const auto Es = through(te, dot(far.e[q], s) * phase(node_, nodes), from_above);
    const auto Hs = through(tm, -dot(far.h[q], s) * phase(middle_, cells), from_above);
    auto& field = wave.field[q];
    for (auto& values : field) values.assign(nodes, 0);
    for (std::size_t j = 0; j < nodes; ++j) {
      cplx Et = 0, Ea = 0, Ht = 0, hs = 0;
      if (j > 0 && j < cells) Et = -i / W * tm.link[j - 1] * (Hs[j] - Hs[j - 1]);
      if (j < cells) {
        Ea = K / W * inverse(c.electric_along[j]) * Hs[j];
        Ht = i / W * te.link[j] * (Es[j + 1] - Es[j]);
        hs = Hs[j];
      }
      const cplx Ha = -K / W * inverse(c.magnetic_along[j]) * Es[j];
      for (int a = 0; a < 3; ++a) {
        field[a][j] = Es[j] * s[a] + Et * t[a] + Ea * normal[a];
        field[3 + a][j] = -(hs * s[a] + Ht * t[a] + Ha * normal[a]);
      }
    }
  }
  return wave;
}

std::vector<std::array<cplx, 2>> radiation(const Surface& surface, const Grid& g, const TransformValues& v,
                                           std::size_t f, const std::vector<LayeredWave>& waves) {
  std::vector<std::array<cplx, 2>> amplitude(waves.size());
  for (const Patch& p : surface.patches()) {
    const auto fields = patch_fields(p, v, f);
#pragma omp parallel for schedule(static)
    for (std::size_t d = 0; d < waves.size(); ++d) {
      const LayeredWave& wave = waves[d];
      if (wave.field[0][0].empty()) continue;
      const int a = wave.axis, normal = p.face.axis;
      const auto sums = patch_sums_by_height(p, g, fields, wave.k, a);
      const double apart =
          normal == a ? 0.5
                      : std::cos(wave.k[normal] *
                                 g.dual_edge(normal, std::clamp(p.face.node, 0, g.cells[normal])) / 2);
      for (int q = 0; q < 2; ++q)
        for (int l = 0; l < p.count[a]; ++l) {
          const int height = p.first[a] + l;
          const cplx e = wave.at(q, p.electric, height);
          const cplx h = normal == a ? wave.at(q, p.magnetic, height) + wave.at(q, p.magnetic, height - 1)
                                     : wave.at(q, p.magnetic, height);
          amplitude[d][q] -= p.orientation * (e * sums[l][1] + apart * h * sums[l][0]);
        }
    }
  }
  return amplitude;
}

}  // namespace umov::fdtd
