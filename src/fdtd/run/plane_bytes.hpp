// What the planes of a grid take of memory, as far as it is known without painting them.
#pragma once

#include <vector>

namespace umov::fdtd {

struct Prepared;

/// Bytes of each plane across the last axis: of fields, layers, Fourier monitors and, by samples, of
/// dispersive bodies. Not: cells that surfaces cut, sources, recorders. Throws BadInput of a monitor that the
/// run would refuse, but for those of modes, which depend on what is painted.
std::vector<double> plane_bytes(const Prepared&);

}  // namespace umov::fdtd
