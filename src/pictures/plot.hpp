// Line plots and images with axes, on a Canvas.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pictures/canvas.hpp"
#include "pictures/colormap.hpp"

namespace umov::pictures {

struct Axis {
  std::string label;  ///< with its unit, e.g. "scattering angle θ (°)"
  bool logarithmic = false;
  std::optional<double> from, to;  ///< data decides where unset
  double step = 0;                 ///< distance of ticks of a linear axis; 0 = a round number
  bool show_labels = true;
};

struct Tick {
  double value;
  std::string label;
  bool major = true;
};

/// Ticks at 1, 2 or 5 times a power of ten on a linear axis (about `wanted` of them, or at multiples of
/// `step`); at powers of ten on a logarithmic one, with unlabelled minor ticks between where few decades
/// show.
std::vector<Tick> linear_ticks(double from, double to, int wanted, double step = 0);
std::vector<Tick> log_ticks(double from, double to, int wanted);

/// Of the curves of a plot, one after the other.
inline constexpr Color curve_colors[] = {ink::blue,     ink::orange,   ink::green,    ink::gold,
                                         rgb(0x8a5fb5), rgb(0x16a3a8), rgb(0xc76b29), ink::muted};
inline Color color_of(std::size_t curve) { return curve_colors[curve % std::size(curve_colors)]; }

struct Series {
  std::string name;          ///< legend entry; empty = none
  std::vector<double> x, y;  ///< same length; what cannot be shown (NaN, <= 0 on log) leaves a gap
  Color color = ink::blue;
  double width = 2;
  std::vector<double> dashes;
};

struct LinePlot {
  Axis x, y;
  std::vector<Series> series;
  /// `below`: in rows under the label of the x axis, 19 units each, where nothing can be covered.
  enum class Legend { none, top_right, bottom_left, top_left, below } legend = Legend::top_right;
};

/// Rows that a legend below needs for this width.
int legend_rows(Canvas&, double width, const LinePlot&);

/// Draws into `area`, the rectangle inside the axes; labels lie outside it.
void draw(Canvas&, const Rect& area, const LinePlot&);

/// Frame, ticks and labels around an area that is already painted; from and to must be set.
void draw_frame(Canvas&, const Rect& area, const Axis& x, const Axis& y);

/// Values on a grid [rows][columns], first row at the bottom; NaN is void and drawn as paper.
struct ImagePlot {
  Axis x, y;  ///< from and to must be set
  int columns = 0, rows = 0;
  std::vector<double> values;
  double low = 0, high = 1;
  double gamma = 1;  ///< colour is ((v - low) / (high - low))^gamma
  ColorMap map = ColorMap::inferno;
};
void draw(Canvas&, const Rect& area, const ImagePlot&);

/// Vertical colour bar with ticks on its right.
void draw_color_bar(Canvas&, const Rect& bar, ColorMap, double low, double high, const std::string& label,
                    double gamma = 1);

/// "1.5e-05" as people write it: "1.5 × 10⁻⁵".
std::string pretty_number(double value, int digits = 4);
/// "⁻⁵".
std::string superscript(int);

}  // namespace umov::pictures
