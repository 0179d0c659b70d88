// Orders of a periodic cell at its absorbing ends: their angles, from the media there and the walls.
#include "fdtd/end_waves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fdtd/kind_names.hpp"
#include "fdtd/sources/dispersion.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

namespace {

/// Places along each other axis at which media are looked up.
constexpr int places = 8;
/// Shares below which a reflection is not looked at.
constexpr double no_weight = 1e-4;
/// Of what is guided; more would count the rounding of what has decayed.
constexpr double most_weight = 1e6;
/// Cells between layers and what they should keep away from: a plane wave enters `margin` = 4 from them, and
/// monitors see both sides of a cell.
constexpr int clear_cells = 8;

/// Taken for the index of conductors, whose surfaces guide waves slower than light.
constexpr double of_conductors = 2;
/// Waves looked at of one order in one medium, and the least decay of one, over its wave number.
constexpr int guided_waves = 16;
constexpr double least_decay = 0.005;

bool conducts(const materials::Material& m, double angular) {
  return m.perfect_conductor || m.permittivity(angular).real() <= 0;
}

/// The largest along any axis.
double guiding_index(const materials::Material& m, double angular) {
  if (m.perfect_conductor) return of_conductors;
  double most = 0;
  for (int a = 0; a < 3; ++a) {
    const double squared = m.permittivity(angular, a).real() * m.mu[a];
    most = std::max(most, squared > 0 ? std::sqrt(squared) : of_conductors);
  }
  return most;
}

/// None where layers leave nothing between them.
std::vector<int> layered_axes(const Simulation& s, const Grid& g) {
  std::vector<int> axes;
  if (dimensions(g.mode) == 1) return axes;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    if (s.walls[a][0] != WallKind::pml && s.walls[a][1] != WallKind::pml) continue;
    if (2 * s.pml.layers >= g.cells[a]) return {};
    axes.push_back(a);
  }
  return axes;
}

/// Whether nothing changes along the walls: boxes that run through, lit by plane waves.
bool is_flat(const Simulation& s, int axis) {
  if (s.picture) return false;
  for (const SourceSpec& source : s.sources)
    if (source.kind != SourceSpec::Kind::plane_wave) return false;
  for (const BodySpec& b : s.bodies) {
    if (b.shape != "box" || b.rotation != 0) return false;
    for (int a = 0; a < 3; ++a)
      if (a != axis && b.size && (*b.size)[a] != 0 && (*b.size)[a] < 2 * std::abs(b.center[a]) + s.size[a])
        return false;
  }
  return true;
}

}  // namespace

EndWaves::EndWaves(const Simulation& s, const Scene& scene, const Grid& grid)
    : grid_(grid),
      layered_(layered_axes(s, grid)),
      walls_(s.walls),
      bloch_(2 * pi * (s.bloch + s.bloch_shift)),
      bodies_(&scene.materials()) {
  if (layered_.empty()) return;
  room_ = grid.cells[layered_[0]];
  for (const int a : layered_) {
    for (int side = 0; side < 2; ++side)
      if (s.walls[a][side] == WallKind::pml) look_behind(scene, s.pml.layers, a, side);
    keep_clear(s, a);
  }
  if (layered_.size() > 1) return;
  axis_ = layered_[0];
  for (const SourceSpec& source : s.sources) {
    if (source.kind != SourceSpec::Kind::plane_wave) continue;
    double sum = 0;
    for (const double k : launch_of(source, s, scene, grid).along_period)
      sum += squared_difference(k * grid.dx);
    incident_.push_back(sum);
  }
  flat_ = is_flat(s, axis_);
  if (s.normalize) keep({&bodies_->front(), double(grid.cells[axis_])}, media_);
}

