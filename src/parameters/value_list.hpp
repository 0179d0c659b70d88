// One number, several, or a range of them, as a parameter may take them.
#pragma once

#include <string>
#include <vector>

#include "parameters/value.hpp"

namespace umov {

/// A number x; numbers [x, y, ...] in the order given; or the text "from:to:count", both ends included.
struct NumberList {
  NumberList(double x = 0) : values{x} {}  // NOLINT: a number is a list of one
  std::vector<double> values;
  std::string range;     ///< the text of a range; "" = the numbers stand for themselves
  bool is_list = false;  ///< written as a list or a range, even of one value

  double front() const { return values.front(); }
  std::size_t size() const { return values.size(); }
  bool operator==(const NumberList&) const = default;
};

/// Reads all three forms. Evenly spaced values of a range may descend. Throws ValueError for an empty list,
/// a number twice in a list, a range without three parts, of equal ends and more than one value, of one value
/// and two ends, or of more than 100000; and where a number is outside `range`.
Codec<NumberList> number_list(Range range = {});

/// Directions and the like: `x,y,z`, or a list of these.
Codec<std::vector<Vec3>> vector_list();

}  // namespace umov
