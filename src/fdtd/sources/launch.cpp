// When and how strongly sources are launched, for what is planned before a run.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/sources/beam_source.hpp"
#include "fdtd/sources/plane_wave_faces.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

/// A grid that bends waves by more is no approximation of space.
constexpr double most_stretch = 0.05;

std::string owner_of(const SourceSpec& s) { return "source '" + s.name + "'"; }

Launch of_signal(const Signal& signal) {
  Launch launch;
  launch.end = signal.end();
  launch.settled = signal.steady_from();
  return launch;
}

/// A grid of one medium between the walls of a case.
Problem filled(const Simulation& s, const Grid& grid, double eps, double mu) {
  Problem p;
  p.grid = grid;
  p.coefficients = {{1, grid.dt / grid.dx / eps}, {1, grid.dt / grid.dx / mu}};
  for (int c = 0; c < components; ++c) p.uniform[c] = is_electric(c) ? 0 : 1;
  set_walls(s, p);
  return p;
}

Vec3 middle(const Face& face, const Grid& g) {
  Vec3 at{0, 0, 0};
  for (int a = 0; a < dimensions(g.mode); ++a)
    at[a] = g.place(a, a == face.axis ? face.node : 0.5 * (face.lo[a] + face.hi[a]));
  return at;
}

}  // namespace

namespace {

/// A beam's slant holds it back, and the last of it passes the far rim as much later.
Launch held_back(const Signal& signal, double delay) {
  Launch launch = of_signal(signal);
  launch.end += 2 * delay;
  launch.settled += 2 * delay;
  return launch;
}

Launch oblique(const SourceSpec& spec, const Signal& signal, const Problem& p) {
  Launch launch = of_signal(signal);
  const PlaneWaveSetup w = plane_wave_setup(spec, p, owner_of(spec));
  if (norm(w.family.fixed) == 0) return launch;
  const double later = double(plane_wave_timing(p, w, signal).trail()) * p.grid.dt;
  launch.end += later;
  launch.settled += later;
  const GridWave wave = grid_wave(p.grid, w.family, signal.carrier());
  const double cutoff = cutoff_on_grid(p.grid, w.family);
  launch.angle = std::asin(std::min(1.0, cutoff / signal.carrier())) * 180 / pi;
  launch.gain =
      wave.travels ? plane_wave_gain(p.grid, w.family, wave, signal.carrier(), signal.carrier()) : 0;
  const GrazingFade fade(p.grid, w.family, signal.carrier());
  launch.cutoff = cutoff / (2 * pi);
  launch.along_period = w.family.fixed;
  launch.index = w.index;
  launch.fade_middle = fade.middle / (2 * pi);
  launch.fade_width = fade.width / (2 * pi);
  launch.share_at_carrier = fade.gain(signal.carrier());
  return launch;
}

}  // namespace

double Launch::slowness() const { return 1 / std::max(0.005, std::cos(angle * pi / 180)); }

double Launch::share(double frequency) const {
  if (!(cutoff > 0)) return 1;
  if (frequency <= cutoff) return 0;
  return 0.5 * std::erfc((fade_middle - frequency) / (std::sqrt(2.0) * fade_width)) / share_at_carrier;
}

Launch launch_of(const SourceSpec& spec, const Problem& p) {
  const Signal signal(spec.waveform, owner_of(spec));
  if (spec.kind == SourceSpec::Kind::beam) return held_back(signal, beam_delay(spec, p));
  if (spec.kind != SourceSpec::Kind::plane_wave) return of_signal(signal);
  try {
    return oblique(spec, signal, p);
  } catch (const BadInput&) {
    return of_signal(signal);
  }
}

Launch launch_of(const SourceSpec& spec, const Simulation& s, const Scene& scene, const Grid& grid) {
  const Signal signal(spec.waveform, owner_of(spec));
  if (spec.kind == SourceSpec::Kind::beam) {
    const auto& m = scene.materials()[scene.material_at(spec.center)];
    return held_back(signal, beam_delay(spec, grid, std::sqrt(std::max(1.0, m.eps[0] * m.mu[0]))));
  }
  if (spec.kind != SourceSpec::Kind::plane_wave) return of_signal(signal);
  try {
    const auto faces = plane_wave_faces(plane_wave_box(spec, filled(s, grid, 1, 1), owner_of(spec)));
    const auto& m = scene.materials()[scene.material_at(middle(faces.front(), grid))];
    if (!(m.eps[0] > 0) || !(m.mu[0] > 0)) return of_signal(signal);
    return oblique(spec, signal, filled(s, grid, m.eps[0], m.mu[0]));
  } catch (const BadInput&) {
    return of_signal(signal);
  }
}

namespace {

/// The shift for one wave. Its cutoff in space is |k| / n; the grid's is there when the squares of K along
/// the periods add up to n^2 Omega^2, for which all parts along Bloch walls are stretched alike, by Newton's
/// method.
Vec3 shift_of(const Simulation& s, const Launch& launch, const Grid& g) {
  if (g.graded()) return {0, 0, 0};  // its cells bend waves by different parts
  const Vec3& k = launch.along_period;
  const double n = launch.index;
  const double target = std::pow(2 * n * g.dx / g.dt * std::sin(norm(k) / n * g.dt / 2), 2);
  double stretch = 1;
  for (int i = 0; i < 20; ++i) {
    double sum = -target, slope = 0;
    for (int a = 0; a < 3; ++a) {
      const bool free = turns(s.walls[a][0]);
      const double u = k[a] * g.dx;
      sum += squared_difference(free ? stretch * u : u);
      if (free) slope += 2 * u * std::sin(stretch * u);
    }
    if (!(slope > 0)) return {0, 0, 0};
    stretch -= sum / slope;
  }
  if (!(std::abs(stretch - 1) < most_stretch)) return {0, 0, 0};
  Vec3 shift{0, 0, 0};
  for (int a = 0; a < 3; ++a)
    if (turns(s.walls[a][0])) shift[a] = (stretch - 1) * k[a] / (2 * pi);
  return shift;
}

}  // namespace

Vec3 bloch_shift(const Simulation& s, const Scene& scene, const Grid& g) {
  const auto resonance = [](const MonitorSpec& m) { return traits_of(m).free_fields; };
  if (std::ranges::any_of(s.monitors, resonance)) return {0, 0, 0};
  std::optional<Vec3> shift;
  for (const SourceSpec& source : s.sources) {
    if (source.kind != SourceSpec::Kind::plane_wave) return {0, 0, 0};
    const Vec3 own = shift_of(s, launch_of(source, s, scene, g), g);
    if (shift && norm(*shift - own) > 1e-9 * norm(own)) return {0, 0, 0};
    shift = own;
  }
  return shift.value_or(Vec3{0, 0, 0});
}

}  // namespace umov::fdtd
