// The pictures of a time-domain run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/outcome.hpp"
#include "fdtd/output/panels.hpp"

namespace umov::fdtd {

/// Writes model, field-*, snapshot-*, fourier-*, absorption-*, series-*, spectrum, flux-*, resonances-*,
/// far_field-*, cross_sections-*, modes-* and overview .png into `folder`, leaving out those the outcome has
/// no data for. Returns the paths written. Throws MachineFailure naming the file.
std::vector<std::string> draw_pictures(const Outcome&, const std::string& folder);

/// A plot with its heading, for a sheet of its own or for the overview.
struct TitledPlot {
  std::string title;
  pictures::LinePlot plot;
  bool over_frequency = false;  ///< wavelengths are then marked along the upper edge
};
/// The curves that kinds of monitors make of their results, in the order of the kinds.
std::vector<Plot> plots_of(const Outcome&);
/// One of them as it is drawn; a curve that is nowhere but zero gets room around it.
TitledPlot titled(const Plot&);
TitledPlot series_plot(const SeriesResult&, const std::string& name);
/// Amplitude spectrum of a series, with sticks at the resonances found in it; nothing when it is all zero.
std::optional<TitledPlot> spectrum_plot(const SeriesResult&, const std::string& name,
                                        const ResonanceResult* = nullptr);
/// Sticks at the resonances over the spectrum of the series of the same name or, without one, over that of
/// the damped oscillations found; nothing without resonances.
std::optional<TitledPlot> resonance_plot(const Outcome&, const ResonanceResult&);

/// Round wavelengths along an axis of frequencies that is so wide on the sheet, at least three where they
/// fit.
std::vector<pictures::Tick> wavelength_ticks(double from, double to, double width);
/// What a legend below adds to the height of a plot of this width.
double legend_room(const TitledPlot&, double width);
/// Draws the plot and, over frequencies, the wavelengths along its upper edge.
void draw(pictures::Canvas&, const pictures::Rect& area, const TitledPlot&);

/// One sheet each.
void model_picture(const Outcome&, const std::string& path);
void field_picture(const Outcome&, Component, const std::string& path);
void snapshot_picture(const Outcome&, const Snapshot&, const pictures::ColorScale&, const std::string& path);
void fourier_picture(const Outcome&, const FourierResult&, std::size_t frequency, const std::string& path);
void map_picture(const Outcome&, const NodeMap&, std::size_t frequency, const std::string& path);
void plot_picture(const Outcome&, const TitledPlot&, const std::string& path);
/// The spectrum with sticks, and a table of the resonances beside it.
void resonance_picture(const Outcome&, const ResonanceResult&, const std::string& path);
/// Polar patterns of up to six frequencies, where the directions lie on a circle; a map of the middle
/// frequency where they are a grid of both angles; otherwise no picture, and false.
bool far_field_picture(const FarFieldResult&, const std::string& path);
/// Model, final field, and the main spectrum or series side by side.
void overview_picture(const Outcome&, const std::string& path);

/// Whether there is a picture of the final field of this component.
bool has_field(const Outcome&, Component);
/// A field over the domain that says most: the final one or, where it has died away, the strongest frame.
struct ShownField {
  Component component = Ez;
  double time = 0;
  pictures::Raster raster;
};
/// On the first cut; nothing without fields.
std::optional<ShownField> main_field(const Outcome&);
/// The final field most worth showing: of the sources' component, else the largest; nothing without any.
std::optional<Component> main_component(const Outcome&);
/// The block of this component that shows the cut; empty raster without one.
pictures::Raster final_raster(const Outcome&, Component, const Cut&);
/// Where the middle cut lies along its normal.
double middle(const Grid&, const Cut&);
/// Axes of a snapshot; in three dimensions the two along which it extends.
Cut snapshot_cut(const Grid&, const Snapshot&);
pictures::Raster snapshot_raster(const Outcome&, const Snapshot&);
/// Depth of a snapshot's plane along the normal.
double snapshot_depth(const Outcome&, const Snapshot&);

}  // namespace umov::fdtd
