// The search for a profile: a coarse grid of profiles, then steps that shrink, on the discrete reflection.
#include "fdtd/fit_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "fdtd/end_waves.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/sources/band.hpp"
#include "fdtd/sources/plane_wave.hpp"

namespace umov::fdtd {

namespace {

/// Amplitudes: good enough, to be warned of, and steepest of what layers are chosen for (0.6 degrees).
constexpr double good = 3e-5, noticeable = 1e-3, steepest = 0.01;
/// Share of the reflection that counts of waves which no monitor looks at.
constexpr double beside = 0.1;
constexpr int more_layers[] = {12, 14, 17, 20, 24, 30, 40};
/// Up to so many layers are added for what is good enough; in cells that are not flat, and often large, more
/// only for what would be noticed.
constexpr int cheap_layers = 17;
/// Cosine below which waves are slow, and the least that times are planned by.
constexpr double slow = 0.25, slowest = 0.05;

/// The share of its peak that any source sends at a frequency.
class Sent {
 public:
  Sent(const Simulation& s, const Scene& scene, const Grid& g) : sources_(s.sources) {
    for (const SourceSpec& source : sources_) launches_.push_back(launch_of(source, s, scene, g));
  }
  double at(double frequency) const {
    double most = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      most =
          std::max(most, relative_strength(sources_[i].waveform, frequency) * launches_[i].share(frequency));
    return most;
  }
  /// Between which the sources send something.
  std::array<double, 2> band() const {
    std::array<double, 2> all{INFINITY, 0};
    for (const SourceSpec& source : sources_) {
      const auto [low, high] = band_above(source.waveform, beside);
      all = {std::min(all[0], low), std::max(all[1], high)};
    }
    return all;
  }

 private:
  const std::vector<SourceSpec>& sources_;
  std::vector<Launch> launches_;
};

/// Those that monitors look at and sources light; of many, evenly picked ones.
std::vector<double> frequencies_looked_at(const Simulation& s, const Sent& sent) {
  constexpr std::size_t most = 128;
  std::vector<double> all;
  for (const MonitorSpec& m : s.monitors)
    if (has_spectrum(m.kind))
      for (const double f : listed_frequencies(m))
        if (f > 0 && sent.at(f) >= faint_share) all.push_back(f);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() <= most) return all;
  std::vector<double> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return some;
}

/// Waves that stand for all: of those that are alike the heaviest.
using Waves = std::map<std::array<int, 2>, EndWave>;

void add(const EndWave& wave, double share, Waves& to) {
  if (wave.normal > 0 && wave.cosine < steepest) return;
  const int sign = wave.normal > 0 ? 1 : -1;
  const std::array<int, 2> like{sign * (100 + int(std::lround(4 * std::log(std::abs(wave.normal))))),
                                int(std::lround(4 * std::log(wave.phase)))};
  EndWave& there = to.emplace(like, EndWave{wave.phase, wave.normal, wave.cosine, 0}).first->second;
  if (share * wave.weight <= there.weight) return;
  there = wave;
  there.weight *= share;
}

Waves waves_to_absorb(const EndWaves& ends, const Sent& sent, const std::vector<double>& looked_at) {
  constexpr int steps = 16;
  Waves waves;
  for (const double f : looked_at)
    for (const EndWave& w : ends.at(f)) add(w, 1, waves);
  const auto [low, high] = sent.band();
  for (int i = 0; i <= steps && low <= high; ++i)
    if (const double f = low + i * (high - low) / steps; f > 0 && sent.at(f) >= beside)
      for (const EndWave& w : ends.at(f)) add(w, beside, waves);
  return waves;
}

class Search {
 public:
  Search(const Simulation& s, const Grid& g, const Waves& waves)
      : grid_(g), first_(settings_for(s, g.dx)), waves_(waves) {
    for (const auto& [like, w] : waves)
      if (w.normal > 0) least_ = std::min(least_, std::sqrt(w.normal) / w.phase * g.dt / g.dx);
  }

  double worst(const PmlSettings& settings) const {
    const PmlSide side = make_pml(settings, grid_.dx, grid_.dt, 1);
    double most = 0;
    for (const auto& [like, w] : waves_) {
      const double r = w.weight * normal_reflection(side, w.phase, w.normal);
      most = std::max(most, std::isfinite(r) ? r : INFINITY);
    }
    return most;
  }
  const PmlSettings& first() const { return first_; }

  /// The best profile of so many layers.
  PmlSettings best(int layers) const {
    Point at{}, step{0.3, 0.15, 0.7};
    double least = INFINITY;
    for (const double attenuation : {0.5, 0.8, 1.2, 1.8, 2.7})
      for (const double order : {2.1, 2.6, 3.2, 4.0, 5.0})
        for (const double alpha : {1.0, 0.2}) {
          const Point p{std::log(attenuation / least_ / (0.8 * layers)), std::log(order), std::log(alpha)};
          if (const double r = worst(settings(p, layers)); r < least) least = r, at = p;
        }
    while (step[0] > 0.005) {
      bool better = false;
      for (int a = 0; a < 3; ++a)
        for (const double way : {1.0, -1.0}) {
          Point p = at;
          p[a] += way * step[a];
          if (p[2] > 0) continue;
          if (const double r = worst(settings(p, layers)); r < least) least = r, at = p, better = true;
        }
      if (!better)
        for (double& s : step) s /= 2;
    }
    return settings(at, layers);
  }

