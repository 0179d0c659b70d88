// Names of the values of an enumeration: declared once, beside it, and found by the value.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace umov {

/// A value of an enumeration, its word in cases and messages, and how a legend or a sentence calls it.
template <class Kind>
struct KindName {
  Kind kind;
  const char *word, *title;
};

/// The entry of a value; throws std::logic_error where the list lacks it.
template <class Kind, std::size_t n>
constexpr const KindName<Kind>& named(const KindName<Kind> (&list)[n], Kind kind) {
  for (const auto& name : list)
    if (name.kind == kind) return name;
  throw std::logic_error("a kind without a name");
}

}  // namespace umov
