// Values as bytes and back, each by its visitor: visit(writer or reader, value).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/bytes.hpp"

namespace umov {

using Packed = std::vector<std::byte>;

template <class T, class Visit>
Packed packed(const T& value, const Visit& visit) {
  MemoryWriter to;
  visit(to, value);
  return to.take();
}

/// Throws BadInput where bytes are missing or left over.
template <class T, class Visit>
T unpacked(std::span<const std::byte> bytes, const Visit& visit) {
  MemoryReader from(bytes);
  T value;
  visit(from, value);
  from.finish();
  return value;
}

/// The visitor of numbers, texts and lists of numbers.
constexpr auto as_it_is = [](auto& f, auto& value) { f(value); };

}  // namespace umov
