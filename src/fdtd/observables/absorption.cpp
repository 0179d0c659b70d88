// Absorption monitors: transforms of the fields in a region, and what its media make of them.
#include "fdtd/monitors/absorption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/observables/incident.hpp"
#include "fdtd/observables/lossy_media.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/observables/sampling.hpp"

namespace umov::fdtd {
namespace {

/// The points of a component along an axis of the region, and the share of a cell that each stands for.
struct Run {
  int first = 0;
  std::vector<double> weight;
};

/// `nodes` of them from `first` on; of a region without thickness half a cell on either side.
Run run_along(const Whole& w, Component c, int axis, int first, int nodes) {
  const Grid& g = w.grid();
  if (!g.active(axis)) return {0, {1}};
  if (g.offset(c, axis) == 0) {
    std::vector<double> weight(std::size_t(nodes), 1);
    if (nodes > 1) weight.front() = weight.back() = 0.5;
    return {first, std::move(weight)};
  }
  if (nodes > 1) return {first, std::vector<double>(std::size_t(nodes) - 1, 1)};
  const int low = std::max(w.first(axis), first - 1), high = std::min(w.last(axis) - 1, first);
  return {low, std::vector<double>(std::size_t(high - low) + 1, 1.0 / (high - low + 1))};
}

/// One component in the region: its points, x fastest.
struct Points {
  Component component = Ez;
  Int3 first{0, 0, 0}, count{1, 1, 1};
  std::array<std::vector<double>, 3> weight;
  std::vector<int>
      transform;            ///< number among the component's transforms; -1: nothing is taken or held there
  std::vector<int> medium;  ///< of LossyMedia
  std::vector<int> cut;     ///< number of a cut edge; -1: none

  template <class Visit>
  void visit(const Visit& f) const {
    std::size_t p = 0;
    for (int k = 0; k < count[2]; ++k)
      for (int j = 0; j < count[1]; ++j)
        for (int i = 0; i < count[0]; ++i, ++p)
          f(p, Int3{i, j, k},
            weight[0][std::size_t(i)] * weight[1][std::size_t(j)] * weight[2][std::size_t(k)]);
  }
};

/// Powers and energies per volume of all points of a component at one frequency.
struct Densities {
  std::vector<double> lost, held;
};

class Absorption : public MonitorPart {
 public:
  Absorption(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p)
      : spec_(m),
        grid_(p.grid),
        energy_(m.own<AbsorptionSpec>().energy),
        whole_(sim, p),
        media_(scene, p, frequencies_of(m, p.grid)),
        incident_(only_plane_wave(sim, p)) {
    const Region region = region_of(m, whole_);
    for (int a = 0; a < dimensions(grid_.mode); ++a) {
      first_[a] = whole_.nearest_node(a, region.lo[a]);
      size_[a] = whole_.nearest_node(a, region.hi[a]) - first_[a] + 1;
    }
    if (in_layers(region, whole_))
      warnings_.push_back(fmt::format(
          "{} reaches into absorbing layers (what they take is no loss of a medium, and is left out)",
          called(m)));
    wanted_.assign(media_.cut_edges(), 0);
    cut_point_.assign(media_.cut_edges(), -1);
    for (int c = 0; c < components; ++c)
      if (has_component(grid_.mode, c) && (is_electric(c) || energy_ || conducts(sim, c)))
        add_points(Component(c));
    add_nodes();
    if (media_.names().empty())
      warnings_.push_back(fmt::format(
          "{} has no medium that absorbs in it (its power is 0); move it, or give a body a loss", called(m)));
    auto frequencies = frequencies_of(m, grid_);
    const double highest = *std::ranges::max_element(frequencies);
    const int interval = transform_interval(m, sim, grid_, highest);
    transforms_.commit(p, std::move(frequencies), interval);
  }

  const Transforms* transforms() const override { return &transforms_; }
  bool after_fluxes() const override { return true; }

  void collect(const Collecting& from, Outcome& out) const override {
    out.warnings.insert(out.warnings.end(), warnings_.begin(), warnings_.end());
    const TransformValues values = transforms_.values(from.engine);
    AbsorptionResult r = blank();
    for (std::size_t f = 0; f < r.frequency.size(); ++f) add_frequency(values, f, r);
    add_quotients(double(from.engine.step()) * grid_.dt, out, r);
    out.of<AbsorptionResult>().push_back(std::move(r));
  }

