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
/// Share of its frequency by which a guided wave may grow (by e in 1600 periods), and what is warned of.
constexpr double slow_growth = 1e-4, noticeable_growth = 1e-3;
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
    if (traits_of(m).spectrum)
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
using Waves = std::map<std::array<int, 3>, EndWave>;

void add(const EndWave& wave, double share, Waves& to) {
  if (wave.normal > 0 && wave.cosine < steepest) return;
  const int kind = wave.growth > 0 ? 2 : wave.normal > 0 ? 1 : 0;
  const std::array<int, 3> like{kind, int(std::lround(4 * std::log(std::abs(wave.normal)))),
                                int(std::lround(4 * std::log(wave.phase)))};
  EndWave weighed = wave;
  weighed.weight *= share;
  EndWave& there = to.emplace(like, weighed).first->second;
  if (weighed.weight > there.weight) there = weighed;
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

/// Waves that bodies guide; and where no plane wave tells at which angles their frequencies run, some.
void add_guided(const std::vector<EndWave>& guided, const Grid& g, const Sent& sent, bool lit, Waves& to) {
  for (const EndWave& w : guided) {
    add(w, 1, to);
    if (lit || sent.at(w.phase / (2 * pi * g.dt)) < beside) continue;
    const double all = -2 * w.normal / w.growth;
    for (const double cosine : {1.0, 0.5, 0.25}) {
      const double normal = all * cosine * cosine;
      if (normal < 4) add({w.phase, normal, cosine}, beside, to);
    }
  }
}

/// The most of all waves: reflected amplitudes, and growth of what is guided, of its frequency.
struct Worst {
  double reflection = 0, growth = 0;
  double all() const { return std::max(reflection, good / slow_growth * growth); }
};

class Search {
 public:
  Search(const Simulation& s, const Grid& g, const Waves& waves)
      : grid_(g), first_(settings_for(s, g.dx)), waves_(waves) {
    for (const auto& [like, w] : waves) {
      guides_ |= w.growth > 0;
      if (w.normal > 0) least_ = std::min(least_, std::sqrt(w.normal) / w.phase * g.dt / g.dx);
    }
  }

  Worst worst(const PmlSettings& settings) const {
    const PmlSide side = make_pml(settings, grid_.dx, grid_.dt, 1);
    Worst most;
    for (const auto& [like, w] : waves_) {
      const cplx r = normal_reflection(side, w.phase, w.normal);
      const double weight = w.weight * std::exp(w.nearer * (settings.layers - first_.layers));
      const double seen = weight * (w.growth > 0 ? w.growth * std::abs(r.imag()) : std::abs(r));
      double& there = w.growth > 0 ? most.growth : most.reflection;
      there = std::max(there, std::isfinite(seen) ? seen : INFINITY);
    }
    return most;
  }
  const PmlSettings& first() const { return first_; }

  /// The best profile of so many layers.
  PmlSettings best(int layers) const {
    Found found;
    for (const double alpha : alphas()) {
      const Found near = descended(coarse(std::log(alpha), layers), layers);
      if (near.all < found.all) found = near;
    }
    return settings(found.at, layers);
  }

 private:
  using Point = std::array<double, 3>;  ///< logarithms of sigma_scale, order, alpha over the case's own

  struct Found {
    Point at{};
    double all = INFINITY;
  };
  bool attempt(const Point& p, int layers, Found& found) const {
    const double all = worst(settings(p, layers)).all();
    if (!(all < found.all)) return false;
    found = {p, all};
    return true;
  }
  Found coarse(double alpha, int layers) const {
    Found found;
    for (const double attenuation : attenuations())
      for (const double order : {2.1, 2.6, 3.2, 4.0, 5.0})
        attempt({std::log(attenuation / least_ / (0.8 * layers)), std::log(order), alpha}, layers, found);
    return found;
  }
  Found descended(Found found, int layers) const {
    Point step{0.3, 0.15, 0.7};
    while (step[0] > 0.005) {
      bool better = false;
      for (int a = 0; a < 3; ++a)
        for (const double way : {1.0, -1.0}) {
          Point p = found.at;
          p[a] += way * step[a];
          if (p[2] <= highest_alpha()) better |= attempt(p, layers, found);
        }
      if (!better)
        for (double& s : step) s /= 2;
    }
    return found;
  }

  // What is guided decays in the layers with alpha above its frequency, which leaves less of sigma for
  // others.
  std::vector<double> attenuations() const {
    std::vector<double> all{0.5, 0.8, 1.2, 1.8, 2.7};
    if (guides_) all.insert(all.end(), {4.0, 6.0, 9.0});
    return all;
  }
  std::vector<double> alphas() const {
    return guides_ ? std::vector{1.0, 0.2, 3.0, 8.0} : std::vector{1.0, 0.2};
  }
  double highest_alpha() const { return guides_ ? std::log(2 / first_.alpha_max) : 0; }

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
  bool guides_ = false;
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
      const double r = w.weight * std::min(1.0, std::abs(normal_reflection(side, w.phase, w.normal)));
      if (r > most.reflection) most = {r, f, std::acos(std::min(1.0, w.cosine)) * 180 / pi};
    }
  return most;
}

