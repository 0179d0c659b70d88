// What the variants of a batch are computed with, on one rank or several, and their own folders.
#pragma once

#include <string>

#include "core/error.hpp"
#include "eqs/outcome.hpp"
#include "eqs/variants/batch.hpp"

namespace umov::eqs {

/// The variants with what this rank computes with.
Batch for_rank(const Batch&, const Simulation& own);
/// The variants with what `ranks` and `gpus` of one process come to: so many workers.
Batch for_this_process(const Batch&);

/// The folder of a variant in that of its batch.
std::string variant_folder(const std::string& folder, std::size_t variant);
/// All results of a variant, in that folder.
void write_variant(const std::string& folder, std::size_t variant, const Outcome&);

/// Of a process that another one talks and writes for, folders of variants apart: computes what that one
/// gives it.
Exit follow_batch(const Batch&);

}  // namespace umov::eqs