 private:
  void add_points(Component c) {
    Points points;
    points.component = c;
    for (int a = 0; a < 3; ++a) {
      Run run = run_along(whole_, c, a, first_[a], size_[a]);
      points.first[a] = run.first, points.count[a] = int(run.weight.size());
      points.weight[a] = std::move(run.weight);
    }
    const Layout layout(grid_);
    points.visit([&](std::size_t, const Int3& i, double) {
      const Int3 at{points.first[0] + i[0], points.first[1] + i[1], points.first[2] + i[2]};
      const Stored s = whole_.stored(c, at);
      int medium = -1, cut = -1, number = -1;
      if (s.factor != 0.0) {
        const index_t cell = layout.at(s.cell);
        medium = media_.medium(c, cell, s.cell);
        cut = media_.cut_edge(c, cell);
        if (energy_ || cut >= 0 || media_.loses(medium)) number = int(transforms_.add(c, whole_, at));
        if (cut >= 0) wanted_[std::size_t(cut)] = 1;
        if (cut >= 0 && s.factor == 1.0) cut_point_[std::size_t(cut)] = number;
      }
      points.transform.push_back(number), points.medium.push_back(medium), points.cut.push_back(cut);
    });
    // A reference run has other media, and as many transforms as this one.
    if (std::ranges::all_of(points.transform, [](int number) { return number < 0; }))
      transforms_.add(c, whole_, points.first);
    points_.push_back(std::move(points));
  }

  /// Whether a magnetic component may lose somewhere, in this run or in the one that it is the reference of.
  static bool conducts(const Simulation& sim, int c) {
    return !sim.absorbers.empty() || std::ranges::any_of(sim.materials, [&](const MaterialSpec& m) {
      return m.constants.sigma_magnetic[axis_of(c)] != 0;
    });
  }

  /// Halves of a node may lie beside the region.
  void add_nodes() {
    nodes_ = media_.nodes_of(wanted_);
    for (const CutNode& n : nodes_)
      for (const int e : n.edge)
        if (int& point = cut_point_[std::size_t(e)]; point < 0) {
          const auto [component, cell] = media_.edge(e);
          point = int(transforms_.add(component, whole_, cell_of(grid_, cell)));
        }
  }

  AbsorptionResult blank() const {
    AbsorptionResult r;
    r.name = spec_.name;
    r.frequency = transforms_.frequencies();
    r.materials = media_.names();
    r.by_material.assign(r.materials.size(), {});
    r.normalized_by = spec_.reference;
    r.size = size_;
    for (int a = 0; a < dimensions(grid_.mode); ++a) {
      r.extents += size_[a] > 1;
      r.origin[a] = whole_.place(a, first_[a]);
    }
    return r;
  }

  /// Of cut edges, what the sites of all nodes lose, by material, and hold.
  struct CutPowers {
    std::vector<std::vector<double>> lost;  ///< [edge][material]
    std::vector<double> held;
  };
  CutPowers cut_powers(const TransformValues& values, std::size_t f) const {
    CutPowers all{std::vector<std::vector<double>>(
                      media_.cut_edges(), std::vector<double>(nodes_.empty() ? 0 : media_.names().size())),
                  std::vector<double>(media_.cut_edges())};
    std::vector<cplx> field;
    for (const CutNode& n : nodes_) {
      field.clear();
      for (const int e : n.edge)
        field.push_back(values.at(media_.edge(e).first, f, std::size_t(cut_point_[std::size_t(e)])));
      media_.node_powers(n, f, field, [&](int half, int material, double lost, double held) {
        const auto e = std::size_t(n.edge[std::size_t(half)]);
        if (material >= 0) all.lost[e][std::size_t(material)] += lost;
        all.held[e] += held;
      });
    }
    return all;
  }

