// Media, sources and layers around a far-field box.
#include "fdtd/observables/surroundings_of_box.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

/// Places looked at along an axis of the domain.
constexpr int samples_flat = 256, samples_space = 64;

bool inside(const Region& e, const Vec3& at, int dims, double slack) {
  for (int a = 0; a < dims; ++a)
    if (at[a] < e.lo[a] - slack || at[a] > e.hi[a] + slack) return false;
  return true;
}

std::string text(const Vec3& at) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", at[0], at[1], at[2]); }

}  // namespace

bool same_medium(const materials::Material& a, const materials::Material& b) {
  return a.eps == b.eps && a.mu == b.mu && a.sigma == b.sigma && a.sigma_magnetic == b.sigma_magnetic &&
         a.perfect_conductor == b.perfect_conductor && !a.dispersive() && !b.dispersive();
}

namespace {

/// Calls take(index along the axes, count, place, whether at a wall that does not repeat) for places of the
/// domain outside a box, midway between nodes of an even grid that is no finer than the cells.
template <class Take>
void each_outside(const Region& box, const Whole& whole, const Take& take) {
  const int dims = dimensions(whole.grid().mode);
  const DomainBounds bounds(whole);
  Int3 count{1, 1, 1};
  for (int a = 0; a < dims; ++a)
    count[a] = std::min(whole.last(a) - whole.first(a), dims == 3 ? samples_space : samples_flat);
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i) {
        const Int3 at{i, j, k};
        Vec3 place{0, 0, 0};
        bool rim = false;
        for (int a = 0; a < dims; ++a) {
          place[a] =
              bounds.inner.lo[a] + (bounds.inner.hi[a] - bounds.inner.lo[a]) * (at[a] + 0.5) / count[a];
          rim |= whole.closure(a, 0) != Closure::periodic && (at[a] == 0 || at[a] == count[a] - 1);
        }
        if (!inside(box, place, dims, whole.grid().dx)) take(at, count, place, rim);
      }
}

}  // namespace

Outside media_outside(const Region& box, int own, const Whole& whole, const Scene& scene) {
  Outside out;
  each_outside(box, whole, [&](const Int3&, const Int3&, const Vec3& place, bool rim) {
    const int here = scene.material_at(whole.image(place));
    if (same_medium(scene.materials()[here], scene.materials()[own]))
      out.reaches_wall |= rim;
    else if (out.other < 0)
      out.other = here, out.where = place;
  });
  return out;
}

std::optional<LayersOutside> layers_outside(const Region& box, const Whole& whole, const Scene& scene) {
  struct Seen {
    int material = -1;
    Vec3 place{0, 0, 0};  ///< the first: of all heights in one corner of the domain
  };
  const int dims = dimensions(whole.grid().mode);
  const auto differ = [&](int one, int other) {
    return one != other && !same_medium(scene.materials()[one], scene.materials()[other]);
  };
  std::array<std::vector<Seen>, 3> along;
  std::array<bool, 3> flat{dims > 0, dims > 1, dims > 2};
  each_outside(box, whole, [&](const Int3& at, const Int3& count, const Vec3& place, bool) {
    const int here = scene.material_at(whole.image(place));
    for (int a = 0; a < dims; ++a) {
      along[a].resize(count[a]);
      Seen& seen = along[a][at[a]];
      if (seen.material >= 0 && differ(seen.material, here)) flat[a] = false;
      if (seen.material < 0) seen = {here, place};
    }
  });
  for (int a = 0; a < dims; ++a) {
    const auto& seen = along[a];
    if (!flat[a] || seen.empty() || std::ranges::any_of(seen, [](const Seen& h) { return h.material < 0; }))
      continue;
    const auto change = [&](std::size_t i) {
      return i > 0 && differ(seen[i].material, seen[i - 1].material);
    };
    // Where one of two media ends; scenes step off surfaces by a part of a cell.
    const auto surface_between = [&](const Seen& low, const Seen& high) {
      Vec3 lo = low.place, hi = high.place;
      for (int i = 0; i < 40; ++i) {
        const Vec3 middle = 0.5 * (lo + hi);
        (differ(scene.material_at(whole.image(middle)), low.material) ? hi : lo) = middle;
      }
      return std::abs(hi[a]) < 1e-4 * whole.grid().dx ? 0 : hi[a];
    };
    LayersOutside found{a, {grounded(whole, a, 0), grounded(whole, a, 1)}, {}};
    const auto add = [&](const std::string& part) {
      found.words += (found.words.empty() ? "" : ", ") + part;
    };
    if (found.wall[0]) add("a conducting wall");
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (change(i))
        add(fmt::format("{} up to {} = {:.4g}", medium_name(scene, seen[i - 1].material), "xyz"[a],
                        surface_between(seen[i - 1], seen[i])));
    const bool any = !found.words.empty() || found.wall[1];
    add(medium_name(scene, seen.back().material));
    if (found.wall[1]) add("a conducting wall");
    found.words = fmt::format("along {} ({})", "xyz"[a], found.words);
    if (any) return found;
  }
  return {};
}

