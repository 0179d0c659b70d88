#include "fdtd/observables/lossy_media.hpp"

#include <algorithm>
#include <cmath>

#include "fdtd/cut_turns.hpp"
#include "fdtd/model/update_coefficients.hpp"
#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

/// Mean energy of a polarization per E^2 / 2 beyond that of vacuum (Loudon 1970, J. Phys. A 3, 233; of Debye
/// poles the part that a step back gives back), from the numbers of its update.
double energy_of(const PoleTerm& t, double w, double dt) {
  if (t.debye) {
    if (t.a >= 1) return 0;  // a conductivity
    const double tau = dt / 2 * (1 + t.a) / (1 - t.a), delta = t.b * (2 * tau + dt) / dt;
    return delta / (1 + w * w * tau * tau);
  }
  const double loss = (1 - t.a) / (1 + t.a), gamma = 2 * loss / dt;
  const double strength = t.b * (1 + loss) / dt, own = t.c * (1 + loss) / dt;
  return strength * (w * w + own) / ((own - w * w) * (own - w * w) + w * w * gamma * gamma);
}

/// Permittivity at once, without conductivity and Debye poles: of E' = decay E + drive curl H.
double at_once(const Coefficients& k, const Grid& g) { return (1 + k.decay) / 2 * g.dt / g.dx / k.drive; }

bool same(const std::vector<PoleTerm>& a, const std::vector<PoleTerm>& b) {
  return std::ranges::equal(a, b, [](const PoleTerm& x, const PoleTerm& y) {
    return x.debye == y.debye && x.a == y.a && x.b == y.b && x.c == y.c;
  });
}

/// What rounding leaves of Im eps where there is no loss.
constexpr double lossless = 1e-12;

}  // namespace

LossyMedia::LossyMedia(const Scene& scene, const Problem& p, const std::vector<double>& frequencies)
    : scene_(scene), problem_(p), frequencies_(frequencies) {
  for (const double f : frequencies) omega_.push_back(2 / p.grid.dt * std::sin(pi * f * p.grid.dt));
  for (const CutMedia::Half& h : p.cut_media.halves)
    if (number_[h.component].try_emplace(h.cell, int(edges_.size())).second)
      edges_.emplace_back(h.component, h.cell);
  set_cut_media();
}

int LossyMedia::name(const std::string& name) {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) names_.push_back(name);
  return int(std::ranges::find(names_, name) - names_.begin());
}

/// The material that has these terms.
std::string LossyMedia::owner_of(const std::vector<PoleTerm>& terms, Component c) const {
  for (const auto& m : scene_.materials())
    if (same(memory_terms(m, axis_of(c), problem_.grid), terms) ||
        same(pole_terms(m, c, problem_.grid), terms))
      return m.name;
  return "";
}

void LossyMedia::set_cut_media() {
  const CutMedia& cut = problem_.cut_media;
  cut_media_.resize(cut.media.size());
  std::vector<Component> component(cut.media.size(), Ex);
  for (index_t n = 0; n < cut.node_count(); ++n)
    for (index_t i = cut.nodes[n].first_site; i < cut.nodes[n + 1].first_site; ++i)
      component[cut.sites[i].medium] = cut.halves[cut.nodes[n].first_half + cut.sites[i].half].component;
  for (std::size_t m = 0; m < cut.media.size(); ++m) {
    double most = 0;
    for (std::size_t f = 0; f < frequencies_.size(); ++f) {
      const cplx z = std::polar(1.0, -angular(f) * problem_.grid.dt);
      cplx known = 0;
      double held = 0;
      for (const PoleTerm& t : cut.media[m]) {
        known += known_polarization(t, z, problem_.grid.dt);
        held += energy_of(t, angular(f), problem_.grid.dt) - (t.debye ? t.b : 0);
      }
      cut_media_[m].known.push_back(known);
      cut_media_[m].held.push_back(held);
      most = std::max(most, known.imag());
    }
    if (most > lossless) cut_media_[m].material = name(owner_of(cut.media[m], component[m]));
  }
}

int LossyMedia::group_of(Component c, index_t cell) const {
  for (std::size_t g = 0; g < problem_.dispersive.size(); ++g)
    if (problem_.dispersive[g].component == c &&
        std::ranges::binary_search(problem_.dispersive[g].cells, cell))
      return int(g);
  return -1;
}

