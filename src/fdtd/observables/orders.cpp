// Order monitors: what a periodic cell sends into each diffraction order.
#include "fdtd/monitors/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/observables/flat_layers.hpp"
#include "fdtd/observables/flux_history.hpp"
#include "fdtd/observables/incident.hpp"
#include "fdtd/observables/layer_shares.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/observables/order_waves.hpp"
#include "fdtd/observables/part.hpp"
#include "fdtd/observables/sampling.hpp"

namespace umov::fdtd {
namespace {

/// Part of the medium's wave number within which an order's is at cutoff: rounding.
constexpr double at_cutoff = 1e-9;

/// The plane's axes and periods; the plane has to span the cell, whose other walls have to repeat.
OrderPlane plane_of(const MonitorSpec& m, const PlaneFace& face, const Problem& p) {
  OrderPlane plane;
  plane.axis = face.axis;
  int which = 0;
  for (int a = 0; a < 3; ++a) {
    if (a == face.axis) continue;
    plane.across[which] = a;
    if (p.grid.active(a)) {
      const double period = p.grid.cells[a] * p.grid.dx, size = face.extent.hi[a] - face.extent.lo[a];
      if (p.walls[a][0] != Closure::periodic)
        throw BadInput(
            fmt::format("{} lies across {}, whose walls do not repeat (orders belong to a periodic "
                        "cell); make them periodic or bloch, or use a flux monitor",
                        called(m), "xyz"[a]));
      if (size < period - 1e-6 * p.grid.dx)
        throw BadInput(
            fmt::format("{} spans {:.6g} of the period {:.6g} along {} (orders are sums over all of it) "
                        "give it the size inf there",
                        called(m), size, period, "xyz"[a]));
      plane.period[which] = period;
      plane.transverse[a] = p.bloch_phase[a] / period;
    }
    ++which;
  }
  return plane;
}

class Orders : public MonitorPart {
 public:
  Orders(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p)
      : spec_(m),
        grid_(p.grid),
        silent_at_(sources_end(sim, p)),
        passage_(passage_time(sim, scene, p.grid)),
        bandwidth_(bandwidth(sim)),
        round_trip_(round_trip(sim, scene, p.grid)) {
    if (dimensions(grid_.mode) == 1)
      throw BadInput(fmt::format(
          "{} wants diffraction orders in one dimension (there is only order 0); use a flux monitor",
          called(m)));
    const Whole whole(sim, p);
    const Region region = region_of(m, whole);
    const PlaneFace face = faces_of(m, region, false, whole).front();
    plane_ = plane_of(m, face, p);
    if (in_layers(region, whole))
      throw BadInput(
          fmt::format("{} lies in an absorbing layer (waves decay there); move it inwards", called(m)));
    surface_ = Surface({face}, whole, transforms_);
    plane_.medium = medium_on(surface_, whole, scene, m, "an order");
    place_ = whole.place(face.axis, face.node);
    flat_ = FlatLayers::find(sim, scene, p);
    if (flat_ && flat_->axis() != face.axis) flat_.reset();
    incident_ = only_plane_wave(sim, p);
    if (incident_)
      for (const int a : plane_.across) plane_.transverse[a] = incident_->setup().family.fixed[a];
    shift_ = 2 * pi * sim.bloch_shift;
    auto frequencies = frequencies_of(m, grid_);
    const double highest = *std::max_element(frequencies.begin(), frequencies.end());
    const int interval = transform_interval(m, sim, grid_, highest);
    transforms_.commit(p, std::move(frequencies), interval);
    prepare_sums();
    layers_ = LayerShares(sim, scene, p, transforms_.frequencies());
  }

  const Transforms* transforms() const override { return &transforms_; }

  bool after_fluxes() const override { return true; }

  void record(const Engine& engine, double time, double energy) override {
    history_.add(engine.step(), time, energy, powers(engine));
  }
  void thin(long spacing) override { history_.thin(spacing); }
  void save(ByteWriter& out) const override { history_.save(out); }
  void restore(ByteReader& in) override { history_.restore(in); }

