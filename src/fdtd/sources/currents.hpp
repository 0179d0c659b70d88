// Sources that are currents, or prescribed fields, at given places: points, lines, boxes, drawn shapes.
#pragma once

#include <string>

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

/// Adds a point, line, box or shape. A soft source is a current density J = j s(t) along its component (for H
/// a magnetic current), spread linearly over the cells around it: dE/dt = (curl H - J) / eps. Its strength j
/// is waveform.amplitude times a delta function along each active axis without extent, so that the amplitude
/// is current times length for a point in three dimensions, current for a point in two (Ez) and for a line in
/// three, current per length for a sheet, and current density for a box and for the cells of a shape, which
/// are the squares (cubes) between the nodes: a shape is spread like the boxes it is made of. A hard source
/// sets the field of all points in it, rim included, or of the nearest (both of two), to s(t). Throws
/// BadInput naming the source when it reaches out of the domain or nothing can be driven there.
void add_current(const SourceSpec&, const Signal&, const std::string& owner, Problem&);

}  // namespace umov::fdtd
