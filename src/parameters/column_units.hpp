// Units in the headings of tables: where they stand, and what converts them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace umov {

struct Column;

/// What turns a file's values into the wanted ones.
struct ColumnConversion {
  double factor = 1;
  bool reciprocal = false;  ///< factor / value instead of factor * value
  std::string unit;         ///< as the file has it
};

/// From a unit as written to that of the column; nothing, with the reason in `why`, where it is unknown or of
/// another quantity.
std::optional<ColumnConversion> conversion_to(const Column&, const std::string& unit, std::string& why);

/// A column's heading cut into name and unit. `sure`: the unit stands where only units do, in brackets or
/// behind "in"; otherwise it is a word that could be one ("t_us", "nm").
struct ColumnHeading {
  std::string name, unit;
  bool sure = false;
};
ColumnHeading split_heading(std::string_view field);

/// The fields of a heading: parted by semicolons, commas or tabs outside of brackets; else behind brackets,
/// if there are several; else at blanks.
std::vector<std::string> heading_fields(std::string_view text);

}  // namespace umov
