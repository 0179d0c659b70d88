// The finished variants of a batch in one file, from which an interrupted one goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eqs/command/batch.hpp"
#include "sweep/state.hpp"

namespace umov::eqs {

/// Digests of all that decides the rows, per variant.
std::vector<std::uint64_t> variant_keys(const Batch&);

/// The state before the first row. Its identity has the numbers of the first variant, and the case with them:
/// what all rows have in common.
sweep::State begin_batch_state(const Batch&);

/// The state of an earlier run of this batch, whose lists may have been others. Throws BadInput: no such
/// file, damaged before its first row, of another version, or of a case that differs in more than the varied
/// parameters; the settings are then named.
sweep::State load_batch_state(const std::string& path, const Batch&);

}  // namespace umov::eqs
