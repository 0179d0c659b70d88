// Building blocks of the time domain's pictures: where panels lie, and what is painted into them.
#pragma once

#include <string>
#include <vector>

#include "results/fdtd_raster.hpp"
#include "results/plot.hpp"

namespace umov::results {

/// The part of a cut that a panel shows, in units of length.
struct View {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  std::string x_label, y_label;
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
};
View domain_view(const fdtd::Grid&, const Cut&);
View raster_view(const Raster&, const Cut&);
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
void draw_outlines(Canvas&, const Rect& area, const View&, const Raster& permittivity, Color, double opacity);
/// Frame with ticks far enough apart for their labels.
void draw_view_frame(Canvas&, const Rect& area, const View&, bool show_y = true);
void draw_scale(Canvas&, const Rect& bar, const ColorScale&, const std::string& label);

/// One dimension: permittivity as grey columns behind curves, and the absorbing layers.
void shade_profile(Canvas&, const Rect& area, const fdtd::Outcome&, double x0, double x1);

/// Absorbing layers, sources and monitors over the permittivity.
void draw_model(Canvas&, const Rect& area, const View&, const fdtd::Outcome&, const Cut&);
ColorScale permittivity_scale(const fdtd::Outcome&);
/// Symbols, names and kinds of all sources and monitors, below `at`; those that do not fit are counted.
void draw_model_legend(Canvas&, Point at, double height, const fdtd::Outcome&);
/// Height that shows the whole legend, at most `most`.
double model_legend_height(const fdtd::Outcome&, double most);

/// The field of one component on the middle cut of a domain, with outlines.
void draw_field(Canvas&, const Rect& area, const View&, const fdtd::Outcome&, const Raster&, const Cut&,
                double depth, const ColorScale&);
/// One dimension: the field as a curve.
void draw_field_curve(Canvas&, const Rect& area, const fdtd::Outcome&, const Raster&,
                      const std::string& label);

/// Cells, steps and walls, one line.
std::string run_caption(const fdtd::Outcome&);
/// "x (units)"; with the unit's length where the case gives one.
std::string length_label(const std::string& what);
inline constexpr const char *time_label = "time (units / c)", *frequency_label = "frequency (c / unit)";

}  // namespace umov::results
