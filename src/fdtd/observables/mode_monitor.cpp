// Mode monitors: how much of the field in a plane travels in one waveguide mode, each way.
#include <algorithm>

#include "fdtd/observables/part.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/sources/mode_solver.hpp"

namespace umov::fdtd {
namespace {

class ModeMonitor : public MonitorPart {
 public:
  ModeMonitor(const MonitorSpec& m, const Simulation& sim, Problem& p)
      : name_(m.name), direction_(m.direction) {
    const Region region = region_of(m, sim, p);
    whole_ = std::sqrt(double(region.copies()));
    const Vec3 center = 0.5 * (region.lo + region.hi);
    const ModePlane plane = mode_plane(p.grid, center, region.hi - region.lo, called(m));
    auto frequencies = frequencies_of(m, p.grid);
    for (const double f : frequencies) profiles_.push_back(solve_mode(p, plane, f, m.mode, {}, called(m)));
    for (const auto* side : {&profiles_[0].electric, &profiles_[0].magnetic})
      for (const ModeProfile::Part& part : *side) {
        first_.push_back(0);
        for (std::size_t i = 0; i < part.cells.size(); ++i) {
          const std::size_t at = transforms_.add(part.component, part.cells[i]);
          if (i == 0) first_.back() = at;
        }
      }
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, p.grid, highest);
    transforms_.commit(p, std::move(frequencies), interval);
  }

  const Transforms* transforms() const override { return &transforms_; }

  void collect(const Collecting& from, Outcome& out) const override {
    const TransformValues values = transforms_.values(from.engine);
    ModeResult r;
    r.name = name_;
    r.frequency = transforms_.frequencies();
    for (std::size_t f = 0; f < r.frequency.size(); ++f) {
      const ModeAmplitudes a = overlap(profiles_[f], fields(values, f));
      r.effective_index.push_back(profiles_[f].n_eff);
      r.forward.push_back(whole_ * (direction_ < 0 ? a.backward : a.forward));
      r.backward.push_back(whole_ * (direction_ < 0 ? a.forward : a.backward));
    }
    out.modes.push_back(std::move(r));
  }

 private:
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

  std::string name_;
  int direction_ = 1;
  double whole_ = 1;  ///< from the amplitude in the computed part to that in the whole mirrored plane
  std::vector<ModeProfile> profiles_;
  std::vector<std::size_t> first_;
  Transforms transforms_;
};

}  // namespace

Part make_mode(const MonitorSpec& m, const Simulation& sim, Problem& p) {
  return std::make_unique<ModeMonitor>(m, sim, p);
}

}  // namespace umov::fdtd
