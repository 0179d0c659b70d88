// What is derived from the series of drawn monitors: running means, and amplitudes against a reference run.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/series.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Root of the mean, from the first sample to each, of the squares over the points of the shape; empty where
/// there is no shape.
std::vector<double> running_rms(const SeriesResult&);

/// Sets the root mean square at the end of the run, by trapezoids over the most whole windows (window_of) of
/// `frequencies` in the last tenth, one at least: what is no whole period depends on the phase. Over the last
/// tenth itself without frequencies or where the run is shorter than a window.
void set_rms_at_end(SeriesResult&, const std::vector<double>& frequencies);

/// Over what that is, for people: "the last 4 of time, a period of all sources together".
std::string rms_span(const SeriesResult&);

/// Ends of the names of two series beside that of a monitor, its total field: the field of the reference run
/// there, and total minus incident, sample by sample.
inline constexpr const char *incident_ending = "-incident", *scattered_ending = "-scattered";

/// Amplitudes at a drawn monitor in the steady state, per frequency of the continuous sources.
struct DrawnAmplitudes {
  std::string name;
  Component component = Ez;  ///< whose amplitudes they are
  std::vector<double> frequency, incident;
  std::vector<double> transmission;  ///< |total| / |incident|
  std::vector<double> reflection;  ///< |total - incident| / |incident|: of fields, so wherever the monitor is
  double left = 0;                 ///< estimated distance from the steady state, relative: see settling
};

/// Of every monitor that has both series beside it. Amplitudes are fitted by least squares to the last tenth
/// of the run, one period or beat at least; a monitor whose record is shorter is left out.
std::vector<DrawnAmplitudes> drawn_amplitudes(const Outcome&);

/// Warns of a run at whose end amplitudes are not those of the steady state.
void warn_of_unsteady_amplitudes(Outcome&);

}  // namespace umov::fdtd
