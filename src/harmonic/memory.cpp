// Memory that solving a cell takes, counted array by array; which precision is chosen.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "harmonic/engine.hpp"
#include "harmonic/tile_solver.hpp"

namespace umov::harmonic {

Precision chosen(Precision wanted, const std::string& backend) {
  if (wanted != Precision::automatic) return wanted;
  return backend == "serial" ? Precision::double_ : Precision::single;
}

namespace {

constexpr long idr_vectors = 17;

/// Numbers of the iteration that are of its own type, but for the vectors of its solver.
double of_the_iteration(const Problem& p, const TileShape& wanted) {
  const double columns = double(p.grid.columns()), nodes = p.rough_planes() * columns;
  // solution, residual, and the operator's own; permittivities
  double numbers = 3 * nodes * (2 + 1 + 1);
  if (!p.metal_is_rough) return numbers;
  SlabView<float> s{};
  s.nx = p.grid.nx;
  s.ny = p.grid.ny;
  s.planes = p.rough_planes();
  const auto tiles = cut_into_tiles(s, wanted.own > 0 ? wanted : default_tiles(p.grid));
  return numbers + 2 * nodes + double(numbers_of(tiles)) * (1 + 1.0 / tiles.band());
}

/// Of one vector of the iteration.
double bytes_of_vector(const Problem& p, const EngineRequest& request) {
  const bool single = chosen(request.precision, request.backend) == Precision::single;
  return double(sizeof(cplx)) / (single ? 2 : 1) * double(p.rough_edges());
}

/// All but the vectors of the solver.
MemoryNeed without_solver(const Problem& p, const EngineRequest& request) {
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
    // pivots and Q of the iteration's own inverse, in double too
    need.device += complex * nodes * 3;
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

}  // namespace

SolverChoice choose_solver(const Problem& p, const EngineRequest& request) {
  SolverChoice out;
  if (p.rough_planes() == 0) return out;
  const bool automatic = request.solver == KrylovSolver::automatic;
  const double device = without_solver(p, request).device;
  out.each = bytes_of_vector(p, request);
  constexpr long most = 100000;
  // should the room be full, idr takes over
  out.directions =
      request.room > 0 ? long((usable_room * request.room - device) / out.each) - idr_vectors : most;
  out.directions = std::min(out.directions, most);
  const bool enough = out.directions >= least_directions;
  if (request.solver == KrylovSolver::gmres || (automatic && p.metal_is_rough && enough))
    out.solver = KrylovSolver::gmres;
  out.directions = out.solver == KrylovSolver::gmres ? std::max(out.directions, idr_vectors) : 0;
  if (!automatic)
    out.why = "as asked for";
  else if (!p.metal_is_rough)
    out.why = "no metal is rough";
  else if (enough)
    out.why = "metal is rough";
  else
    out.why = fmt::format("metal is rough, but there is no room for {} directions of gmres, {} each",
                          least_directions, format_bytes(out.each));
  return out;
}

MemoryNeed estimated_memory(const Problem& p, const EngineRequest& request) {
  MemoryNeed need = without_solver(p, request);
  const SolverChoice choice = choose_solver(p, request);
  const long vectors =
      choice.solver == KrylovSolver::gmres ? std::min(choice.directions, least_directions) : idr_vectors;
  if (p.rough_planes() > 0) need.device += double(vectors) * bytes_of_vector(p, request);
  return need;
}

}  // namespace umov::harmonic
