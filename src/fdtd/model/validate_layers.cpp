// Absorbing layers: what runs into them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/text.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/sources/band.hpp"

namespace umov::fdtd {
namespace {

/// Places on a wall's inner face, at most this many along an axis.
constexpr int most_samples = 64;

struct LayerScan {
  bool changes = false;
  std::set<int> dispersive;  ///< materials
  Vec3 where{0, 0, 0};
  int inner = 0, outer = 0;
};

LayerScan scan_layer(const Scene& scene, const Surroundings& around, int axis, int side) {
  const Grid& g = around.grid();
  LayerScan scan;
  Int3 count{1, 1, 1};
  for (int a = 0; a < dimensions(g.mode); ++a)
    if (a != axis) count[a] = std::min(most_samples, g.cells[a]);
  const int layers = around.layers(axis, side);
  for (int v = 0; v < count[(axis + 2) % 3]; ++v)
    for (int u = 0; u < count[(axis + 1) % 3]; ++u) {
      Vec3 p = g.origin;
      const auto place = [&](int a, int i) {
        if (g.active(a)) p[a] = g.place(a, 0.5 + double(i) * g.cells[a] / count[a]);
      };
      place((axis + 1) % 3, u);
      place((axis + 2) % 3, v);
      const auto material = [&](int depth) {
        p[axis] = g.place(axis, side == 0 ? depth + 0.5 : g.cells[axis] - depth - 0.5);
        return scene.material_at(p);
      };
      const int outer = material(0), inner = material(layers);
      if (scene.materials()[outer].dispersive()) scan.dispersive.insert(outer);
      if (outer != inner && !scan.changes) {
        scan.changes = true;
        scan.where = p, scan.inner = inner, scan.outer = outer;
      }
    }
  return scan;
}

/// A frequency of the sources at which the permittivity is negative, if there is one.
std::optional<double> negative_at(const materials::Material& m, const Simulation& s) {
  constexpr int steps = 64;
  for (const auto& source : s.sources) {
    const auto [low, high] = band_above(source.waveform, faint_share);
    for (int i = 0; i <= steps; ++i) {
      const double f = std::max(low, 1e-3 * high) + i * (high - low) / steps;
      for (int a = 0; a < 3; ++a)
        if (m.permittivity(2 * pi * f, a).real() < 0) return f;
    }
  }
  return std::nullopt;
}

Finding reaches_layer(const std::string& wall, const materials::Material& m, std::optional<double> negative) {
  if (negative)
    return {
        Severity::warning,
        fmt::format("{}: the dispersive material '{}' reaches it, whose permittivity is negative at the "
                    "frequency {:.4g} of the sources (layers may amplify such waves); keep such bodies out",
                    wall, m.name, *negative)};
  return {Severity::note,
          fmt::format("{}: the dispersive material '{}' reaches it; its permittivity is positive "
                      "at all frequencies of the sources, and its waves are absorbed",
                      wall, m.name)};
}

/// What layers of 1, 2, 3, 4 cells send back of the amplitude of a wave that comes straight, measured with
/// the usual profile at 20 cells in the wavelength (at 10: 0.42, 0.17, 0.062, 0.025; at 40: 0.33, 0.11,
/// 0.027, 0.005).
constexpr std::array sent_back{0.35, 0.12, 0.033, 0.009};

/// One warning of all walls that have hardly any layer.
void warn_of_thin(const Surroundings& around, Findings& found) {
  std::vector<std::string> walls;
  int thinnest = int(sent_back.size()) + 1;
  for (int a = 0; a < dimensions(around.grid().mode); ++a)
    for (int side = 0; side < 2; ++side) {
      const int layers = around.layers(a, side);
      if (layers == 0 || layers > int(sent_back.size())) continue;
      walls.push_back(fmt::format("{} {}", side ? "high" : "low", "xyz"[a]));
      thinnest = std::min(thinnest, layers);
    }
  if (walls.empty()) return;
  found.push_back(
      {Severity::warning,
       fmt::format("absorbing layers at {} are {} {} thick (they send back about {:.2g} of the amplitude "
                   "of waves that come straight, more of others); give `pml.layers` 8 or more",
                   join(walls, ", "), thinnest, thinnest == 1 ? "cell" : "cells",
                   sent_back[std::size_t(thinnest) - 1])});
}

}  // namespace

void validate_layers(const Simulation& s, const Scene& scene, const Surroundings& around, Findings& found) {
  warn_of_thin(around, found);
  for (int a = 0; a < dimensions(around.grid().mode); ++a)
    for (int side = 0; side < 2; ++side) {
      if (around.layers(a, side) == 0) continue;
      const auto scan = scan_layer(scene, around, a, side);
      const std::string wall = fmt::format("absorbing layer at {} {}", side ? "high" : "low", "xyz"[a]);
      const auto name = [&](int m) { return scene.materials()[m].name; };
      if (scan.changes)
        found.push_back(
            {Severity::warning,
             fmt::format(
                 "{}: '{}' at its inner face becomes '{}' at the wall near ({:.4g}, {:.4g}, {:.4g}) (layers "
                 "absorb well only what goes straight through them) let bodies run through or keep "
                 "them out",
                 wall, name(scan.inner), name(scan.outer), scan.where[0], scan.where[1], scan.where[2])});
      for (const int m : scan.dispersive)
        found.push_back(reaches_layer(wall, scene.materials()[m], negative_at(scene.materials()[m], s)));
    }
}

}  // namespace umov::fdtd
