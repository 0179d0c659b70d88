// Bodies of good conductors: which materials form them, and the base that their potentials are measured from.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/model/contrast_warning.hpp"
#include "eqs/model/device_model.hpp"
#include "eqs/model/disjoint_sets.hpp"
#include "eqs/model/indices_where.hpp"
#include "eqs/model/model_parts.hpp"
#include "eqs/model/waveform.hpp"
#include "mesh/place_order.hpp"

namespace umov::eqs {

namespace {

/// Below it plain potentials keep eleven digits of the current, and multigrid does not mind.
constexpr double least_contrast = 1e5;
/// Between a body's worst conductor and the best of what is around it.
constexpr double least_gap = 100;
/// Two materials in one body, or outside of any, lose this many digits where one current passes both.
constexpr double bearable_contrast = 1e9;
/// Beyond it none of a double's digits is left.
constexpr double no_digits = 1e15;

double value_at(const CurveSpec& spec, double field) {
  if (!spec.nonlinear()) return spec.value;
  CurveTable table;
  table.add(spec);
  return table.view()(0, field).value;
}
/// |kappa + rate eps|, of a curve the larger without a field and in one.
double admittivity(const Material& m, double rate, double strongest) {
  double most = 0;
  for (const double field : {0.0, strongest})
    most = std::max(most, value_at(m.conductivity, field) + rate * eps0 * value_at(m.permittivity, field));
  return most;
}

/// Those that the mesh has elements of.
std::vector<int> materials_in(const Problem& p) {
  std::vector<char> there(p.materials.size(), 0);
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < p.material.size(); ++t) {
    const std::atomic_ref<char> seen(there[p.material[t]]);
    if (!seen.load(std::memory_order_relaxed)) seen.store(1, std::memory_order_relaxed);
  }
  std::vector<int> out;
  for (std::size_t m = 0; m < there.size(); ++m)
    if (there[m]) out.push_back(int(m));
  return out;
}

/// What the voltages would drive through the whole model, up to fields that insulation stands: a curve far
/// beyond it may have any value there, which the model never sees.
double mean_field(const Problem& p) {
  const mesh::Box box = mesh::bounding_box(p.mesh.nodes);
  double high = 0, next = 0;  // two largest voltages, which may have opposite signs
  for (const Electrode& e : p.electrodes) {
    if (e.kind != ElectrodeSpec::Kind::driven) continue;
    const double v = std::abs(largest_value(e.waveform));
    next = std::max(next, std::min(high, v)), high = std::max(high, v);
  }
  constexpr double insulation_stands = 1e6;
  return std::min(insulation_stands, (high + next) / norm(box.high - box.low));
}

/// A digit is lost for every decade.
std::string lost_digits(double contrast, bool beside_more) {
  return fmt::format(
      "a current passes materials that conduct {} times differently{}: the better ones know it {}; make the "
      "best conductor an electrode (kind = \"floating\"){}",
      written_contrast(contrast), beside_more ? ", beside a still greater contrast" : "",
      contrast < no_digits ? fmt::format("to {:.0e} at best", 1e-16 * contrast)
                           : "not at all (a double has 16 digits)",
      contrast < no_digits ? " if that is too little" : ", or correct its conductivity");
}

/// Elements of materials above a level, connected by nodes and by the floating electrodes that they touch: a
/// body each. Its base is the one electrode of given potential that it touches, else a node of its best
/// conductor, which floats with an electrode where it can. A body that joins several given potentials has
/// none, but its parts between floating electrodes may.
class Bodies {
 public:
  Bodies(const Problem& p, const std::vector<double>& y, const std::vector<char>& good)
      : p_(p), y_(y), good_(good), parts_(p.nodes), in_(std::size_t(p.nodes), 0), bodies_(0) {
    connect();
    choose_bases();
  }
  bool any() const {
    return std::any_of(base_.begin(), base_.end(), [](int b) { return b != no_unknown; });
  }
  std::vector<int> base() && { return std::move(base_); }

  /// How many times better an element conducts than the worst on its way to the base, at most: a potential
  /// over the base is what that drops, and rounding of it drives a current that is greater by this.
  double contrast() {
    const std::set<double, std::greater<>> levels = good_levels();
    if (levels.size() < 2) return 1;
    DisjointSets so_far(p_.nodes + int(p_.electrodes.size()));
    for (int n = 0; n < p_.nodes; ++n)
      if (in_[n] && p_.node_electrode[n] >= 0) so_far.unite(n, p_.nodes + p_.node_electrode[n]);
    double most = 1;
    std::vector<int> waiting;
    for (const double level : levels) {
      for_each_good([&](int t) {
        if (y_[p_.material[t]] != level) return;
        for (int k = 1; k < 4; ++k) so_far.unite(p_.mesh.tets[t][0], p_.mesh.tets[t][k]);
        waiting.push_back(t);
      });
      std::erase_if(waiting, [&](int t) {
        const int n = p_.mesh.tets[t][0], root = root_[n];
        const bool reached = root >= 0 ? so_far.find(n) == so_far.find(root) : level == *levels.rbegin();
        if (reached) most = std::max(most, y_[p_.material[t]] / level);
        return reached;
      });
    }
    return most;
  }

