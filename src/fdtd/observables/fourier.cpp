// Fourier monitors: running transforms of fields over a region, brought together at the nodes.
#include "fdtd/monitors/fourier.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comm/parts.hpp"
#include "core/error.hpp"
#include "fdtd/cut_edges.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/source_spectrum.hpp"

namespace umov::fdtd {
namespace {

/// The nodes of a region, one where it has no thickness, and around them the points of every component: a
/// node's value is the mean of the points half a cell on either side, of one where a wall leaves only one.
class Fourier : public MonitorPart {
 public:
  Fourier(const MonitorSpec& m, const Simulation& sim, Problem& p)
      : name_(m.name), grid_(p.grid), whole_(sim, p) {
    const Region e = region_of(m, whole_);
    for (int a = 0; a < dimensions(grid_.mode); ++a) {
      const int last = whole_.last(a) - 1;
      first_[a] = std::min(whole_.nearest_node(a, e.lo[a]), last);
      size_[a] = std::min(whole_.nearest_node(a, e.hi[a]), last) - first_[a] + 1;
    }
    components_ = recorded_components(m, grid_.mode);
    for (const Component c : components_) add_points(c, p);
    auto frequencies = frequencies_of(m, grid_);
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, grid_, highest);
    if (m.own<FourierSpec>().per_source_spectrum) source_.emplace(m, frequencies, sim, p);
    transforms_.commit(p, std::move(frequencies), interval);
  }

  const Transforms* transforms() const override { return &transforms_; }

  void collect(const Collecting& from, Outcome& out) const override {
    FourierResult r;
    r.name = name_;
    r.frequency = transforms_.frequencies();
    r.origin = grid_.origin;
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      if (grid_.graded(a))
        r.origin[a] = whole_.place(a, first_[a]);
      else
        r.origin[a] += grid_.dx * first_[a];
    r.size = size_;
    r.components = components_;
    r.per_source_spectrum = source_.has_value();
    if (from.fouriers)
      collect_planes(from, r);
    else
      collect_whole(from, r);
    if (source_) divide(r, double(from.engine.step()) * grid_.dt);
    if (from.fouriers) from.fouriers->take(out, r);
    out.of<FourierResult>().push_back(std::move(r));
  }

 private:
  void collect_whole(const Collecting& from, FourierResult& r) const {
    const TransformValues values = transforms_.values(from.engine);
    for (const Component c : components_)
      r.values.push_back(
          at_nodes(c, 0, size_[2], [&](std::size_t f, std::size_t point) { return values.at(c, f, point); }));
  }

  /// Of every rank: a stretch of the nodes' planes each, from the points around them.
  void collect_planes(const Collecting& from, FourierResult& r) const {
    comm::Communicator& ranks = from.fouriers->ranks();
    const auto borders = comm::even_parts(size_[2], ranks.size());
    const auto own = std::size_t(ranks.rank());
    const int begin_plane = int(borders[own]), end_plane = int(borders[own + 1]);
    r.first_plane = begin_plane;
    r.planes = end_plane - begin_plane;
    for (const Component c : components_) {
      const Int3 n = extent(c);
      const int below = first_[2] - begin(c)[2];  // planes of points below the first node
      std::vector<ranks::Stretch> wanted;
      for (std::size_t k = 0; k + 1 < borders.size(); ++k) {
        if (borders[k] == borders[k + 1]) {
          wanted.push_back({});
          continue;
        }
        const index_t low = std::max<index_t>(0, borders[k] + below - 1), high = borders[k + 1] + below;
        wanted.push_back({low * n[0] * n[1], high * n[0] * n[1]});
      }
      const auto values = transforms_.values(from.engine, c, wanted, ranks.rank());
      const ranks::Stretch mine = wanted[own];
      r.values.push_back(at_nodes(c, begin_plane, end_plane, [&](std::size_t f, std::size_t point) {
        return values[f * std::size_t(mine.length()) + point - std::size_t(mine.begin)];
      }));
    }
  }

  void divide(FourierResult& r, double until) const {
    for (std::size_t f = 0; f < r.frequency.size(); ++f) {
      const cplx spectrum = source_->at(r.frequency[f], until);
      for (auto& values : r.values) {
        const std::size_t points = values.size() / r.frequency.size();
        for (std::size_t i = f * points; i < (f + 1) * points; ++i) values[i] /= spectrum;
      }
    }
  }

  /// Points of a component: those below the first node are needed where it sits at halves.
  Int3 begin(Component c) const {
    Int3 b = first_;
    for (int a = 0; a < 3; ++a)
      if (grid_.offset(c, a) > 0) b[a] = std::max(whole_.first(a), b[a] - 1);
    return b;
  }
  Int3 extent(Component c) const {
    const Int3 b = begin(c);
    return {first_[0] + size_[0] - b[0], first_[1] + size_[1] - b[1], first_[2] + size_[2] - b[2]};
  }

  void add_points(Component c, const Problem& p) {
    const Layout layout(grid_);
    const Int3 b = begin(c), n = extent(c);
    for (int k = 0; k < n[2]; ++k)
      for (int j = 0; j < n[1]; ++j)
        for (int i = 0; i < n[0]; ++i) {
          const Int3 cell{b[0] + i, b[1] + j, b[2] + k};
          transforms_.add(c, whole_, cell);
          const Stored s = whole_.stored(c, cell);
          free_[c].push_back(s.factor == 0.0 ? 1 : free_fraction(p, c, layout.at(s.cell)));
        }
  }

  /// At the nodes of some planes; `value(frequency, point)` is of the points around them.
  template <class Value>
  std::vector<cplx> at_nodes(Component c, int begin_plane, int end_plane, const Value& value) const {
    const Int3 b = begin(c), n = extent(c);
    std::vector<cplx> values;
    for (std::size_t f = 0; f < transforms_.frequencies().size(); ++f)
      for (int k = begin_plane; k < end_plane; ++k)
        for (int j = 0; j < size_[1]; ++j)
          for (int i = 0; i < size_[0]; ++i)
            values.push_back(
                mean(c, value, f, {first_[0] + i - b[0], first_[1] + j - b[1], first_[2] + k - b[2]}, n));
    return values;
  }

  /// Mean of the points around the node that follows point `at` - 1/2.
  template <class Value>
  cplx mean(Component c, const Value& value, std::size_t f, const Int3& at, const Int3& n) const {
    cplx sum = 0;
    int count = 0;
    for (int corner = 0; corner < 8; ++corner) {
      Int3 q = at;
      bool valid = true;
      for (int a = 0; a < 3; ++a) {
        if (!(corner >> a & 1)) continue;
        valid &= grid_.offset(c, a) > 0 && q[a] > 0;
        --q[a];
      }
      if (!valid) continue;
      const std::size_t point = q[0] + std::size_t(n[0]) * (q[1] + std::size_t(n[1]) * q[2]);
      sum += value(f, point) / free_[c][point];
      ++count;
    }
    return sum / double(count);
  }

  std::string name_;
  Grid grid_;
  Whole whole_;
  Int3 first_{0, 0, 0}, size_{1, 1, 1};
  std::vector<Component> components_;
  std::array<std::vector<double>, fdtd::components> free_;  ///< fraction of E held at a point
  Transforms transforms_;
  std::optional<SourceSpectrum> source_;
};

}  // namespace

Part make_fourier(const MonitorSpec& m, const Simulation& sim, Problem& p) {
  return std::make_unique<Fourier>(m, sim, p);
}

}  // namespace umov::fdtd
