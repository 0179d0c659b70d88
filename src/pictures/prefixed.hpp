// Units that keep the numbers of a picture short.
#pragma once

#include <string>

namespace umov::pictures {

struct Scaled {
  double factor = 1;  ///< values are multiplied by it
  std::string unit;
};

/// The unit with the prefix that fits the largest of the values; "1" has none.
Scaled prefixed(double largest, const std::string& unit);

}  // namespace umov::pictures
