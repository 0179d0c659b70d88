// Frequencies and sampling intervals.
#include "fdtd/observables/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/error.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/sources/band.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/waveform.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

double highest_frequency(const Waveform& w) {
  switch (w.kind) {
    case Waveform::Kind::continuous:
      return 2 * w.frequency;
    case Waveform::Kind::gaussian:
      return w.frequency * (1 + 6 * w.width);
    case Waveform::Kind::samples:
      return infinity;
  }
  return infinity;
}

int at_least_one(double steps) { return int(std::clamp(std::floor(steps), 1.0, 1e6)); }

}  // namespace

std::vector<double> listed_frequencies(const MonitorSpec& m) {
  if (!m.frequencies.empty()) return m.frequencies;
  if (m.frequency_count < 1)
    throw BadInput(
        fmt::format("{} has no frequencies (a transform needs at least one); give `frequencies`, or "
                    "`frequency_from`, `frequency_to` and `frequency_count`",
                    called(m)));
  if (!(m.frequency_from <= m.frequency_to))
    throw BadInput(fmt::format("{} has frequencies from {} to {} (from is above to); exchange them",
                               called(m), m.frequency_from, m.frequency_to));
  if (m.frequency_count == 1) return {(m.frequency_from + m.frequency_to) / 2};
  std::vector<double> f;
  for (int i = 0; i < m.frequency_count; ++i)
    f.push_back(m.frequency_from + (m.frequency_to - m.frequency_from) * i / double(m.frequency_count - 1));
  return f;
}

std::vector<double> frequencies_of(const MonitorSpec& m, const Grid& g) {
  const std::vector<double> list = listed_frequencies(m);
  for (const double f : list) {
    if (!(f > 0))
      throw BadInput(fmt::format("{} has the frequency {} (not positive); give c / length", called(m), f));
    if (f * g.dt >= 0.5)
      throw BadInput(
          fmt::format("{} has the frequency {} (the time step {:.4g} carries less than {:.4g}); lower "
                      "the frequency or raise the resolution",
                      called(m), f, g.dt, 0.5 / g.dt));
  }
  return list;
}

double highest_source_frequency(const Simulation& sim) {
  double highest = 0;
  for (const SourceSpec& s : sim.sources) highest = std::max(highest, highest_frequency(s.waveform));
  return highest;
}

int transform_interval(const MonitorSpec& m, const Simulation& sim, const Grid& g, double highest) {
  const double source = highest_source_frequency(sim), folded = highest + std::max(highest, source);
  if (m.interval <= 0) return at_least_one(1 / (3 * folded * g.dt));
  if (m.interval > 1 && std::isfinite(folded) && m.interval * g.dt * folded > 1)
    throw BadInput(
        fmt::format("{} samples every {} steps (that folds frequencies up to {:.4g} onto its own up to "
                    "{:.4g}); take {} or fewer",
                    called(m), m.interval, folded - highest, highest, at_least_one(1 / (folded * g.dt))));
  return m.interval;
}

int series_interval(const MonitorSpec& m, const Simulation& sim, const Grid& g) {
  if (m.interval > 0) return m.interval;
  const double highest = highest_source_frequency(sim);
  return highest > 0 ? at_least_one(1 / (16 * highest * g.dt)) : 1;
}

double sources_end(const Simulation& sim, const Problem& p) {
  double end = 0;
  for (const SourceSpec& s : sim.sources) end = std::max(end, launch_of(s, p).end);
  return end;
}

double sources_fall(const Simulation& sim, const Problem& p) {
  double fall = 0;
  for (const SourceSpec& s : sim.sources) {
    // An oblique wave rings before and after its signal.
    const double trail = launch_of(s, p).end - source_end(s);
    fall = std::max(fall, fall_of(s) + (trail > 0 ? trail / 2 : 0));
  }
  return fall;
}

