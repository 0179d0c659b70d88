// The finished variants of a batch in one file, from which an interrupted one goes on.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "eqs/variants/batch_outcome.hpp"
#include "run/block_file.hpp"

namespace umov::eqs {

struct BatchState {
  std::string varied;             ///< which numbers the rows differ in, a line for each parameter
  std::vector<double> reference;  ///< a value of each line
  std::string settings;           ///< the case with these values, as text: what all rows have in common
  std::vector<BatchColumn> columns;
  std::map<std::uint64_t, BatchRow> rows;  ///< by a digest of the variant's whole case
};

/// The state of a batch before its first row.
BatchState begin_batch_state(const Batch&);
/// A digest of all that decides the row of a variant.
std::uint64_t variant_key(const Simulation&);

/// Its file, begun anew, for rows that come. Throws MachineFailure.
run::BlockFile begin_file(const BatchState&, const std::string& path);
void add_row(run::BlockFile&, std::uint64_t key, const BatchRow&);
/// The state of an earlier run of this batch, whose lists may have been others. Throws BadInput: no such
/// file, damaged before its first row, of another version, or of a case that differs in more than the varied
/// numbers; the settings are then named.
BatchState load_batch_state(const std::string& path, const Batch&);

}  // namespace umov::eqs
