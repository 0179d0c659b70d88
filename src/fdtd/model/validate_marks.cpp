// Marks that were hardly meant: stray pixels, smoothed edges, pixels that are not square.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "fdtd/model/picture_marks.hpp"
#include "fdtd/model/validate_parts.hpp"

namespace umov::fdtd {
namespace {

/// A piece is stray that has no more texels than this, where another has `much_larger` times as many.
constexpr std::size_t few_texels = 4, much_larger = 4;
/// Greens on short slopes: one of them is a thin layer of a design, more are a smoothed edge.
constexpr int several = 2;

/// Names the stray ones among the pieces of `what`.
void stray(const PictureStack& stack, const std::vector<Piece>& all, const std::string& what,
           const std::string& colour, const std::string& meaning, Findings& found) {
  std::size_t largest = 0;
  for (const Piece& p : all) largest = std::max(largest, p.size);
  std::vector<std::string> names;
  for (const Piece& p : all)
    if (p.size <= few_texels && p.size * much_larger <= largest)
      names.push_back(fmt::format("{} ({} {}{})", pixel_name(p.first, stack), colour, p.value,
                                  p.size > 1 ? fmt::format(", {} pixels", p.size) : ""));
  if (names.empty()) return;
  found.push_back(
      {Severity::warning,
       fmt::format(
           "picture: pixels of {} apart from its others, of which up to {} hang together: {} (perhaps "
           "stray marks; {}); set their {} to 0 if they were not meant",
           what, largest, some(names), meaning, colour)});
}

void stray_sources(const PictureStack& stack, Findings& found) {
  stray(stack, pieces(stack, 0, [](int v) { return v > source_threshold; }), "a source", "red",
        "they drive the field", found);
}

void stray_monitors(const PictureStack& stack, Findings& found) {
  std::array<bool, 256> used{};
  for (const auto& layer : stack.layers)
    for (std::size_t i = 2; i < layer.rgba.size(); i += 4) used[layer.rgba[i]] = true;
  for (int id = 1; id < 256; ++id)
    if (used[id])
      stray(stack, pieces(stack, 2, [id](int v) { return v == id; }), fmt::format("monitor-{}", id), "blue",
            "they count in the monitor's mean", found);
}

std::string listed(const Slopes& s) {
  std::vector<std::string> values;
  for (int v = 0; v < 256; ++v)
    if (s.number[v] > 0) values.push_back(std::to_string(v));
  return some(values);
}

void smoothed(const PictureStack& stack, Findings& found) {
  const auto report = [&](const Slopes& s, const char* colour, const std::string& effect) {
    found.push_back(
        {Severity::warning,
         fmt::format("picture: {} pixels have a {} between those of their neighbours ({}; the first is {}): "
                     "smoothed edges ({}); draw without smoothing (anti-aliasing), and enlarge without "
                     "interpolation",
                     s.texels, colour, listed(s), pixel_name(s.example, stack), effect)});
  };
  const Slopes green = short_slopes(stack, 1), red = short_slopes(stack, 0), blue = short_slopes(stack, 2);
  if (green.distinct() >= several)
    report(green, "green",
           "each is a permittivity of its own, so edges are some pixels wide; sharp ones are averaged over "
           "cells anyway");
  if (red.texels > 0) {
    std::size_t sources = 0;
    for (int v = source_threshold + 1; v < 256; ++v) sources += red.number[v];
    report(red, "red",
           fmt::format("{} of them are sources of other wavelengths, the rest are none", sources));
  }
  if (blue.texels > 0) report(blue, "blue", "they count as monitors of other numbers");
}

/// Reds that look like sources and are none.
void faint(const PictureStack& stack, Findings& found) {
  const auto all = pieces(stack, 0, [](int v) { return v > 0 && v <= source_threshold; });
  if (all.empty()) return;
  std::size_t texels = 0;
  for (const Piece& p : all) texels += p.size;
  found.push_back(
      {Severity::warning,
       fmt::format("picture: {} pixels have a red of 1 to {}, the first is {} with {} (a source has more; "
                   "these do nothing); set it to 0, or above {}",
                   texels, source_threshold, pixel_name(all.front().first, stack), all.front().value,
                   source_threshold)});
}

void stretched(const PictureSpec& spec, const PictureStack& stack, Findings& found) {
  const Int3 cells = picture_cells(spec, stack);
  const double x = double(cells[0]) / stack.width, y = double(cells[1]) / stack.height;
  // Numbers of cells are whole: half a cell is rounding.
  if (std::fabs(x / y - 1) * std::min(cells[0], cells[1]) <= 1) return;
  const long fitting = std::lround(x * stack.height);
  found.push_back(
      {Severity::warning,
       fmt::format("picture: {} x {} cells for {} x {} pixels (a pixel becomes {:.4g} cells wide and {:.4g} "
                   "high, so shapes are stretched); give width and height in the picture's proportion: "
                   "height {} goes with width {}",
                   cells[0], cells[1], stack.width, stack.height, x, y, fitting, cells[0])});
}

}  // namespace

void validate_marks(const PictureSpec& spec, const PictureStack& stack, Findings& found) {
  stray_sources(stack, found);
  stray_monitors(stack, found);
  smoothed(stack, found);
  faint(stack, found);
  stretched(spec, stack, found);
}

}  // namespace umov::fdtd
