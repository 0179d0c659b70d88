// A matrix that one rank has dealt out to all of them.
#pragma once

#include <vector>

#include "linalg/ranks/ranked_csr.hpp"

namespace umov::ranks {

/// The rank of each row of a square matrix: parts of about as many entries, with few entries between them
/// (part_graph on the pattern of A + A^T). Stretches of rows of about as many entries where there are fewer
/// than eight rows a rank, where no entry joins two rows, or where umov was built without METIS.
std::vector<int> part_rows(const sparse::HostCsr&, int ranks);

/// The rank's rows of rank 0's square matrix, and their neighbours; `owner`: of each row and column. Null
/// elsewhere. Of every rank.
RankedCsr scatter_rows(comm::Communicator&, const sparse::HostCsr* whole, const std::vector<int>* owner);

}  // namespace umov::ranks
