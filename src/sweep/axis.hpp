// What differs from case to case: parameters and their values, crossed or going together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parameters/tree.hpp"
#include "parameters/variations.hpp"

namespace umov::sweep {

/// One parameter and its values, or several parameters that all get the same ones.
struct Axis {
  std::string name;                ///< of its column: the first path, or what the user calls it
  std::vector<std::string> paths;  ///< as Tree::set takes them
  std::vector<Value> values;
  std::string unit = {};     ///< "": none
  bool together = false;     ///< its i-th value goes with the i-th value of all such axes
  std::string place = {};    ///< opens messages: "--set body.disk.radius", "case.toml:14"
  bool logarithmic = false;  ///< spread, and fitted over, by its logarithm
  bool named = false;        ///< by the user

  bool numbers() const;                    ///< all values are numbers
  std::pair<double, double> ends() const;  ///< the smallest of them and the largest
};

inline constexpr std::size_t most_cases = 1000000;

/// An axis as "PATH=VALUES": a range "from:to:count" or "from:to:count:log" with both ends, or values between
/// commas, a list in brackets being one of them. `flag` ("--set") is for messages. Throws BadInput for a text
/// of another form, a range without values, a value twice on an axis by itself.
Axis parse_axis(const std::string& text, const std::string& flag, bool together = false);

/// Takes the tables [[vary]] from a case: `parameter` (a path or several), `values`, `name`, `logarithmic`,
/// `together`. One without values is of a table. Throws BadInput with the place.
std::vector<Axis> take_axes(Tree& base);

/// JSON Schema of these tables.
std::string axes_schema();

/// An axis of a list where one number is wanted.
Axis axis_in_place(const Variation&);

/// The axes as those tables again, behind what the case has.
void put_axes(Tree& base, const std::vector<Axis>&);

/// Throws BadInput, with the place, for an axis without values.
void require_values(const std::vector<Axis>&);

/// How many cases the axes make. Throws BadInput where axes that go together differ in length, and for more
/// than `most_cases`.
std::size_t count_cases(const std::vector<Axis>&);

/// For each axis the number of its value in case k; the last axis runs fastest, and those that go together
/// run as one in the place of the first of them.
std::vector<std::size_t> places_of_case(const std::vector<Axis>&, std::size_t k);

/// A value as a user writes it: 0.5, gold, true, [1, 0, 0].
std::string text_of(const Value&);

/// A number as a value; whole ones as such: parameters that count take no others.
Value written(double);

}  // namespace umov::sweep
