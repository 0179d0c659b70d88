#include "fdtd/ranks/cut.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "comm/parts.hpp"
#include "core/error.hpp"
#include "fdtd/planes.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd::ranks {

namespace {

// In cells of air, measured on one thread of the cpu backend, in single precision, by what a step of 120^3
// cells takes longer (docs/decisions/0058): absorbing layers on two walls 7.8 ns a cell of theirs, for four
// components; silver in a third of the grid 4.0 ns an edge and pole; a cell of air 6.9 ns.
constexpr double layer_cell = 7.8 / 6.9 / 4, pole = 4.0 / 6.9;

/// What blocks have to save before they are taken: the estimate is no better than that.
constexpr double worth_blocks = 0.97;

/// What a step of each row costs, [plane][row].
class RowCosts {
 public:
  explicit RowCosts(const Problem& p) : rows_(p.grid), count_(std::size_t(rows_.count())) {
    costs_.assign(count_ * std::size_t(rows_.planes()),
                  double(p.grid.cell_count()) / rows_.planes() / rows_.count());
    add_layers(p);
    for (const DispersiveGroup& g : p.dispersive)
      for (const index_t cell : g.cells) add(cell, pole * double(g.poles.size()));
    const CutMedia& m = p.cut_media;
    for (index_t n = 0; n < m.node_count(); ++n)
      for (index_t s = m.nodes[n].first_site; s < m.nodes[n + 1].first_site; ++s)
        add(m.halves[m.nodes[n].first_half].cell, pole * double(m.media[m.sites[s].medium].size()));
  }

  std::vector<double> of_planes() const {
    std::vector<double> sums;
    for (std::size_t at = 0; at < costs_.size(); at += count_)
      sums.push_back(std::accumulate(costs_.begin() + std::ptrdiff_t(at),
                                     costs_.begin() + std::ptrdiff_t(at + count_), 0.0));
    return sums;
  }
  std::vector<double> of_rows() const {
    std::vector<double> sums(count_);
    for (std::size_t at = 0; at < costs_.size(); ++at) sums[at % count_] += costs_[at];
    return sums;
  }
  /// Of a part of a cut.
  double of_rank(const Cut& cut, int r) const {
    const auto row = std::size_t(r % cut.across_rows()), plane = std::size_t(r / cut.across_rows());
    double sum = 0;
    for (index_t k = cut.planes[plane]; k < cut.planes[plane + 1]; ++k) {
      const auto at = costs_.begin() + index_t(count_) * k;
      sum += std::accumulate(at + cut.rows[row], at + cut.rows[row + 1], 0.0);
    }
    return sum;
  }

 private:
  void add_at(int row, int plane, double cost) {
    row = std::clamp(row, 0, rows_.count() - 1);
    plane = std::clamp(plane, 0, rows_.planes() - 1);
    costs_[count_ * std::size_t(plane) + std::size_t(row)] += cost;
  }
  void add(index_t cell, double cost) {
    const auto [row, plane] = rows_.of(cell);
    add_at(row, plane, cost);
  }
  void add_layers(const Problem& p) {
    const int planes = dimensions(p.grid.mode) - 1;
    for (const Field f : {Field::E, Field::H})
      for (const PmlSlab& s : pml_slabs(p, f)) {
        const int first = rows_.axis() < 0 ? 0 : s.box.lo[1], last = rows_.axis() < 0 ? 1 : s.box.hi[1];
        const double units = double(last - first) * (s.box.hi[planes] - s.box.lo[planes]);
        for (int k = s.box.lo[planes]; k < s.box.hi[planes]; ++k)
          for (int j = first; j < last; ++j) add_at(j, k, layer_cell * double(s.box.count()) / units);
      }
  }

  Rows rows_;
  std::size_t count_;
  std::vector<double> costs_;
};

Cut cut_of(const Problem& p, const RowCosts& costs, int across_rows, int across_planes) {
  Cut cut;
  cut.rows_axis = Rows(p.grid).axis();
  cut.planes_axis = dimensions(p.grid.mode) - 1;
  cut.rows = {0, index_t(Rows(p.grid).count())};
  if (across_rows > 1) cut.rows = comm::balanced_parts(costs.of_rows(), across_rows);
  cut.planes = comm::balanced_parts(costs.of_planes(), across_planes);
  // the last parts may be empty: fewer ranks have something to do
  for (auto* borders : {&cut.rows, &cut.planes})
    while (borders->size() > 2 && (*borders)[borders->size() - 2] == borders->back()) borders->pop_back();
  return cut;
}

struct Halos {
  int rows, planes;
};
Halos halos_of(const Problem& p, int steps) {
  const int rows = Rows(p.grid).axis();
  return {rows < 0 ? 0 : halo_planes(p, steps, rows), halo_planes(p, steps, dimensions(p.grid.mode) - 1)};
}

/// Planes that a part copies across an axis: not beyond a wall.
int copied_across(const Problem& p, int axis, const std::vector<index_t>& borders, int part, int halo) {
  const int begin = int(borders[std::size_t(part)]), end = int(borders[std::size_t(part) + 1]);
  if (begin == end || borders.size() == 2) return 0;
  if (p.walls[axis][0] == Closure::periodic) return 2 * halo;
  return std::min(halo, begin) + std::min(halo, int(borders.back()) - end);
}

/// What the fullest rank has to do in a step, in cells of air.
double work_of(const Problem& p, const RowCosts& costs, const Cut& cut, const CopyCosts& c,
               const Halos& halos) {
  const double row = double(p.grid.cell_count()) / (double(cut.rows.back()) * double(cut.planes.back()));
  double most = 0;
  for (int k = 0; k < cut.across_planes(); ++k)
    for (int j = 0; j < cut.across_rows(); ++j) {
      const double rows = double(cut.rows[std::size_t(j) + 1] - cut.rows[std::size_t(j)]),
                   planes = double(cut.planes[std::size_t(k) + 1] - cut.planes[std::size_t(k)]);
      const double all_rows =
          rows + (cut.blocks() ? copied_across(p, cut.rows_axis, cut.rows, j, halos.rows) : 0);
      const double all_planes = planes + copied_across(p, cut.planes_axis, cut.planes, k, halos.planes);
      const double copied = row * (all_rows * all_planes - rows * planes);
      const double mine = costs.of_rank(cut, j + cut.across_rows() * k);
      const double travel = c.travel * copied / c.steps;
      const double hidden = cut.blocks() ? 0 : std::min(travel, c.hidden * mine);
      most = std::max(most, mine + copied + travel - hidden);
    }
  return most;
}

}  // namespace

