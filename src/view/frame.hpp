// A data message as bytes: header, quantised values, compression (docs/view_protocol.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "view/data.hpp"

namespace umov::view {

inline constexpr std::size_t header_bytes = 96;

/// IEEE 754 binary16, rounded to nearest even; what is too large becomes infinite.
std::uint16_t to_half(float);
float from_half(std::uint16_t);

/// The power of two by which finite values are multiplied when read, so that the largest magnitude `most`
/// lies in [1/2, 1); 1 for 0.
double half_factor(double most);

/// Who a message is for.
struct Address {
  std::uint32_t sub = 0, sequence = 0;
};

/// One message per part of the data. `compress`: with zlib, where that saves a tenth at least. A part of
/// indices stays u32; f64 is for parts in double, other parts then come as f32.
std::vector<std::string> messages_of(const Data&, const Address&, Encoding, bool compress);

}  // namespace umov::view