  void add_frequency(const TransformValues& values, std::size_t f, AbsorptionResult& r) const {
    const CutPowers cut = cut_powers(values, f);
    const std::size_t nodes = std::size_t(size_[0]) * size_[1] * size_[2];
    std::vector<double> density(nodes), electric(nodes), magnetic(nodes), by(r.materials.size());
    double held[2] = {0, 0};
    for (const Points& points : points_) {
      Densities d{std::vector<double>(points.medium.size()), std::vector<double>(points.medium.size())};
      points.visit([&](std::size_t p, const Int3&, double weight) {
        if (points.transform[p] < 0) return;
        const PointMedium& medium = media_[points.medium[p]];
        const double square = std::norm(values.at(points.component, f, std::size_t(points.transform[p])));
        d.lost[p] = medium.at[f].lost * square, d.held[p] = medium.at[f].held * square;
        if (medium.material >= 0) by[std::size_t(medium.material)] += weight * d.lost[p];
        if (points.cut[p] >= 0) {
          const auto e = std::size_t(points.cut[p]);
          for (std::size_t m = 0; m < by.size(); ++m)
            by[m] += weight * cut.lost[e][m], d.lost[p] += cut.lost[e][m];
          d.held[p] += cut.held[e];
        }
        held[!is_electric(points.component)] += weight * d.held[p];
      });
      to_nodes(points, d.lost, density);
      if (energy_) to_nodes(points, d.held, is_electric(points.component) ? electric : magnetic);
    }
    double volume = 1;  // cells of a graded grid are alike in the region
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      if (size_[a] > 1)
        volume *= grid_.graded(a) ? whole_.place(a, first_[a] + 1) - whole_.place(a, first_[a]) : grid_.dx;
    double all = 0;
    for (std::size_t m = 0; m < by.size(); ++m)
      r.by_material[m].push_back(volume * by[m]), all += volume * by[m];
    r.absorbed.push_back(all);
    r.density.insert(r.density.end(), density.begin(), density.end());
    if (!energy_) return;
    r.electric.push_back(volume * held[0]), r.magnetic.push_back(volume * held[1]);
    r.electric_density.insert(r.electric_density.end(), electric.begin(), electric.end());
    r.magnetic_density.insert(r.magnetic_density.end(), magnetic.begin(), magnetic.end());
  }

  /// Adds to each node the mean of the points of the region around it: sums over nodes, those at ends half,
  /// are then sums over points.
  void to_nodes(const Points& points, const std::vector<double>& value, std::vector<double>& nodes) const {
    const auto around = [&](int a, int node) -> std::array<int, 2> {
      if (!grid_.active(a)) return {0, 0};
      if (size_[a] == 1) return {0, points.count[a] - 1};
      if (grid_.offset(points.component, a) == 0) return {node, node};
      return {std::max(node - 1, 0), std::min(node, points.count[a] - 1)};
    };
    std::size_t n = 0;
    for (int k = 0; k < size_[2]; ++k)
      for (int j = 0; j < size_[1]; ++j)
        for (int i = 0; i < size_[0]; ++i, ++n) {
          const auto x = around(0, i), y = around(1, j), z = around(2, k);
          double sum = 0;
          for (int c = z[0]; c <= z[1]; ++c)
            for (int b = y[0]; b <= y[1]; ++b)
              for (int a = x[0]; a <= x[1]; ++a)
                sum += value[std::size_t(a) +
                             std::size_t(points.count[0]) *
                                 (std::size_t(b) + std::size_t(points.count[1]) * std::size_t(c))];
          nodes[n] += sum / ((x[1] - x[0] + 1) * (y[1] - y[0] + 1) * (z[1] - z[0] + 1));
        }
  }

  void add_quotients(double until, const Outcome& out, AbsorptionResult& r) const {
    for (const FluxResult& f : out.of<FluxResult>())
      if (!spec_.reference.empty() && f.name == spec_.reference)
        r.incident = f.reference.empty() ? f.flux : f.reference;
    if (!incident_ || r.extents < dimensions(grid_.mode)) return;
    for (std::size_t f = 0; f < r.frequency.size(); ++f)
      r.cross_section.push_back(r.absorbed[f] / incident_->intensity(r.frequency[f], until));
  }

  MonitorSpec spec_;
  Grid grid_;
  bool energy_;
  Whole whole_;
  LossyMedia media_;
  std::optional<IncidentWave> incident_;
  Int3 first_{0, 0, 0}, size_{1, 1, 1};
  std::vector<Points> points_;
  std::vector<char> wanted_;    ///< of cut edges: in the region
  std::vector<int> cut_point_;  ///< of cut edges: number among the component's transforms
  std::vector<CutNode> nodes_;
  Transforms transforms_;
  std::vector<std::string> warnings_;
};

}  // namespace

Part make_absorption(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p) {
  return std::make_unique<Absorption>(m, sim, scene, p);
}

}  // namespace umov::fdtd
