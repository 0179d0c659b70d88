// Memory of a grid's planes without painting it: fields and layers, Fourier monitors, dispersive bodies.
#include "fdtd/run/plane_bytes.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/observables/monitors.hpp"
#include "fdtd/planes.hpp"
#include "fdtd/run/prepare.hpp"
#include "fdtd/transform_room.hpp"

namespace umov::fdtd {

namespace {

/// Places of the cells of running transforms, what of them waits, and their sums (TransformPass); of monitors
/// of modes or of all others. Throws BadInput of a monitor.
void add_monitors(const Prepared& p, bool of_modes, std::size_t real, std::vector<double>& bytes) {
  Simulation sim = p.sim;
  std::erase_if(sim.monitors, [&](const auto& m) { return traits_of(m).guided_modes != of_modes; });
  if (sim.monitors.empty()) return;
  Problem problem;
  problem.grid = p.grid;
  problem.precision = p.sim.precision;
  problem.coefficients = {{1, p.grid.dt / p.grid.dx}};  // vacuum everywhere: sources look at what they are in
  set_walls(p.sim, problem);
  const Monitors monitors(sim, *p.scene, problem);
  const Planes planes(p.grid);
  const std::size_t value = complex_fields(p) ? 2 * real : real;
  for (const FourierAccumulator& a : problem.fouriers) {
    const auto room = std::size_t(transform_room(a.cells.size(), a.frequencies.size(), value));
    for (const index_t cell : a.cells)
      bytes[std::size_t(std::clamp(planes.of(cell), 0, planes.count() - 1))] +=
          double(sizeof(index_t) + value * room + 2 * real * a.frequencies.size());
  }
}

/// Places of edges and two values for each of their poles (PolePass); a plane's part of dispersive material
/// is what up to 24 x 24 of its cells say.
void add_bodies(const Prepared& p, std::size_t value, std::vector<double>& bytes) {
  const auto& list = p.scene->materials();
  if (std::ranges::none_of(list, &materials::Material::dispersive)) return;
  const Grid& g = p.grid;
  const int slow = dimensions(g.mode) - 1;
  int edges = 0;
  for (int c = Ex; c <= Ez; ++c) edges += has_component(g.mode, c);
  constexpr int most = 24;
  Int3 taken{1, 1, 1};
  for (int a = 0; a < slow; ++a) taken[a] = std::min(most, g.cells[a]);
  const double cells = double(g.cell_count()) / g.cells[slow], samples = double(taken[0]) * taken[1];
  for (int k = 0; k < g.cells[slow]; ++k) {
    double of_cell = 0;
    for (int j = 0; j < taken[1]; ++j)
      for (int i = 0; i < taken[0]; ++i) {
        const Int3 at{i, j, 0};
        Vec3 place = g.origin;
        for (int a = 0; a < slow; ++a) place[a] = g.place(a, g.cells[a] * (at[a] + 0.5) / taken[a]);
        place[slow] = g.place(slow, k + 0.5);
        const auto& m = list[std::size_t(p.scene->material_at(place))];
        if (m.dispersive()) of_cell += edges * double(sizeof(index_t) + 2 * value * m.poles.size());
      }
    bytes[std::size_t(k)] += cells * of_cell / samples;
  }
}

}  // namespace

std::vector<double> plane_bytes(const Prepared& p) {
  const std::size_t real = p.sim.precision == Precision::double_ ? 8 : 4;
  const Planes planes(p.grid);
  std::vector<double> bytes(std::size_t(planes.count()), double(estimate_bytes(p)) / planes.count());
  add_monitors(p, false, real, bytes);
  try {
    add_monitors(p, true, real, bytes);
  } catch (const BadInput&) {  // vacuum guides nothing: the run will look into its materials
  }
  add_bodies(p, complex_fields(p) ? 2 * real : real, bytes);
  return bytes;
}

}  // namespace umov::fdtd
