#include "fdtd/model/survey.hpp"

#include <algorithm>

#include "fdtd/model/ground.hpp"
#include "fdtd/model/interface_walk.hpp"
#include "fdtd/model/update_coefficients.hpp"

namespace umov::fdtd {
namespace {

/// Off-diagonal entries below this change nothing that single precision shows.
constexpr double smallest_entry = 1e-7;

class Walk {
 public:
  explicit Walk(const SurveyPlan& plan)
      : plan_(plan), layout_(plan.grid), materials_(plan.scene.materials()) {
    within_step_ = as_within_step(materials_, plan.grid.dt);
    tensors_ = plan.averaging && (plan.grid.mode == Mode::te || plan.grid.mode == Mode::full);
    if (tensors_) smoothed_ = plan.smoothed;
    smooths_ = std::ranges::find(smoothed_, true) != smoothed_.end();
  }

  void visit(const Block& b) {
    walk_interfaces(
        plan_.scene, plan_.grid, b, [this](const Block& whole, int material) { fill(whole, material); },
        [this](const Int3& ijk) { cell(ijk); }, smooths_ ? 1 : 0.5);
  }

  Survey take() { return std::move(found_); }

 private:
  bool wanted(int c) const { return has_component(plan_.grid.mode, c); }
  bool written(int c) const { return !(*plan_.ids)[c].empty(); }

  void fill(const Block& b, int material) {
    for (int c = 0; c < components; ++c) {
      if (!wanted(c)) continue;
      if (written(c) && plan_.palette[c][material] != plan_.palette[c][0])
        for (int k = b.lo[2]; k < b.hi[2]; ++k)
          for (int j = b.lo[1]; j < b.hi[1]; ++j)
            std::fill_n((*plan_.ids)[c].begin() + layout_.at(b.lo[0], j, k), b.hi[0] - b.lo[0],
                        plan_.palette[c][material]);
      if (is_electric(c) && materials_[material].dispersive())
        for (int k = b.lo[2]; k < b.hi[2]; ++k)
          for (int j = b.lo[1]; j < b.hi[1]; ++j)
            for (int i = b.lo[0]; i < b.hi[0]; ++i) record_dispersive(c, {i, j, k}, material);
    }
  }

  void record_dispersive(int c, const Int3& ijk, int material) {
    if (computed(plan_, c, ijk)) found_.dispersive[{c, material}].push_back(layout_.at(ijk));
  }

  void set(int c, const Int3& ijk, int material) {
    if (written(c)) (*plan_.ids)[c][layout_.at(ijk)] = plan_.palette[c][material];
    if (is_electric(c) && materials_[material].dispersive()) record_dispersive(c, ijk, material);
  }

  /// Materials at the corners of a tiny box around a point, in mixture_: one of them, or equal shares of
  /// those that meet there, so that a surface through a point belongs to neither side.
  void corners_around(const Vec3& p) {
    constexpr double tiny = 1e-5;  // large against the step by which scenes keep off surfaces
    const int corners = 1 << dimensions(plan_.grid.mode);
    mixture_.clear();
    for (int corner = 0; corner < corners; ++corner) {
      Vec3 at = p;
      for (int a = 0; a < dimensions(plan_.grid.mode); ++a)
        at[a] += ((corner >> a) & 1 ? tiny : -tiny) * plan_.grid.dx;
      add_share(mixture_, plan_.scene.material_at(at), 1.0 / corners);
    }
  }

  /// The box from so many cells before a point to as many behind it; `u`: the point in cells, which `shift`
  /// moves.
  std::pair<Vec3, Vec3> box_around(const Vec3& u, double cells, const Vec3& shift = {0, 0, 0}) const {
    Vec3 lo = point(u), hi = lo;
    for (int a = 0; a < dimensions(plan_.grid.mode); ++a)
      if (plan_.grid.graded(a)) {
        lo[a] = plan_.grid.place(a, u[a] + shift[a] - cells);
        hi[a] = plan_.grid.place(a, u[a] + shift[a] + cells);
      } else {
        lo[a] = hi[a] += shift[a] * plan_.grid.dx;
        lo[a] -= cells * plan_.grid.dx, hi[a] += cells * plan_.grid.dx;
      }
    return {lo, hi};
  }
  Vec3 point(const Vec3& u) const {
    Vec3 p = plan_.grid.origin;
    for (int a = 0; a < dimensions(plan_.grid.mode); ++a) p[a] = plan_.grid.place(a, u[a]);
    return p;
  }
  Vec3 in_cells(int c, const Int3& ijk) const {
    Vec3 u{0, 0, 0};
    for (int a = 0; a < 3; ++a) u[a] = ijk[a] + plan_.grid.offset(c, a);
    return u;
  }

  /// Shares of the cell-sized box around a point, in mixture_.
  void shares_around(const Vec3& u, const Vec3& shift = {0, 0, 0}) {
    const auto [lo, hi] = box_around(u, 0.5, shift);
    plan_.scene.shares(lo, hi, mixture_);
  }

