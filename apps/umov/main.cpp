// The program umov: sees to its standard streams and how threads wait, then hands its arguments to the
// library.
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "commands/program.hpp"
#include "core/console.hpp"

namespace {

/// OpenMP's threads spin at a barrier for milliseconds unless told otherwise; on a busy machine they then
/// wait for one that does not run, and a time step takes a hundred times as long. Some ten microseconds of
/// spinning cost nothing elsewhere (docs/decisions/0013). The runtime reads its environment before main, so
/// the program starts itself once more.
void spin_briefly(char** words) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  setenv("GOMP_SPINCOUNT", "1000", 1);
  execv("/proc/self/exe", words);  // returns only where that is not allowed: go on as we are
}

}  // namespace

int main(int count, char** words) {
  umov::fill_closed_streams();
  spin_briefly(words);
  const std::vector<std::string> args(words + (count > 0 ? 1 : 0), words + count);
  return umov::commands::run_program(args);
}
