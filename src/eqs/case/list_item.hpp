// Shorthand for parameters of the items of a list, as [[part]] or [[line]].
#pragma once

#include <string>
#include <utility>

#include "front/declare.hpp"

namespace umov::eqs {

/// A parameter of an item of a list: no section, no flag.
inline ParameterInfo item(std::string key, std::string unit, std::string help, std::string when_unset = "") {
  return front::declare("", std::move(key), {}, std::move(unit), std::move(help), std::move(when_unset));
}

}  // namespace umov::eqs
