// The finished rows of many cases in one file, from which an interrupted run of them goes on.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dda/run/many.hpp"

namespace umov::dda {

struct ManyState {
  std::string settings;                   ///< of all cases alike, as text
  std::map<std::uint64_t, CaseRow> rows;  ///< by a digest of the whole case
  std::uint64_t under_way = 0;            ///< the case that a checkpoint of the solver is of
};

/// A row on its way to another rank.
std::vector<std::byte> packed(const CaseRow&);
CaseRow unpacked(std::span<const std::byte>);

/// The file is complete or absent. Throws MachineFailure.
void save(const ManyState&, const std::string& path);

/// Throws BadInput: no such file, damaged, of another version, or of cases with other `settings`, which are
/// then named.
ManyState load_many_state(const std::string& path, const std::string& settings);

}  // namespace umov::dda
