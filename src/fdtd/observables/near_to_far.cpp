// Near-to-far monitors: a surface around everything that radiates, and what it sends to far away.
#include "fdtd/monitors/near_to_far.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/observables/far_field.hpp"
#include "fdtd/observables/flat_surroundings.hpp"
#include "fdtd/observables/flux_history.hpp"
#include "fdtd/observables/incident.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/surroundings_of_box.hpp"

namespace umov::fdtd {
namespace {

struct Directions {
  std::vector<double> theta, phi;  ///< one entry each per direction, degrees
};

/// Every theta with every phi; one missing is 90 and 0; without both every degree in the xy plane.
Directions directions_of(const NearToFarSpec& m, Mode mode) {
  std::vector<double> theta = m.theta, phi = m.phi;
  if (mode != Mode::full) theta = {90};
  if (theta.empty()) theta = {90};
  if (phi.empty() && (m.theta.empty() || mode != Mode::full))
    for (int degree = 0; degree < 360; ++degree) phi.push_back(degree);
  if (phi.empty()) phi = {0};
  Directions d;
  for (const double t : theta)
    for (const double p : phi) {
      d.theta.push_back(t);
      d.phi.push_back(p);
    }
  return d;
}

/// Faces around the region, or the one plane that it is; says whether they close it.
struct Shell {
  std::vector<PlaneFace> faces;
  bool closed = true;
};

Shell shell_of(const MonitorSpec& m, const Region& region, const Whole& whole) {
  const int dims = dimensions(whole.grid().mode);
  if (dims == 1)
    throw BadInput(fmt::format(
        "{} wants a far field in one dimension (nothing spreads there); use a flux monitor", called(m)));
  if (in_layers(region, whole))
    throw BadInput(
        fmt::format("{} reaches into absorbing layers (the fields there are not those of free space) "
                    "make it smaller",
                    called(m)));
  Shell shell;
  for (int a = 0; a < dims; ++a) shell.closed &= m.size[a] > 0;
  shell.faces = faces_of(m, region, shell.closed, whole);
  int on_ground = 0;  // a face that is not there, as nothing passes
  for (int a = 0; a < dims; ++a)
    for (const int side : {0, 1})
      on_ground +=
          grounded(whole, a, side) && whole.nearest_node(a, side == 0 ? region.lo[a] : region.hi[a]) ==
                                          (side == 0 ? whole.first(a) : whole.last(a));
  shell.closed &= int(shell.faces.size()) + on_ground == 2 * dims;
  return shell;
}

/// A lone plane that ends before the layers or walls do leaves out most of what it should carry.
void require_whole_plane(const MonitorSpec& m, const Region& region, const Whole& whole) {
  const DomainBounds bounds(whole);
  const double slack = 1.5 * whole.grid().dx;
  for (int a = 0; a < dimensions(whole.grid().mode); ++a)
    if (m.size[a] > 0 &&
        (region.lo[a] > bounds.inner.lo[a] + slack || region.hi[a] < bounds.inner.hi[a] - slack))
      throw BadInput(
          fmt::format("{} is an open surface from {} = {:.4g} to {:.4g} (what passes beside it is missing in "
                      "the far field, and its ends diffract); give it size along every axis, so that it is a "
                      "box around what radiates",
                      called(m), "xyz"[a], region.lo[a], region.hi[a]));
}

class NearToFar : public MonitorPart {
 public:
  NearToFar(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p)
      : name_(m.name),
        grid_(p.grid),
        directions_(directions_of(m.own<NearToFarSpec>(), p.grid.mode)),
        silent_at_(sources_end(sim, p)),
        passage_(passage_time(sim, scene, p.grid)),
        bandwidth_(bandwidth(sim)),
        round_trip_(round_trip(sim, scene, p.grid)) {
    const Whole whole(sim, p);
    const Region region = region_of(m, whole);
    const Shell shell = shell_of(m, region, whole);
    if (shell.faces.size() == 1) require_whole_plane(m, region, whole);
    if (!shell.closed)
      warnings_ = {
          fmt::format("{} is an open surface (what passes beside it is missing in the far field); close it "
                      "to a box where you can",
                      called(m))};
    surface_ = Surface(shell.faces, whole, transforms_);
    auto frequencies = frequencies_of(m, p.grid);
    incident_ = incident_wave(m, shell.faces, whole, sim, p);
    if (shell.closed && !incident_)
      layers_ = FlatSurroundings::find(m, region, surface_, whole, scene, p, frequencies);
    if (layers_)
      notes_ = {called(m) + ": its far field goes through flat layers " + layers_->words()};
    else
      medium_ =
          medium_on(surface_, whole, scene, m, incident_ ? "a far field beside a plane wave" : "a far field");
    if (shell.closed)
      warnings_ = warnings_of_box(m, shell.faces, surface_, region, whole, sim, scene, layers_.has_value());
    warn_of_walls(m, whole, layers_ ? layers_->axis() : -1, warnings_);
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, p.grid, highest);
    if (incident_ && std::isfinite(silent_at_))
      for (const double f : frequencies) amplitude_.push_back(incident_->amplitude(f, silent_at_));
    transforms_.commit(p, std::move(frequencies), interval);
    if (!amplitude_.empty()) prepare_sums();
  }

