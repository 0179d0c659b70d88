// Building blocks of the time domain's pictures: where panels lie, and what is painted into them.
#pragma once

#include <string>
#include <vector>

#include "fdtd/output/raster.hpp"
#include "pictures/panels.hpp"

namespace umov::fdtd {

pictures::View domain_view(const Grid&, const Cut&);
pictures::View raster_view(const pictures::Raster&, const Cut&);
void draw_outlines(pictures::Canvas&, const pictures::Rect& area, const pictures::View&,
                   const pictures::Raster& permittivity, pictures::Color, double opacity);

/// One dimension: permittivity as grey columns behind curves, and the absorbing layers.
void shade_profile(pictures::Canvas&, const pictures::Rect& area, const Outcome&, double x0, double x1);

/// Absorbers on the cut through 0.
void draw_absorbers(pictures::Canvas&, const pictures::Rect& area, const pictures::View&, const Outcome&,
                    const Cut&, pictures::Color);

/// Absorbing layers, absorbers, sources and monitors over the permittivity.
void draw_model(pictures::Canvas&, const pictures::Rect& area, const pictures::View&, const Outcome&,
                const Cut&);
pictures::ColorScale permittivity_scale(const Outcome&);
/// Symbols, names and kinds of all sources and monitors, below `at`; those that do not fit are counted.
void draw_model_legend(pictures::Canvas&, pictures::Point at, double height, const Outcome&);
/// Height that shows the whole legend, at most `most`.
double model_legend_height(const Outcome&, double most);

/// The field of one component on the middle cut of a domain, with outlines.
void draw_field(pictures::Canvas&, const pictures::Rect& area, const pictures::View&, const Outcome&,
                const pictures::Raster&, const Cut&, double depth, const pictures::ColorScale&);
/// One dimension: the field as a curve.
void draw_field_curve(pictures::Canvas&, const pictures::Rect& area, const Outcome&, const pictures::Raster&,
                      const std::string& label);

/// Cells, steps and walls, one line.
std::string run_caption(const Outcome&);
/// "x (units)"; with the unit's length where the case gives one.
std::string length_label(const std::string& what);
inline constexpr const char *time_label = "time (units / c)", *frequency_label = "frequency (c / unit)";

}  // namespace umov::fdtd
