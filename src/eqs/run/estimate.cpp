// Memory of an electroquasistatic run, estimated before it.
#include "eqs/run/prepare.hpp"
#include "eqs/stabilised_scheme.hpp"
#include "eqs/start_vectors.hpp"

namespace umov::eqs {

MemoryEstimate estimate_bytes(const Problem& p) {
  // Entries per row of matrices on tetrahedra: each vertex has some 14 neighbours; of second order a row has
  // 28.7 entries on the average (65 of a vertex, 24 of an edge).
  const double rows = p.unknowns, vertices = p.vertex_unknowns, elements = double(p.mesh.tets.size());
  const double entries = p.order == 2 ? 29 * rows : 15 * rows;
  const double matrices = entries * (4 + 3 * 8);  // columns; two linear parts and the stage's sum
  double vectors = 24.0 * 8 * rows;               // state, stages, Newton, conjugate gradients
  const int solutions = p.analysis == Analysis::transient ? start_space(p.linear.start_vector).solutions : 0;
  const double mesh = elements * (p.order == 2 ? 10 : 4) * 4 + elements * 10 * 8 + double(p.nodes) * 3 * 8;
  // stabilised steps: their own hierarchy, without the implicit stages' vectors or beside them
  const double again = may_be_stabilised(p.scheme) ? 2 : 1;
  if (solutions) vectors += again * (solutions + 3.0) * 8 * rows;  // ProjectedStart
  const double hierarchy = again * ((p.order == 2 ? entries * 4 : 0) + 1.6 * 15 * vertices * (4 + 4 + 8));
  MemoryEstimate bytes;
  bytes.device = std::size_t(matrices + vectors + mesh + hierarchy);
  bytes.host =
      std::size_t(double(p.mesh.nodes.size()) * 24 + elements * (16 + 8) + double(p.edges.ends.size()) * 8 +
                  double(p.edges.of_tet.size()) * 24 + double(p.nodes) * (8 + 16) + elements * 12);
  return bytes;
}

}  // namespace umov::eqs
