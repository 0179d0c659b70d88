// Edges that a paint program has smoothed.
#include "fdtd/model/picture_marks.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

constexpr int longest_slope = 5;

/// Marks the inner texels of every short slope among `values`.
void mark_slopes(const std::vector<int>& values, std::vector<bool>& on_slope) {
  const int n = int(values.size());
  const auto sign = [&](int i) { return (values[i + 1] > values[i]) - (values[i + 1] < values[i]); };
  for (int start = 0; start + 1 < n;) {
    int end = start;
    while (end + 1 < n && sign(end) != 0 && sign(end) == sign(start)) ++end;
    if (end - start >= 2 && end - start <= longest_slope)
      for (int i = start + 1; i < end; ++i) on_slope[i] = true;
    start = std::max(end, start + 1);
  }
}

}  // namespace

int Slopes::distinct() const {
  return int(std::count_if(number.begin(), number.end(), [](std::size_t n) { return n > 0; }));
}

Slopes short_slopes(const PictureStack& stack, int channel) {
  Slopes found;
  for (int z = 0; z < int(stack.layers.size()); ++z) {
    const auto value = [&](int x, int y) { return int(stack.layers[z].pixel(x, y)[channel]); };
    std::vector<std::vector<bool>> slope(stack.height, std::vector<bool>(stack.width));
    std::vector<int> line(stack.width);
    for (int y = 0; y < stack.height; ++y) {
      for (int x = 0; x < stack.width; ++x) line[x] = value(x, y);
      mark_slopes(line, slope[y]);
    }
    line.resize(stack.height);
    for (int x = 0; x < stack.width; ++x) {
      std::vector<bool> on(stack.height);
      for (int y = 0; y < stack.height; ++y) line[y] = value(x, y);
      mark_slopes(line, on);
      for (int y = 0; y < stack.height; ++y) slope[y][x] = slope[y][x] || on[y];
    }
    for (int y = 0; y < stack.height; ++y)
      for (int x = 0; x < stack.width; ++x) {
        if (!slope[y][x]) continue;
        if (found.texels++ == 0) found.example = {x, y, z};
        ++found.number[value(x, y)];
      }
  }
  return found;
}

}  // namespace umov::fdtd
