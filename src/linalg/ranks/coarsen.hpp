// One step from a level to the next coarser one, across ranks and in host memory.
#pragma once

#include <vector>

#include "linalg/amg/options.hpp"
#include "linalg/ranks/ranked_csr.hpp"

namespace umov::ranks {

/// Smoothed prolongation from aggregates that lie inside a rank each; entries of the smoothing matrix reach
/// aggregates of neighbours, too (Tuminaro and Tong 2000, SC'00, for uncoupled aggregates). `theta`,
/// `largest`: strength, and the greatest eigenvalue of D^-1 A. No columns on any rank: nothing is gained. Of
/// every rank.
RankedCsr smoothed_prolongation(comm::Communicator&, const RankedCsr& a, double theta, double largest,
                                int threads);

}  // namespace umov::ranks