  void collect(const Collecting& from, Outcome& out) const override {
    const TransformValues values = transforms_.values(from.engine);
    const Scale scale = scale_of(from, out);
    OrdersResult r;
    r.name = spec_.name;
    r.normalized = !scale.power.empty();
    if (!r.normalized)
      out.warnings.push_back(
          fmt::format("{} has nothing to be divided by (no plane wave, no reference): its efficiencies are "
                      "fluxes; light the cell "
                      "with one plane wave, give normalize = true, or name a flux monitor as its reference",
                      called(spec_)));
    const double time = double(from.engine.step()) * grid_.dt;
    std::vector<double> rest;
    if (time >= silent_at_)
      rest = history_.remaining(time, powers(from.engine),
                                {bandwidth_, time < silent_at_ + passage_ ? passage_ : 0, round_trip_});
    const double brightest = r.normalized ? *std::ranges::max_element(scale.power) : 0;
    std::vector<std::string> dark, grazing;
    std::size_t looked_at = 0;
    for (std::size_t f = 0; f < transforms_.frequencies().size(); ++f) {
      const double frequency = transforms_.frequencies()[f];
      const auto waves = order_amplitudes(plane_, surface_, grid_, values, f, frequency);
      looked_at += 2 * waves.size();
      if (r.normalized && !(scale.power[f] > no_incident * brightest)) {
        dark.push_back(fmt::format("{:.6g}", frequency));
        continue;
      }
      const cplx unit = r.normalized ? std::sqrt(scale.power[f]) * scale.phase[f] : 1;
      std::size_t at = looked_at - 2 * waves.size(), listed = 0;
      for (const auto& order : waves) {
        const std::size_t powers_at = std::exchange(at, at + 2);
        if (sine_of(order, frequency) < 1 - at_cutoff)
          append(r, order, frequency, unit, rest, powers_at), ++listed;
        else
          grazing.push_back(grazing_text(order, frequency, unit));
      }
      if (layers_.any()) add_layers(r, layers_.of_flux(f), listed);
    }
    if (!grazing.empty())
      out.warnings.push_back(fmt::format(
          "{}: left out, since the medium carries no such order away: {} (the grid bends waves, and lets "
          "them "
          "travel along the plane a little beyond cutoff; what they took is missing in the other orders, and "
          "those are less sure so near to it); choose other frequencies, or raise resolution",
          called(spec_), some(grazing)));
    if (!dark.empty())
      out.warnings.push_back(fmt::format(
          "{}: frequencies {} are left out (no incident wave is launched there, or next to nothing of it) "
          "choose frequencies that the source lights, above the cutoff of an oblique wave",
          called(spec_), some(dark)));
    out.of<OrdersResult>().push_back(std::move(r));
  }

 private:
  /// Power and phase of the incident wave per frequency.
  struct Scale {
    std::vector<double> power;
    std::vector<cplx> phase;
  };

  Scale scale_of(const Collecting& from, const Outcome& out) const {
    Scale s;
    const auto& frequencies = transforms_.frequencies();
    s.phase.assign(frequencies.size(), 1);
    const double until = double(from.engine.step()) * grid_.dt;
    if (incident_)
      for (std::size_t f = 0; f < frequencies.size(); ++f) {
        const cplx a = incident_->amplitude(frequencies[f], until);
        if (a != 0.0) s.phase[f] = a / std::abs(a);
        if (spec_.reference.empty())
          s.power.push_back(area() * incident_->flux_density(plane_.axis, frequencies[f], until));
      }
    if (!spec_.reference.empty())
      for (const FluxResult& f : out.of<FluxResult>())
        if (f.name == spec_.reference) s.power = f.reference.empty() ? f.flux : f.reference;
    if (s.power.empty() && from.reference)
      s.power = surface_.flux(transforms_.values(*from.reference), frequencies.size());
    for (double& power : s.power) power = std::abs(power);
    return s;
  }

  /// Makes ready for sums that the engine forms by itself.
  void prepare_sums() {
    const auto& f = transforms_.frequencies();
    const double k = 2 * pi * *std::ranges::max_element(f) * plane_.medium.index();
    LateralWaves waves;
    waves[plane_.axis].assign(f.size(), {0.0});
    for (const int which : {0, 1}) {
      const auto [from, to] = order_range(plane_, which, k, grid_);
      std::vector<double> along;
      for (int m = from; m <= to; ++m) along.push_back(order_wave(plane_, which, m));
      least_[which] = from, orders_[which] = int(along.size());
      waves[plane_.across[which]].assign(f.size(), along);
    }
    sums_ = lateral_sums(surface_, grid_, transforms_, waves);
  }

  /// Powers up and down of all orders of all frequencies, in turn.
  std::vector<double> powers(const Engine& engine) const {
    const auto sums = dynamic_cast<const TransformProducts&>(engine).lateral_sums(sums_);
    std::vector<double> all;
    for (std::size_t f = 0; f < transforms_.frequencies().size(); ++f) {
      const auto of_order = [&](int m, int n, const Vec3&) {
        const auto at = (f * std::size_t(orders_[1]) + std::size_t(n - least_[1])) * std::size_t(orders_[0]) +
                        std::size_t(m - least_[0]);
        std::vector<std::array<cplx, 2>> of;
        for (std::size_t i = 0; i < sums.size(); i += 2) of.push_back({sums[i][at], sums[i + 1][at]});
        return of;
      };
      for (const auto& o :
           order_amplitudes(plane_, surface_, grid_, of_order, transforms_.frequencies()[f])) {
        all.push_back(std::norm(o.up[0]) + std::norm(o.up[1]));
        all.push_back(std::norm(o.down[0]) + std::norm(o.down[1]));
      }
    }
    return all;
  }

