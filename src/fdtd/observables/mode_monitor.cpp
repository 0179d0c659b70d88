// Mode monitors: how much of the field in a plane travels in one waveguide mode, each way.
#include <algorithm>
#include <optional>

#include "fdtd/monitors/mode.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/unfolded.hpp"
#include "fdtd/sources/mode_band.hpp"
#include "fdtd/sources/mode_rim.hpp"

namespace umov::fdtd {
namespace {

/// A cross-section and the problem in which its modes are solved. A plane symmetric about a mirror is cut
/// there and has only modes of the mirror's symmetry; one that the mirror cuts anywhere else, or that lies
/// behind it, is solved on an unfolded slab.
class CrossPlane {
 public:
  CrossPlane(const MonitorSpec& m, const Simulation& sim, const Problem& p) : whole_(sim, p), problem_(&p) {
    Region e = region_of(m, whole_);
    std::array<bool, 3> unfold{};
    int axis = 0, node = 0;
    bool any = false;
    for (int a = 0; a < dimensions(p.grid.mode); ++a) {
      if (m.size[a] == 0) axis = a, node = whole_.nearest_node(a, m.center[a]);
      if (whole_.mirrored(a)) any |= unfold[a] = m.size[a] == 0 ? at_or_behind(a, node) : cut(a, e);
    }
    if (any) {
      slab_ = unfolded_slab(p, whole_, axis, node, unfold);
      problem_ = &slab_->problem;
    }
    plane_ = mode_plane(*problem_, 0.5 * (e.lo + e.hi), e.hi - e.lo, called(m));
    const Grid& g = problem_->grid;
    const double off = m.center[axis] - g.place(axis, plane_.lo[axis]);
    if (std::abs(off) > rounding * g.edge(axis, plane_.lo[axis])) ahead_ = off;
  }

  /// From the nodes to the plane that was asked for, along its axis.
  double ahead() const { return ahead_; }

  /// Of an unfolded slab the modes are its own.
  std::vector<ModeProfile> modes(const std::vector<double>& frequencies, const MonitorSpec& m,
                                 SolvedModes& solved) const {
    return solved.get(*problem_, plane_, frequencies, m.own<ModeSpec>().mode, called(m));
  }
  std::string doubt(const ModeProfile& mode, const MonitorSpec& m) const {
    return rim_warning(*problem_, plane_, mode, called(m));
  }
  /// From the amplitude in the computed part to that in the whole plane.
  double share() const { return std::sqrt(copies_); }
  std::size_t add(Transforms& transforms, Component c, index_t at) const {
    return transforms.add(c, whole_, slab_ ? slab_->cell(at) : cell_in(problem_->grid, at));
  }

 private:
  static constexpr double rounding = 1e-9;  ///< of a cell

  static Int3 cell_in(const Grid& g, index_t at) {
    UnfoldedSlab plain;
    plain.problem.grid = g;
    return plain.cell(at);
  }
  /// The plane needs a computed node on each side.
  bool at_or_behind(int a, int node) const { return node < 1 || node > whole_.grid().cells[a] - 1; }
  /// Cuts a plane that is symmetric about the mirror; whether it has to be unfolded instead.
  bool cut(int a, Region& e) {
    const int lo = whole_.nearest_node(a, e.lo[a]), hi = whole_.nearest_node(a, e.hi[a]);
    const bool low = whole_.mirror_side(a) == 0;
    const int plane = low ? 0 : whole_.grid().cells[a];
    if (lo - plane == plane - hi) {
      (low ? e.lo : e.hi)[a] = 0;
      copies_ *= 2;
      return false;
    }
    return low ? lo < plane : hi > plane;
  }

  Whole whole_;
  const Problem* problem_;
  std::optional<UnfoldedSlab> slab_;
  ModePlane plane_;
  double copies_ = 1, ahead_ = 0;
};

class ModeMonitor : public MonitorPart {
 public:
  ModeMonitor(const MonitorSpec& m, const Simulation& sim, Problem& p, SolvedModes& solved)
      : name_(m.name), direction_(m.direction) {
    const CrossPlane plane(m, sim, p);
    share_ = plane.share(), ahead_ = plane.ahead();
    auto frequencies = frequencies_of(m, p.grid);
    profiles_ = plane.modes(frequencies, m, solved);
    // The lowest frequency reaches farthest.
    doubt_ = plane.doubt(*std::min_element(profiles_.begin(), profiles_.end(),
                                           [](const ModeProfile& a, const ModeProfile& b) {
                                             return a.frequency < b.frequency;
                                           }),
                         m);
    for (const auto* side : {&profiles_[0].electric, &profiles_[0].magnetic})
      for (const ModeProfile::Part& part : *side) {
        first_.push_back(0);
        for (std::size_t i = 0; i < part.cells.size(); ++i) {
          const std::size_t at = plane.add(transforms_, part.component, part.cells[i]);
          if (i == 0) first_.back() = at;
        }
      }
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, p.grid, highest);
    transforms_.commit(p, std::move(frequencies), interval);
  }

  const Transforms* transforms() const override { return &transforms_; }

  void collect(const Collecting& from, Outcome& out) const override {
    if (!doubt_.empty()) out.warnings.push_back(doubt_);
    const TransformValues values = transforms_.values(from.engine);
    ModeResult r;
    r.name = name_;
    r.frequency = transforms_.frequencies();
    for (std::size_t f = 0; f < r.frequency.size(); ++f) {
      const ModeAmplitudes a = in_plane(overlap(profiles_[f], fields(values, f)), profiles_[f].travel);
      const cplx index = profiles_[f].travel / (2 * pi * profiles_[f].frequency);
      r.effective_index.push_back(index.real());
      r.effective_index_im.push_back(index.imag());
      r.forward.push_back(share_ * (direction_ < 0 ? a.backward : a.forward));
      r.backward.push_back(share_ * (direction_ < 0 ? a.forward : a.backward));
    }
    out.of<ModeResult>().push_back(std::move(r));
  }

 private:
  /// In the plane that was asked for, by those at the nodes.
  ModeAmplitudes in_plane(const ModeAmplitudes& a, cplx beta) const {
    if (ahead_ == 0) return a;
    const cplx turn = std::exp(cplx(0, 1) * beta * ahead_);
    return {a.forward * turn, a.backward / turn};
  }

  /// Values on the cells of each part of the profiles, which all frequencies have in common.
  std::vector<std::vector<cplx>> fields(const TransformValues& v, std::size_t f) const {
    std::vector<std::vector<cplx>> list;
    for (const auto* side : {&profiles_[0].electric, &profiles_[0].magnetic})
      for (const ModeProfile::Part& part : *side) {
        std::vector<cplx> own;
        for (std::size_t i = 0; i < part.cells.size(); ++i)
          own.push_back(v.at(part.component, f, first_[list.size()] + i));
        list.push_back(std::move(own));
      }
    return list;
  }

  std::string name_, doubt_;
  int direction_ = 1;
  double share_ = 1;  ///< from the amplitude in the computed part to that in the whole mirrored plane
  double ahead_ = 0;  ///< from the nodes to the plane that was asked for
  std::vector<ModeProfile> profiles_;
  std::vector<std::size_t> first_;
  Transforms transforms_;
};

}  // namespace

Part make_mode(const MonitorSpec& m, const Simulation& sim, Problem& p, SolvedModes& solved) {
  return std::make_unique<ModeMonitor>(m, sim, p, solved);
}

}  // namespace umov::fdtd
