// Flux monitors: Poynting flux through lines, planes and boxes, alone or against a reference run.
#include "fdtd/monitors/flux.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "fdtd/observables/flat_layers.hpp"
#include "fdtd/observables/flux_history.hpp"
#include "fdtd/observables/layer_shares.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/observables/surface.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {
namespace {

/// Plane waves, and the area that a monitor offers them.
struct Lit {
  std::vector<Waveform> waves;
  std::vector<Launch> launches;
  double area = 1, cutoff = 0;

  Lit(const Simulation& sim, const Region& region, const Problem& p) {
    const int dims = dimensions(p.grid.mode);
    for (const SourceSpec& s : sim.sources)
      if (s.kind == SourceSpec::Kind::plane_wave) {
        waves.push_back(s.waveform);
        launches.push_back(launch_of(s, p));
        cutoff = std::max(cutoff, launches.back().cutoff);
      }
    double thinnest = 0;
    int extents = 0;
    for (int a = 0; a < dims; ++a) {
      const double extent = region.hi[a] - region.lo[a];
      if (!(extent > 0)) continue;
      thinnest = extents++ == 0 ? extent : std::min(thinnest, extent);
      area *= extent;
    }
    if (extents == dims && dims > 1) area /= thinnest;  // a box: its largest face
  }
  /// What the waves carry through such an area where their spectra are largest.
  double offered() const {
    double most = 0;
    for (const Waveform& w : waves)
      if (std::isfinite(Signal(w, "plane wave").end()))
        most = std::max(most, 0.5 * std::norm(spectrum(w, peak_frequency(w))) * area);
    return most;
  }
  /// What pulses carry along their normal through it at a frequency.
  double sent(double frequency) const {
    double sum = 0;
    for (std::size_t i = 0; i < waves.size(); ++i)
      if (std::isfinite(launches[i].end) && frequency > launches[i].cutoff)
        sum += 0.5 * area * std::norm(launches[i].share(frequency) * spectrum(waves[i], frequency)) *
               std::sqrt(1 - std::pow(launches[i].cutoff / frequency, 2));
    return sum;
  }
  /// Whether fluxes of the reference run are next to nothing beside what the waves carry through such an
  /// area: rounding, or what thin layers reflect.
  bool hardly(const std::vector<double>& frequency, const std::vector<double>& flux) const {
    constexpr double nothing = 1e-3;
    double sum = 0, incident = 0;
    for (std::size_t f = 0; f < flux.size(); ++f) {
      sum += std::abs(flux[f]);
      for (const Waveform& w : waves) incident += 0.5 * std::norm(spectrum(w, frequency[f])) * area;
    }
    return std::isfinite(incident) && sum < nothing * incident;
  }
};

class Flux : public MonitorPart {
 public:
  Flux(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p)
      : name_(m.name),
        normalized_by_(m.reference),
        box_(m.box),
        dt_(p.grid.dt),
        silent_at_(sources_end(sim, p)),
        passage_(passage_time(sim, scene, p.grid)),
        bandwidth_(bandwidth(sim)),
        round_trip_(round_trip(sim, scene, p.grid)) {
    const Whole whole(sim, p);
    const Region region = region_of(m, whole);
    const int dims = dimensions(p.grid.mode);
    lit_ = Lit(sim, region, p);
    for (int a = 0; a < dims; ++a)
      where_ += fmt::format("{}{} = {:.4g}", a ? ", " : "", "xyz"[a], (region.lo[a] + region.hi[a]) / 2);
    const auto faces = faces_of(m, region, m.box, whole);
    surface_ = Surface(faces, whole, transforms_);
    if (!m.box) set_flat(FlatLayers::find(sim, scene, p), faces.front(), whole);
    auto frequencies = frequencies_of(m, p.grid);
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, p.grid, highest);
    transforms_.commit(p, std::move(frequencies), interval);
    surface_.prepare_products(transforms_);
    layers_ = LayerShares(sim, scene, p, transforms_.frequencies());
    if (in_layers(region, whole))
      warning_ =
          fmt::format("{} reaches into absorbing layers (the flux there decays); move it inwards", called(m));
  }

  const Transforms* transforms() const override { return &transforms_; }

  void record(const Engine& engine, double time, double energy) override {
    history_.add(engine.step(), time, energy, surface_.flux(engine, transforms_.frequencies().size()));
  }
  void thin(long spacing) override { history_.thin(spacing); }
  void save(ByteWriter& out) const override { history_.save(out); }
  void restore(ByteReader& in) override { history_.restore(in); }