std::string medium_name(const Scene& scene, int material) {
  const std::string& name = scene.materials()[material].name;
  return name.empty() ? "another medium" : "'" + name + "'";
}

namespace {

void warn_of_media(const MonitorSpec& m, const Surface& surface, const Region& box, const Whole& whole,
                   const Scene& scene, std::vector<std::string>& warnings) {
  if (surface.patches().empty()) return;
  const Patch& p = surface.patches().front();
  const int own = scene.material_at(whole.image(whole.grid().position(p.electric, p.first)));
  const Outside out = media_outside(box, own, whole, scene);
  if (out.other < 0) return;
  if (!out.reaches_wall)
    throw BadInput(
        fmt::format("{} lies inside a body of {} (outside, at {}, there is {}: the far field would be that "
                    "of a space filled with {}); make it larger, so that the body lies within",
                    called(m), medium_name(scene, own), text(out.where), medium_name(scene, out.other),
                    medium_name(scene, own)));
  warnings.push_back(
      fmt::format("{} has {} outside it, at {} (the far field is that of {} everywhere outside: what "
                  "the rest reflects or bends is left out); make it larger, so that all bodies lie within",
                  called(m), medium_name(scene, out.other), text(out.where), medium_name(scene, own)));
}

/// Extent of a source that is no plane wave.
Region extent_of(const SourceSpec& s, const Grid& g) {
  Region e;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    e.lo[a] = s.center[a] - s.size[a] / 2;
    e.hi[a] = s.center[a] + s.size[a] / 2;
  }
  for (std::size_t i = 0; i < s.pixels.size(); ++i) {
    const Vec3 at = g.position(s.component, s.pixels[i]);
    for (int a = 0; a < 3; ++a) {
      e.lo[a] = i == 0 ? at[a] : std::min(e.lo[a], at[a]);
      e.hi[a] = i == 0 ? at[a] : std::max(e.hi[a], at[a]);
    }
  }
  return e;
}

/// Whether an extent comes nearer than a cell to the face.
bool crosses(const Region& e, const PlaneFace& f, const Whole& whole) {
  const double near = 0.999 * whole.grid().coarsest(f.axis), at = whole.place(f.axis, f.node);
  if (e.lo[f.axis] > at + near || e.hi[f.axis] < at - near) return false;
  for (int a = 0; a < dimensions(whole.grid().mode); ++a)
    if (a != f.axis && (e.lo[a] > f.extent.hi[a] + near || e.hi[a] < f.extent.lo[a] - near)) return false;
  return true;
}

/// An extent and its mirror images.
std::vector<Region> images(const Region& e, const Whole& whole) {
  std::vector<Region> all{e};
  for (int a = 0; a < 3; ++a)
    if (whole.mirrored(a))
      for (std::size_t i = 0, n = all.size(); i < n; ++i) {
        Region image = all[i];
        image.lo[a] = -all[i].hi[a];
        image.hi[a] = -all[i].lo[a];
        all.push_back(image);
      }
  return all;
}

