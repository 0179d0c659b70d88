// What travels to a viewer: values of an array at one moment, and what a viewer asked to see of it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/types.hpp"

namespace umov::view {

/// What of triangles is wanted: their shape stays, values at vertices change.
enum class TriangleParts { all, shape, values };

enum class Encoding { f16, f32, u8, f64 };

/// What is wanted of an array. Of a field: the cells lo <= (i, j, k) < hi as `size` values; of a curve:
/// size[0] rows at most, 0 for all.
struct Request {
  int array = 0;
  int axis = 3;   ///< normal of the cut; 3: the whole volume, or no field
  int index = 0;  ///< layer of the cut
  Int3 lo{0, 0, 0}, hi{0, 0, 0}, size{0, 0, 0};
  double time = std::numeric_limits<double>::infinity();  ///< the newest instant that is not later
  TriangleParts parts = TriangleParts::all;
  bool operator==(const Request&) const = default;
};

/// Values with their shape, the first running fastest.
struct Part {
  std::array<std::uint32_t, 3> shape{0, 1, 1};
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint32_t>> values;
};

/// The shape of a field's values: a cut has two axes, in their order.
inline std::array<std::uint32_t, 3> shape_of(const Request& r) {
  std::array<std::uint32_t, 3> shape{1, 1, 1};
  int n = 0;
  for (int a = 0; a < 3; ++a)
    if (a != r.axis) shape[std::size_t(n++)] = std::uint32_t(r.size[std::size_t(a)]);
  return shape;
}

/// What the values of the cells that a request covers are, however few stand for them: smallest and largest,
/// and of their magnitudes the median and what 99.8 % do not exceed.
struct Spread {
  double low = 0, high = 0, median = 0, bright = 0;
};

/// An array as it was at one moment, as far as a request asks for it.
struct Data {
  std::vector<Part> parts;
  Request request;
  std::optional<Spread> spread;  ///< of a field, where all cells were seen
  double step = 0, time = 0;
  std::string text;  ///< of an array of texts
};
using DataPtr = std::shared_ptr<const Data>;

/// Makes the data of an array when they are asked for. May throw; the viewer is then told.
using Maker = std::function<Data(const Request&)>;

}  // namespace umov::view
