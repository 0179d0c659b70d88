// Bodies of good conductors: which materials form them, and the base that their potentials are measured from.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>

#include "eqs/curve_table.hpp"
#include "eqs/device_model.hpp"
#include "eqs/model_parts.hpp"

namespace umov::eqs {

namespace {

/// Below it plain potentials keep eleven digits of the current, and multigrid does not mind.
constexpr double least_contrast = 1e5;
/// Two materials in one body, or outside of any, lose this many digits where they touch.
constexpr double bearable_contrast = 1e9;

double value_at(const CurveSpec& spec, double field) {
  if (!spec.nonlinear()) return spec.value;
  CurveTable table;
  table.add(spec);
  return table.view()(0, field).value;
}
/// |kappa + rate eps|, of a curve the largest up to fields that insulation stands.
double admittivity(const Material& m, double rate) {
  double most = 0;
  for (const double field : {0.0, 1e6})
    most = std::max(most, value_at(m.conductivity, field) + rate * eps0 * value_at(m.permittivity, field));
  return most;
}

using Pairs = std::set<std::pair<int, int>>;
/// Materials that share a node.
Pairs touching_materials(const Problem& p) {
  // a bit per material; beyond 64 two share one, and at worst a contrast is seen that is none
  std::vector<std::uint64_t> at(p.mesh.nodes.size(), 0);
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t)
    for (const int n : p.mesh.tets[t]) at[n] |= std::uint64_t(1) << (p.material[t] % 64);
  Pairs pairs;
  for (const std::uint64_t mask : std::set<std::uint64_t>(at.begin(), at.end()))
    for (int a = 0; a < int(p.materials.size()); ++a)
      for (int b = a + 1; b < int(p.materials.size()); ++b)
        if (mask >> (a % 64) & mask >> (b % 64) & 1) pairs.insert({a, b});
  return pairs;
}

struct Split {
  double above = 0;  ///< materials with more are good
  double left = 0;   ///< largest contrast of touching materials on one side of it
};
double contrast_left(const std::vector<double>& y, const Pairs& pairs, double above) {
  double most = 1;
  for (const auto& [a, b] : pairs)
    if ((y[a] > above) == (y[b] > above) && y[a] > 0 && y[b] > 0)
      most = std::max(most, std::max(y[a], y[b]) / std::min(y[a], y[b]));
  return most;
}

/// Disjoint sets of nodes with path halving.
struct Sets {
  std::vector<int> parent;
  explicit Sets(int n) : parent(std::size_t(n)) { std::iota(parent.begin(), parent.end(), 0); }
  int find(int a) {
    while (parent[a] != a) a = parent[a] = parent[parent[a]];
    return a;
  }
  void unite(int a, int b) {
    a = find(a), b = find(b);
    if (a != b) parent[std::max(a, b)] = std::min(a, b);
  }
};

void find_bases(Problem& p) {
  Sets sets(p.nodes);
  std::vector<char> in_body(std::size_t(p.nodes), 0);
  const int nodes = p.order == 1 ? 4 : 10;
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
    if (!p.good[p.material[t]]) continue;
    for (int k = 0; k < nodes; ++k) {
      in_body[p.node(int(t), k)] = 1;
      sets.unite(p.node(int(t), 0), p.node(int(t), k));
    }
  }
  // the electrodes of each body: with two of them its potentials are given, and none is a base
  std::vector<int> of_body(std::size_t(p.nodes), -1);
  constexpr int two = -2;
  for (int n = 0; n < p.nodes; ++n) {
    if (!in_body[n] || p.node_electrode[n] < 0) continue;
    int& e = of_body[sets.find(n)];
    e = e == -1 || e == p.node_electrode[n] ? p.node_electrode[n] : two;
  }
  p.base.assign(std::size_t(p.nodes), no_unknown);
  bool any = false;
  for (int n = 0; n < p.nodes; ++n) {
    if (!in_body[n]) continue;
    const int root = sets.find(n), e = of_body[root];  // the root is the body's first node, a vertex
    if (e == two) continue;
    p.base[n] = e < 0 ? p.unknown[root] : p.electrodes[e].unknown >= 0 ? p.electrodes[e].unknown : -1 - e;
    any = true;
  }
  if (!any) p.base.clear(), p.good.clear();
}

}  // namespace

void find_bodies(Problem& p) {
  p.base.clear();
  p.good.clear();
  if (p.analysis == Analysis::electrostatic) return;
  std::vector<double> y;
  std::set<double> levels;
  for (const Material& m : p.materials) y.push_back(admittivity(m, p.rate));
  for (const int m : std::set<int>(p.material.begin(), p.material.end()))
    if (y[m] > 0) levels.insert(y[m]);
  const Pairs pairs = touching_materials(p);
  Split best{INFINITY, contrast_left(y, pairs, INFINITY)};
  for (auto low = levels.begin(); low != levels.end() && std::next(low) != levels.end(); ++low) {
    if (*std::next(low) < least_contrast * *low) continue;
    // what depends on the field is in no body
    const bool curve = std::any_of(p.materials.begin(), p.materials.end(), [&](const Material& m) {
      return m.nonlinear() && y[std::size_t(&m - p.materials.data())] > *low;
    });
    const double left = contrast_left(y, pairs, *low);
    if (!curve && left < best.left) best = {*low, left};
  }
  for (const double v : y) p.good.push_back(v > best.above);
  if (best.left > bearable_contrast)
    p.warnings.push_back(fmt::format(
        "materials that touch conduct {:.0e} times differently{}: potentials between them are known to "
        "{:.0e} of "
        "the voltage at best; make the best conductor an electrode (kind = \"floating\") if that is too "
        "little",
        best.left, std::isfinite(best.above) ? ", beside a still greater contrast" : "", 1e-16 * best.left));
  find_bases(p);
}

}  // namespace umov::eqs
