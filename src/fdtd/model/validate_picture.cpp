// Doubtful pixels: single ones, noise, permittivities below one.
#include <fmt/format.h>

#include <algorithm>

#include "fdtd/model/picture.hpp"
#include "fdtd/model/validate_parts.hpp"

namespace umov::fdtd {

std::string pixel_name(const Int3& p, const PictureStack& stack) {
  return stack.layers.size() > 1 ? fmt::format("pixel ({}, {}) of picture {}", p[0], p[1], p[2] + 1)
                                 : fmt::format("pixel ({}, {})", p[0], p[1]);
}

std::string some(const std::vector<std::string>& words) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) text += (i ? ", " : "") + words[i];
  if (words.size() > most) text += fmt::format(" and {} more", words.size() - most);
  return text;
}

namespace {

/// How often each value of a channel occurs, and where first: column, row from the top, picture.
struct Counts {
  std::array<std::size_t, 256> number{};
  std::array<Int3, 256> first{};
  std::size_t total = 0;
};
Counts count(const PictureStack& stack, int channel) {
  Counts c;
  for (std::size_t z = 0; z < stack.layers.size(); ++z)
    for (int row = 0; row < stack.height; ++row)
      for (int column = 0; column < stack.width; ++column) {
        const int value = stack.layers[z].pixel(column, row)[channel];
        if (c.number[value]++ == 0) c.first[value] = {column, row, int(z)};
        ++c.total;
      }
  return c;
}

void single_pixels(const PictureStack& stack, Findings& found) {
  const Counts blue = count(stack, 2);
  std::vector<std::string> names;
  for (int id = 1; id < 256; ++id)
    if (blue.number[id] == 1)
      names.push_back(fmt::format("monitor-{} at {}", id, pixel_name(blue.first[id], stack)));
  if (!names.empty())
    found.push_back(
        {Severity::warning,
         fmt::format(
             "picture: monitors of one pixel: {} (perhaps stray marks); set their blue to 0 if they were "
             "not meant",
             some(names))});
}

/// Drawn regions have few greens on many pixels; lossy formats and smoothed edges leave many on few.
void noise(const PictureStack& stack, Findings& found) {
  constexpr int few_greens = 8;
  constexpr double rare = 1e-3;
  const Counts green = count(stack, 1);
  int distinct = 0, seldom = 0;
  Int3 example{0, 0, 0};
  for (int g = 0; g < 256; ++g) {
    if (green.number[g] == 0) continue;
    ++distinct;
    if (green.number[g] < rare * green.total) {
      if (seldom++ == 0) example = green.first[g];
    }
  }
  if (seldom > few_greens && 2 * seldom > distinct)
    found.push_back(
        {Severity::warning,
         fmt::format(
             "picture: {} different greens, {} of them on fewer than 0.1 % of the pixels each, one at {} "
             "(noise of a lossy format, or smoothed edges: each is a material of its own); draw without "
             "smoothing and save as PNG throughout",
             distinct, seldom, pixel_name(example, stack))});
}

void below_one(const PictureSpec& spec, const PictureStack& stack, Findings& found) {
  const Counts green = count(stack, 1);
  std::vector<std::string> names;
  for (int g = 1; g < 256; ++g)
    if (green.number[g] > 0 && green_permittivity(spec, g) < 1)
      names.push_back(fmt::format("{} (eps {:.3g}, {} pixels, first {})", g, green_permittivity(spec, g),
                                  green.number[g], pixel_name(green.first[g], stack)));
  if (!names.empty())
    found.push_back(
        {Severity::warning,
         fmt::format(
             "picture: greens with a permittivity below 1 in the thesis's mapping: {} (waves faster than "
             "light break the Courant limit, so the time step was lowered); use the linear mapping, or "
             "other greens",
             some(names))});
}

}  // namespace

void validate_picture(const Simulation& s, Findings& found) {
  if (!s.picture) return;
  const PictureStack stack = read_pictures(*s.picture);
  single_pixels(stack, found);
  noise(stack, found);
  below_one(*s.picture, stack, found);
  validate_marks(*s.picture, stack, found);
}

}  // namespace umov::fdtd
