// The search for a periodic steady state: shots of a period or of half of it (eqs/time/shooting.hpp), of
// which the last one is the result.
#pragma once

#include <vector>

#include "core/fields.hpp"

namespace umov::eqs {

class Engine;
class FrameSink;
struct Prepared;
struct TransientState;

/// Where it is, beside the engine's part of it.
struct SteadySearch {
  int shots = 0;        ///< ended
  bool kept = false;    ///< the present one's steps are results
  bool last = false;    ///< no further one is allowed
  bool closed = false;  ///< the result's first half has closed; the second one follows
  /// Ends of steps, s: of the present shot so far, and those that it is marched by.
  std::vector<double> ends, grid;
  UMOV_FIELDS(shots, kept, last, closed, ends, grid)
};

/// The first shot, from the state without free charge.
void begin_search(const Prepared&, Engine&, TransientState&);

/// Where a shot is over: whether it is the result, or the next one's start. True at the end of the run.
bool end_of_search(const Prepared&, Engine&, FrameSink*, TransientState&);

/// From the state at hand on steps are results.
void begin_record(const Prepared&, Engine&, FrameSink*, TransientState&);

}  // namespace umov::eqs