  /// What layers reflect changes the last orders by that share of the incident power, or of all that they
  /// carry.
  static void add_layers(OrdersResult& r, double share, std::size_t orders) {
    double all = 0;
    const std::size_t end = r.forward.size(), first = end - orders;
    for (std::size_t i = first; i < end; ++i) all += r.forward[i] + r.backward[i];
    const double off = share * (r.normalized ? 1 : all);
    for (std::size_t i = first; i < end; ++i) {
      r.forward_errors.layers.push_back(off);
      r.backward_errors.layers.push_back(off);
    }
  }

  double area() const { return plane_.period[0] * plane_.period[1]; }

  Vec3 transverse_of(const OrderAmplitudes& order) const { return order.transverse - shift_; }

  /// Of its angle in the medium; from 1 on it does not travel there.
  double sine_of(const OrderAmplitudes& order, double frequency) const {
    const Vec3 t = transverse_of(order);
    return std::hypot(t[plane_.across[0]], t[plane_.across[1]]) /
           (2 * pi * frequency * plane_.medium.index());
  }

  /// "order -2 at frequency 1, 0.16 % beyond cutoff, with 7.7e-05 forward and 6.6e-10 backward".
  std::string grazing_text(const OrderAmplitudes& order, double frequency, const cplx& unit) const {
    const double beyond = sine_of(order, frequency) - 1;
    const bool flat = dimensions(grid_.mode) == 2;
    double up = 0, down = 0;
    for (const int q : {0, 1}) up += std::norm(order.up[q] / unit), down += std::norm(order.down[q] / unit);
    if (spec_.direction < 0) std::swap(up, down);
    return fmt::format(
        "order {} at frequency {:.6g}, {}, with {:.2g} forward and {:.2g} backward",
        flat ? fmt::format("{}", order.m) : fmt::format("({}, {})", order.m, order.n), frequency,
        beyond < at_cutoff ? "at cutoff" : fmt::format("{:.2g} % beyond cutoff", 100 * beyond), up, down);
  }

  void append(OrdersResult& r, const OrderAmplitudes& order, double frequency, const cplx& unit,
              const std::vector<double>& rest, std::size_t at) const {
    const bool turned = spec_.direction < 0;
    const auto &forward = turned ? order.down : order.up, &backward = turned ? order.up : order.down;
    const Vec3 transverse = transverse_of(order);
    const double first = transverse[plane_.across[0]], second = transverse[plane_.across[1]];
    const bool flat = dimensions(grid_.mode) == 2;
    const double sine = sine_of(order, frequency);
    r.frequency.push_back(frequency);
    r.m.push_back(order.m);
    r.n.push_back(order.n);
    r.angle.push_back((flat && first < 0 ? -1 : 1) * std::asin(sine) * 180 / pi);
    r.azimuth.push_back(flat || sine < 1e-12 ? 0 : std::atan2(second, first) * 180 / pi);
    r.forward.push_back((std::norm(forward[0]) + std::norm(forward[1])) / std::norm(unit));
    r.backward.push_back((std::norm(backward[0]) + std::norm(backward[1])) / std::norm(unit));
    if (at + 1 < rest.size()) {
      r.forward_errors.record.push_back(rest[at + turned] / std::norm(unit));
      r.backward_errors.record.push_back(rest[at + !turned] / std::norm(unit));
    }
    if (flat_ && r.normalized) add_errors_of_grid(r, order.m == 0 && order.n == 0);
    r.s_forward.push_back(forward[0] / unit);
    r.p_forward.push_back(forward[1] / unit);
    r.s_backward.push_back(backward[0] / unit);
    r.p_backward.push_back(backward[1] / unit);
  }

  /// Of the order that was added last: flat layers have no others than order 0.
  void add_errors_of_grid(OrdersResult& r, bool specular) const {
    const auto exact = specular ? flat_->waves(r.frequency.back(), place_) : std::array{0.0, 0.0};
    const bool turned = spec_.direction < 0;
    r.forward_errors.grid.push_back(std::abs(r.forward.back() - exact[turned]));
    r.backward_errors.grid.push_back(std::abs(r.backward.back() - exact[!turned]));
  }

  MonitorSpec spec_;
  Grid grid_;
  double silent_at_ = 0, passage_ = 0, bandwidth_ = 0, round_trip_ = 0;
  FluxHistory history_;
  Transforms transforms_;
  Surface surface_;
  OrderPlane plane_;
  LateralSums sums_;
  std::array<int, 2> least_{0, 0}, orders_{1, 1};  ///< of those of `sums_`, along the plane's axes
  Vec3 shift_{0, 0, 0};  ///< of the walls' wave vector for the grid's sake; angles are those in space
  LayerShares layers_;
  std::optional<IncidentWave> incident_;
  std::optional<FlatLayers> flat_;
  double place_ = 0;  ///< of the plane along its axis
};

}  // namespace

Part make_orders(const MonitorSpec& m, const Simulation& sim, const Scene& scene, Problem& p) {
  return std::make_unique<Orders>(m, sim, scene, p);
}

}  // namespace umov::fdtd
