// Quantised values behind a little-endian header.
#include "view/frame.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace umov::view {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

namespace {

enum Type : std::uint8_t { u8 = 0, f16 = 1, f32 = 2, f64 = 3, u32 = 4 };

struct Range {
  double low = 0, high = 0;
};

template <class T>
Range finite_range(const std::vector<T>& values) {
  Range r{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const T v : values)
    if (std::isfinite(double(v))) r = {std::min(r.low, double(v)), std::max(r.high, double(v))};
  return r.low <= r.high ? r : Range{0, 0};
}

struct Packed {
  Type type = f32;
  Range range;
  double factor = 1;
  std::string bytes;
};

template <class To, class From, class Convert>
std::string converted(const std::vector<From>& values, const Convert& convert) {
  std::string out(values.size() * sizeof(To), '\0');
  char* at = out.data();
  for (const From v : values) {
    const To stored = convert(v);
    std::memcpy(at, &stored, sizeof(To));
    at += sizeof(To);
  }
  return out;
}

Packed pack(const std::vector<std::uint32_t>& values, Encoding) {
  return {u32, {}, 1, converted<std::uint32_t>(values, [](std::uint32_t v) { return v; })};
}

template <class T>
Packed pack(const std::vector<T>& values, Encoding wanted) {
  Packed p;
  p.range = finite_range(values);
  const double low = p.range.low, span = p.range.high - low;
  if (wanted == Encoding::u8) {
    p.type = u8;
    const double scale = span > 0 ? 255 / span : 0;
    p.bytes = converted<std::uint8_t>(values, [=](T v) {
      return std::isfinite(double(v)) ? std::uint8_t(std::lround((double(v) - low) * scale)) : 0;
    });
  } else if (wanted == Encoding::f16) {
    p.type = f16;
    p.factor = half_factor(std::max(std::abs(p.range.low), std::abs(p.range.high)));
    const double inverse = 1 / p.factor;
    p.bytes = converted<std::uint16_t>(values, [=](T v) { return to_half(float(double(v) * inverse)); });
  } else if (wanted == Encoding::f64 && sizeof(T) == 8) {
    p.type = f64;
    p.bytes = converted<T>(values, [](T v) { return v; });
  } else {
    p.bytes = converted<float>(values, [](T v) { return float(v); });
  }
  return p;
}

template <class T>
void put(std::string& header, std::size_t at, T value) {
  std::memcpy(header.data() + at, &value, sizeof value);
}

/// Empty where compression does not pay.
std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 1);
  if (status != Z_OK || double(size) > 0.9 * double(bytes.size())) return "";
  out.resize(size);
  return out;
}

std::string header_of(const Data& d, const Address& to, std::size_t part, const Packed& p) {
  std::string h(header_bytes, '\0');
  std::memcpy(h.data(), "UMV1", 4);
  put(h, 4, std::uint8_t(1));
  put(h, 5, std::uint8_t(p.type));
  put(h, 7, std::uint8_t(part));
  put(h, 8, std::uint8_t(d.parts.size()));
  put(h, 9, std::uint8_t(d.request.axis));
  put(h, 12, to.sub);
  put(h, 16, std::uint32_t(d.request.array));
  put(h, 20, to.sequence);
  for (int a = 0; a < 3; ++a) {
    put(h, 24 + 4 * a, d.parts[part].shape[a]);
    put(h, 40 + 4 * a, std::uint32_t(d.request.lo[a]));
    put(h, 52 + 4 * a, std::uint32_t(d.request.hi[a]));
  }
  put(h, 36, std::uint32_t(d.request.index));
  put(h, 64, float(p.range.low));
  put(h, 68, float(p.range.high));
  put(h, 72, float(p.factor));
  put(h, 76, std::uint32_t(p.bytes.size()));
  put(h, 80, d.step);
  put(h, 88, d.time);
  return h;
}

}  // namespace

std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint16_t sign = std::uint16_t(bits >> 16 & 0x8000);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;          // NaN
  if (magnitude >= 0x477ff000) return sign | 0x7c00;         // rounds beyond 65504
  if (magnitude < 0x38800000) {                              // below 2^-14: subnormal, in steps of 2^-24
    const float steps = std::abs(value) * 16777216.0f;       // exact
    return sign | std::uint16_t(std::lrint(double(steps)));  // to nearest even
  }
  const std::uint32_t odd = magnitude >> 13 & 1;
  return sign | std::uint16_t((magnitude - 0x38000000 + 0xfff + odd) >> 13);
}

float from_half(std::uint16_t half) {
  const float sign = half & 0x8000 ? -1.0f : 1.0f;
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 31) return fraction ? std::numeric_limits<float>::quiet_NaN() : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(float(fraction), -24);
  return sign * std::ldexp(float(1024 + fraction), exponent - 25);
}

double half_factor(double most) {
  if (!(most > 0) || !std::isfinite(most)) return 1;
  int exponent = 0;
  std::frexp(most, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, -126, 127));  // the header holds a float
}

std::vector<std::string> messages_of(const Data& d, const Address& to, Encoding encoding, bool compress) {
  std::vector<std::string> out;
  for (std::size_t part = 0; part < d.parts.size(); ++part) {
    // Only what is a field is quantised: places and abscissas are not.
    const bool is_field = d.parts.size() == 1 && d.request.size[1] > 0;
    const Encoding how = is_field || encoding == Encoding::f64 ? encoding : Encoding::f32;
    const Packed p = std::visit([&](const auto& values) { return pack(values, how); }, d.parts[part].values);
    std::string header = header_of(d, to, part, p);
    const std::string small = compress && p.bytes.size() > 4096 ? deflated(p.bytes) : "";
    header[6] = small.empty() ? 0 : 1;
    out.push_back(header + (small.empty() ? p.bytes : small));
  }
  return out;
}

}  // namespace umov::view
