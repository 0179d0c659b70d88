// The error to expect at surfaces of metals: of the cells in the depth that fields enter, in a body, at
// edges.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/model/bodies.hpp"
#include "fdtd/model/survey.hpp"
#include "fdtd/model/validate_parts.hpp"

namespace umov::fdtd {
namespace {

/// Per cent at one cell in the radius: E along, and H along with cells mixed over two by its square; mixed
/// over one by itself.
constexpr double of_radius_along = 8, of_radius = 110, of_radius_narrow = 50;
/// Per cent of edges at one cell in the depth: of scattering, of scattering where fields at a right angle are
/// singular beyond measure (-3 < eps < -1/3), of absorption times (1 + |eps|) / Im eps.
constexpr double of_edges = 85, of_singular_edges = 300, absorbed_at_edges = 60;
/// Per cent that need no warning.
constexpr double tolerated_absorption = 12.5, tolerated_scattering = 5;
/// Cells in a radius that a warning speaks of.
constexpr double few_cells = 6;

/// What tells the error at a metal's surface.
struct MetalSurface {
  double depth = 0;          ///< 1 / (k Im n), which fields enter by
  cplx eps;                  ///< at the carrier
  double radius = infinity;  ///< of round bodies, the least; half the least width of others
  bool edges = false;        ///< some body of it has edges
  bool singular = false;     ///< -3 < eps < -1/3 in the band of the sources
  bool wide_mixing = false;  ///< mixed over two cells (paint.cpp)
  bool along = false;        ///< E is along all surfaces
  std::string narrowest;     ///< the body of that radius
};

/// In per cent.
struct Expected {
  double absorption = 0, scattering = 0;
};

/// Errors at cells of edge dx, in nine of ten cases, as measured with H along (docs/decisions/0021).
///
/// Of n cells in the depth: cylinders of 6 to 11 cells per radius at four places in the grid each, at 660
/// frequencies one by one, n from 2 to 24: silver (two models), gold, aluminium, and Drude metals of loss
/// 0.003 to 0.1 of the plasma frequency through their resonance at eps = -1. The layer of cut cells absorbs
/// what the little loss of a good metal does not: times n, over (1 + |eps|) / Im eps, the error of absorption
/// is 1.7 in the median, 3.5 in three of four, 5.3 in nine of ten and at most 22 % where cells are mixed over
/// two (paint.cpp), and 3.4, 6.7, 10.5 and 114 % over one, which is stated. Of scattering it is 1.6 in the
/// median, 3.6 in nine of ten, at most 9.6 %, whatever n.
///
/// Of cells in the radius: Drude cylinders of 2 to 8, at five places. Of edges, which converge in first
/// order: a grating (10 to 30 %, times n 50 to 80) and square cylinders of two metals, against extrapolated
/// values.
Expected expected(const Grid& g, const MetalSurface& s, double dx) {
  const double n = s.depth / dx, in_radius = s.radius / dx;
  // E along the surface has no jump there: of second order, this is ample.
  if (g.mode == Mode::tm || g.mode == Mode::one || s.along)
    return {50 / n, std::max(8 / n, of_radius_along / (in_radius * in_radius))};
  const double weak = (1 + std::abs(s.eps)) / std::max(s.eps.imag(), 1e-6);
  const bool wide = s.wide_mixing && 2 * in_radius > least_smooth_width;
  Expected e{(s.edges ? absorbed_at_edges : 10) * weak / n, 17 / n};
  e.scattering =
      std::max(e.scattering, wide ? of_radius / (in_radius * in_radius) : of_radius_narrow / in_radius);
  if (s.edges) e.scattering = std::max(e.scattering, (s.singular ? of_singular_edges : of_edges) / n);
  return e;
}

/// Whether plane waves along an axis light bodies that are all boxes across it through the whole domain.
bool flat_and_straight(const Simulation& s, const Extent& e, int axis) {
  const auto straight = [&](const SourceSpec& source) {
    const double theta = e.mode == Mode::full ? source.theta : 90, degree = pi / 180;
    const Vec3 way{std::sin(theta * degree) * std::cos(source.phi * degree),
                   std::sin(theta * degree) * std::sin(source.phi * degree), std::cos(theta * degree)};
    return source.kind == SourceSpec::Kind::plane_wave && std::fabs(way[axis]) > 1 - 1e-9;
  };
  if (s.picture || !std::ranges::all_of(s.sources, straight)) return false;
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    if (s.bodies[b].shape != "box" || s.bodies[b].rotation != 0) return false;
    const auto bounds = make_body(s, b)->bounds();
    for (int a = 0; a < dimensions(e.mode); ++a)
      if (a != axis && (bounds.low[a] > e.low[a] + 1e-9 || bounds.high[a] < e.high[a] - 1e-9)) return false;
  }
  return true;
}

/// Half the least width of a body that is in the domain; whether it has edges there.
void add_body(const Simulation& s, std::size_t b, const Extent& e, int dims, MetalSurface& surface) {
  const BodySpec& body = s.bodies[b];
  const auto bounds = make_body(s, b)->bounds();
  double half = infinity;
  int faces = 0;
  for (int a = 0; a < dims; ++a) {
    const double size = body.size ? (*body.size)[a] : 0, width = bounds.high[a] - bounds.low[a];
    faces += bounds.low[a] > e.low[a] + 1e-9 || bounds.high[a] < e.high[a] - 1e-9;
    half = std::min(half, 0.5 * (body.size ? (size > 0 ? size : infinity) : width));
  }
  const bool round = body.shape == "sphere" || body.shape == "cylinder" || body.shape == "ring";
  if (round)
    half = std::min(half, body.shape == "ring" ? (body.radius - body.inner_radius) / 2 : body.radius);
  const bool smooth = body.shape == "sphere" || body.shape == "ellipsoid" || (round && dims == 2);
  surface.edges |= !smooth && faces > 1;
  if (half < surface.radius) surface.radius = half, surface.narrowest = body_label(s, b);
}

MetalSurface surface_of(const Simulation& s, const Grid& g, const materials::Material& m, cplx n, double f) {
  MetalSurface surface;
  surface.depth = 1 / (2 * pi * f * n.imag());
  surface.eps = m.permittivity(2 * pi * f);
  surface.wide_mixing = s.averaging && m.dispersive() && m.eps == Vec3{1, 1, 1};
  surface.edges = s.picture.has_value();
  for (const auto& source : s.sources)
    for (const double end : {-1.0, 0.0, 1.0}) {
      const auto& w = source.waveform;
      const double half = w.kind == Waveform::Kind::gaussian ? std::min(w.width, 0.9) : 0;
      const double eps = w.frequency > 0 ? m.permittivity(2 * pi * w.frequency * (1 + end * half)).real() : 0;
      surface.singular |= eps > -3 && eps < -1.0 / 3;
    }
  const Extent e = extent_of(s);
  for (int a = 0; a < dimensions(g.mode); ++a) surface.along |= flat_and_straight(s, e, a);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    if (s.bodies[b].material == m.name) add_body(s, b, e, dimensions(g.mode), surface);
  return surface;
}

bool enough(const Expected& e, const MetalSurface& s, double dx) {
  return s.depth >= 4 * dx && e.absorption <= tolerated_absorption && e.scattering <= tolerated_scattering;
}

std::string up_to(double percent) {
  return percent > 100 ? "100 % or more" : fmt::format("up to {:.0f} %", percent);
}

void report(const Grid& g, const MetalSurface& s, const std::string& name, double f, Findings& found) {
  const Expected now = expected(g, s, g.dx);
  if (enough(now, s, g.dx)) return;
  double finer = 1;
  while (finer < 1e4 && !enough(expected(g, s, g.dx / finer), s, g.dx / finer)) finer *= 1.02;
  const double cells = s.depth / g.dx;
  std::string why;
  if (!s.narrowest.empty() && s.radius < few_cells * g.dx)
    why += fmt::format("; {} is {:.2g} cells wide", s.narrowest, 2 * s.radius / g.dx);
  if (s.edges && !s.along && g.mode != Mode::tm && g.mode != Mode::one)
    why += "; fields at its edges converge slowly";
  found.push_back(
      {Severity::warning,
       fmt::format("resolution: fields enter '{}' by {:.3g}, which is {:.2g} cells{} (at frequency {:.4g}): "
                   "expect {} error in what it absorbs and up to {:.2g} % in what it scatters or reflects; "
                   "raise resolution to {:.3g}, {:.2g} cells, for {:.2g} % in what it absorbs",
                   name, s.depth, cells, why, f, up_to(now.absorption), std::min(100.0, now.scattering),
                   finer / g.dx, finer * cells, expected(g, s, g.dx / finer).absorption)});
}

}  // namespace

void validate_metals(const Simulation& s, const Scene& scene, const Grid& g, Findings& found) {
  const double f = highest_carrier(s);
  if (!(f > 0)) return;
  const auto& list = scene.materials();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& m = list[i];
    if (m.perfect_conductor) continue;
    const cplx n = index_of(m, f);
    const Grid own = grid_in(scene, g, int(i), true);
    if (n.imag() > n.real()) report(own, surface_of(s, own, m, n, f), m.name, f, found);
  }
}

}  // namespace umov::fdtd
