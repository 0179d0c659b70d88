// Memory of an electroquasistatic run, estimated before it.
#include <algorithm>
#include <cmath>

#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/run/prepare.hpp"
#include "eqs/solve/solver_choice.hpp"
#include "eqs/solve/start_vectors.hpp"

namespace umov::eqs {

namespace {

/// Elements whose material depends on the field.
double nonlinear_elements(const Problem& p) {
  double count = 0;
  for (const int m : p.material) count += p.materials[m].nonlinear();
  return count;
}

/// Bytes of the matrix, or of what stands for it (element_rows.hpp, tuned/): with a solver's copies.
double operator_bytes(const Problem& p, double solvers) {
  // Entries per row of matrices on tetrahedra: each vertex has some 14 neighbours; of second order a row has
  // 28.7 entries on the average (65 of a vertex, 24 of an edge).
  const double vertices = p.vertex_unknowns, elements = double(p.mesh.tets.size());
  const double first_order = 15 * vertices * (4 + 3 * 8);
  const double nodes = p.order == 2 ? 10 : 4, points = p.order == 2 ? 4 : 1;
  const double curved = nonlinear_elements(p) * (nodes * (2 * 8 + 8) + points * 48 + 16);
  const double single = p.linear.amg.single_precision ? 4 : 0;
  if (!matrix_free(p)) {
    const double entries = p.order == 2 ? 29.0 * p.unknowns : 15 * vertices;
    // columns; two linear parts and the stage's sum
    return entries * (4 + 3 * 8) + curved + (p.order == 2 ? first_order + solvers * entries * 4 : 0);
  }
  // shares, their places in rows, and per solver six numbers an element (24 with a curve) in both precisions;
  // local numbers of a patch and its unknowns
  const double numbers = p.order == 2 ? (6 * elements + 18 * nonlinear_elements(p)) * (8 + single) : 0;
  return elements * (nodes * (8 + 4) + 4) + curved + first_order + solvers * numbers +
         (p.order == 2 ? elements * (36 + 118) : 0);
}

/// Second order: what p-multigrid has besides its levels, vectors in single precision and children of
/// vertices.
double p_multigrid_bytes(const Problem& p) {
  return p.order == 2 ? 40.0 * p.unknowns + 100.0 * p.vertex_unknowns : 0;
}

/// Most faces of a part of n.
double faces(int n) { return std::min(6, n - 1); }

}  // namespace

MemoryEstimate estimate_bytes(const Problem& p) {
  const double rows = p.unknowns, vertices = p.vertex_unknowns, elements = double(p.mesh.tets.size());
  double vectors = 24.0 * 8 * rows;  // state, stages, Newton, conjugate gradients
  const int solutions = p.analysis == Analysis::transient ? start_space(p.linear).solutions : 0;
  if (p.steady_state()) vectors += 25.0 * 8 * rows;  // Shooting
  const double mesh = elements * (p.order == 2 ? 10 : 4) * 4 + elements * 10 * 8 + double(p.nodes) * 3 * 8;
  // stabilised steps: their own hierarchy, without the implicit stages' vectors or beside them; SlowCharges
  const double again = may_be_stabilised(p.time.scheme) || p.steady_state() ? 2 : 1;
  if (solutions) vectors += again * (solutions + 3.0) * 8 * rows;  // ProjectedStart
  const double hierarchy = again * (1.6 * 15 * vertices * (4 + 4 + 8) + p_multigrid_bytes(p));
  MemoryEstimate bytes;
  bytes.device = std::size_t(operator_bytes(p, again) + vectors + mesh + hierarchy);
  bytes.host =
      std::size_t(double(p.mesh.nodes.size()) * 24 + elements * (16 + 8) + double(p.edges.ends.size()) * 8 +
                  double(p.edges.of_tet.size()) * 24 + double(p.nodes) * (8 + 16) + elements * 12);
  return bytes;
}

double fullest_elements(const Problem& p, int ranks) {
  const double all = double(p.mesh.tets.size()), part = all / ranks;
  // a layer of elements of neighbours on each face: three for each of METIS' (parts of 4.7 million: 87,000)
  return std::min(all, part + 3.1 * faces(ranks) * std::pow(part, 2.0 / 3));
}

double rank_bytes(const Problem& p, int ranks, double elements) {
  const double all = double(estimate_bytes(p).device);
  if (ranks == 1) return all;
  // coarse levels move to the first rank: 0.3 GB of 1.5 million vertices
  return std::min(all, all * elements / double(p.mesh.tets.size()) + 200.0 * p.vertex_unknowns);
}

}  // namespace umov::eqs
