// Records of electroquasistatic solutions: effort, what was seen, fields.
#pragma once

#include "eqs/frame_sink.hpp"
#include "eqs/run/prepare.hpp"

namespace umov::eqs {

/// Words for why a solver may have failed: how far conductivities along one current lie apart; "" where that
/// is no reason.
std::string contrast_hint(const Problem&);

/// Adds the effort of a solution; one that did not converge marks the outcome.
void count(const Problem&, const Effort&, Outcome&);

/// Observes the engine's state, and the points, and keeps the record.
void take(const Prepared&, Engine&, Record, Outcome&);

/// Fields at a saved time: to the frames (which may be nullptr), along lines, on surfaces, in cuts. `peak`:
/// the largest field at a saved time so far, V/m.
void save_fields(const Prepared&, const Engine&, FrameSink* frames, double time, double& peak, Outcome&);

/// Marks the outcome of conduction or of steps in time whose electrodes' currents do not sum to zero
/// (balance.hpp). The currents are sums of fluxes, not of what the residual leaves over: their sum is
/// rounding, and what the linear solver's tolerance left in the fields at the electrodes.
void check_currents(const Prepared&, Outcome&);

}  // namespace umov::eqs
