// The response of a cell's update equation to a harmonic field.
#include "fdtd/sources/local.hpp"

#include <algorithm>
#include <limits>

namespace umov::fdtd {
namespace {

/// What a pole adds to the right-hand side of the update of E, as a factor of E; z = exp(-i w dt). From the
/// recurrences of PoleTerm with all fields proportional to z^n.
cplx pole_feedback(const PoleTerm& t, cplx z, double dt) {
  if (t.debye) return t.gain * t.b * (1.0 + 1.0 / z) / (1.0 - t.a / z);
  return -t.gain * t.b / (1.0 - t.a / z + t.c * dt / (z - 1.0));
}

/// The polarization of a half edge by its own field alone.
cplx known(const CutMedia& cut, index_t half, cplx z, double dt) {
  const auto after = std::ranges::upper_bound(cut.nodes, half, {}, &CutMedia::Node::first_half);
  const CutMedia::Node node = *(after - 1);
  cplx own = 0, driven = 0, stiffness = 0;
  for (index_t i = node.first_site; i < after->first_site; ++i) {
    const CutMedia::Site& s = cut.sites[i];
    cplx response = 0;
    for (const PoleTerm& t : cut.media[s.medium]) response += known_polarization(t, z, dt);
    stiffness += s.weight * s.jump * s.jump * response;
    if (node.first_half + s.half != half) continue;
    own += s.weight * response;
    driven += s.weight * s.jump * response;
  }
  if (node.compliance == 0) return own;
  const double at_once = cut.halves[half].coupling;
  // delta with and without the poles; what it does at once stands in the coefficients.
  const cplx delta = -(at_once + driven) / (1 / node.compliance + stiffness);
  return own + (at_once + driven) * delta + at_once * at_once * node.compliance;
}

/// The edge among those that halves act on; none elsewhere.
const CutMedia::Edge* edge_of(const CutMedia& cut, Component c, index_t cell) {
  if (cut.empty()) return nullptr;
  const auto key = std::pair{c, cell};
  const auto last = cut.edges.end() - 1;
  const auto edge =
      std::lower_bound(cut.edges.begin(), last, key, [](const CutMedia::Edge& e, const auto& k) {
        return std::pair{e.component, e.cell} < k;
      });
  return edge == last || std::pair{edge->component, edge->cell} != key ? nullptr : &*edge;
}

/// What the halves of an edge add to the balance of its update.
cplx halves_feedback(const Problem& p, Component c, index_t cell, cplx z) {
  const CutMedia& cut = p.cut_media;
  const CutMedia::Edge* edge = edge_of(cut, c, cell);
  cplx sum = 0;
  if (!edge) return 0;
  for (index_t t = edge->first_tap; t < (edge + 1)->first_tap; ++t) {
    const CutMedia::Half& h = cut.halves[cut.taps[t].half];
    if (h.component == c && h.cell == cell)
      sum += cut.taps[t].weight * known(cut, cut.taps[t].half, z, p.grid.dt) * (z - 1.0);
  }
  return sum;
}

}  // namespace

cplx known_polarization(const PoleTerm& t, cplx z, double dt) {
  if (t.debye) return t.b * (1 + t.a) / (z - t.a);
  return t.b / ((1.0 - 1.0 / z) * (z - t.a) / dt + t.c);
}

bool is_cut(const Problem& p, Component c, index_t cell) { return edge_of(p.cut_media, c, cell) != nullptr; }

cplx discrete_medium(const Problem& p, Component c, index_t cell, double w) {
  const Coefficients& k = coefficients_at(p, c, cell);
  if (k.drive == 0) return std::numeric_limits<double>::infinity();
  const cplx z = std::polar(1.0, -w * p.grid.dt);
  cplx balance = z - k.decay;
  for (const auto& group : p.dispersive)
    if (group.component == c && std::binary_search(group.cells.begin(), group.cells.end(), cell))
      for (const auto& pole : group.poles) balance -= pole_feedback(pole, z, p.grid.dt);
  balance += halves_feedback(p, c, cell, z);
  // In vacuum balance z^(-1/2) = -2 i sin(w dt/2) and drive = dt / dx.
  const cplx free = cplx(0, -2 * std::sin(w * p.grid.dt / 2)) * p.grid.dx / p.grid.dt;
  return balance * std::polar(1.0, w * p.grid.dt / 2) / k.drive / free;
}

}  // namespace umov::fdtd
