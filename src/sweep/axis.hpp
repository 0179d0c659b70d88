// What differs from case to case: parameters and their values, crossed or going together.
#pragma once

#include <string>
#include <vector>

#include "parameters/tree.hpp"

namespace umov::sweep {

/// One parameter and its values, or several parameters that all get the same ones.
struct Axis {
  std::string name;                ///< of its column: the first path, or what the user calls it
  std::vector<std::string> paths;  ///< as Tree::set takes them
  std::vector<Value> values;
  std::string unit = {};   ///< "": none
  bool together = false;   ///< its i-th value goes with the i-th value of all such axes
  std::string place = {};  ///< opens messages: "--set body.disk.radius", "case.toml:14"
  bool numbers() const;    ///< all values are numbers
};

inline constexpr std::size_t most_cases = 1000000;

/// An axis as "PATH=VALUES": a range "from:to:count" or "from:to:count:log" with both ends, or values between
/// commas, a list in brackets being one of them. `flag` ("--set") is for messages. Throws BadInput for a text
/// of another form, a range without values, a value twice.
Axis parse_axis(const std::string& text, const std::string& flag);

/// Takes the tables [[vary]] from a case: `parameter` (a path or several), `values`, `name`, `logarithmic`,
/// `together`. Throws BadInput with the place.
std::vector<Axis> take_axes(Tree& base);

/// The axes as those tables again, behind what the case has.
void put_axes(Tree& base, const std::vector<Axis>&);

/// How many cases the axes make. Throws BadInput where axes that go together differ in length, and for more
/// than `most_cases`.
std::size_t count_cases(const std::vector<Axis>&);

/// For each axis the number of its value in case k; the last axis runs fastest, and those that go together
/// run as one in the place of the first of them.
std::vector<std::size_t> values_of_case(const std::vector<Axis>&, std::size_t k);

/// A value as a user writes it: 0.5, gold, true, [1, 0, 0].
std::string text_of(const Value&);

/// "body.disk.radius = 0.45, body.disk.material = gold".
std::string describe_case(const std::vector<Axis>&, std::size_t k);

}  // namespace umov::sweep
