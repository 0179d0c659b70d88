// The finished variants of a batch in one file, from which an interrupted one goes on.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "eqs/variants/batch_outcome.hpp"

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

/// The file is complete or absent. Throws MachineFailure.
void save(const BatchState&, const std::string& path);
/// The state of an earlier run of this batch, whose lists may have been others. Throws BadInput: no such
/// file, damaged, of another version, or of a case that differs in more than the varied numbers; the settings
/// are then named.
BatchState load_batch_state(const std::string& path, const Batch&);

}  // namespace umov::eqs