 private:
  using Point = std::array<double, 3>;  ///< logarithms of sigma_scale, order, alpha over the case's own

  PmlSettings settings(const Point& p, int layers) const {
    PmlSettings s = first_;
    s.layers = layers;
    s.discrete = false;
    s.sigma_scale = std::exp(p[0]);
    s.order = std::exp(p[1]);
    s.alpha_max = first_.alpha_max * std::exp(p[2]);
    return s;
  }

  Grid grid_;
  PmlSettings first_;
  const Waves& waves_;
  double least_ = 1;  ///< smallest wave number across the layers, over that of light in vacuum
};

/// Whether the case leaves the profile to the program.
bool profile_is_free(const PmlSettings& s) {
  const PmlSettings usual;
  return s.discrete == usual.discrete && s.order == usual.order && s.sigma_scale == usual.sigma_scale &&
         s.kappa_max == usual.kappa_max && s.alpha_max == usual.alpha_max &&
         s.alpha_order == usual.alpha_order;
}

/// Where monitors see the most of what layers reflect.
struct Seen {
  double reflection = 0, frequency = 0, angle = 0;
};

Seen most_seen(const EndWaves& ends, const PmlSide& side, const std::vector<double>& frequencies) {
  Seen most;
  for (const double f : frequencies)
    for (const EndWave& w : ends.at(f)) {
      const double r = w.weight * std::min(1.0, normal_reflection(side, w.phase, w.normal));
      if (r > most.reflection) most = {r, f, std::acos(std::min(1.0, w.cosine)) * 180 / pi};
    }
  return most;
}

/// How many layers would do; empty where none do.
std::optional<int> enough_layers(const Search& search, int above) {
  for (const int layers : more_layers)
    if (layers > above && search.worst(search.best(layers)) < noticeable / 3) return layers;
  return {};
}

std::string warning_of(const Simulation& s, const Seen& seen, const Search& search, int layers) {
  const auto enough = enough_layers(search, layers);
  const std::string angle = seen.angle < 90 - 1e-9
                                ? fmt::format("a wave at {:.4g} degrees from the normal", seen.angle)
                                : std::string("a wave that decays slowly");
  const std::string remedy =
      !profile_is_free(s.pml) ? "leave the keys of [pml] out, so that the layers are fitted to these waves"
      : enough && s.pml.asked ? fmt::format("give pml.layers = {}, or leave it out", *enough)
      : enough                ? fmt::format(
                                    "move monitors, sources and bodies {} cells away from the walls, so that the "
                                                   "layers have room",
                                    *enough + 8)
               : std::string("keep the frequencies of monitors off the cutoffs of orders");
  return fmt::format(
      "absorbing layers: at the frequency {:.6g} they reflect {} by {:.2g} of its amplitude (fluxes may be "
      "off "
      "by {:.2g} of the incident one there: their error of the layers); {}",
      seen.frequency, angle, seen.reflection, std::min(1.0, 4 * seen.reflection), remedy);
}

}  // namespace

FittedLayers fit_layers(const Simulation& s, const Scene& scene, const Grid& g) {
  FittedLayers out{s.pml, "", ""};
  if (s.pml.layers < 1) return out;
  const EndWaves ends(s, scene, g);
  if (ends.axis() < 0) return out;
  // What other sources send are modes of guides and cavities, which orders are not.
  if (std::ranges::none_of(
          s.sources, [](const SourceSpec& source) { return source.kind == SourceSpec::Kind::plane_wave; }))
    return out;
  const Sent sent(s, scene, g);
  const auto looked_at = frequencies_looked_at(s, sent);
  const Waves waves = waves_to_absorb(ends, sent, looked_at);
  if (waves.empty()) return out;
  const Search search(s, g, waves);
  const double before = search.worst(search.first());
  if (before > good && profile_is_free(s.pml)) {
    const bool free = !s.pml.asked && s.pml.layers == PmlSettings{}.layers;
    PmlSettings best = search.best(s.pml.layers);
    for (const int layers : more_layers) {
      const double enough = layers > cheap_layers && !ends.flat() ? noticeable / 3 : good;
      if (!(search.worst(best) > enough) || !free || layers > ends.room()) break;
      best = search.best(layers);
    }
    const double after = search.worst(best);
    if (after < before) {
      out.settings = best;
      out.note = fmt::format(
          "absorbing layers: {} cells, sigma {:.3g} times as strong as usual and of order {:.3g}, for what "
          "is "
          "left across them of waves near grazing: they reflect at most {:.1e} of an amplitude, {} of the "
          "usual profile {:.1e}",
          best.layers, best.sigma_scale, best.order, after, s.pml.layers, before);
    }
  }
  for (const auto& [like, w] : waves) out.slowness = std::max(out.slowness, 1 / std::max(slowest, w.cosine));
  for (const double f : looked_at)
    for (const EndWave& w : ends.at(f)) out.grazing |= ends.flat() && w.cosine < slow;
  Simulation fitted = s;
  fitted.pml = out.settings;
  const Seen seen = most_seen(ends, make_pml(settings_for(fitted, g.dx), g.dx, g.dt, 1), looked_at);
  if (seen.reflection > noticeable) out.warning = warning_of(s, seen, search, out.settings.layers);
  return out;
}

}  // namespace umov::fdtd
