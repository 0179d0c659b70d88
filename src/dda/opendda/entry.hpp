// A line of OpenDDA's control file, and the numbers in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dda/opendda/control.hpp"

namespace umov::dda::opendda {

/// A value with the line that it stands in.
struct Entry {
  std::string key, value, place;
};

/// Throws BadInput `PLACE: TEXT`.
[[noreturn]] void refuse(const std::string& place, const std::string& text);
/// A line of a file of numbers, up to a # and without blanks around.
std::string_view without_remark(std::string_view line);
/// What the commas part.
std::vector<std::string> parts_of(const Entry&);
double number(const Entry&, const std::string& text);

enum class Values { positive, not_negative, cosines };
/// Throws BadInput for values that are not of this kind, or do not increase.
void check_values(const Sweep&, const std::string& what, Values kind);
/// minimum,increment,maximum. Throws BadInput.
Sweep range_of(const Entry&);

}  // namespace umov::dda::opendda
