// What a batch leaves: a row for each variant.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "eqs/variants/batch.hpp"

namespace umov::eqs {

/// A column of the table of variants; values of scalar_results().
struct BatchColumn {
  std::string name, unit, text;
  bool operator==(const BatchColumn&) const = default;
};

struct BatchRow {
  std::vector<double> values;  ///< in the order of the columns; NaN: not found
  bool converged = true;
  std::string why_not;
  double wall = 0;  ///< s from taking the variant up to its row
};

struct BatchOutcome {
  Batch batch;
  std::vector<BatchColumn> columns;
  std::vector<BatchRow> rows;  ///< per variant
  std::string version, backend, device, command_line, settings;
  std::vector<std::string> warnings, notes;
  std::size_t meshes = 0;      ///< how many were made
  std::size_t taken_over = 0;  ///< rows that an earlier run had found
  std::size_t workers = 0;
  double seconds = 0;  ///< of this run, from the first variant to the last
  std::string ranks;   ///< several: what each computed with

  bool converged() const {
    return std::all_of(rows.begin(), rows.end(), [](const BatchRow& r) { return r.converged; });
  }
  /// The values of a column, one per variant.
  std::vector<double> column(std::size_t c) const {
    std::vector<double> out;
    for (const BatchRow& r : rows) out.push_back(r.values[c]);
    return out;
  }
};

}  // namespace umov::eqs
