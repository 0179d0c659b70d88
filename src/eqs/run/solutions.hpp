// The three kinds of electroquasistatic solution: each takes a prepared case to an outcome.
#pragma once

#include "eqs/frame_sink.hpp"
#include "eqs/run/observer.hpp"
#include "eqs/run/prepare.hpp"

namespace umov::eqs {

class Team;

/// Whoever watches may wait before the solution, or end the run: throws Interrupted.
void wait_before_solution(const Prepared&, const Engine&, const Outcome&, const Journal&);

/// What `run` does once the case is prepared: engine, solution, capacitances.
Outcome run_prepared(const Prepared&, Journal&, FrameSink*);
/// The same with engines of several ranks, as their first one.
Outcome run_prepared(const Prepared&, Journal&, FrameSink*, Team&);

/// Electrostatics and steady conduction: one solution, at one moment or for the amplitudes.
Outcome solve_static(const Prepared&, Engine&, FrameSink*, Journal&);

/// The complex peak values at one frequency; frames show one period.
Outcome solve_harmonic(const Prepared&, Engine&, FrameSink*, Journal&);

/// Steps in time, from the start or from a checkpoint. Throws BadInput, Interrupted; steps that do not
/// converge end the run early.
Outcome solve_transient(const Prepared&, Engine&, FrameSink*, Journal&);

}  // namespace umov::eqs
