// Doubtful pixels: single ones, noise, what lossy formats left, permittivities below one.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "fdtd/model/picture.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/wall_kind.hpp"

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

using Rgb = std::array<std::uint8_t, 3>;

/// Colours of a lossy picture: of those that are near to each other one was drawn, the most frequent.
struct Colors {
  std::size_t different = 0, strays = 0;  ///< strays: pixels of colours that were not drawn
  std::vector<std::string> drawn;         ///< most frequent first
  std::size_t greens = 0;                 ///< that strays alone have
  std::vector<std::string> monitors;      ///< numbers that strays alone have
};

bool near(const Rgb& a, const Rgb& b) {
  constexpr int reach = 32;
  for (std::size_t k = 0; k < 3; ++k)
    if (std::abs(a[k] - b[k]) > reach) return false;
  return true;
}

Colors count_colors(const std::vector<const shapes::Picture*>& pictures) {
  constexpr double rare = 5e-3;
  std::map<Rgb, std::size_t> number;
  std::size_t pixels = 0;
  for (const auto* p : pictures) {
    for (std::size_t at = 0; at < p->rgba.size(); at += 4)
      ++number[{p->rgba[at], p->rgba[at + 1], p->rgba[at + 2]}];
    pixels += p->rgba.size() / 4;
  }
  std::vector<std::pair<Rgb, std::size_t>> colors(number.begin(), number.end());
  std::ranges::stable_sort(colors, std::greater{}, &std::pair<Rgb, std::size_t>::second);
  Colors c;
  c.different = colors.size();
  std::vector<Rgb> drawn;
  std::array<bool, 256> drawn_green{}, drawn_blue{}, green{}, blue{};
  for (const auto& [rgb, count] : colors) {
    const bool stray =
        count < rare * pixels || std::ranges::any_of(drawn, [&](const Rgb& d) { return near(d, rgb); });
    (stray ? green : drawn_green)[rgb[1]] = true;
    (stray ? blue : drawn_blue)[rgb[2]] = true;
    if (stray) {
      c.strays += count;
      continue;
    }
    drawn.push_back(rgb);
    c.drawn.push_back(fmt::format("({}, {}, {})", rgb[0], rgb[1], rgb[2]));
  }
  for (int v = 0; v < 256; ++v) {
    if (green[v] && !drawn_green[v]) ++c.greens;
    if (v > 0 && blue[v] && !drawn_blue[v]) c.monitors.push_back(std::to_string(v));
  }
  return c;
}

/// Names the colours that compression has made, for the formats that do.
void lossy(const PictureSpec& spec, const PictureStack& stack, Findings& found) {
  std::vector<const shapes::Picture*> pictures;
  std::string name;
  for (std::size_t k = 0; k < stack.layers.size(); ++k)
    if (stack.layers[k].lossy) {
      if (pictures.empty()) name = spec.files[k];
      pictures.push_back(&stack.layers[k]);
    }
  if (pictures.empty()) return;
  const Colors c = count_colors(pictures);
  // First, since it explains what else is found.
  found.insert(
      found.begin(),
      {Severity::warning,
       fmt::format(
           "picture: {}{} is a JPEG, which is lossy: it has {} different colours, where "
           "about {} fill more than lines: {}; the others, on {} pixels, are {} permittivities and {} "
           "monitors of their own{}, most of which nobody drew (edges are blurred and colours "
           "have changed); save the drawing itself as PNG, BMP or TIFF",
           name, pictures.size() > 1 ? fmt::format(" and {} more", pictures.size() - 1) : "", c.different,
           c.drawn.size(), some(c.drawn), c.strays, c.greens, c.monitors.size(),
           c.monitors.empty() ? "" : ": " + some(c.monitors))});
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

/// Whether waves of a drawn source run along an axis: it does not fill it.
bool shines_along(const SourceSpec& s, int axis) {
  if (s.pixels.empty()) return false;
  const auto [low, high] = std::ranges::minmax(s.pixels, {}, [&](const Int3& p) { return p[axis]; });
  return high[axis] - low[axis] + 1 < s.raster[axis];
}

/// What sends waves of drawn sources back where there is no permittivity; empty: nothing.
std::string what_reflects(const Simulation& s) {
  if (!s.absorbers.empty()) return "absorber 1 (what it lets through or reflects)";
  for (int axis = 0; axis < 3; ++axis) {
    if (!(s.size[axis] > 0)) continue;
    if (std::ranges::none_of(s.sources, [&](const SourceSpec& o) { return shines_along(o, axis); })) continue;
    for (const WallKind wall : s.walls[axis])
      if (wall != WallKind::pml) return fmt::format("the wall along {} ({})", "xyz"[axis], traits(wall).word);
  }
  return "";
}

/// T and R are of fields against those of the reference run, which is to be one wave.
void reflected_reference(const Simulation& s, Findings& found) {
  const auto drawn = [](const MonitorSpec& m) { return !m.pixels.empty(); };
  if (!s.normalize || std::ranges::none_of(s.monitors, drawn)) return;
  const std::string what = what_reflects(s);
  if (!what.empty())
    found.push_back(
        {Severity::warning,
         fmt::format(
             "normalize: T and R of drawn monitors are against the fields of the run without the "
             "drawing's permittivity, in which {} sends waves back, too: no single wave comes in, and R "
             "may exceed 1; end that axis by pml, or take the amplitudes as they are",
             what)});
}

}  // namespace

void validate_picture(const Simulation& s, Findings& found) {
  if (!s.picture) return;
  const PictureStack stack = read_pictures(*s.picture);
  if (stack.permittivity) return reflected_reference(s, found);
  if (s.normalize && s.monitors.empty())
    found.push_back(
        {Severity::stop,
         "normalize: the picture has no monitor (blue pixels, whose fields are compared with those of a "
         "run without its permittivity); draw one, or leave normalize out"});
  single_pixels(stack, found);
  noise(stack, found);
  lossy(*s.picture, stack, found);
  below_one(*s.picture, stack, found);
  validate_marks(*s.picture, stack, found);
  reflected_reference(s, found);
}

}  // namespace umov::fdtd