namespace {

double index_at(const materials::Material& m, double frequency) {
  double index = 1;
  for (int a = 0; frequency > 0 && !m.perfect_conductor && a < 3; ++a)
    index = std::max(index, std::sqrt(m.permittivity(2 * pi * frequency, a) * m.mu[a]).real());
  return index;
}

double peak_of_sources(const Simulation& sim) {
  double frequency = 0;
  for (const SourceSpec& s : sim.sources) frequency = std::max(frequency, peak_frequency(s.waveform));
  return frequency;
}

double highest_index(const Simulation& sim, const Scene& scene) {
  double index = 1;
  for (const auto& m : scene.materials()) index = std::max(index, index_at(m, peak_of_sources(sim)));
  return index;
}

/// From a point to the nearest of a source, drawn ones and plane waves being everywhere.
double distance_to(const SourceSpec& s, const Vec3& point, int dims) {
  if (s.kind == SourceSpec::Kind::shape || s.kind == SourceSpec::Kind::plane_wave) return 0;
  Vec3 off{0, 0, 0};
  for (int a = 0; a < dims; ++a) off[a] = std::max(0.0, std::fabs(point[a] - s.center[a]) - s.size[a] / 2);
  return norm(off);
}

}  // namespace

double last_wave_at(const Simulation& sim, const Scene& scene, const Problem& p, const Vec3& point) {
  double last = 0;
  const double index = highest_index(sim, scene);
  for (const SourceSpec& s : sim.sources)
    last = std::max(last, launch_of(s, p).end + index * distance_to(s, point, dimensions(p.grid.mode)));
  return last;
}

double passage_time(const Simulation& sim, const Scene& scene, const Grid& g) {
  const double index = highest_index(sim, scene);
  double length = 0;
  for (int a = 0; a < dimensions(g.mode); ++a) length += g.length(a);
  double slowness = 1;
  for (const SourceSpec& s : sim.sources)
    slowness = std::max(slowness, launch_of(s, sim, scene, g).slowness());
  return index * length * slowness;
}

namespace {

/// A part of the way along an axis, and by how much a body there is denser than the background.
struct BodyStretch {
  double low, high, denser;
};

/// How much longer bodies make the way: of those that lie beside or in each other the densest counts.
double longer_by(const std::vector<BodyStretch>& bodies) {
  struct End {
    double at, denser;
    bool begins;
  };
  std::vector<End> ends;
  for (const BodyStretch& b : bodies)
    ends.push_back({b.low, b.denser, true}), ends.push_back({b.high, b.denser, false});
  std::ranges::sort(ends, {}, &End::at);
  std::multiset<double> here{0};
  double way = 0, from = 0;
  for (const End& end : ends) {
    way += *here.rbegin() * (end.at - from);
    from = end.at;
    if (end.begins)
      here.insert(end.denser);
    else
      here.erase(here.find(end.denser));
  }
  return way;
}

/// Time to pass once all that holds waves along an axis.
double way_along(int axis, const Simulation& sim, const Scene& scene, const Grid& g) {
  const double first = g.origin[axis], last = first + g.length(axis);
  const auto absorbs = [&](int side) {
    const WallKind wall = sim.walls[axis][side];
    return wall == WallKind::pml || wraps(wall);
  };
  const auto index_of = [&](int material) {
    const auto& all = scene.materials();
    return std::size_t(material) < all.size() ? index_at(all[std::size_t(material)], peak_of_sources(sim))
                                              : 1.0;
  };
  const double background = index_of(0);
  double low = absorbs(0) ? infinity : first, high = absorbs(1) ? -infinity : last;
  std::vector<BodyStretch> bodies;
  for (const auto& body : scene.occupied()) {
    const double from = std::max(body.low[axis], first), to = std::min(body.high[axis], last);
    if (!(from < to)) continue;
    low = std::min(low, from), high = std::max(high, to);
    bodies.push_back({from, to, std::max(0.0, index_of(body.material) - background)});
  }
  return low < high ? background * (high - low) + longer_by(bodies) : 0;
}

}  // namespace

double round_trip(const Simulation& sim, const Scene& scene, const Grid& g) {
  if (sim.picture) return 2 * passage_time(sim, scene, g);
  double way = 0;
  for (int a = 0; a < dimensions(g.mode); ++a) way += way_along(a, sim, scene, g);
  return 2 * way;
}

double bandwidth(const Simulation& sim) {
  constexpr double half =
      0.5;  // of the peak's amplitude: of a gaussian the band is 4/3 as wide as its energy's
  double widest = 0;
  for (const SourceSpec& s : sim.sources) {
    const auto [low, high] = band_above(s.waveform, half);
    widest = std::max(widest, 0.75 * (high - low));
  }
  return widest;
}

}  // namespace umov::fdtd
