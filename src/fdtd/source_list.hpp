// All sources of a problem as two lists, one per field: which cells, from which columns of one row of values.
#pragma once

#include <cstdint>
#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Values of a table, or of a pair of tables (real and imaginary part), in the row of one step.
struct SourceFeed {
  int table = 0, table_imag = -1;
  int offset = 0;  ///< of its first column in the row
};

/// Every driven cell occurs once, so that targets may be worked on in any order.
struct SourceList {
  std::vector<std::uint8_t> component, hard;  ///< [target]
  std::vector<index_t> cell;                  ///< [target]
  std::vector<index_t> first{0};              ///< [target + 1], entries of a target
  std::vector<int> column;                    ///< [entry], in the row
  std::vector<cplx> weight;                   ///< [entry]
  std::vector<int> feeds;                     ///< which it reads
  bool any_hard = false;
  bool empty() const { return cell.empty(); }
};

struct CompiledSources {
  std::vector<SourceFeed> feeds;
  int columns = 0;  ///< of a row
  SourceList electric, magnetic;
};

/// Groups act in their order: a hard value replaces what came before it at its cell, soft ones add up.
CompiledSources compile_sources(const Problem&);

/// Fills rows of values for steps first .. first + steps - 1: rows[s * columns + column]. Each table is asked
/// once. Returns, per feed, whether any value differs from zero.
std::vector<char> fill_rows(const Problem&, const CompiledSources&, long first, long steps,
                            std::vector<cplx>& rows);

}  // namespace umov::fdtd