  /// The same where E is averaged: of a box of two cells' edge where such a material is in it, as the mean of
  /// its parts of a cell's size, which a mirror plane does not cut.
  void averaged_around(const Vec3& u) {
    shares_around(u);
    if (!smooths_ || holds_conductor()) return;
    const Mixture narrow = mixture_;
    const int dim = dimensions(plan_.grid.mode), parts = 1 << dim;
    Mixture wide;
    for (int part = 0; part < parts; ++part) {
      Vec3 shift{0, 0, 0};
      for (int a = 0; a < dim; ++a) shift[a] = (part >> a) & 1 ? 0.5 : -0.5;
      shares_around(u, shift);
      if (holds_conductor()) return void(mixture_ = narrow);
      for (const Share& s : mixture_) add_share(wide, s.material, s.fraction / parts);
    }
    const bool smooth = alike_within_step(wide) &&
                        std::ranges::any_of(wide, [&](const Share& s) { return smoothed_[s.material]; }) &&
                        wide_there(u);
    mixture_ = smooth ? wide : narrow;
  }

  /// Whether such a material is `least_smooth_width` cells wide or more, along the normal at a point that a
  /// surface is near.
  bool wide_there(const Vec3& u) const {
    constexpr double step = 0.25, near = 1.75;  // cells
    const Vec3 p = point(u), n = plan_.scene.normal(p);
    if (norm(n) == 0) return true;
    // On a surface both sides are asked, so that rounding does not choose: a body has the width of its image.
    const auto filled = [&](double s) {
      constexpr double tiny = 1e-5;
      const int corners = 1 << dimensions(plan_.grid.mode);
      for (int corner = 0; corner < corners; ++corner) {
        Vec3 at = p + s * plan_.grid.dx * n;
        for (int a = 0; a < dimensions(plan_.grid.mode); ++a)
          if (plan_.grid.graded(a)) at[a] = plan_.grid.place(a, u[a] + s * n[a]);
        for (int a = 0; a < dimensions(plan_.grid.mode); ++a)
          at[a] += ((corner >> a) & 1 ? tiny : -tiny) * plan_.grid.dx;
        if (smoothed_[plan_.scene.material_at(at)]) return true;
      }
      return false;
    };
    double start = 0;
    while (start <= near && !filled(start) && !filled(-start)) start += step;
    if (start > near) return false;
    if (!filled(start)) start = -start;
    double low = start, high = start;
    while (high - low + step < least_smooth_width && filled(low - step)) low -= step;
    while (high - low + step < least_smooth_width && filled(high + step)) high += step;
    return high - low + step >= least_smooth_width;
  }

  /// Edges in a row share a jump in such a box, which the response within a step (Effective, edge by edge)
  /// does not know: where that differs between the materials, cells are mixed one by one.
  bool alike_within_step(const Mixture& m) const {
    return std::ranges::all_of(
        m, [&](const Share& s) { return within_step_[s.material].eps == within_step_[m[0].material].eps; });
  }

  bool holds_conductor() const {
    return std::ranges::any_of(mixture_,
                               [&](const Share& s) { return materials_[s.material].perfect_conductor; });
  }

  void cell(const Int3& ijk) {
    if (interrupted()) return;
    for (int c = 0; c < components; ++c)
      if (wanted(c) && (written(c) || is_electric(c))) component(c, ijk);
    if (tensors_) node(ijk);
  }

  void component(int c, const Int3& ijk) {
    const Vec3 p = plan_.grid.position(c, ijk);
    if (!computed(plan_, c, ijk)) return set(c, ijk, beside_conductors(c, ijk));
    const Vec3 u = in_cells(c, ijk);
    if (plan_.averaging && is_electric(c))
      averaged_around(u);
    else if (plan_.averaging)
      shares_around(u);
    else
      corners_around(p);
    // A conductor's part of the cell has no permittivity: model/conductors.hpp says what it does.
    const bool beside_conductor = drop_conductors(mixture_, materials_);
    if (const int only = single_material(mixture_); only >= 0) return set(c, ijk, only);
    if (!averageable(mixture_, materials_) || too_quick(c)) return set(c, ijk, plan_.scene.material_at(p));
    const bool lags = is_electric(c) && cut(c);
    if (lags && !plan_.averaging) return set(c, ijk, last_declared());
    // The network of CutMedia knows no free fractions: beside a conductor the largest share stands for all.
    if (lags && tensors_ && (beside_conductor || conductor_near(u))) found_.shared.push_back(p);
    if (lags && beside_conductor) return set(c, ijk, largest_share(mixture_));
    if (lags) found_.cut[c].push_back({ijk, mixture_});
    const Effective value =
        effective(mixture_, lags ? within_step_ : materials_, c, plan_.scene.normal(p), plan_.grid);
    found_.mixed[c].push_back({layout_.at(ijk), value});
  }

