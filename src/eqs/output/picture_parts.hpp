// Units and titles that pictures of an electroquasistatic run share.
#pragma once

#include <string>

#include "eqs/outcome.hpp"
#include "pictures/plot.hpp"
#include "pictures/prefixed.hpp"

namespace umov::eqs {

using pictures::prefixed;
using pictures::Scaled;
Scaled length_unit(double extent);

/// "|E| (kV/m)" and the like: brings all curves to one unit.
void scale(pictures::LinePlot&, const std::string& quantity, const std::string& unit);

/// Mesh and number of unknowns.
std::string caption(const Outcome&);
/// "  (not converged)" of a run that is not; else "".
std::string unfinished(const Outcome&);
/// The moment, or the frequency, that a picture shows.
std::string moment(const Outcome&, double time);

}  // namespace umov::eqs
