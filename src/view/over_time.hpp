// Tables over time: curves of which each instant has one, and values with their places.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "view/stored.hpp"

namespace umov::view {

using Numbers = std::vector<std::vector<double>>;  ///< columns of equal length

/// Rows of each instant where the first column holds times and the second begins anew with each of them,
/// always with the same values; 0: it is no such table. Of one instant only a table with several rows at one
/// time is.
std::size_t rows_per_instant(const Numbers&);

/// The curve over the second column at one time; `rows` as above.
Maker curve_over_time(Numbers, std::size_t rows);

/// Such a table as `results/NAME`, and the list of its times beside it.
void add_curve_over_time(Shelf&, int case_id, const std::string& name, const std::vector<Column>&, Numbers,
                         std::size_t rows);

/// A value with its place over time, as columns `NAME peak`, `NAME x`, `NAME y`, `NAME z`.
struct Peak {
  std::string name, unit, length_unit;
  std::size_t value = 0, x = 0;  ///< columns; y and z follow
};
/// Those in a table whose first column is the time.
std::vector<Peak> peaks_in(const std::vector<Column>&);

/// The columns of peaks_over_time.
std::vector<Column> peak_columns(const Peak&, const Column& time);

/// A row per peak: its place x, y, z and value at one time (of the last row that is not later), then of the
/// largest up to then value, place and time.
Maker peaks_over_time(Numbers, std::vector<Peak>);

/// The table as peaks, of which there must be some. Returns the array's id.
int add_peaks(Shelf&, int case_id, const std::string& name, const std::vector<Column>&, Numbers, bool live);

}  // namespace umov::view
