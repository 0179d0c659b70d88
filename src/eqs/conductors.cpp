// Bodies of good conductors: which materials form them, and the base that their potentials are measured from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "eqs/curve_table.hpp"
#include "eqs/device_model.hpp"
#include "eqs/model_parts.hpp"

namespace umov::eqs {

namespace {

/// Below it plain potentials keep eleven digits of the current, and multigrid does not mind.
constexpr double least_contrast = 1e5;
/// Two materials in one body, or outside of any, lose this many digits where they touch.
constexpr double bearable_contrast = 1e9;
/// A body without a base that carries no current of its own leaves 1e-15 of this contrast in its current.
constexpr double bearable_without_base = 1e6;

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
/// Materials that share a node, or a floating electrode: its nodes are one unknown.
Pairs touching_materials(const Problem& p) {
  // a bit per material; beyond 64 two share one, and at worst a contrast is seen that is none
  std::vector<std::uint64_t> at(p.mesh.nodes.size(), 0);
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t)
    for (const int n : p.mesh.tets[t]) at[n] |= std::uint64_t(1) << (p.material[t] % 64);
  std::vector<std::uint64_t> around(p.electrodes.size(), 0);
  for (std::size_t n = 0; n < at.size(); ++n)
    if (const int e = p.node_electrode[n]; e >= 0 && p.electrodes[e].unknown >= 0) around[e] |= at[n];
  at.insert(at.end(), around.begin(), around.end());
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

/// Bodies and floating electrodes that they join: an island. With one fixed electrode or none it carries only
/// what its surroundings do, its potentials are all but one, and where it has two electrodes no base holds
/// them apart.
void refuse_joined_electrodes(const Problem& p, Sets& sets, const std::vector<char>& in_body,
                              const std::vector<double>& y, double above) {
  const int electrodes = int(p.electrodes.size());
  Sets islands(p.nodes + electrodes);
  const auto floats = [&](int e) { return p.electrodes[e].kind == ElectrodeSpec::Kind::floating; };
  std::set<std::pair<int, int>> touched;  // body, electrode
  for (int n = 0; n < p.nodes; ++n)
    if (const int e = p.node_electrode[n]; in_body[n] && e >= 0) touched.insert({sets.find(n), e});
  std::map<int, std::set<int>> of_body, of_island;
  for (const auto& [body, e] : touched) {
    of_body[body].insert(e);
    if (floats(e)) islands.unite(body, p.nodes + e);
  }
  for (const auto& [body, e] : touched)
    if (!floats(e)) of_island[islands.find(body)].insert(e);
  std::map<int, double> best;
  for (std::size_t t = 0; t < p.mesh.tets.size(); ++t)
    if (const int m = p.material[t]; p.good[m]) {
      double& most = best[sets.find(p.mesh.tets[t][0])];
      most = std::max(most, y[m]);
    }
  for (const auto& [body, list] : of_body) {
    const auto floating = std::find_if(list.begin(), list.end(), floats);
    if (list.size() < 2 || floating == list.end() || of_island[islands.find(body)].size() > 1) continue;
    if (best[body] < bearable_without_base * above) continue;
    const int other = *std::find_if(list.begin(), list.end(), [&](int e) { return e != *floating; });
    std::string name;
    for (std::size_t t = 0; t < p.mesh.tets.size() && name.empty(); ++t)
      if (p.good[p.material[t]] && sets.find(p.mesh.tets[t][0]) == body)
        name = p.mesh.volumes[p.mesh.tet_group[t]].name;
    const std::string &one = p.electrodes[*floating].name, &two = p.electrodes[other].name;
    throw BadInput(fmt::format(
        "volume '{}' conducts {:.0e} times better than its surroundings and joins the floating electrode "
        "'{}' "
        "to '{}' (one potential to all digits that a number has, so that the current between them is lost); "
        "{}",
        name, best[body] / above, one, two,
        floats(other)
            ? std::string("make all of them one floating electrode (groups = [...])")
            : fmt::format("leave electrode '{}' out (a volume of its own takes the material of '{}')", one,
                          name)));
  }
}

void find_bases(Problem& p, const std::vector<double>& y, double above) {
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
  refuse_joined_electrodes(p, sets, in_body, y, above);
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
  find_bases(p, y, best.above);
}

}  // namespace umov::eqs