/// How many layers would do; empty where none do.
std::optional<int> enough_layers(const Search& search, int above) {
  for (const int layers : more_layers)
    if (layers > above && search.worst(search.best(layers)).all() < noticeable / 3) return layers;
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

/// The profile that absorbs best with as few layers as do.
PmlSettings choose(const Simulation& s, const EndWaves& ends, const Search& search) {
  const bool free = !s.pml.asked && s.pml.layers == PmlSettings{}.layers;
  PmlSettings best = search.best(s.pml.layers);
  for (const int layers : more_layers) {
    const double enough = layers > cheap_layers && !ends.flat() ? noticeable / 3 : good;
    if (!(search.worst(best).all() > enough) || !free || layers > ends.room()) break;
    best = search.best(layers);
  }
  return best;
}

std::string note_of(const PmlSettings& best, const Worst& after, int layers, const Worst& before) {
  const char* const cause = before.reflection == before.all()
                                ? "what is left across them of waves near grazing"
                                : "waves that bodies guide, which the usual ones amplify";
  return fmt::format(
      "absorbing layers: {} cells, sigma {:.3g} times as strong as usual and of order {:.3g}, "
      "alpha {:.3g} / dx, for {}; of waves that leave they reflect at most {:.1e} of an amplitude, {} of "
      "the usual profile {:.1e}",
      best.layers, best.sigma_scale, best.order, best.alpha_max, cause, after.reflection, layers,
      before.reflection);
}

std::string growth_warning(const Simulation& s, double growth) {
  return fmt::format(
      "absorbing layers: a wave that bodies guide along them may grow by a factor e in {:.0f} periods "
      "(it reaches into the layers, which are not passive to fields that decay); {}",
      1 / (2 * pi * growth),
      profile_is_free(s.pml) ? "leave more room between bodies and walls"
                             : "leave the keys of [pml] out, so that the layers are fitted to it");
}

/// The case's profile, or one that is better for its waves.
FittedLayers better_of(const Simulation& s, const EndWaves& ends, const Search& search, const Worst& before) {
  FittedLayers out{s.pml, "", "", before.growth};
  if (before.all() > good && profile_is_free(s.pml)) {
    const PmlSettings best = choose(s, ends, search);
    const Worst after = search.worst(best);
    if (after.all() < before.all())
      out = {best, note_of(best, after, s.pml.layers, before), "", after.growth};
  }
  if (out.growth > noticeable_growth) out.warning = growth_warning(s, out.growth);
  return out;
}

bool is_lit(const Simulation& s) {
  return std::ranges::any_of(
      s.sources, [](const SourceSpec& source) { return source.kind == SourceSpec::Kind::plane_wave; });
}

}  // namespace

FittedLayers fit_layers(const Simulation& s, const Scene& scene, const Grid& g) {
  const FittedLayers as_given{s.pml, "", ""};
  if (s.pml.layers < 1) return as_given;
  // waves of one edge of cells along all axes are what it knows
  if (g.graded()) return as_given;
  const EndWaves ends(s, scene, g);
  const auto guided = ends.guided();
  if (ends.axis() < 0 && guided.empty()) return as_given;
  const Sent sent(s, scene, g);
  const bool lit = ends.axis() >= 0 && is_lit(s);
  const auto looked_at = frequencies_looked_at(s, sent);
  const Waves orders = waves_to_absorb(ends, sent, looked_at);
  Waves waves = orders;
  add_guided(guided, g, sent, lit, waves);
  if (std::ranges::none_of(waves, [](const auto& w) { return w.second.normal > 0; })) return as_given;
  const Search search(s, g, waves);
  const Worst before = search.worst(search.first());
  // What other sources send are modes of guides and cavities, which orders are not.
  if (!lit && before.growth <= slow_growth) return as_given;
  FittedLayers out = better_of(s, ends, search, before);
  if (!lit) return out;
  for (const auto& [like, w] : orders) out.slowness = std::max(out.slowness, 1 / std::max(slowest, w.cosine));
  for (const double f : looked_at)
    for (const EndWave& w : ends.at(f)) out.grazing |= ends.flat() && w.cosine < slow;
  Simulation fitted = s;
  fitted.pml = out.settings;
  const Seen seen = most_seen(ends, make_pml(settings_for(fitted, g.dx), g.dx, g.dt, 1), looked_at);
  if (seen.reflection > noticeable) out.warning = warning_of(s, seen, search, out.settings.layers);
  return out;
}

}  // namespace umov::fdtd
