// How OpenMP's threads wait for each other, and signals while the program starts for that a second time.
#pragma once

namespace umov::program {

/// OpenMP's threads spin at a barrier for milliseconds unless told otherwise; on a busy machine they then
/// wait for one that does not run, and a time step takes a hundred times as long. Some ten microseconds of
/// spinning cost nothing elsewhere (docs/decisions/0013). The runtime reads its environment before main: what
/// could not be put there in time makes the program start itself once more, with the words of its command
/// line.
void spin_briefly(char** words);

/// Signals that came while the program started, twice perhaps, are heard from here on.
void hear_signals();

}  // namespace umov::program
