// Curves as comma-separated values, for spreadsheets and plotting programs.
#pragma once

#include <string>
#include <vector>

#include "results/result.hpp"

namespace umov::results {

struct CsvColumn {
  std::string name, unit;  ///< header is `name [unit]`, or `name` where the unit is empty
  std::vector<double> values;
  std::vector<std::string> texts = {};  ///< in place of values, where not empty
  bool single = false;                  ///< values have the digits of single precision

  std::size_t rows() const { return texts.empty() ? values.size() : texts.size(); }
};

/// Writes `# comment` lines, a header line and one row per value with 17 significant digits (exact in
/// double), 9 where they come from single precision. Throws BadInput when columns differ in length,
/// MachineFailure when the file cannot be written.
void write_csv(const std::string& path, const std::vector<CsvColumn>& columns,
               const std::vector<std::string>& comments = {});

/// The columns of a table with their cells.
std::vector<CsvColumn> csv_columns(const Result&, const Table&);

}  // namespace umov::results
