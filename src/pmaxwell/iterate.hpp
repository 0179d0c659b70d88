// The iteration x(n+1) = M x(n) + b from step to step: when it is looked at, and when it ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pmaxwell/engine.hpp"

namespace umov::pmaxwell {

/// Steps from one look at the fields to the next.
inline constexpr long look_every = 25;

struct IterateOptions {
  long iterations = 0;   ///< at most
  long interval = 0;     ///< steps between snapshots; 0: none but that of the end
  double epsilon = 0;    ///< ends when no component of E in no cell changes by this in a step; 0: never
  double tolerance = 0;  ///< ends when the phasor changes by at most this part of the largest E in a
                         ///< period; 0: never
  long ramp = 0;         ///< steps over which sources rise from 0
  double turn = 0;       ///< see turn_per_step
  double amplitude = 0;  ///< see `amplitude`
  std::function<void()> snapshot;
  /// Called after each look.
  std::function<void(long, const Changes&)> hook;
  /// Asked before each step: a look may be many seconds away.
  std::function<bool()> stop;
};

enum class Ending { steps, epsilon, tolerance, rounding, diverged, interrupted };

/// Steps s over which the phasor's change is told, twice, as a mean: some third of a period. The shorter they
/// are, the more it is of the noise of rounding at the end of the grid's band, which it has times
/// 4 n / (s |1 - e^(i w tau s)|) with n steps a period: 7 at a third, whatever n. Odd, so that what
/// alternates from step to step is seen.
int phasor_stride(double turn);

/// Change of the phasor over the largest E that rounding in single precision makes alone, at least: half a
/// unit in the last place, times n / (s |1 - e^(i w tau s)|).
double least_phasor_change(double turn);

struct IterateReport {
  long iterations = 0;
  Changes last;
  Ending ending = Ending::steps;
  std::string trouble;  ///< of a run that diverged: what was seen
};

/// Runs and takes snapshots, one of the end included. A goal that rounding keeps from being reached ends the
/// run too: when what it is measured by is within a thousand times of rounding and has not fallen by 30 %
/// for 40 periods and half of all steps. A field that is not finite, that is 1e5 times what drives it, or
/// that grows tenfold from look to look and back to back, ends the run at the next look.
IterateReport iterate(Engine&, const IterateOptions&);

/// The component of E or H, "E_x at (3, 4, 5)", that is not finite, or the largest when all are.
std::string largest_place(Engine&, const Int3& cells, const Layout& = {});

}  // namespace umov::pmaxwell
