// Tables over several things, one below the other: a curve of each.
#pragma once

#include <string>
#include <vector>

#include "view/over_time.hpp"
#include "view/stored.hpp"

namespace umov::view {

/// One curve of such a table: the abscissa first.
struct SplitCurve {
  std::string which;  ///< "frequency = 0.12", "m = -1"; empty where the table is of one thing
  std::vector<Column> columns;
  Numbers values;
};

/// Curves of a table of several rows for each value of its first column, the frequency: of diffraction orders
/// (a column `m`, with or without `n`) one an order over the frequency, or over m where there is one
/// frequency; else one a frequency over the first column that goes one way and is the same for all
/// frequencies, as the angle of a far field is. Columns that are constant in a curve are left out. Empty
/// where the table is none of these, or `most_split_curves` are not enough.
std::vector<SplitCurve> split_table(const std::vector<Column>&, const Numbers&);
inline constexpr std::size_t most_split_curves = 32;

/// Adds them as `results/NAME, WHICH`.
void add_split_table(Shelf&, int case_id, const std::string& name, const std::vector<Column>&,
                     const Numbers&);

}  // namespace umov::view
