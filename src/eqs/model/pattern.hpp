// Which entries the system's matrix has, and which elements touch which rows: made on the host.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "core/types.hpp"
#include "eqs/kernels/element.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

/// Elements that touch rows: list[start[r] .. start[r + 1]] holds element * nodes + local node, ascending.
template <class Place>
struct IncidenceOf {
  std::vector<int> start;
  std::vector<Place> list;
};
using Incidence = IncidenceOf<index_t>;

struct Pattern {
  std::vector<int> start, column;  ///< compressed rows of the unknowns, columns ascending
  Incidence touching;              ///< all elements, per unknown
  /// Rows with nodes at fixed potential in their elements, and the electrodes of these, ascending.
  std::vector<int> fixed_row, fixed_start, fixed_electrode;
};

/// Of the problem's elements, or (order 1) of first-order ones on the same mesh, whose unknowns are the
/// vertices'. Throws BadInput when there would be 2^31 entries.
Pattern make_pattern(const Problem&, int order);

/// Patterns by their order, with bases of bodies and without (without_bodies), each made when it is first
/// asked for; for several threads.
class SharedPatterns {
 public:
  std::shared_ptr<const Pattern> of(const Problem&, int order);

 private:
  std::mutex lock_;
  std::shared_ptr<const Pattern> made_[2][2];  // order, whether there are bases
};

/// As make_pattern, shared where the problem has a place for that.
std::shared_ptr<const Pattern> pattern_of(const Problem&, int order);

/// Elements whose material depends on the field, the unknowns they touch, and per such unknown the places
/// (in `element`) * nodes + local node.
struct NonlinearPart {
  std::vector<int> element, row;
  Incidence touching;
};
NonlinearPart nonlinear_part(const Problem&, int order);

/// All elements, per unknown of the order's. Throws BadInput where there are 2^31 places.
IncidenceOf<int> touching_elements(const Problem&, int order);

/// Second order: the vertex unknowns (or -1) of the two ends of each further unknown's edge; `per_edge` of
/// them, two, or four where ends have a base, too.
std::vector<int> edge_parents(const Problem&, int& per_edge);

/// Which functions node k of an element has in it.
NodeFunctions functions(const Problem&, int tet, int k);

/// Couplings among the fixed electrodes [e][f] of the parts with constant coefficients, so that each
/// electrode's row sums to zero with Pattern's: charge per volt (F) and current per volt (S).
struct FixedBlock {
  std::vector<double> m, k;
};
FixedBlock fixed_block(const Problem&);

}  // namespace umov::eqs
