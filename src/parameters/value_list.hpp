// One number, several, or a range of them, as a parameter may take them.
#pragma once

#include <functional>
#include <map>
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

/// Values that a parameter was given where it takes one.
struct GivenList {
  std::vector<Value> values;
  std::string range;  ///< as in NumberList
};
/// By the names of the parameters.
using GivenLists = std::map<std::string, GivenList>;

/// Reads a number, or with `of_lists` a vector, or several: numbers in the forms of NumberList, vectors
/// `x,y,z` as a list of these. `literal` reads one value and returns it as TOML. `several`: it was written as
/// a list or a range, even of one number. Throws ValueError as number_list does, and what `literal` throws.
using Literal = std::function<std::string(const Value&)>;
GivenList read_each(const Value&, bool of_lists, const Literal& literal, bool& several);
/// As TOML has it.
std::string toml_of(const GivenList&, const Literal& literal);

}  // namespace umov