 private:
  template <class F>
  void for_each_good(const F& f) const {
    for (std::size_t t = 0; t < p_.mesh.tets.size(); ++t)
      if (good_[p_.material[t]]) f(int(t));
  }
  std::set<double, std::greater<>> good_levels() const {
    std::set<double, std::greater<>> levels;
    for (const int m : materials_in(p_))
      if (good_[m]) levels.insert(y_[m]);
    return levels;
  }
  bool floats(int e) const { return p_.electrodes[e].kind == ElectrodeSpec::Kind::floating; }

  void connect() {
    const int nodes = p_.order == 1 ? 4 : 10;
    for_each_good([&](int t) {
      for (int k = 0; k < nodes; ++k) {
        in_[p_.node(t, k)] = 1;
        parts_.unite(p_.node(t, 0), p_.node(t, k));
      }
    });
    bodies_ = parts_;
    std::vector<int> first(p_.electrodes.size(), -1);
    for (int n = 0; n < p_.nodes; ++n)
      if (const int e = p_.node_electrode[n]; in_[n] && e >= 0 && floats(e)) {
        if (first[e] < 0) first[e] = n;
        bodies_.unite(first[e], n);
      }
    joined_ = std::move(first);
  }

  /// What one root of a set is about.
  struct Seen {
    std::set<int> given, floating;  ///< electrodes
    double best = 0;
    int node = -1;  ///< of the best conductor, of a floating electrode where it can be
  };
  std::map<int, Seen> look(DisjointSets& sets) const {
    std::map<int, Seen> seen;
    for (int n = 0; n < p_.nodes; ++n)
      if (const int e = p_.node_electrode[n]; in_[n] && e >= 0)
        (floats(e) ? seen[sets.find(n)].floating : seen[sets.find(n)].given).insert(e);
    for_each_good([&](int t) {
      Seen& s = seen[sets.find(p_.mesh.tets[t][0])];
      const double y = y_[p_.material[t]];
      for (const int n : p_.mesh.tets[t]) {
        const bool with_electrode = p_.node_electrode[n] >= 0 && floats(p_.node_electrode[n]);
        const bool better =
            s.node < 0 || y > s.best || (y == s.best && with_electrode && p_.node_electrode[s.node] < 0);
        if (better && (p_.node_electrode[n] < 0 || with_electrode)) s.node = n, s.best = y;
      }
    });
    return seen;
  }

  void choose_bases() {
    base_.assign(std::size_t(p_.nodes), no_unknown);
    root_.assign(std::size_t(p_.nodes), -1);
    const auto whole = look(bodies_), part = look(parts_);
    const auto base_of = [&](const Seen& s) {
      return s.given.empty() ? p_.unknown[s.node] : -1 - *s.given.begin();
    };
    const auto root_of = [&](const Seen& s) {
      return s.given.empty() ? s.node : p_.nodes + *s.given.begin();
    };
    for (int n = 0; n < p_.nodes; ++n) {
      const int e = p_.node_electrode[n];
      const bool far = !in_[n] && e >= 0 && joined_[e] >= 0;  // of a floating electrode in a body, elsewhere
      if (!in_[n] && !far) continue;
      const Seen& body = whole.at(bodies_.find(far ? joined_[e] : n));
      if (body.given.size() < 2) {
        base_[n] = base_of(body);
        root_[n] = root_of(body);
      } else if (in_[n]) {
        const Seen& s = part.at(parts_.find(n));
        if (s.given.size() + s.floating.size() != 1) continue;
        base_[n] = s.given.empty() ? p_.electrodes[*s.floating.begin()].unknown : base_of(s);
        root_[n] = p_.nodes + (s.given.empty() ? *s.floating.begin() : *s.given.begin());
      }
    }
  }

