// Plain values to and from the bytes of a checkpoint.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/error.hpp"

namespace umov::fdtd {

template <class T>
void put(std::vector<std::byte>& out, const T* data, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

/// Throws BadInput when the bytes end early.
template <class T>
void take(std::span<const std::byte>& in, T* data, std::size_t count) {
  if (count > in.size() / sizeof(T))
    throw BadInput("the checkpoint's samples end early (damaged, or of another case) start anew");
  if (count > 0) std::memcpy(data, in.data(), count * sizeof(T));
  in = in.subspan(count * sizeof(T));
}

}  // namespace umov::fdtd
