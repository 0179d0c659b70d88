// Marks of a drawing: their connected pieces, and edges that a paint program has smoothed.
#pragma once

#include "fdtd/model/picture.hpp"

namespace umov::fdtd {

/// Neighbouring texels (also over corners) of one channel above a threshold.
struct Piece {
  std::size_t size = 0;
  Int3 first{0, 0, 0};  ///< column, row from the top, picture
  int value = 0;        ///< of the first texel
};

/// Pieces of all texels for which `marked(value of the channel)` holds, in the order of their first texel.
template <class Marked>
std::vector<Piece> pieces(const PictureStack& stack, int channel, Marked marked) {
  const std::size_t plane = std::size_t(stack.width) * stack.height;
  std::vector<bool> open(plane * stack.layers.size());
  const auto value = [&](std::size_t at) {
    const std::size_t in = at % plane;
    return stack.layers[at / plane].pixel(int(in % stack.width), int(in / stack.width))[channel];
  };
  for (std::size_t at = 0; at < open.size(); ++at) open[at] = marked(value(at));
  std::vector<Piece> found;
  std::vector<std::size_t> front;
  for (std::size_t start = 0; start < open.size(); ++start) {
    if (!open[start]) continue;
    const auto place = [&](std::size_t at) {
      return Int3{int(at % plane % stack.width), int(at % plane / stack.width), int(at / plane)};
    };
    found.push_back({0, place(start), value(start)});
    open[start] = false;
    front = {start};
    while (!front.empty()) {
      const Int3 p = place(front.back());
      front.pop_back();
      ++found.back().size;
      for (int n = 0; n < 27; ++n) {
        const Int3 q{p[0] + n % 3 - 1, p[1] + n / 3 % 3 - 1, p[2] + n / 9 - 1};
        if (q[0] < 0 || q[1] < 0 || q[2] < 0 || q[0] >= stack.width || q[1] >= stack.height ||
            q[2] >= int(stack.layers.size()))
          continue;
        const std::size_t at = q[2] * plane + std::size_t(q[1]) * stack.width + q[0];
        if (!open[at]) continue;
        open[at] = false;
        front.push_back(at);
      }
    }
  }
  return found;
}

/// Texels of a channel that lie between their neighbours on a short slope: along a row or a column the values
/// rise (or fall) strictly over two to five steps, which neither a sharp edge nor a gradient does.
struct Slopes {
  std::size_t texels = 0;
  std::array<std::size_t, 256> number{};  ///< by value
  Int3 example{0, 0, 0};
  int distinct() const;
};
Slopes short_slopes(const PictureStack&, int channel);

}  // namespace umov::fdtd
