// A case made ready: pictures, scene, grid, end of the run, validation.
#include "fdtd/run/prepare.hpp"

#include <algorithm>
#include <cmath>

#include "comm/world.hpp"
#include "core/memory.hpp"
#include "fdtd/fit_layers.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/model/layout_ports.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

namespace {

/// Extents that are to reach up to the absorbing layers get numbers, of the whole domain, mirrored halves
/// included.
template <class Spec>
void bound_extents(Spec& spec, const Simulation& sim, const Grid& grid) {
  for (int a = 0; a < 3; ++a) {
    if (!std::isinf(spec.size[a])) continue;
    const auto layers = [&](int side) {
      return grid.active(a) && sim.walls[a][side] == WallKind::pml ? sim.pml.layers : 0;
    };
    double low = grid.active(a) ? grid.place(a, layers(0)) : grid.origin[a];
    double high = grid.active(a) ? grid.place(a, grid.cells[a] - layers(1)) : grid.origin[a];
    if (grid.active(a) && is_mirror(sim.walls[a][0])) low = -high;
    if (grid.active(a) && is_mirror(sim.walls[a][1])) high = -low;
    spec.size[a] = std::max(0.0, high - low);
    spec.center[a] = (low + high) / 2;
  }
}

/// Planes that the margin of a port makes reach into absorbing layers end before them, of monitors that are
/// to keep inside.
void keep_ports_inside(Simulation& sim, const Grid& grid) {
  const auto ports = ports_of(sim);
  for (MonitorSpec& m : sim.monitors) {
    const auto port = std::ranges::find(ports, m.port, &FoundPort::name);
    if (m.port.empty() || port == ports.end() || port->plane || !traits_of(m).keeps_inside) continue;
    for (int a = 0; a < dimensions(grid.mode); ++a) {
      if (a == port->axis) continue;
      const auto inner = [&](int side) { return sim.walls[a][side] == WallKind::pml ? sim.pml.layers : 0; };
      const double low = std::max(m.center[a] - m.size[a] / 2, grid.place(a, inner(0))),
                   high = std::min(m.center[a] + m.size[a] / 2, grid.place(a, grid.cells[a] - inner(1)));
      if (is_mirror(sim.walls[a][0]) || is_mirror(sim.walls[a][1]) || !(low < high)) continue;
      m.center[a] = (low + high) / 2, m.size[a] = high - low;
    }
  }
}

void take_findings(const Prepared& p, run::Journal& journal) {
  Simulation bounded = p.sim;
  for (auto& monitor : bounded.monitors) bound_extents(monitor, p.sim, p.grid);
  const auto findings = validate(bounded, *p.scene, p.grid);
  using enum Finding::Severity;
  // Warnings first: they may say why the run cannot start.
  for (const auto& finding : findings)
    if (finding.severity == note)
      journal.note(finding.message);
    else if (finding.severity == warning || (finding.severity == stop && p.sim.force))
      journal.warn(finding.message);
  for (const auto& finding : findings)
    if (finding.severity == refusal)
      throw BadInput(finding.message);
    else if (finding.severity == stop && !p.sim.force)
      throw BadInput(finding.message + "; `run.force` goes on in spite of it");
}

/// Phases of Bloch walls and absorbing layers by the waves of the case.
FittedLayers fit_walls(Prepared& p, run::Journal& journal) {
  p.sim.bloch_shift = {0, 0, 0};
  p.sim.bloch_shift = bloch_shift(p.sim, *p.scene, p.grid);
  const FittedLayers fitted = fit_layers(p.sim, *p.scene, p.grid);
  p.sim.pml = fitted.settings;
  if (!fitted.note.empty()) journal.note(fitted.note);
  if (!fitted.warning.empty()) journal.warn(fitted.warning);
  return fitted;
}

}  // namespace

Prepared prepare(const Simulation& given, const Machine& machine, run::Journal& journal,
                 comm::Communicator& comm) {
  journal.stage("model");
  Prepared p;
  p.comm = &comm;
  p.sim = given;
  p.machine = machine;
  apply_picture(p.sim);
  apply_layout(p.sim);
  if (p.sim.layout) {
    for (const auto& line : p.sim.layout->report) journal.note(line);
    for (const auto& line : p.sim.layout->warnings) journal.warn(line);
  }
  p.scene = make_scene(p.sim);
  p.grid = make_grid(p.sim, *p.scene);
  for (auto& source : p.sim.sources)
    // The total-field box of a plane wave knows by itself how near the layers it may come.
    if (source.kind == SourceSpec::Kind::plane_wave)
      for (double& s : source.size) s = std::isinf(s) ? 0 : s;
  const FittedLayers fitted = fit_walls(p, journal);
  for (auto& source : p.sim.sources) bound_extents(source, p.sim, p.grid);
  keep_ports_inside(p.sim, p.grid);
  p.stop = plan_stop(p.sim, *p.scene, p.grid, {fitted.slowness, fitted.grazing});
  p.sim.stop = p.stop.stop;
  for (const auto& text : accuracy_notes(p.sim, p.grid)) journal.note(text);
  if (const std::string text = background_note(p.sim, *p.scene); !text.empty()) journal.note(text);
  take_findings(p, journal);
  return p;
}

std::size_t bytes_of_machine(const Prepared& p, int grids) {
  const std::size_t bytes = estimate_bytes(p) * std::size_t(grids);
  const comm::World* world = comm::world();
  return world ? bytes / std::size_t(world->size()) * std::size_t(world->local_size()) : bytes;
}

void require_memory(const Prepared& p, int grids) {
  if (p.machine.backend == "cuda") return;
  umov::require_memory(bytes_of_machine(p, grids),
                       grids > 1 ? "the two grids of a normalised pair" : "this grid",
                       "use a coarser grid (resolution), a smaller domain or single precision");
}

}  // namespace umov::fdtd