/// The material with a loss at a point, or with the largest share of its cell; -1: there is none.
int LossyMedia::lossy_at(Component c, const Int3& at) const {
  const auto loses = [&](int i) {
    const auto& m = scene_.materials()[std::size_t(i)];
    return m.dispersive() || m.sigma[axis_of(c)] != 0 || m.sigma_magnetic[axis_of(c)] != 0;
  };
  const Vec3 place = problem_.grid.position(c, at);
  if (const int here = scene_.material_at(place); loses(here)) return here;
  Vec3 half{0, 0, 0};
  for (int a = 0; a < dimensions(problem_.grid.mode); ++a) half[a] = problem_.grid.dx / 2;
  Mixture mixture;
  scene_.shares(place - half, place + half, mixture);
  Share most;
  most.material = -1;
  for (const Share& s : mixture)
    if (loses(s.material) && s.fraction > most.fraction) most = s;
  return most.material;
}

int LossyMedia::medium(Component c, index_t cell, const Int3& at) {
  const auto& map = problem_.material[c];
  const int id = map.empty() ? problem_.uniform[c] : map[std::size_t(cell)];
  const int group = is_electric(c) ? group_of(c, cell) : -1;
  const bool lossy = problem_.coefficients[std::size_t(id)].decay != 1 || group >= 0;
  const int material = lossy ? lossy_at(c, at) : -1;
  const auto [known, fresh] = known_.try_emplace({c, id, group, material}, int(media_.size()));
  if (fresh) media_.push_back(make(c, cell, group, material));
  return known->second;
}

PointMedium LossyMedia::make(Component c, index_t cell, int group, int material) {
  const Coefficients& k = coefficients_at(problem_, c, cell);
  PointMedium m{std::vector<FieldShare>(frequencies_.size()), -1};
  if (k.drive == 0) return m;  // a perfect conductor
  const bool cut = is_electric(c) && cut_edge(c, cell) >= 0;
  double most = 0;
  for (std::size_t f = 0; f < frequencies_.size(); ++f) {
    double eps = at_once(k, problem_.grid);
    if (group >= 0)
      for (const PoleTerm& t : problem_.dispersive[std::size_t(group)].poles)
        eps += energy_of(t, angular(f), problem_.grid.dt);
    m.at[f].held = eps / 4;
    // Of a cut edge the sites lose, and no other.
    const double loss = cut ? 0 : discrete_medium(problem_, c, cell, angular(f)).imag();
    m.at[f].lost = std::abs(loss) > lossless * eps ? 0.5 * omega_[f] * loss : 0;
    most = std::max(most, std::abs(m.at[f].lost));
  }
  if (most == 0) return m;
  m.material = name(material < 0 ? "absorbers" : scene_.materials()[std::size_t(material)].name);
  return m;
}

int LossyMedia::cut_edge(Component c, index_t cell) const {
  if (!is_electric(c)) return -1;
  const auto found = number_[c].find(cell);
  return found == number_[c].end() ? -1 : found->second;
}

std::vector<CutNode> LossyMedia::nodes_of(const std::vector<char>& wanted) const {
  const CutMedia& cut = problem_.cut_media;
  std::vector<CutNode> nodes;
  for (index_t n = 0; n < cut.node_count(); ++n) {
    const index_t first = cut.nodes[n].first_half, last = cut.nodes[n + 1].first_half;
    CutNode node;
    node.compliance = cut.nodes[n].compliance;
    bool any = false;
    for (index_t h = first; h < last; ++h) {
      const CutMedia::Half& half = cut.halves[h];
      node.edge.push_back(cut_edge(half.component, half.cell));
      node.turn.push_back(turn_between(problem_, cut.halves[first].cell, half.cell));
      node.coupling.push_back(half.coupling);
      any = any || wanted[std::size_t(node.edge.back())];
    }
    if (!any) continue;
    for (index_t i = cut.nodes[n].first_site; i < cut.nodes[n + 1].first_site; ++i) {
      const CutMedia::Site& s = cut.sites[i];
      node.sites.push_back({s.half, s.medium, s.weight, s.jump});
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace umov::fdtd
