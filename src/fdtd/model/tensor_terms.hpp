// The off-diagonal part of an averaged permittivity, made symmetric and positive definite on the grid.
#pragma once

#include "fdtd/model/coefficient_table.hpp"
#include "fdtd/model/survey.hpp"

namespace umov::fdtd {

/// Fills problem.tensor from the tensors at the nodes; to be called when indices and coefficients are final.
///
/// D -> E is the symmetric operator with 1/eps of each edge on its diagonal and (eps^-1)_cp(node) / 4 between
/// every c-edge and p-edge that meet in a node (Werner and Cary 2007). With half of every edge's diagonal
/// given to each of its two nodes it is a sum of small matrices, one per node, so it is positive definite
/// when those are; and no eigenvalue passes what the time step allows when theirs do not. Where the diagonal,
/// which is averaged over other cells than the node's, would break one of the two, the node's entries are
/// scaled down until both hold. A pair of axes is left out at a node where one of its four edges is lossy,
/// dispersive or a conductor, or where the node is in an absorbing layer or on a wall that is not periodic.
void add_tensor_terms(const Simulation&, const SurveyPlan&, const CoefficientTable&,
                      const std::vector<NodeTensor>&, Problem&);

}  // namespace umov::fdtd
