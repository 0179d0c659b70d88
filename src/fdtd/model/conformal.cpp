// Conductors between grid lines: dead edges, and the coefficients of cut edges and faces.
#include "fdtd/model/conformal.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/interruption.hpp"
#include "fdtd/model/near_nodes.hpp"

namespace umov::fdtd {
namespace {

/// Fractions this near to 0 or 1 are taken as that: a surface meant to lie on nodes does.
constexpr double smallest = 2e-4;
/// Fractions are multiples of this, or of a larger one where the table would overflow.
constexpr double finest = 1.0 / 8192;

class Conformal {
 public:
  Conformal(ConductorCuts cuts, bool conformal, CoefficientTable& table, Problem& problem)
      : cuts_(std::move(cuts)),
        conformal_(conformal),
        table_(table),
        problem_(problem),
        grid_(problem, cuts_),
        layout_(problem.grid),
        conductor_(table.add({0, 0}, false)) {
    problem.coefficients = table.list();
  }

  void run() {
    take_edges();
    if (!conformal_) return;
    collect_areas();
    const Mode mode = problem_.grid.mode;
    if (mode == Mode::one || mode == Mode::tm) weigh_near_nodes(grid_, cuts_, areas_);
    stable_areas(grid_, areas_, problem_.conductors);
    plan_edges();
    plan_faces();
    write();
  }

 private:
  struct Change {
    int component;
    index_t cell;
    std::uint16_t from;
    double fraction;
  };

  std::uint16_t id(int c, index_t cell) const {
    return problem_.material[c].empty() ? problem_.uniform[c] : problem_.material[c][cell];
  }
  void set_id(int c, index_t cell, std::uint16_t to) {
    auto& ids = problem_.material[c];
    if (ids.empty()) ids.assign(layout_.size, problem_.uniform[c]);
    ids[cell] = to;
  }
  bool usable(double free) const { return free >= (conformal_ ? smallest : 0.5); }

  /// Edges inside, and those around a face that is: they lie on the surface.
  void take_edges() {
    for (int c = Ex; c <= Ez; ++c)
      for (const CutPlace& p : cuts_.places[c])
        if (!usable(p.free)) set_id(c, p.cell, conductor_);
    for (int c = Hx; c <= Hz; ++c)
      for (const CutPlace& p : cuts_.places[c]) {
        if (usable(p.free)) continue;
        for (const FaceSide& side : grid_.sides(c, grid_.place(p.cell)))
          set_id(side.component, grid_.cell(side.at), conductor_);
      }
  }

  bool has_edge(int face, const Int3& at) const {
    return std::ranges::any_of(grid_.sides(face, at),
                               [&](const FaceSide& s) { return grid_.length(s.component, s.at) > 0; });
  }

  void collect_areas() {
    for (int c = Hx; c <= Hz; ++c)
      for (const CutPlace& p : cuts_.places[c]) {
        stop_if_interrupted("while conductors were painted");
        const Int3 at = grid_.place(p.cell);
        // the copy beyond a periodic wall is not a face of its own
        if (grid_.wrapped(c, at) != at || !usable(p.free) || p.free > 1 - smallest || !has_edge(c, at))
          continue;
        areas_.set(c, p.cell, p.free);
      }
  }

  void plan_edges() {
    for (int c = Ex; c <= Ez; ++c)
      for (const CutPlace& p : cuts_.places[c])
        if (usable(p.free) && p.free < 1 - smallest && id(c, p.cell) != conductor_)
          changes_.push_back({c, p.cell, id(c, p.cell), p.free});
  }

  /// Edges of such faces are listed too, if only to be without tensor terms, whose own bound knows whole
  /// faces.
  void plan_faces() {
    std::set<std::pair<int, index_t>> beside;
    for (int c = Hx; c <= Hz; ++c)
      for (const auto& [cell, area] : areas_.list(c)) {
        stop_if_interrupted("while conductors were painted");
        if (area == 1) continue;
        changes_.push_back({c, cell, id(c, cell), area});
        for (const FaceSide& side : grid_.sides(c, grid_.place(cell)))
          beside.insert({side.component, grid_.cell(side.at)});
      }
    for (const auto& [c, cell] : beside)
      if (table_.plain(id(c, cell)) && grid_.length(c, grid_.place(cell)) > 1 - smallest)
        changes_.push_back({c, cell, id(c, cell), 1});
  }

  /// Rounded so that no eigenvalue grows: lengths down, areas up.
  static double rounded(const Change& change, double quantum) {
    // a fraction that is a multiple but for rounding is that multiple, on both sides of a symmetric body
    constexpr double tie = 1e-4;
    const double n = change.fraction / quantum;
    return quantum *
           (is_electric(change.component) ? std::max(1.0, std::floor(n + tie)) : std::ceil(n - tie));
  }

  bool fits(double quantum) const {
    std::set<std::array<long long, 3>> distinct;
    for (const Change& c : changes_)
      distinct.insert({c.from, is_electric(c.component), std::llround(rounded(c, quantum) / quantum)});
    return distinct.size() + table_.list().size() <= 65536;
  }

  void write() {
    double quantum = finest;
    while (!fits(quantum) && quantum < 0.01) quantum *= 2;
    for (const Change& change : changes_) {
      const Coefficients k = table_.list()[change.from];
      const bool electric = is_electric(change.component);
      const double fraction = rounded(change, quantum);
      const double drive = electric ? k.drive * fraction : k.drive / fraction;
      set_id(change.component, change.cell, table_.add({k.decay, drive}, false));
      // where E is along the conductor's surfaces, what it holds is E, and the fraction that of
      // near_nodes.hpp
      if (!electric || fraction == 1 || !problem_.grid.active(axis_of(change.component))) continue;
      auto& cut = problem_.cut_edges[change.component];
      cut.cells.push_back(change.cell);
      cut.free.push_back(fraction);
    }
    problem_.conductors.cut = index_t(changes_.size());
  }

  ConductorCuts cuts_;
  bool conformal_;
  CoefficientTable& table_;
  Problem& problem_;
  CutGrid grid_;
  Layout layout_;
  std::uint16_t conductor_;
  FaceAreas areas_;
  std::vector<Change> changes_;
};

}  // namespace

void add_conductors(const ConductorCuts& cuts, bool conformal, CoefficientTable& table, Problem& problem) {
  for (CutEdges& cut : problem.cut_edges) cut = {};
  problem.conductors = {};
  problem.conductors.thin = cuts.thin;
  problem.conductors.thin_at = cuts.thin_at;
  if (cuts.empty()) return;
  Conformal(cuts, conformal, table, problem).run();
}

bool has_fractions(const ConductorCuts& cuts) {
  return std::ranges::any_of(cuts.places, [](const auto& list) {
    return std::ranges::any_of(
        list, [](const CutPlace& p) { return p.free >= smallest && p.free <= 1 - smallest; });
  });
}

}  // namespace umov::fdtd
