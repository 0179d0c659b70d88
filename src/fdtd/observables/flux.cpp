// Flux monitors: Poynting flux through lines, planes and boxes, alone or against a reference run.
#include <fmt/format.h>

#include <algorithm>

#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/surface.hpp"

namespace umov::fdtd {
namespace {

class Flux : public MonitorPart {
 public:
  Flux(const MonitorSpec& m, const Simulation& sim, Problem& p) : name_(m.name) {
    const Whole whole(sim, p);
    const Region region = region_of(m, whole);
    surface_ = Surface(faces_of(m, region, m.box, whole), whole, transforms_);
    auto frequencies = frequencies_of(m, p.grid);
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, p.grid, highest);
    transforms_.commit(p, std::move(frequencies), interval);
    if (in_layers(region, whole))
      warning_ =
          fmt::format("{} reaches into absorbing layers (the flux there decays) move it inwards", called(m));
  }

  const Transforms* transforms() const override { return &transforms_; }

  void collect(const Collecting& from, Outcome& out) const override {
    if (!warning_.empty()) out.warnings.push_back(warning_);
    FluxResult r;
    r.name = name_;
    r.frequency = transforms_.frequencies();
    r.error = from.change;
    r.flux = flux(transforms_.values(from.engine));
    if (from.reference) {
      r.reference = flux(transforms_.values(*from.reference));
      r.scattered = flux(transforms_.values(from.engine, from.reference));
    }
    out.fluxes.push_back(std::move(r));
  }

 private:
  std::vector<double> flux(const TransformValues& v) const {
    return surface_.flux(v, transforms_.frequencies().size());
  }

  std::string name_, warning_;
  Transforms transforms_;
  Surface surface_;
};

}  // namespace

Part make_flux(const MonitorSpec& m, const Simulation& sim, Problem& p) {
  return std::make_unique<Flux>(m, sim, p);
}

}  // namespace umov::fdtd