void warn_of_sources(const MonitorSpec& m, const std::vector<PlaneFace>& faces, const Region& box,
                     const Whole& whole, const Simulation& sim, std::vector<std::string>& warnings) {
  const int dims = dimensions(whole.grid().mode);
  for (const SourceSpec& s : sim.sources) {
    if (s.kind == SourceSpec::Kind::plane_wave) continue;
    bool outside = false;
    for (const Region& e : images(extent_of(s, whole.grid()), whole)) {
      for (const PlaneFace& f : faces)
        if (crosses(e, f, whole))
          throw BadInput(
              fmt::format("{} has a face at {} = {:.4g} on source '{}' (its current flows through the "
                          "surface: no field there is free); make the monitor larger or smaller, a cell or "
                          "more away from it",
                          called(m), "xyz"[f.axis], whole.place(f.axis, f.node), s.name));
      outside |= !inside(box, 0.5 * (e.lo + e.hi), dims, 0);
    }
    if (outside)
      warnings.push_back(
          fmt::format("{} does not enclose source '{}' (its own radiation is not part of the far field, "
                      "only what bodies inside scatter of it); make the monitor larger if it should be",
                      called(m), s.name));
  }
}

void warn_of_layers(const MonitorSpec& m, const std::vector<PlaneFace>& faces, const Whole& whole,
                    std::vector<std::string>& warnings) {
  for (const PlaneFace& f : faces)
    for (int side = 0; side < 2; ++side) {
      const int layers = whole.layers(f.axis, side);
      const int end = side == 0 ? whole.first(f.axis) + layers : whole.last(f.axis) - layers;
      if (layers == 0 || (side == 0 ? f.node > end : f.node < end)) continue;
      warnings.push_back(
          fmt::format("{} has a face at {} = {:.4g} that touches the absorbing layers (half of its "
                      "fields are taken inside them); make it a cell or two smaller",
                      called(m), "xyz"[f.axis], whole.place(f.axis, f.node)));
    }
}

}  // namespace

bool grounded(const Whole& whole, int axis, int side) {
  const auto conducts = [&](int a, int s) {
    return whole.layers(a, s) == 0 && whole.closure(a, s) == Closure::pec;
  };
  int walls = 0;
  for (int a = 0; a < dimensions(whole.grid().mode); ++a) walls += conducts(a, 0) + conducts(a, 1);
  return walls == 1 && conducts(axis, side);
}

void warn_of_walls(const MonitorSpec& m, const Whole& whole, int axis_of_layers,
                   std::vector<std::string>& warnings) {
  std::string walls;
  for (int a = 0; a < dimensions(whole.grid().mode); ++a)
    for (int side = 0; side < 2; ++side) {
      if (whole.layers(a, side) > 0 || (a == axis_of_layers && grounded(whole, a, side))) continue;
      const Closure kind = whole.closure(a, side);
      walls += fmt::format("{}a {} wall at {} = {:.4g}", walls.empty() ? "" : ", ",
                           kind == Closure::pec   ? "conducting"
                           : kind == Closure::pmc ? "magnetic"
                                                  : "periodic",
                           "xyz"[a], whole.place(a, side == 0 ? whole.first(a) : whole.last(a)));
    }
  if (!walls.empty())
    warnings.push_back(fmt::format(
        "{} has {} outside it (the far field is that of free space everywhere outside: what walls "
        "reflect, or the neighbours in a period send, is left out); put absorbing layers there, or "
        "read the flux instead",
        called(m), walls));
}

std::vector<std::string> warnings_of_box(const MonitorSpec& m, const std::vector<PlaneFace>& faces,
                                         const Surface& surface, const Region& box, const Whole& whole,
                                         const Simulation& sim, const Scene& scene, bool through_layers) {
  std::vector<std::string> warnings;
  if (!through_layers) warn_of_media(m, surface, box, whole, scene, warnings);
  warn_of_sources(m, faces, box, whole, sim, warnings);
  warn_of_layers(m, faces, whole, warnings);
  return warnings;
}

}  // namespace umov::fdtd
