// Fewer values for fewer pixels: means over boxes of cells, ends of a curve's stretches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/types.hpp"
#include "view/data.hpp"

namespace umov::view {

/// The first cell of box `i` of `size` boxes over `count` cells from `low` on.
constexpr int box_start(int low, int count, int size, int i) {
  return low + int(std::int64_t(count) * i / size);
}

/// Means over size[0] x size[1] x size[2] boxes that cover lo <= (i, j, k) < hi; x fastest. A box has a cell
/// at least, so size may not exceed hi - lo. Values that are not finite are left out; a box without others is
/// NaN. `squares`: the square root of the mean of squares instead.
std::vector<float> box_means(const std::function<double(int, int, int)>& value, const Int3& lo,
                             const Int3& hi, const Int3& size, bool squares = false);

/// Of the cells lo <= (i, j, k) < hi; median and bright end from about 8192 of them, evenly spread. Nothing
/// where no value is finite.
std::optional<Spread> spread_of(const std::function<double(int, int, int)>& value, const Int3& lo,
                                const Int3& hi);

/// The values of a request for a field whose cells lo <= (i, j, k) < hi have these values, and their spread.
Data reduced(const Request&, const std::function<double(int, int, int)>& value, const Int3& lo,
             const Int3& hi, bool squares = false);

/// At most 2 `stretches` rows of a table of `columns` columns of `rows` values each, one behind the other:
/// the rows at which the second column is smallest and largest in each stretch, in order. All rows where
/// there are no more, or `stretches` is 0. With other columns too, the rows stay whole.
std::vector<double> thin_rows(std::span<const double> table, std::size_t rows, std::size_t columns,
                              std::size_t stretches);

/// Sizes of a request made to fit: at most `pixels` along each axis, not more than there are cells, and not
/// more than `most` values in all.
Int3 fit_size(const Int3& lo, const Int3& hi, const Int3& pixels, std::int64_t most);

}  // namespace umov::view