  /// The material at a point, or what a conductor leaves of the cell around it: on an electric wall, too, an
  /// edge that a conductor cuts has a free part, which faces ask for (face_areas.hpp).
  int beside_conductors(int c, const Int3& ijk) {
    const int material = plan_.scene.material_at(plan_.grid.position(c, ijk));
    if (!materials_[material].perfect_conductor) return material;
    shares_around(in_cells(c, ijk));
    return drop_conductors(mixture_, materials_) ? largest_share(mixture_) : material;
  }

  /// Whether a perfect conductor reaches into the box of two cells' edge around a point.
  bool conductor_near(const Vec3& u) {
    if (std::ranges::none_of(materials_, &materials::Material::perfect_conductor)) return false;
    const auto [lo, hi] = box_around(u, 1);
    Mixture around;
    plan_.scene.shares(lo, hi, around);
    return std::ranges::any_of(around,
                               [&](const Share& s) { return materials_[s.material].perfect_conductor; });
  }

  /// On a surface between materials whose share is the same, whichever side is which.
  int last_declared() const { return std::ranges::max_element(mixture_, {}, &Share::material)->material; }

  /// Whether the edge's mixture belongs to CutMedia. Conductivity that E is parallel to is a plain mean.
  bool cut(int c) const {
    const bool poles =
        std::ranges::any_of(mixture_, [&](const Share& s) { return materials_[s.material].dispersive(); });
    return poles || (plan_.grid.active(axis_of(c)) && has_memory(mixture_, materials_));
  }

  /// Whether a share answers so much within a step that a jump of the field beside it would be unstable.
  bool too_quick(int c) const {
    return plan_.grid.active(axis_of(c)) && std::ranges::any_of(mixture_, [&](const Share& s) {
             return quick(materials_[s.material], plan_.grid.dt);
           });
  }

  void node(const Int3& ijk) {
    const Grid& g = plan_.grid;
    Vec3 u{0, 0, 0};
    for (int a = 0; a < dimensions(g.mode); ++a) {
      if (ijk[a] < 0 || ijk[a] > g.cells[a] - (plan_.far_node[a] ? 0 : 1)) return;
      u[a] = ijk[a];
    }
    const Vec3 p = point(u);
    averaged_around(u);
    if (single_material(mixture_) >= 0 || !averageable(mixture_, materials_) || too_quick(Ex)) return;
    const Vec3 off = off_diagonal(mixture_, within_step_, plan_.scene.normal(p));
    if (std::max({std::fabs(off[0]), std::fabs(off[1]), std::fabs(off[2])}) > smallest_entry)
      found_.nodes.push_back({ijk, off, has_memory(mixture_, materials_)});
  }

  const SurveyPlan& plan_;
  Layout layout_;
  const std::vector<materials::Material>& materials_;
  std::vector<materials::Material> within_step_;
  bool tensors_, smooths_ = false;
  std::vector<bool> smoothed_;  ///< by material
  Mixture mixture_;
  Survey found_;
};

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  if (to.empty())
    to = std::move(from);
  else
    to.insert(to.end(), from.begin(), from.end());
}

void merge(Survey& all, Survey&& part) {
  for (int c = 0; c < components; ++c) append(all.mixed[c], std::move(part.mixed[c]));
  append(all.nodes, std::move(part.nodes));
  append(all.shared, std::move(part.shared));
  for (int c = 0; c < 3; ++c) append(all.cut[c], std::move(part.cut[c]));
  for (auto& [key, cells] : part.dispersive) append(all.dispersive[key], std::move(cells));
}

/// By place, so that the result does not depend on which thread found what.
void sort(Survey& s) {
  for (auto& points : s.mixed)
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
  std::sort(s.nodes.begin(), s.nodes.end(), [](const auto& a, const auto& b) {
    return std::array{a.node[2], a.node[1], a.node[0]} < std::array{b.node[2], b.node[1], b.node[0]};
  });
  for (auto& edges : s.cut)
    std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) {
      return std::array{a.at[2], a.at[1], a.at[0]} < std::array{b.at[2], b.at[1], b.at[0]};
    });
  for (auto& [key, cells] : s.dispersive) std::sort(cells.begin(), cells.end());
  std::sort(s.shared.begin(), s.shared.end());
}

}  // namespace

bool computed(const SurveyPlan& plan, int component, const Int3& cell) {
  const Grid& g = plan.grid;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const bool on_node = g.offset(component, a) == 0;
    const int first = on_node && plan.no_near_node[a] ? 1 : 0;
    const int last = g.cells[a] - (on_node && plan.far_node[a] ? 0 : 1);
    if (cell[a] < first || cell[a] > last) return false;
  }
  return true;
}

Survey survey(const SurveyPlan& plan, const Told& told) {
  Survey found;
  visit_blocks(
      plan.grid, told, [&] { return Walk(plan); }, [&](Survey&& part) { merge(found, std::move(part)); });
  sort(found);
  return found;
}

}  // namespace umov::fdtd
