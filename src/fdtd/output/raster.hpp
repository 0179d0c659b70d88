// Cuts through fields as rasters ready to be painted: reduced, with a colour scale and outlines.
#pragma once

#include <vector>

#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/outcome.hpp"
#include "pictures/raster.hpp"

namespace umov::fdtd {

/// Axes of a picture: horizontal `u`, vertical `v`, normal `w`, which the cut holds fixed.
struct Cut {
  int u = 0, v = 1, w = 2;
};
/// The xy plane; in three dimensions also xz and yz.
std::vector<Cut> cuts_of(const Grid&);

/// Puts a raster whose values lie u + column, v + row cells along the axes of a cut where these are. Where
/// cells differ it becomes one of equal cells, as many as show the shortest, of the nearest values.
void place(pictures::Raster&, const Grid&, const Cut&, double u, double v);

/// Final field on a cut through the middle; empty where the block does not hold it.
pictures::Raster field_raster(const Grid&, Component, const FieldBlock&, const Cut&);
/// The cut of the permittivity at `depth` along the normal.
pictures::Raster permittivity_raster(const Outcome&, const Cut&, double depth);
/// Sum of |.|^2 over the electric components (or, without any, the magnetic) of one frequency, on the cut
/// through the middle of the monitor's region.
pictures::Raster intensity_raster(const Grid&, const FourierResult&, std::size_t frequency, const Cut&);

/// A map at one frequency, on the cut through the middle of its region.
pictures::Raster map_raster(const Grid&, const NodeMap&, std::size_t frequency, const Cut&);

/// Values halfway between the plateaus of a permittivity, at which outlines are drawn; evenly spaced
/// levels where it is graded, none where it is uniform.
std::vector<double> outline_levels(const pictures::Raster& permittivity);

}  // namespace umov::fdtd
