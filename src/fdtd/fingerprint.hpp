// The header of a saved state: a short one that tells one problem, backend and precision from another.
#pragma once

#include <cstdint>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

struct Header {
  char magic[8] = {'U', 'M', 'O', 'V', 'F', 'T', '0', '1'};
  char backend[8] = {};
  std::uint64_t value_bytes = 0;  ///< of one field value
  std::uint64_t problem = 0;      ///< digest

  Header() = default;
  Header(const Problem&, const char* backend, std::size_t value_bytes);
  /// Throws BadInput that says what differs.
  void check(const Header& found) const;
};

/// FNV-1a over every number of a problem; of source tables only the columns, since they are functions.
std::uint64_t digest(const Problem&);

}  // namespace umov::fdtd