  const Problem& p_;
  const std::vector<double>& y_;
  std::vector<char> good_;   // per material
  DisjointSets parts_;       // connected by elements
  std::vector<char> in_;     // per space node
  DisjointSets bodies_;      // and by floating electrodes
  std::vector<int> joined_;  // per floating electrode: a node of it in a body, or -1
  std::vector<int> base_, root_;
};

/// Of elements that are in no body, whose potentials are over 0 V: how many times better one conducts
/// than the worst on its way to a grounded electrode, at most.
double contrast_of_others(const Problem& p, const std::vector<double>& y, const std::vector<char>& good) {
  std::set<double, std::greater<>> levels;
  for (const int m : materials_in(p))
    if (y[m] > 0) levels.insert(y[m]);
  const int ground = p.nodes;  // and a node per floating electrode after it
  DisjointSets so_far(p.nodes + 1 + int(p.electrodes.size()));
#pragma omp parallel for schedule(static)
  for (int n = 0; n < p.nodes; ++n)
    if (const int e = p.node_electrode[n]; e >= 0) {
      const auto kind = p.electrodes[e].kind;
      if (kind == ElectrodeSpec::Kind::ground) so_far.unite(n, ground);
      if (kind == ElectrodeSpec::Kind::floating) so_far.unite(n, ground + 1 + e);
    }
  double most = 1;
  std::vector<int> waiting;
  for (const double level : levels) {
#pragma omp parallel for schedule(static)
    for (std::size_t t = 0; t < p.mesh.tets.size(); ++t) {
      if (y[p.material[t]] != level) continue;
      for (int k = 1; k < 4; ++k) so_far.unite(p.mesh.tets[t][0], p.mesh.tets[t][k]);
    }
    // the worst conduct as well as themselves
    if (level == *levels.rbegin() && waiting.empty()) break;
    const auto here = indices_where(int(p.mesh.tets.size()),
                                    [&](int t) { return y[p.material[t]] == level && !good[p.material[t]]; });
    waiting.insert(waiting.end(), here.begin(), here.end());
    const auto reached = [&](int t) {
      return level == *levels.rbegin() || so_far.find(p.mesh.tets[t][0]) == so_far.find(ground);
    };
#pragma omp parallel for schedule(static) reduction(max : most)
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (reached(waiting[i])) most = std::max(most, y[p.material[waiting[i]]] / level);
    std::vector<int> left = indices_where(int(waiting.size()), [&](int i) { return !reached(waiting[i]); });
    for (int& i : left) i = waiting[i];
    waiting.swap(left);
  }
  return most;
}

}  // namespace

std::string written_contrast(double contrast) {
  return contrast < no_digits ? fmt::format("{:.0e}", contrast) : "more than 1e15";
}

void find_bodies(Problem& p) {
  p.base.clear();
  p.good.clear();
  if (p.analysis == Analysis::electrostatic) return;
  const double field = mean_field(p);
  std::vector<double> y;
  std::set<double> levels;
  bool curves = false;
  for (const Material& m : p.materials) y.push_back(admittivity(m, p.rate, field));
  for (const int m : materials_in(p)) {
    if (y[m] > 0) levels.insert(y[m]);
    curves = curves || p.materials[m].nonlinear();
  }
  std::vector<char> none(y.size(), 0);
  const double whole = contrast_of_others(p, y, none);
  double left = whole;
  std::optional<Bodies> best;
  for (auto low = levels.begin(); low != levels.end() && std::next(low) != levels.end(); ++low) {
    // what a base helps against is beyond what explicit stages reach
    if (is_stabilised(p.time.scheme) || whole < least_contrast || *std::next(low) < least_gap * *low)
      continue;
    // what depends on the field is in no body, and has plain potentials beside one
    std::vector<char> good = none;
    for (std::size_t m = 0; m < y.size(); ++m) good[m] = y[m] > *low && !p.materials[m].nonlinear();
    Bodies bodies(p, y, good);
    if (!bodies.any()) continue;
    const double contrast = std::max(bodies.contrast(), contrast_of_others(p, y, good));
    if (contrast < left) left = contrast, p.good = good, best.emplace(std::move(bodies));
  }
  p.contrast = left;
  // curves are judged by the fields that were found
  if (left > bearable_contrast && !curves) p.warnings.push_back(lost_digits(left, best.has_value()));
  if (best) p.base = std::move(*best).base();
}

std::string contrast_warning(const Problem& p, const std::vector<double>& field) {
  if (p.analysis == Analysis::electrostatic || std::ranges::none_of(p.materials, &Material::nonlinear))
    return {};
  std::vector<double> y;
  for (std::size_t m = 0; m < p.materials.size(); ++m)
    y.push_back(admittivity(p.materials[m], p.rate, field[m]));
  const auto good = p.good.empty() ? std::vector<char>(y.size(), 0) : p.good;
  double left = contrast_of_others(p, y, good);
  if (!p.base.empty()) left = std::max(left, Bodies(p, y, good).contrast());
  return left > bearable_contrast ? lost_digits(left, !p.base.empty()) : std::string();
}

}  // namespace umov::eqs
