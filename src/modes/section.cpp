#include "modes/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::modes {
namespace {

/// A box without extent along the axis of travel.
struct Box {
  Vec3 center{0, 0, 0}, size{0, 0, 0};
};

template <class Specs>
std::optional<Box> box_named(const Specs& specs, const std::string& name) {
  for (const auto& spec : specs)
    if (spec.name == name) return Box{spec.center, spec.size};
  return {};
}

Box asked_box(const Simulation& sim) {
  if (sim.at.empty()) {
    Box whole;
    whole.size = {INFINITY, INFINITY, INFINITY};
    whole.size[sim.normal] = 0;
    whole.center[sim.normal] = sim.position;
    return whole;
  }
  if (const auto box = box_named(sim.model.sources, sim.at)) return *box;
  if (const auto box = box_named(sim.model.monitors, sim.at)) return *box;
  throw BadInput(fmt::format(
      "`modes.at` is '{}' (no source and no monitor of the case is called so); name one of them", sim.at));
}

/// Extents without end reach up to the absorbing layers of the domain, or to its walls where the modes have
/// layers of their own; what lies behind a mirror is its image.
void bound(Box& box, const Simulation& sim, const fdtd::Grid& g) {
  for (int a = 0; a < 3; ++a) {
    if (!g.active(a) || a == sim.normal) continue;
    double low = g.origin[a], high = low + g.length(a);
    const double first = low, last = high;
    if (std::isinf(box.size[a]) && sim.absorber == 0) {
      if (sim.model.walls[a][0] == fdtd::WallKind::pml) low = g.place(a, sim.model.pml.layers);
      if (sim.model.walls[a][1] == fdtd::WallKind::pml) high = g.place(a, g.cells[a] - sim.model.pml.layers);
    } else if (!std::isinf(box.size[a])) {
      low = box.center[a] - box.size[a] / 2;
      high = box.center[a] + box.size[a] / 2;
      if (fdtd::is_mirror(sim.model.walls[a][0])) low = std::max(low, first);
      if (fdtd::is_mirror(sim.model.walls[a][1])) high = std::min(high, last);
    }
    box.center[a] = (low + high) / 2;
    box.size[a] = high - low;
  }
}

/// Four cells around the plane: nothing changes along the axis beyond them.
void keep_slab(fdtd::Grid& g, int axis, double position) {
  const int node = int(std::lround(g.index(axis, position)));
  if (node < 1 || node > g.cells[axis] - 1)
    throw BadInput(
        fmt::format("the plane lies at {} = {:g} (outside the domain); move it", "xyz"[axis], position));
  g.cells[axis] = 4;
  if (!g.graded(axis)) {
    g.origin[axis] += (node - 2) * g.dx;
    return;
  }
  // Of cells that differ the shortest: the index is then as little that of cells along the guide as it may
  // be.
  const double at = g.place(axis, node);
  double edge = g.dx;
  for (int a = 0; a < dimensions(g.mode); ++a)
    if (a != axis) edge = std::min(edge, g.finest(a));
  g.lines[axis] = {at - 2 * edge, at - edge, at, at + edge, at + 2 * edge};
  g.origin[axis] = g.lines[axis].front();
  g.wraps[axis] = true;
}

/// Every cell of a graded grid cut into equal ones.
void refine(fdtd::Grid& g, int finer) {
  for (int a = 0; a < 3 && finer > 1; ++a) {
    if (!g.graded(a)) continue;
    std::vector<double> lines;
    for (int i = 0; i < g.cells[a] * finer; ++i) lines.push_back(g.place(a, double(i) / finer));
    lines.push_back(g.lines[a].back());
    g.lines[a] = std::move(lines);
    g.cells[a] *= finer;
  }
  g.dx /= finer;
  g.dt /= finer;
}

/// What the plane's extents and walls leave without effect is refused.
void require_effect(const Simulation& sim, const Section& s) {
  bool open = false;
  for (int k = 0; k < 2; ++k)
    for (int side = 0; side < 2; ++side) open = open || s.open(k, side);
  if (sim.absorber > 0 && sim.bend_radius == 0 && !open)
    throw BadInput(
        "`modes.absorber` has no effect (the plane ends at walls on all sides, which let nothing out); leave "
        "it out, "
        "or set \"pml\" under [boundary]");
  if (sim.bend_radius > 0 && !s.problem.grid.active(s.axis(sim.bend_axis)))
    throw BadInput(fmt::format(
        "`modes.bend_radius` has no effect (the radius lies along {}, where the plane has no extent); set "
        "`modes.bend_axis` to {}",
        "xyz"[s.axis(sim.bend_axis)], 1 - sim.bend_axis));
}

}  // namespace

double Section::low(int s) const { return problem.grid.place(axis(s), plane.lo[axis(s)]); }

bool Section::open(int s, int side) const {
  const int a = axis(s);
  if (!problem.grid.active(a)) return false;
  const bool wall = side == 0 ? plane.lo[a] == 0 : plane.hi[a] == problem.grid.cells[a];
  return !wall || problem.pml[a][side].layers > 0;
}

Section make_section(const Simulation& given, double finer) {
  Simulation sim = given;
  const bool graded = sim.model.grid.graded(fdtd::Mode::full);
  if (!graded) sim.model.resolution = fdtd::cells_per_unit(given.model) * finer;
  if (graded && sim.absorber > 0)
    throw BadInput(
        "`modes.absorber` is given on a graded grid (its layers are of equal cells); leave [grid] out, or "
        "the "
        "absorber");
  Section out;
  out.scene = fdtd::make_scene(sim.model);
  fdtd::Grid g = fdtd::make_grid(sim.model, *out.scene);
  if (graded) refine(g, int(std::lround(finer)));
  Box box = asked_box(sim);
  sim.normal = given.normal;
  bound(box, sim, g);
  keep_slab(g, sim.normal, box.center[sim.normal]);
  sim.model.walls[sim.normal] = {fdtd::WallKind::periodic, fdtd::WallKind::periodic};
  out.problem.grid = g;
  fdtd::set_walls(sim.model, out.problem);
  fdtd::paint(sim.model, *out.scene, out.problem);
  box.center[sim.normal] = g.place(sim.normal, 2);
  out.plane = fdtd::mode_plane(out.problem, box.center, box.size, "modes");
  require_effect(given, out);
  const double reach =
      graded ? out.middle(given.bend_axis) - out.low(given.bend_axis) : out.cells(given.bend_axis) * g.dx / 2;
  if (given.bend_radius > 0 && reach > (1 + 1e-9) * given.bend_radius)
    throw BadInput(fmt::format(
        "`modes.bend_radius` is {:g}, and the plane reaches {:g} from its middle (to the centre of "
        "the bend or beyond, where waves have no direction); give a larger radius, or a smaller "
        "plane by `domain.size`",
        given.bend_radius, reach));
  return out;
}

}  // namespace umov::modes