/// Media from a wall to the layers' inner face, and how far in from there the next ones begin.
void EndWaves::look_behind(const Scene& scene, int layers, int axis, int side) {
  const int n = grid_.cells[axis], u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto count = [&](int a) { return grid_.active(a) ? std::min(places, grid_.cells[a]) : 1; };
  for (int j = 0; j < count(v); ++j)
    for (int i = 0; i < count(u); ++i) {
      const auto material = [&](int depth) {
        Vec3 at = grid_.origin;
        for (const auto& [a, which] : {std::pair{u, i}, std::pair{v, j}})
          if (grid_.active(a)) at[a] = grid_.place(a, (which + 0.5) * grid_.cells[a] / count(a));
        at[axis] = grid_.place(axis, side == 0 ? depth + 0.5 : n - depth - 0.5);
        return scene.material_at(at);
      };
      const int own = material(layers);
      int depth = layers;
      while (depth < n && material(depth) == own) ++depth;
      keep({&scene.materials()[own], double(depth - layers)}, media_);
      const int outer = material(0);
      int face = 0;
      while (face < n && material(face) == outer) ++face;
      keep({&scene.materials()[outer], double(face - layers)}, outermost_);
      room_ = std::min(room_, face - clear_cells);
    }
}

void EndWaves::keep(Medium m, std::vector<Medium>& in) {
  for (Medium& known : in)
    if (known.material == m.material) {
      known.gap = std::min(known.gap, m.gap);
      return;
    }
  in.push_back(m);
}

/// Monitors and sources stay outside the layers, on the side of the incident wave's face where they are.
void EndWaves::keep_clear(const Simulation& s, int axis) {
  const auto keep = [&](double from, double to) {
    const double low = grid_.index(axis, from), high = grid_.index(axis, to);
    for (const double cells : {low, grid_.cells[axis] - high})
      room_ = std::min(room_, int(std::floor(cells)) - clear_cells);
  };
  const auto keep_box = [&](const auto& spec) {
    const double half = spec.size[axis] / 2;
    if (std::isfinite(half)) keep(spec.center[axis] - half, spec.center[axis] + half);
  };
  for (const MonitorSpec& m : s.monitors) keep_box(m);
  for (const SourceSpec& source : s.sources)
    if (source.kind != SourceSpec::Kind::plane_wave || source.size[axis] > 0) keep_box(source);
}

/// (K dx)^2 of all wave numbers along an axis that its walls allow, up to the first beyond `reach` (radians
/// per unit) on each side.
std::vector<double> EndWaves::squares_along(int axis, double reach) const {
  if (!grid_.active(axis)) return {0};
  const double length = grid_.cells[axis] * grid_.dx, first = wraps(walls_[axis][0]) ? bloch_[axis] : 0;
  const double step = (wraps(walls_[axis][0]) ? 2 : 1) * pi / length;
  std::vector<double> squares;
  const int low = int(std::floor((-reach - first) / step)), high = int(std::ceil((reach - first) / step));
  for (int m = low; m <= high; ++m)
    if (const double k = first + m * step; std::abs(k) * grid_.dx <= pi)
      squares.push_back(squared_difference(k * grid_.dx));
  return squares;
}

void EndWaves::add(double frequency, double squared_index, const Medium& medium, double along, bool incident,
                   std::vector<EndWave>& to) const {
  const double phase = 2 * pi * frequency * grid_.dt;
  const double all = squared_index * std::pow(2 * grid_.dx / grid_.dt * std::sin(phase / 2), 2);
  EndWave wave{phase, all - along, 0, 1};
  if (wave.normal == 0) wave.normal = 1e-12 * all;
  if (wave.normal > 4) return;  // the grid carries none
  if (wave.normal > 0) {
    wave.cosine = std::sqrt(wave.normal / all);
    if (!incident) wave.weight = std::min(1.0, 4 * wave.cosine);
  } else {
    const double decay = 2 * std::asinh(std::sqrt(-wave.normal) / 2);
    wave.weight = std::exp(-2 * decay * medium.gap);
    wave.nearer = 2 * decay;
    if (!incident) wave.weight *= std::min(1.0, 4 * std::sqrt(-wave.normal / all));
  }
  if (wave.weight > no_weight) to.push_back(wave);
}

