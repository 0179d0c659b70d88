// Values as a user writes them, in a file or behind a flag, and their translation to typed fields.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"
#include "parameters/schema.hpp"

namespace umov {

/// A scalar or a (nested) list, before anybody asked what type it should have.
struct Value {
  std::variant<bool, long long, double, std::string, std::vector<Value>> data;
};

/// The value does not fit its parameter. The message is `PROBLEM (WHY); SUGGESTION` without the place,
/// which the parameter table puts before it.
struct ValueError : BadInput {
  using BadInput::BadInput;
};

/// Allowed interval of a number, or of every number of a list.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;

  static Range above(double x) { return {x, std::numeric_limits<double>::infinity(), true}; }
  static Range at_least(double x) { return {x, std::numeric_limits<double>::infinity(), false}; }
  static Range between(double a, double b) { return {a, b, false}; }
  static Range above_to(double a, double b) { return {a, b, true}; }
  bool contains(double x) const { return (low_open ? x > low : x >= low) && x <= high; }
  /// "> 0", "0 to 180", or "" when everything is allowed.
  std::string text() const;
};

/// How one C++ type is read from a Value, read from a flag's text, and written as TOML.
template <class T>
struct Codec {
  std::function<T(const Value&)> read;                 ///< throws ValueError
  std::function<Value(const std::string&)> from_text;  ///< splits a flag's text; does not validate
  std::function<std::string(const T&)> write;          ///< TOML literal; "" = not set
  std::string values;                                  ///< range or choices, for the help
  std::string metavar;                                 ///< what the help prints for a flag's argument
  bool is_switch = false;                              ///< a flag of this type takes no argument
  bool is_path = false;     ///< texts are files; in a case relative to its folder (see parameters_reader.cpp)
  std::string schema = {};  ///< what `read` takes, as JSON (schema.hpp); "": not described
};

/// What a value is, in words, for messages: "the text 'abc'", "a list of 2".
std::string describe(const Value&);

/// Numbers from a scalar Value. Throw ValueError, also for NaN and infinity.
double read_number(const Value&, const Range&);
long long read_integer(const Value&, const Range&);
/// The elements of a list; a scalar is a list of one.
std::vector<Value> read_list(const Value&);
/// What to do with several values where one is wanted, as the end of a message; "" for one. `of_lists`: one
/// is a list itself.
std::string sweep_hint(const Value&, bool of_lists = false);
/// A text as a TOML basic string, quoted and escaped.
std::string quoted(const std::string&);
/// Literals as a TOML list.
std::string bracketed(const std::vector<std::string>& literals);
/// A flag's text as a number where it is one (and finite), else as text.
Value parse_scalar(const std::string&);
/// A flag's text to a scalar or, when it holds commas, to a list; brackets and parentheses nest.
/// Throws ValueError when they do not match.
Value parse_nested(const std::string&);
/// The items between commas alone, a list in brackets being one of them, and a text in double quotes another,
/// whatever is in it.
std::vector<Value> parse_items(const std::string&);

Codec<double> number(Range range = {});
Codec<std::optional<double>> optional_number(Range range = {});
Codec<long long> integer_codec(Range range);
Codec<bool> boolean();
Codec<std::string> text(std::string metavar = "TEXT");
/// A file. Written as an absolute path, so that the text means the same in another folder.
Codec<std::string> path(std::string metavar = "FILE");
Codec<std::vector<double>> numbers(Range range = {});
/// Three numbers; `x,y,z` behind a flag.
Codec<Vec3> vector3(Range range = {});
/// One, two or three numbers, the missing ones `missing`; where allowed, "inf" for no end along that axis.
/// Written without what is missing at the end.
Codec<Vec3> extents(Range range = {}, bool infinite = false, double missing = 0);
/// Three numbers, or one that sets all three and is written so.
Codec<Vec3> diagonal(Range range = {});
/// Two or three whole numbers: a cell of the grid.
Codec<Int3> cell();
/// Three integers, or one that sets the first (`first_only`) or all three.
Codec<Int3> grid3(bool first_only);
/// A time in seconds, or text with a unit: 90, 15m, 2h, 1d.
Codec<double> duration();

template <class I>
Codec<I> integer(Range range = {}) {
  const double low = static_cast<double>(std::numeric_limits<I>::min());
  const double high = static_cast<double>(std::numeric_limits<I>::max());
  Range kept = range;
  if (kept.low < low) kept.low = low;
  if (kept.high > high) kept.high = high;
  const auto wide = integer_codec(kept);
  return {[wide](const Value& v) { return static_cast<I>(wide.read(v)); },
          wide.from_text,
          [wide](const I& x) { return wide.write(x); },
          range.text(),
          wide.metavar,
          false,
          false,
          wide.schema};
}

/// A field that may be empty, read and written as the type inside.
template <class T>
Codec<std::optional<T>> optional_of(Codec<T> inner) {
  return {[inner](const Value& v) { return std::optional<T>(inner.read(v)); },
          inner.from_text,
          [inner](const std::optional<T>& x) { return x ? inner.write(*x) : std::string(); },
          inner.values,
          inner.metavar,
          inner.is_switch,
          inner.is_path,
          inner.schema};
}

/// A list; one value alone is a list of one.
template <class T>
Codec<std::vector<T>> list_of(Codec<T> inner) {
  return {[inner](const Value& v) {
            std::vector<T> out;
            for (const Value& item : read_list(v)) out.push_back(inner.read(item));
            return out;
          },
          parse_nested,
          [inner](const std::vector<T>& list) {
            std::string out;
            for (const T& item : list) out += (out.empty() ? "" : ", ") + inner.write(item);
            return "[" + out + "]";
          },
          inner.values,
          inner.metavar + ",...",
          false,
          inner.is_path,
          inner.schema.empty() ? "" : schema::any_of({inner.schema, schema::list(inner.schema)})};
}

/// One word of a list known when the value is read. Throws ValueError with the list and a suggestion.
std::string read_choice(const Value&, const std::vector<std::string>& words);

template <class E>
Codec<E> choice(std::vector<std::pair<std::string, E>> names) {
  std::vector<std::string> words;
  std::string list;
  for (const auto& [word, value] : names) {
    words.push_back(word);
    list += (list.empty() ? "" : ", ") + word;
  }
  return {[names, words](const Value& v) {
            const std::string word = read_choice(v, words);
            for (const auto& [name, value] : names)
              if (name == word) return value;
            throw ValueError("has no meaning");
          },
          [](const std::string& t) { return Value{t}; },
          [names](const E& e) {
            for (const auto& [name, value] : names)
              if (value == e) return quoted(name);
            return std::string();
          },
          list,
          "NAME",
          false,
          false,
          schema::words(words)};
}

/// As `choice`, for a field that holds the word itself; the list is asked for when needed.
Codec<std::string> word_of(std::function<std::vector<std::string>()> words);

}  // namespace umov