  void collect(const Collecting& from, Outcome& out) const override {
    if (!warning_.empty()) out.warnings.push_back(warning_);
    FluxResult r;
    r.name = name_;
    r.normalized_by = normalized_by_;
    r.frequency = transforms_.frequencies();
    r.offered = lit_->offered();
    r.cutoff = lit_->cutoff;
    TransformValues values = transforms_.values(from.engine);  // once: of many frequencies they are large
    r.flux = flux(values);
    const double time = double(from.engine.step()) * dt_;
    if (time >= silent_at_)
      r.errors.record = history_.remaining(
          time, r.flux, {bandwidth_, time < silent_at_ + passage_ ? passage_ : 0, round_trip_});
    r.errors.grid = errors_of_grid(r, time);
    r.scale =
        std::max({largest(r.flux), largest(surface_.apparent_flux(values, r.frequency.size())), r.offered});
    if (from.reference) {
      const TransformValues reference = transforms_.values(*from.reference);
      r.reference = flux(reference);
      r.balanced = box_ && r.normalized_by.empty() && balanced(reference, r.reference);
      if (r.balanced)
        out.warnings.push_back(fmt::format(
            "monitor '{}': as much flux leaves its box as enters it in the reference run (T and "
            "R have nothing to be "
            "fractions of, and are left out); give it reference = \"NAME\" of a flux monitor that "
            "the incident wave "
            "crosses",
            name_));
      const bool cut_off = *std::ranges::max_element(r.frequency) <= r.cutoff;
      if (!r.balanced && !cut_off && r.normalized_by.empty() && lit_->hardly(r.frequency, r.reference)) {
        r.balanced = true;
        out.warnings.push_back(fmt::format(
            "monitor '{}' at {}: the plane wave sends no flux through it in the reference run "
            "({:.1e} is left of it: it stands before the face where the wave enters, or along the "
            "wave; T and R have nothing to be fractions of, and are left out); move it into the "
            "wave's box, across the wave, or give it reference = \"NAME\" of a flux monitor that "
            "the wave crosses",
            name_, where_, largest(r.reference)));
      }
      subtract(values, reference);
      r.scattered = flux(values);
      if (!std::isfinite(silent_at_)) state_unsteady(from, time, r, out);
    }
    add_layers(r);
    out.of<FluxResult>().push_back(std::move(r));
  }

 private:
  /// Where the exact flux is known: through a plane across flat layers.
  void set_flat(std::optional<FlatLayers> layers, const PlaneFace& face, const Whole& whole) {
    if (!layers || layers->axis() != face.axis || surface_.patches().empty()) return;
    flat_ = std::move(layers);
    place_ = whole.place(face.axis, face.node);
    const Patch& patch = surface_.patches().front();
    area_ = face.sign;
    for (int a = 0; a < 3; ++a)
      if (a != face.axis) area_ *= std::accumulate(patch.weight[a].begin(), patch.weight[a].end(), 0.0);
  }

  std::vector<double> errors_of_grid(const FluxResult& r, double time) const {
    std::vector<double> errors;
    for (std::size_t f = 0; flat_ && f < r.frequency.size(); ++f) {
      const double incident = area_ * flat_->incident(r.frequency[f], time);
      errors.push_back(std::abs(r.flux[f] - incident * flat_->flux(r.frequency[f], place_)));
    }
    return errors;
  }

  static void subtract(TransformValues& values, const TransformValues& reference) {
    for (int c = 0; c < components; ++c)
      for (std::size_t i = 0; i < values.value[c].size(); ++i) values.value[c][i] -= reference.value[c][i];
  }

  /// What layers reflect of waves as strong as those that came.
  void add_layers(FluxResult& r) const {
    for (std::size_t f = 0; f < r.frequency.size() && layers_.any(); ++f) {
      const double came = r.reference.empty() ? lit_->sent(r.frequency[f]) : std::abs(r.reference[f]);
      r.errors.layers.push_back(layers_.of_flux(f) * std::max(came, std::abs(r.flux[f])));
    }
  }

  /// Two runs with endless waves: the reference's flux grows like the run's own, and their quotient settles.
  void state_unsteady(const Collecting& from, double time, FluxResult& r, Outcome& out) const {
    constexpr double noticeable = 0.01;
    FluxHistory reference;
    MemoryReader record(from.reference_record);
    reference.restore(record);
    const auto off = history_.unsteady(time, r.flux, reference, r.reference);
    if (off.empty() || r.balanced) return;
    r.errors.record.clear();
    for (std::size_t f = 0; f < off.size(); ++f) r.errors.record.push_back(off[f] * std::abs(r.reference[f]));
    if (largest(off) > noticeable)
      out.warnings.push_back(
          fmt::format("monitor '{}': flux / reference of an endless wave is not steady yet (it may be {:.2g} "
                      "off: transforms "
                      "have the switching on in them, which counts as 1 / time); run longer, or use a pulse",
                      name_, largest(off)));
  }

  static double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double v : values) most = std::max(most, std::abs(v));
    return most;
  }

  /// Whether what passes the faces adds up to hardly anything.
  bool balanced(const TransformValues& reference, const std::vector<double>& net) const {
    constexpr double hardly = 0.01;
    const auto gross = surface_.gross_flux(reference, net.size());
    double sum = 0, all = 0;
    for (std::size_t f = 0; f < net.size(); ++f) sum += std::abs(net[f]), all += gross[f];
    return sum <= hardly * all;
  }

  std::vector<double> flux(const TransformValues& v) const {
    return surface_.flux(v, transforms_.frequencies().size());
  }

  std::string name_, normalized_by_, warning_, where_;
  std::optional<Lit> lit_;
  bool box_;
  double dt_ = 1, silent_at_ = 0, passage_ = 0, bandwidth_ = 0, round_trip_ = 0;
  FluxHistory history_;
  LayerShares layers_;
  Transforms transforms_;
  Surface surface_;
  std::optional<FlatLayers> flat_;
  double place_ = 0, area_ = 0;  ///< along the axis of `flat_`; with the sign of the normal
};

}  // namespace

Part make_flux(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p) {
  return std::make_unique<Flux>(m, sim, scene, p);
}

}  // namespace umov::fdtd
