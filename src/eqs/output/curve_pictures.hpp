// Plots of an electroquasistatic run: quantities over time, fields along lines.
#pragma once

#include <string>
#include <vector>

#include "eqs/outcome.hpp"
#include "pictures/plot.hpp"

namespace umov::eqs {

/// Over time: the largest |E| and the lost power per material, current and potential per electrode.
pictures::LinePlot peaks_plot(const Outcome&);
pictures::LinePlot power_plot(const Outcome&);
pictures::LinePlot currents_plot(const Outcome&);
pictures::LinePlot potentials_plot(const Outcome&);

/// A file of plots one above the other.
void write_plots(const Outcome&, const std::string& heading, const std::vector<pictures::LinePlot>&,
                 const std::string& path);

/// A file of the field and the potential along one line, at the saved time of the largest field.
void write_line(const Outcome&, const LineResult&, const std::string& path);

}  // namespace umov::eqs
