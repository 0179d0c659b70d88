// Checks of the medium at a plane wave's faces; times at which the wave meets them.
#include "fdtd/sources/plane_wave_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "fdtd/sources/local.hpp"

namespace umov::fdtd {
namespace {

[[noreturn]] void refuse(const Problem& p, const std::string& owner, Component c, const Int3& cell,
                         const char* why) {
  const Vec3 r = p.grid.position(c, cell);
  throw BadInput(
      fmt::format("{}: its total-field box crosses {} at ({:g}, {:g}, {:g}) (an undisturbed plane wave "
                  "needs one lossless medium there); shrink or move the box so that bodies lie within",
                  owner, why, r[0], r[1], r[2]));
}

/// Refuses a medium whose constants along the axes differ: waves there are not those of one index.
[[noreturn]] void refuse_axes(const std::string& owner, int first, double one, double other) {
  throw BadInput(fmt::format(
      "{}: its total-field box lies in an anisotropic medium ({} {:g} along one axis and {:g} along another: "
      "a plane wave there has the index of its polarization and direction); make the medium around the box "
      "isotropic, or in two dimensions take the polarization that sees one of them",
      owner, is_electric(first) ? "eps" : "mu", one, other));
}

/// Refuses edges that have more than coefficients: poles, off-diagonal terms.
void refuse_special(const Problem& p, const std::string& owner, const Crossing& x) {
  const Layout layout(p.grid);
  std::vector<index_t> cells;
  for (const Int3& cell : x.cells) cells.push_back(layout.at(cell));
  for (const auto& group : p.dispersive)
    for (std::size_t i = 0; i < cells.size() && group.component == x.target; ++i)
      if (std::binary_search(group.cells.begin(), group.cells.end(), cells[i]))
        refuse(p, owner, x.target, x.cells[i], "a dispersive medium");
  for (const auto& half : p.cut_media.halves)
    if (half.component == x.target)
      if (const auto at = std::find(cells.begin(), cells.end(), half.cell); at != cells.end())
        refuse(p, owner, x.target, x.cells[at - cells.begin()], "the surface of a dispersive medium");
  if (!is_electric(x.target)) return;
  auto sorted = cells;
  std::sort(sorted.begin(), sorted.end());
  for (const auto& term : p.tensor[x.target])
    if (std::binary_search(sorted.begin(), sorted.end(), term.cell))
      refuse(p, owner, x.target, x.cells[std::find(cells.begin(), cells.end(), term.cell) - cells.begin()],
             "an interface");
}

}  // namespace

std::array<double, 2> uniform_medium(const Problem& p, const std::vector<Face>& faces,
                                     const std::string& owner) {
  std::array<std::optional<double>, components> drive;
  const auto differs = [](double a, double b) { return std::abs(a - b) > 1e-12 * b; };
  const Layout layout(p.grid);
  for (const Face& face : faces)
    for (const Crossing& x : crossings(p, face)) {
      refuse_special(p, owner, x);
      auto& known = drive[x.target];
      for (const Int3& cell : x.cells) {
        const index_t at = layout.at(cell);
        const Coefficients& k = coefficients_at(p, x.target, at);
        if (k.drive == 0) refuse(p, owner, x.target, cell, "a perfect conductor");
        if (k.decay != 1) refuse(p, owner, x.target, cell, "a medium with losses");
        if (!known) known = k.drive;
        if (differs(k.drive, *known)) refuse(p, owner, x.target, cell, "more than one medium");
      }
    }
  const double free = p.grid.dt / p.grid.dx;
  const auto constant = [&](int first) {
    std::optional<double> one;
    for (int c = first; c < first + 3; ++c) {
      if (one && drive[c] && differs(*drive[c], *one))
        refuse_axes(owner, first, free / *one, free / *drive[c]);
      if (drive[c]) one = drive[c];
    }
    if (!one)
      throw BadInput(owner +
                     ": no cell of the grid crosses its total-field box (it is too thin); enlarge it");
    return free / *one;
  };
  return {constant(Ex), constant(Hx)};
}

GrazingFade::GrazingFade(const Grid& g, const WaveFamily& f, double carrier) {
  constexpr double below = 4.5, above = 1;  // standard deviations from grazing and to the carrier
  const double edge = cutoff_on_grid(g, f);
  const double range = std::min(0.35 * carrier, carrier - edge);
  width = range / (below + above);
  middle = edge + below * width;
  reach = 4 * 2 * pi / range;
  speed = std::sqrt(std::max(0.0, 1 - edge * edge / (carrier * carrier)));
}

double GrazingFade::gain(double w) const { return 0.5 * std::erfc((middle - w) / (std::sqrt(2.0) * width)); }

PlaneWaveTiming plane_wave_timing(const Problem& p, const PlaneWaveSetup& w, const Signal& signal) {
  PlaneWaveTiming t;
  for (int a = 0; a < 3; ++a) {
    if (w.family.along[a] == 0) continue;
    const bool up = w.family.along[a] > 0;
    const double node = up ? w.box.lo[a] - 0.5 : w.box.hi[a] + 0.5;
    t.first_place += w.family.along[a] * p.grid.place(a, node);
  }
  if (norm(w.family.fixed) > 0)
    t.lead = std::lround(GrazingFade(p.grid, w.family, signal.carrier()).reach / p.grid.dt);
  return t;
}

}  // namespace umov::fdtd
