// The two courses of a dipole run: one orientation of the particle, or the average over many.
#pragma once

#include "dda/run/inputs.hpp"

namespace umov::dda {

/// Both return an outcome with what was found: polarizations, rows, integrals, notes of their own.
Outcome single_orientation(const Prepared&, const Angles&, Engine&, Journal&, TimerTable&);
Outcome average_orientations(const Prepared&, const Angles&, Engine&, Journal&, TimerTable&);

}  // namespace umov::dda