  const Transforms* transforms() const override { return &transforms_; }

  void record(const Engine& engine, double time, double energy) override {
    if (!amplitude_.empty()) history_.add(engine.step(), time, energy, powers(engine));
  }
  void thin(long spacing) override { history_.thin(spacing); }
  void save(ByteWriter& out) const override { history_.save(out); }
  void restore(ByteReader& in) override { history_.restore(in); }

  void collect(const Collecting& from, Outcome& out) const override {
    out.warnings.insert(out.warnings.end(), warnings_.begin(), warnings_.end());
    out.notes.insert(out.notes.end(), notes_.begin(), notes_.end());
    const TransformValues values = transforms_.values(from.engine);
    FarFieldResult r;
    r.name = name_;
    r.frequency = transforms_.frequencies();
    r.theta = directions_.theta;
    r.phi = directions_.phi;
    r.power = surface_.flux(values, r.frequency.size());
    for (std::size_t f = 0; f < r.frequency.size(); ++f) {
      add_directions(values, f, r);
      if (incident_) add_cross_sections(values, f, double(from.engine.step()) * grid_.dt, r);
    }
    add_errors_of_record(from.engine, double(from.engine.step()) * grid_.dt, r);
    out.of<FarFieldResult>().push_back(std::move(r));
  }

 private:
  void add_directions(const TransformValues& values, std::size_t f, FarFieldResult& r) const {
    const std::size_t directions = r.theta.size();
    std::vector<std::optional<FarMedium>> media;
    for (std::size_t d = 0; d < directions; ++d)
      media.push_back(layers_ ? layers_->medium(f, r.theta[d], r.phi[d]) : std::optional(medium_));
    const auto amplitudes = layers_ ? through_layers(values, f, r, media) : in_one_medium(values, f, r);
    for (std::size_t d = 0; d < directions; ++d) {
      const FarMedium medium = media[d].value_or(FarMedium{});
      const cplx factor = media[d] ? far_factor(medium, r.frequency[f], dimensions(grid_.mode)) : 0;
      r.e_theta.push_back(factor * amplitudes[d][0]);
      r.e_phi.push_back(factor * amplitudes[d][1]);
      r.intensity.push_back((std::norm(r.e_theta.back()) + std::norm(r.e_phi.back())) / 2 /
                            medium.impedance());
    }
  }

  std::vector<std::array<cplx, 2>> in_one_medium(const TransformValues& values, std::size_t f,
                                                 const FarFieldResult& r) const {
    std::vector<FarWave> waves;
    for (std::size_t d = 0; d < r.theta.size(); ++d)
      waves.push_back(far_wave(grid_, medium_, r.frequency[f], r.theta[d], r.phi[d]));
    return radiation(surface_, grid_, values, f, waves);
  }

