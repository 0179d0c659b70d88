// The sheet that every picture has: its heading, its margin, its way to write numbers.
#pragma once

#include <string>

#include "pictures/canvas.hpp"

namespace umov::pictures {

inline constexpr double left_margin = 30;

/// 17256 as "17 256".
std::string grouped(std::size_t n);
/// Heading and a line below it, shrunk to fit the sheet.
void title(Canvas&, std::string main, const std::string& caption);

}  // namespace umov::pictures
