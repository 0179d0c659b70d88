// A sheet to draw on: Cairo behind a few calls, so that every picture shares its typography.
#pragma once

#include <cairo.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace umov::pictures {

struct Color {
  double r = 0, g = 0, b = 0;
};
/// Colour from 0xRRGGBB.
constexpr Color rgb(std::uint32_t hex) {
  return {((hex >> 16) & 255) / 255.0, ((hex >> 8) & 255) / 255.0, (hex & 255) / 255.0};
}
constexpr Color scaled(Color c, double s) { return {c.r * s, c.g * s, c.b * s}; }

namespace ink {
inline constexpr Color text = rgb(0x1f2933), muted = rgb(0x66727f), grid = rgb(0xe4e8ed),
                       frame = rgb(0x9aa5b1), blue = rgb(0x2a7ab9), orange = rgb(0xd1495b),
                       green = rgb(0x3a9d6e), gold = rgb(0xe0a030), empty = rgb(0xf3f5f7);
}

struct Point {
  double x = 0, y = 0;
};
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class Align { left, center, right };

/// White sheet in logical units, y downwards; each unit is `resolution` pixels.
class Canvas {
 public:
  static constexpr int resolution = 2;
  Canvas(int width, int height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  double width() const { return width_; }
  double height() const { return height_; }
  /// Text with its baseline at y (UTF-8, DejaVu Sans).
  void text(Point at, const std::string&, double size, Color, Align = Align::left, bool bold = false);
  /// Text turned by 90 degrees, read from below, centred at `at`.
  void vertical_text(Point at, const std::string&, double size, Color);
  double text_width(const std::string&, double size, bool bold = false);
  void line(Point a, Point b, double width, Color, std::span<const double> dashes = {});
  void polyline(std::span<const Point>, double width, Color, std::span<const double> dashes = {});
  /// Filled; `seam` strokes the outline in the same colour so that neighbours leave no gap.
  void polygon(std::span<const Point>, Color, double seam = 0);
  void rectangle(const Rect&, Color fill);
  /// Lets what lies below shine through: opacity 0 to 1.
  void shade(const Rect&, Color fill, double opacity);
  /// Separate strokes from points[2 i] to points[2 i + 1], drawn as one: where they meet nothing darkens.
  void segments(std::span<const Point> points, double width, Color, double opacity);
  void frame(const Rect&, double width, Color);
  void circle(Point center, double radius, Color, bool filled, double width = 1);
  void arrow(Point from, Point to, double width, Color);
  /// Restricts drawing to a rectangle until `unclip`.
  void clip(const Rect&);
  void unclip();
  /// Pixels [height][width] drawn over `where`, bilinear between their centres if `smooth`.
  void image(const Rect& where, int width, int height, std::span<const Color> pixels, bool smooth = false);
  /// 1 - brightness of every pixel [height * resolution][width * resolution], 0 = white.
  std::vector<double> darkness() const;
  /// Complete or absent; throws MachineFailure with the path.
  void write_png(const std::string& path) const;

 private:
  void set(Color);
  void font(double size, bool bold);
  double width_, height_;
  cairo_surface_t* surface_;
  cairo_t* cairo_;
};

}  // namespace umov::pictures
