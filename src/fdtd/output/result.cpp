// An outcome of the time domain as named arrays and tables: every series and spectrum with its coordinates.
#include <fmt/format.h>

#include "fdtd/model/layout_ports.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/output/images.hpp"
#include "fdtd/output/results.hpp"
#include "results/section.hpp"

namespace umov::fdtd {

namespace {

using std::string;

using results::Section;

void add_axes(results::Result& r, const Outcome& o) {
  const auto& g = o.grid;
  for (int a = 0; a < dimensions(g.mode); ++a) {
    std::vector<double> nodes(g.cells[a]);
    for (int i = 0; i < g.cells[a]; ++i) nodes[i] = g.place(a, i);
    Section(r, "axes/")
        .add(axis_name(a), fdtd_unit::length,
             "nodes of the grid; a field sits half a cell above its node as its description "
             "says",
             nodes);
  }
  r.add("grid/cells", "1", "cells along x, y, z, absorbing layers included",
        std::vector<double>(g.cells.begin(), g.cells.end()));
  r.add("grid/dx", fdtd_unit::length, g.graded() ? "longest edge of a cell" : "edge of a cell", g.dx);
  for (int a = 0; a < dimensions(g.mode); ++a)
    if (g.graded(a))
      Section(r, "grid/lines/")
          .add(axis_name(a), fdtd_unit::length, "nodes of the grid from end to end, one more than cells",
               g.lines[a]);
  r.add("grid/dt", fdtd_unit::time, "time step", g.dt);
  r.add("unit_um", "um", "length of the unit", o.simulation.unit_um);
}

void add_run(results::Result& r, const Outcome& o) {
  r.add("run/steps", "1", "time steps taken", double(o.steps));
  r.add("run/time", fdtd_unit::time, "simulated time", o.time);
  r.add("run/seconds", "s", "wall-clock time", o.seconds);
  r.add("run/cells_per_second", "1/s", "cell updates per second", o.cells_per_second);
  r.add("run/device_bytes", "byte", "memory on the device", double(o.device_bytes));
}

}  // namespace

std::vector<std::pair<string, string>> run_attributes(const Outcome& o) {
  return {{"program", "umov fdtd"},
          {"version", o.version},
          {"backend", o.backend},
          {"device", o.device},
          {"precision", o.simulation.precision == Precision::single_ ? "single" : "double"},
          {"command_line", o.machine.command_line},
          {"stop_reason", o.stop_reason},
          {"converged", o.converged ? "yes" : "no"},
          {"conventions", fmt::format("lengths in {}, times in {}", fdtd_unit::length, fdtd_unit::time)},
          {"warnings", results::lines_of(o.warnings)},
          {"notes", results::lines_of(o.notes)}};
}

void add_ports(results::Result& r, const Simulation& sim) {
  const auto ports = ports_of(sim);
  if (ports.empty()) return;
  std::vector<double> center, axis, direction, width, height;
  std::vector<string> names, layers;
  for (const FoundPort& p : ports) {
    center.insert(center.end(), p.at.begin(), p.at.end());
    axis.push_back(p.axis), direction.push_back(p.sign), width.push_back(p.width), height.push_back(p.height);
    names.push_back(p.name), layers.push_back(p.layer);
  }
  r.attributes.emplace_back("ports", results::lines_of(names));
  Section s(r, "ports/", results::add_table(r, {"ports", {"where guides leave the structure"}}));
  s.texts("name", names);
  s.add("center", fdtd_unit::length, "middle of the guide's end, or of the port's plane", center,
        {.shape = {names.size(), 3}, .parts = {"x", "y", "z"}});
  s.add("axis", "1", "along which the guide leaves: 0 is x, 1 is y, 2 is z", axis);
  s.add("direction", "1", "sign of the way out along that axis", direction);
  s.add("width", fdtd_unit::length, "of the guide as drawn, or of the plane", width);
  s.add("height", fdtd_unit::length, "of its layer (0: without end), or of the plane", height);
  s.texts("layer", layers);
}

results::Result to_result(const Outcome& o) {
  results::Result r;
  r.attributes = run_attributes(o);
  add_axes(r, o);
  add_run(r, o);
  add_ports(r, o.simulation);
  for (const MonitorKind* kind : monitor_kinds()) kind->add_results(r, o);
  r.voxels = domain_image(o);
  add_offsets(r, o);
  return r;
}

}  // namespace umov::fdtd
