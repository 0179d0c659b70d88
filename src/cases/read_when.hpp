// Parameters that have an effect only in some cases: a value given in another case is no silent matter.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace umov::cases {

/// One such parameter of a Case.
template <class Case>
struct ReadWhen {
  std::string parameter;             ///< its name, "source.width"
  std::string option;                ///< ADDA's option for it; "" where ADDA has none
  std::vector<std::string> decides;  ///< the parameters that decide whether it is read
  std::string otherwise;             ///< why it is not, when it is not
  std::function<bool(const Case&)> read;
  std::function<bool(const Case&)> untouched;  ///< it holds its default
  std::function<void(Case&)> reset;            ///< gives it its default
};

/// `field` takes a Case and returns a reference into it.
template <class Case, class Field>
ReadWhen<Case> read_when(std::string parameter, std::string option, Field field,
                         std::vector<std::string> decides, std::function<bool(const Case&)> read,
                         std::string otherwise) {
  static const Case defaults{};
  return {std::move(parameter),
          std::move(option),
          std::move(decides),
          std::move(otherwise),
          std::move(read),
          [field](const Case& c) { return field(c) == field(defaults); },
          [field](Case& c) { field(c) = field(defaults); }};
}

}  // namespace umov::cases
