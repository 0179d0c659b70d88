// What a graded grid does not know of a case.
#include <fmt/format.h>

#include <algorithm>

#include "fdtd/kind_names.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/sources/kind.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

constexpr const char* remedy = "take a uniform grid (leave [grid] out), or another kind";

void refuse(const std::string& who, const std::string& what, Findings& found) {
  found.push_back({Severity::refusal, fmt::format("{}: {}; {}", who, what, remedy)});
}

void check_source(const SourceSpec& source, Findings& found) {
  const std::string who = "source '" + source.name + "'";
  if (traits_of(source).drawn) refuse(who, "is drawn in cells (those of a graded grid differ)", found);
  if (source.kind == SourceSpec::Kind::beam)
    refuse(who, "is a beam (it is made of waves of a grid whose cells are alike)", found);
}

/// A region of Fourier transforms, or a map, becomes an image, whose cells are alike.
void check_region(const std::string& who, const MonitorSpec& m, const Simulation& s, const Grid& g,
                  Findings& found) {
  for (int a = 0; a < dimensions(g.mode); ++a) {
    if (!(m.size[a] > 0)) continue;
    const double low = g.origin[a], high = low + g.length(a), half = m.size[a] / 2;
    const bool mirrored = is_mirror(s.walls[a][0]) || is_mirror(s.walls[a][1]);
    const int from = int(std::lround(g.index(a, std::max(low, m.center[a] - half))));
    const int to = int(std::lround(g.index(a, std::min(high, m.center[a] + half))));
    if (mirrored && m.center[a] - half < low && m.center[a] + half > low && half > 0)
      refuse(who, fmt::format("reaches over the symmetry plane along {} of a graded grid", "xyz"[a]), found);
    else if (!g.even(a, from, to))
      found.push_back(
          {Severity::refusal,
           fmt::format(
               "{}: cells along {} differ between {:.6g} and {:.6g} (its values become an image of equal "
               "cells); give grid.{} equal cells there, or make the region smaller",
               who, "xyz"[a], g.place(a, from), g.place(a, to), "xyz"[a])});
  }
}

void check_monitor(const MonitorSpec& m, const Simulation& s, const Grid& g, Findings& found) {
  const std::string who = "monitor '" + m.name + "'";
  if (!m.pixels.empty()) refuse(who, "is drawn in cells (those of a graded grid differ)", found);
  if (m.kind == MonitorSpec::Kind::orders)
    refuse(who, "measures diffraction orders (sums over equal cells of a period)", found);
  if (m.kind == MonitorSpec::Kind::near_to_far)
    for (const auto& source : s.sources)
      if (traits_of(source).total_field)
        return refuse(
            who, "is a far field beside a plane wave (its cross sections compare with the wave of one grid)",
            found);
  if (m.kind == MonitorSpec::Kind::fourier || m.kind == MonitorSpec::Kind::absorption)
    check_region(who, m, s, g, found);
}

}  // namespace

Grid grid_in(const Scene& scene, const Grid& g, int material, bool across_surfaces) {
  if (!g.graded()) return g;
  Grid alike = g;
  for (auto& lines : alike.lines) lines.clear();
  if (material == 0) return alike;
  double longest = 0;
  for (const Occupied& body : scene.occupied()) {
    if (body.material != material) continue;
    const auto ends = [&](int a) {
      return body.low[a] > g.place(a, 0) + 1e-9 * g.dx || body.high[a] < g.place(a, g.cells[a]) - 1e-9 * g.dx;
    };
    bool bounded = false;
    for (int a = 0; a < dimensions(g.mode); ++a) bounded |= ends(a);
    for (int a = 0; a < dimensions(g.mode); ++a) {
      if (across_surfaces && bounded && !ends(a)) continue;
      for (int i = 0; i < g.cells[a]; ++i)
        if (g.place(a, i) < body.high[a] - 1e-9 * g.dx && g.place(a, i + 1) > body.low[a] + 1e-9 * g.dx)
          longest = std::max(longest, g.edge(a, i));
    }
  }
  if (longest > 0) alike.dx = longest;
  return alike;
}

void validate_graded(const Simulation& s, const Grid& g, Findings& found) {
  if (!g.graded()) return;
  for (const auto& source : s.sources) check_source(source, found);
  for (const auto& m : s.monitors) check_monitor(m, s, g, found);
  if (s.outputs.animation)
    found.push_back(
        {Severity::refusal,
         "output.animation: a graded grid has none (its frames are of equal cells); leave it out, or "
         "take monitors of kind snapshot"});
  std::string text;
  for (int a = 0; a < dimensions(g.mode); ++a)
    text += fmt::format("{}{} {} cells of {:.4g} to {:.4g}", a ? ", " : "", "xyz"[a], g.cells[a], g.finest(a),
                        g.coarsest(a));
  double uniform = 1;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    double least = g.dx;
    for (int b = 0; b < dimensions(g.mode); ++b) least = std::min(least, g.finest(b));
    uniform *= g.length(a) / least;
  }
  found.push_back(
      {Severity::note, fmt::format("graded grid: {}; {:.3g} cells, where equal ones of the shortest edge "
                                   "would be {:.3g}",
                                   text, double(g.cell_count()), uniform)});
  for (int a = 0; a < dimensions(g.mode); ++a)
    for (const WallKind wall : s.walls[a])
      if (wall == WallKind::pml && s.pml.layers > 0) {
        found.push_back(
            {Severity::note,
             "absorbing layers: not fitted to the waves of the case, as those of a uniform grid are; "
             "where waves graze them give pml.layers"});
        return;
      }
}

}  // namespace umov::fdtd
