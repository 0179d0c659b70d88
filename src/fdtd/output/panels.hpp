// Building blocks of the time domain's pictures: where panels lie, and what is painted into them.
#pragma once

#include <string>
#include <vector>

#include "fdtd/output/raster.hpp"
#include "pictures/panels.hpp"

namespace umov::results {

View domain_view(const fdtd::Grid&, const Cut&);
View raster_view(const Raster&, const Cut&);
void draw_outlines(Canvas&, const Rect& area, const View&, const Raster& permittivity, Color, double opacity);

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
