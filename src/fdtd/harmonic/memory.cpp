// Memory that solving a cell takes, counted array by array; which precision is chosen.
#include "fdtd/harmonic/engine.hpp"
#include "fdtd/harmonic/tile_solver.hpp"

namespace umov::fdtd::harmonic {

Precision chosen(Precision wanted, const std::string& backend) {
  if (wanted != Precision::automatic) return wanted;
  return backend == "serial" ? Precision::double_ : Precision::single;
}

namespace {

/// Numbers of the iteration that are of its own type.
double of_the_iteration(const Problem& p, const TileShape& wanted) {
  const double columns = double(p.grid.columns()), nodes = p.rough_planes() * columns;
  // IDR(8): 17 vectors, solution, residual, and the operator's own; permittivities; pivots and Q
  double numbers = 3 * nodes * (17 + 2 + 1 + 1) + 3 * nodes;
  if (!p.metal_is_rough) return numbers;
  SlabView<float> s{};
  s.nx = p.grid.nx;
  s.ny = p.grid.ny;
  s.planes = p.rough_planes();
  const auto tiles = cut_into_tiles(s, wanted.own > 0 ? wanted : default_tiles(p.grid));
  return numbers + 2 * nodes + double(numbers_of(tiles)) * (1 + 1.0 / tiles.band());
}

}  // namespace

MemoryNeed estimated_memory(const Problem& p, const EngineRequest& request) {
  // of solves without starts
  const double complex = sizeof(cplx), columns = double(p.grid.columns()), cell = columns * p.grid.nz,
               nodes = p.rough_planes() * columns;
  const bool gpu = request.backend == "cuda";
  const bool single = chosen(request.precision, request.backend) == Precision::single;
  // a transform on a GPU works on a second place as large as its data
  const double copies = gpu ? 2 : 1;
  MemoryNeed need;
  // fields, pivots and Q of the whole cell
  need.device = complex * cell * (3 * copies + 3);
  if (nodes > 0) {
    // permittivity, currents, residual, pivots, Q and potential in double
    need.device += complex * nodes * (3 * (3 + copies - 1) + 3 + 1);
    // and of the iteration
    need.device += complex / (single ? 2 : 1) *
                   (of_the_iteration(p, {request.tile, request.tile_overlap}) + 3 * nodes * (copies - 1));
  }
  const double host = complex * (3 * cell + 3 * nodes);  // fields and permittivity
  if (gpu)
    need.host = host;
  else
    need.device += host;
  return need;
}

}  // namespace umov::fdtd::harmonic
