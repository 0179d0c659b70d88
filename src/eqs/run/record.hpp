// What every electroquasistatic solution leaves in the outcome: its effort, what was seen, fields.
#pragma once

#include "eqs/frame_sink.hpp"
#include "eqs/run/prepare.hpp"

namespace umov::eqs {

/// Adds the effort of a solution; one that did not converge marks the outcome.
void count(const Effort&, Outcome&);

/// Observes the engine's state, and the points, and keeps the record.
void take(const Prepared&, Engine&, Record, Outcome&);

/// Fields at a saved time: to the frames (which may be nullptr), along lines, on surfaces, in cuts. `peak`:
/// the largest field at a saved time so far, V/m.
void save_fields(const Prepared&, const Engine&, FrameSink* frames, double time, double& peak, Outcome&);

}  // namespace umov::eqs
