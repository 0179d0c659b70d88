// The finished variants of a batch in one file, from which an interrupted one goes on.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "eqs/batch_outcome.hpp"

namespace umov::eqs {

struct BatchState {
  std::string settings;  ///< what all variants have in common, as text
  std::vector<BatchColumn> columns;
  std::map<std::uint64_t, BatchRow> rows;  ///< by a digest of the variant's whole case
};

/// The case without the values of its parameters, where it runs and what it writes.
std::string shared_settings(const Batch&);
/// A digest of all that decides the row of a variant.
std::uint64_t variant_key(const Simulation&);

/// The file is complete or absent. Throws MachineFailure.
void save(const BatchState&, const std::string& path);
/// Throws BadInput: no such file, damaged, of another version, or of a case with other settings, which are
/// then named.
BatchState load_batch_state(const std::string& path, const std::string& settings);

}  // namespace umov::eqs