int Cut::rank_of(int row, int plane) const {
  const auto part = [](const std::vector<index_t>& borders, int g) {
    return comm::rank_of(borders, std::clamp<index_t>(g, 0, borders.back() - 1));
  };
  return part(planes, plane) * across_rows() + (blocks() ? part(rows, row) : 0);
}

std::pair<int, int> Cut::stretch(int r, int axis, int from, int to) const {
  if (axis != planes_axis && axis != rows_axis) return {from, to};
  const auto& borders = axis == planes_axis ? planes : rows;
  const int part = axis == planes_axis ? r / across_rows() : r % across_rows();
  if (r >= ranks()) return {from, from};
  const int begin = int(borders[std::size_t(part)]), end = int(borders[std::size_t(part) + 1]);
  if (begin == end) return {from, from};
  const int last = int(borders.back());
  const int low = std::max(from, begin == 0 ? -1 : begin), high = std::min(to, end == last ? last + 1 : end);
  return {low, std::max(low, high)};
}

std::string Cut::text() const {
  const char* const axes = "xyz";
  if (!blocks()) {
    int slabs = 0;
    for (int r = 0; r < across_planes(); ++r) slabs += planes[std::size_t(r)] != planes[std::size_t(r) + 1];
    return fmt::format("{} slab{} across {}", slabs, slabs == 1 ? "" : "s", axes[planes_axis]);
  }
  if (across_planes() == 1) return fmt::format("{} blocks across {}", across_rows(), axes[rows_axis]);
  return fmt::format("{} x {} blocks across {} and {}", across_rows(), across_planes(), axes[rows_axis],
                     axes[planes_axis]);
}

CopyCosts copy_costs(const Problem& p, int steps, bool on_gpus) {
  // An exchange of whole planes, in what a rank steps meanwhile (docs/decisions/0058): on one machine's
  // processors as long as stepping them; between two H200 13 times as long, of which a third of a rank's own
  // work hides some where copies travel while inner blocks are stepped.
  if (!on_gpus) return {steps, 1, 0};
  return {steps, 13, p.grid.mode == Mode::full && !p.complex_fields ? 0.3 : 0};
}

Cut make_cut(const Problem& p, int across_rows, int across_planes) {
  return cut_of(p, RowCosts(p), across_rows, across_planes);
}

void require_cut(const Grid& grid, RankCut asked) {
  if (asked != RankCut::blocks || Rows(grid).count() > 1) return;
  throw BadInput(
      Rows(grid).axis() < 0
          ? "`machine.cut = 'blocks'`: this grid has no two axes to cut across (blocks are of space; a row "
            "along x stays whole); leave it out, or give `machine.cut = 'slabs'`"
          : "`machine.cut = 'blocks'`: the grid is one cell long along y (blocks are cut there); leave it "
            "out, "
            "or give `machine.cut = 'slabs'`");
}

Cut choose_cut(const Problem& p, int ranks, RankCut asked, const CopyCosts& c) {
  require_cut(p.grid, asked);
  const RowCosts costs(p);
  const Cut slabs = cut_of(p, costs, 1, ranks);
  const Rows rows(p.grid);
  if (asked == RankCut::slabs || rows.count() < 2) return slabs;
  const Halos halos = halos_of(p, c.steps);
  Cut best = slabs;
  double least = asked == RankCut::blocks ? std::numeric_limits<double>::infinity()
                                          : worth_blocks * work_of(p, costs, slabs, c, halos);
  for (int across_rows = 2; across_rows <= std::min(ranks, rows.count()); ++across_rows) {
    Cut cut = cut_of(p, costs, across_rows, std::min(ranks / across_rows, rows.planes()));
    const double work = work_of(p, costs, cut, c, halos);
    if (work < least) least = work, best = std::move(cut);
  }
  return best;
}

Block make_block(const Problem& p, const Cut& cut, int r, int steps) {
  const int row = r % cut.across_rows(), plane = r / cut.across_rows();
  Block b;
  if (cut.blocks())
    b.rows = make_slab(p, cut.rows_axis, cut.rows, row, halo_planes(p, steps, cut.rows_axis));
  else
    b.rows = whole_slab(p, cut.rows_axis);
  if (cut.across_planes() > 1 || !cut.blocks())
    b.planes = make_slab(p, cut.planes_axis, cut.planes, plane, halo_planes(p, steps, cut.planes_axis));
  else
    b.planes = whole_slab(p, cut.planes_axis);
  return b;
}

}  // namespace umov::fdtd::ranks
