// Building blocks of pictures of planes: where panels lie, and what is painted into them.
#pragma once

#include <string>
#include <vector>

#include "pictures/plot.hpp"
#include "pictures/raster.hpp"

namespace umov::pictures {

/// The part of a cut that a panel shows, in units of length.
struct View {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  std::string x_label, y_label;
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
};
Point on_sheet(const Rect& area, const View&, double x, double y);

/// A sheet with one panel per view, side by side and in one scale, room for a title above and `side` units
/// on the right. Thin domains are stretched to stay visible.
struct PanelSheet {
  int width = 0, height = 0;
  std::vector<Rect> areas;
  Rect bar;  ///< place of a colour bar right of the last panel
};
PanelSheet arrange(const std::vector<View>&, double side, double least_height = 0);

/// Paints a raster where it lies, reduced to the resolution of the sheet and smooth where it is coarser.
void paint(Canvas&, const Rect& area, const View&, const Raster&, const ColorScale&,
           Reduction = Reduction::extreme);
/// Frame with ticks far enough apart for their labels.
void draw_view_frame(Canvas&, const Rect& area, const View&, bool show_y = true);
void draw_scale(Canvas&, const Rect& bar, const ColorScale&, const std::string& label);

}  // namespace umov::pictures