  std::vector<std::array<cplx, 2>> through_layers(const TransformValues& values, std::size_t f,
                                                  const FarFieldResult& r,
                                                  const std::vector<std::optional<FarMedium>>& media) const {
    constexpr std::size_t batch = 256;  // each wave has its fields at all nodes across the layers
    std::vector<std::array<cplx, 2>> all;
    for (std::size_t from = 0; from < media.size(); from += batch) {
      std::vector<LayeredWave> waves(std::min(batch, media.size() - from));
#pragma omp parallel for schedule(dynamic)
      for (std::size_t d = 0; d < waves.size(); ++d)
        if (media[from + d])
          waves[d] = layers_->wave(grid_, *media[from + d], f, r.theta[from + d], r.phi[from + d]);
      std::ranges::copy(radiation(surface_, grid_, values, f, waves), std::back_inserter(all));
    }
    return all;
  }

  /// Scattered power, and the work of the incident wave on the equivalent currents, (1/2) Re E0* A(forward):
  /// the optical theorem, on the grid as exact as the grid's own energy balance.
  void add_cross_sections(const TransformValues& values, std::size_t f, double until,
                          FarFieldResult& r) const {
    const double frequency = r.frequency[f], intensity = incident_->intensity(frequency, until);
    const double work = work_of(incident_->amplitude(frequency, until), values, f);
    r.scattering_cross_section.push_back(r.power[f] / intensity);
    r.extinction.push_back(work / intensity);
    r.absorption.push_back((work - r.power[f]) / intensity);
  }

  double work_of(const cplx& incident, const TransformValues& values, std::size_t f) const {
    const FarWave wave = incident_->wave(transforms_.frequencies()[f]);
    return 0.5 * (std::conj(incident) * radiation(surface_, grid_, values, f, {wave})[0][0]).real();
  }

  /// Makes ready for sums that the engine forms by itself.
  void prepare_sums() {
    surface_.prepare_products(transforms_);
    LateralWaves waves;
    for (const double f : transforms_.frequencies()) {
      const FarWave wave = incident_->wave(f);
      for (int a = 0; a < 3; ++a) waves[a].push_back({wave.k[a]});
    }
    sums_ = lateral_sums(surface_, grid_, transforms_, waves);
  }

  /// What is scattered at each frequency, then what is taken from the incident wave, then what is absorbed.
  std::vector<double> powers(const Engine& engine) const {
    const std::size_t n = amplitude_.size();
    const auto sums = dynamic_cast<const TransformProducts&>(engine).lateral_sums(sums_);
    std::vector<double> all = surface_.flux(engine, n);
    for (std::size_t f = 0; f < n; ++f) {
      std::vector<std::array<cplx, 2>> of;
      for (std::size_t i = 0; i < sums.size(); i += 2) of.push_back({sums[i][f], sums[i + 1][f]});
      const FarWave wave = incident_->wave(transforms_.frequencies()[f]);
      all.push_back(0.5 * (std::conj(amplitude_[f]) * radiation(surface_, grid_, of, wave)).real());
    }
    for (std::size_t f = 0; f < n; ++f) all.push_back(all[n + f] - all[f]);
    return all;
  }

  void add_errors_of_record(const Engine& engine, double time, FarFieldResult& r) const {
    if (amplitude_.empty() || time < silent_at_) return;
    const auto rest = history_.remaining(
        time, powers(engine), {bandwidth_, time < silent_at_ + passage_ ? passage_ : 0, round_trip_});
    const std::size_t n = amplitude_.size();
    for (std::size_t f = 0; f < n && rest.size() == 3 * n; ++f) {
      const double intensity = incident_->intensity(r.frequency[f], time);
      r.scattering_errors.record.push_back(rest[f] / intensity);
      r.extinction_errors.record.push_back(rest[n + f] / intensity);
      r.absorption_errors.record.push_back(rest[2 * n + f] / intensity);
    }
  }

  std::string name_;
  std::vector<std::string> warnings_, notes_;
  Grid grid_;
  Directions directions_;
  Transforms transforms_;
  Surface surface_;
  FarMedium medium_;  ///< around the surface, without layers
  std::optional<FlatSurroundings> layers_;
  std::optional<IncidentWave> incident_;
  LateralSums sums_;
  std::vector<cplx> amplitude_;  ///< of the incident wave per frequency, where it ends
  double silent_at_ = 0, passage_ = 0, bandwidth_ = 0, round_trip_ = 0;
  FluxHistory history_;
};

}  // namespace

Part make_near_to_far(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p) {
  return std::make_unique<NearToFar>(m, sim, scene, p);
}

}  // namespace umov::fdtd