std::vector<EndWave> EndWaves::at(double frequency) const {
  std::vector<EndWave> waves;
  if (axis_ < 0) return waves;
  const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
  for (const Medium& medium : media_) {
    if (medium.material->perfect_conductor) continue;
    std::vector<double> indices;  // squared
    for (int a = 0; a < 3; ++a) {
      const double own = medium.material->permittivity(2 * pi * frequency, a).real() * medium.material->mu[a];
      if (own > 0 && std::ranges::find(indices, own) == indices.end()) indices.push_back(own);
    }
    for (const double own : indices) {
      for (const double along : incident_) add(frequency, own, medium, along, true, waves);
      if (flat_) continue;
      const double reach = 2 * pi * frequency * std::sqrt(own);
      const auto second = squares_along(v, reach);
      for (const double first : squares_along(u, reach))
        for (const double other : second) {
          const auto same = [&](double k) { return std::abs(k - first - other) < 1e-9; };
          if (std::ranges::none_of(incident_, same)) add(frequency, own, medium, first + other, false, waves);
        }
    }
  }
  return waves;
}

/// (K dx)^2 of all orders that the grid has, of those that are alike the smallest.
std::vector<double> EndWaves::orders() const {
  std::vector<double> sums{0};
  for (int a = 0; a < 3; ++a) {
    if (std::ranges::find(layered_, a) != layered_.end()) continue;
    std::map<int, double> alike;
    for (const double square : squares_along(a, pi / grid_.dx))
      for (const double sum : sums) {
        const double along = sum + square;
        const int like = along > 0 ? int(std::lround(4 * std::log(along))) : std::numeric_limits<int>::min();
        double& there = alike.emplace(like, along).first->second;
        there = std::min(there, along);
      }
    sums.clear();
    for (const auto& [like, along] : alike) sums.push_back(along);
  }
  std::erase_if(sums, [](double along) { return along < 1e-9; });
  return sums;
}

/// Waves of one order between n W = K `slowest` and K `fastest`, n W the wave number of light in the medium.
/// Growth, to first order in the reflection r: tails that decay as exp(-q x) in both ends hold 1 / q of n^2
/// |E|^2, and of such a wave r changes w^2 by 2 q r / n^2 at each end (of one that is not all tails less).
void EndWaves::add_guided(const Medium& medium, double index, double along, double slowest, double fastest,
                          std::vector<EndWave>& to) const {
  const double least = std::max(least_decay, std::sqrt(1 / (fastest * fastest) - 1));
  const double most = std::sqrt(1 / (slowest * slowest) - 1);
  for (int i = 0; i < guided_waves && least < most; ++i) {
    const double slope = least * std::pow(most / least, i / (guided_waves - 1.0));  // q / n W
    const double all = along / (1 + slope * slope);
    const double sine = std::sqrt(all) * grid_.dt / (2 * index * grid_.dx);
    if (sine >= 1) continue;  // the grid has none so fast
    const double nearer = 4 * std::asinh(std::sqrt(along - all) / 2);
    EndWave wave{2 * std::asin(sine), all - along, 0, 1, nearer, 2 * slope * slope};
    // r is that two cells before the layer, and rounded to 1e-16.
    wave.weight = std::min(most_weight, std::exp(-nearer * (medium.gap - 2)));
    to.push_back(wave);
  }
}

std::vector<EndWave> EndWaves::guided() const {
  std::vector<EndWave> waves;
  if (layered_.empty()) return waves;
  for (const double along : orders()) {
    const double angular = std::sqrt(along) / grid_.dx;
    double densest = 0, end = 0;
    for (const auto& material : *bodies_) densest = std::max(densest, guiding_index(material, angular));
    std::vector<std::pair<const Medium*, double>> ends;
    for (const Medium& m : outermost_)
      if (!conducts(*m.material, angular)) ends.emplace_back(&m, guiding_index(*m.material, angular));
    for (const auto& [medium, index] : ends) end = std::max(end, index);
    if (densest < end * (1 + 1e-6)) continue;
    for (const auto& [medium, index] : ends)
      add_guided(*medium, index, along, index / densest, index / end, waves);
  }
  return waves;
}

double reflection_of_layers(const EndWaves& ends, const PmlSide& side, double frequency) {
  double most = 0;
  for (const EndWave& w : ends.at(frequency))
    most = std::max(most, w.weight * std::min(1.0, std::abs(normal_reflection(side, w.phase, w.normal))));
  return most;
}

}  // namespace umov::fdtd
