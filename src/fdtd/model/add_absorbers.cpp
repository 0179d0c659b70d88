// Absorbers on the Yee grid: coefficients of the media that they lie over.
#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "fdtd/model/absorbers.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd {
namespace {

/// A medium without loss in which a rate q is centred in time; what is a conductor stays one.
Coefficients absorbing(const Coefficients& medium, double q, double dt) {
  const double half = q * dt / 2;
  return {(1 - half) / (1 + half), medium.drive / (1 + half)};
}

/// Rates of all absorbers where a component is computed, the strongest where some overlap.
class Rates {
 public:
  Rates(const std::vector<Absorber>& absorbers, const Problem& p, int component)
      : layout_(p.grid), box_(update_box(p, component)), rate_(layout_.size) {
    for (const Absorber& a : absorbers)
      for (int k = std::max(box_.lo[2], a.low()[2]); k < std::min(box_.hi[2], a.high()[2] + 1); ++k)
        for (int j = std::max(box_.lo[1], a.low()[1]); j < std::min(box_.hi[1], a.high()[1] + 1); ++j)
          for (int i = std::max(box_.lo[0], a.low()[0]); i < std::min(box_.hi[0], a.high()[0] + 1); ++i) {
            float& here = rate_[std::size_t(layout_.at(i, j, k))];
            here = std::max(here, float(a.rate(p.grid.position(component, {i, j, k}))));
          }
  }
  float at(index_t cell) const { return rate_[std::size_t(cell)]; }
  /// visit(cell, place in the grid, rate) where there is one.
  template <class Visit>
  void visit(const Visit& f) const {
    for (int k = box_.lo[2]; k < box_.hi[2]; ++k)
      for (int j = box_.lo[1]; j < box_.hi[1]; ++j)
        for (int i = box_.lo[0]; i < box_.hi[0]; ++i)
          if (const index_t cell = layout_.at(i, j, k); at(cell) > 0) f(cell, Int3{i, j, k}, at(cell));
  }

 private:
  Layout layout_;
  Box box_;
  std::vector<float> rate_;
};

/// Edges of a component whose polarization is kept beside the fields.
std::vector<index_t> edges_with_memory(const Problem& p, int component) {
  std::vector<index_t> cells;
  for (const DispersiveGroup& g : p.dispersive)
    if (g.component == component) cells.insert(cells.end(), g.cells.begin(), g.cells.end());
  for (const auto& e : p.cut_media.edges)
    if (e.component == component) cells.push_back(e.cell);
  for (const auto& h : p.cut_media.halves)
    if (h.component == component) cells.push_back(h.cell);
  std::ranges::sort(cells);
  return cells;
}

class Painter {
 public:
  Painter(const Scene& scene, Problem& problem) : scene_(scene), problem_(problem) {}

  void add(int component, const Rates& rates) {
    const auto with_memory = edges_with_memory(problem_, component);
    auto& ids = problem_.material[component];
    if (ids.empty()) ids.assign(Layout(problem_.grid).size, problem_.uniform[component]);
    if (is_electric(component))
      for (TensorTerm& t : problem_.tensor[component]) damp(t, rates.at(t.cell));
    rates.visit([&](index_t cell, const Int3& at, float rate) {
      std::uint16_t& id = ids[std::size_t(cell)];
      const Coefficients& medium = problem_.coefficients[id];
      if (medium.drive == 0) return;
      if (medium.decay != 1 || std::ranges::binary_search(with_memory, cell)) {
        const Vec3 place = problem_.grid.position(component, at);
        const auto& name = scene_.materials()[std::size_t(scene_.material_at(place))].name;
        throw BadInput("absorber: " + memory_problem(name, place));
      }
      id = index(id, rate);
    });
  }

 private:
  void damp(TensorTerm& t, double rate) const {
    for (auto& ends : t.w)
      for (double& w : ends) w /= 1 + rate * problem_.grid.dt / 2;
  }
  std::uint16_t index(std::uint16_t medium, float rate) {
    const auto [known, fresh] =
        known_.try_emplace({medium, rate}, std::uint16_t(problem_.coefficients.size()));
    if (!fresh) return known->second;
    if (problem_.coefficients.size() > 65535)
      throw BadInput(
          "absorbers: more than 65536 different coefficients (an index has 16 bits: each averaged "
          "permittivity "
          "has one at every depth); use fewer or thinner absorbers, or averaging = false");
    problem_.coefficients.push_back(absorbing(problem_.coefficients[medium], rate, problem_.grid.dt));
    return known->second;
  }

  const Scene& scene_;
  Problem& problem_;
  std::map<std::pair<std::uint16_t, float>, std::uint16_t> known_;
};

}  // namespace

void add_absorbers(const Simulation& s, const Scene& scene, Problem& problem) {
  const auto absorbers = make_absorbers(s, scene, problem.grid);
  if (absorbers.empty()) return;
  Painter painter(scene, problem);
  for (int c = 0; c < components; ++c)
    if (has_component(problem.grid.mode, c)) painter.add(c, Rates(absorbers, problem, c));
}

}  // namespace umov::fdtd
