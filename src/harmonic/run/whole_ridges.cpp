// Columns of the grid into which the ridges of lamellar textures go whole.
#include "harmonic/run/whole_ridges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace umov::harmonic {

namespace {

bool has_ridges(const TextureSpec& t) {
  return t.kind == TextureKind::lamellar && t.height != 0 && t.fill > 0 && t.fill < 1;
}

/// How far walls are moved, in periods.
double moved(const Simulation& sim, int columns) {
  double most = 0;
  for (const auto& t : sim.textures)
    if (has_ridges(t)) most = std::max(most, std::abs(whole_fill(t.fill, columns) - t.fill));
  return most;
}

/// Rounding of `fill` times columns.
constexpr double rounding = 1e-12;

}  // namespace

double whole_fill(double fill, int columns) {
  if (fill <= 0 || fill >= 1 || columns < 2) return fill;
  return std::clamp(std::round(fill * columns), 1.0, double(columns - 1)) / columns;
}

int columns_for_ridges(const Simulation& sim, int columns) {
  int best = columns;
  for (int n = columns; n <= columns + columns / 4 + 1; ++n)
    if (moved(sim, n) < moved(sim, best) - rounding) best = n;
  return best;
}

void tell_moved_walls(const Simulation& sim, int columns, std::vector<std::string>& warnings,
                      std::vector<std::string>& notes) {
  const int better = columns_for_ridges(sim, columns);
  for (const auto& t : sim.textures) {
    const double whole = whole_fill(t.fill, columns), by = std::abs(whole - t.fill);
    if (!has_ridges(t) || by < rounding) continue;
    std::string text =
        fmt::format("the ridges above '{}' fill {:.6g} of the period, {:g} of {} columns in place of {:g}",
                    t.above, whole, std::round(whole * columns), columns, t.fill * columns);
    if (by < 1e-3) {
      notes.push_back(text);
      continue;
    }
    text += " (walls stand between columns)";
    if (better != columns)
      text += fmt::format("; cell_lateral = {:.6g} gives {} columns and fill {:.6g}", sim.period[0] / better,
                          better, whole_fill(t.fill, better));
    else
      text += "; choose a smaller cell_lateral";
    warnings.push_back(text);
  }
}

void tell_metal_corners(const Simulation& sim, const std::vector<bool>& metals,
                        std::vector<std::string>& warnings) {
  const bool across =
      std::all_of(sim.azimuth.values.begin(), sim.azimuth.values.end(), [](double a) { return a == 0; });
  if (sim.polarization == Polarizations::s && across) return;  // E along the ridges meets no corner
  for (const auto& t : sim.textures) {
    if (!has_ridges(t)) continue;
    std::size_t below = sim.layers.size() + 1;  // of the substrate
    for (std::size_t n = 0; n < sim.layers.size(); ++n)
      if (sim.layers[n].name == t.above) below = n + 1;
    if (!metals[below] && !metals[below - 1]) continue;
    warnings.push_back(fmt::format(
        "the ridges above '{}' are corners of metal, where p polarization converges slowly: absorption in "
        "them "
        "can be several times too much, and `flat grid error` does not show it (it is that of the cell "
        "without "
        "textures); compare with half of cell and cell_lateral",
        t.above));
  }
}

}  // namespace umov::harmonic
