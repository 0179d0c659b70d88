#include "program/waiting.hpp"

#include <unistd.h>

#include <cstdlib>

namespace umov::program {

namespace {

constexpr const char* spins = "GOMP_SPINCOUNT";
char setting[] = "GOMP_SPINCOUNT=1000";

bool begins(const char* text, const char* with) {
  while (*with && *text == *with) ++text, ++with;
  return *with == 0;
}

/// Runs before the constructors of the shared libraries, OpenMP's among them, and before the C library knows
/// its environment: the list can be written, but not grow. The shell's note of the program's own path, `_`,
/// gives its place; without one nothing is done. Loading the program a second time takes some ten
/// milliseconds.
void write_environment(int, char**, char** environment) {
  char** place = nullptr;
  for (char** entry = environment; *entry; ++entry) {
    if (begins(*entry, "OMP_WAIT_POLICY=") || begins(*entry, "GOMP_SPINCOUNT=")) return;
    if (begins(*entry, "_=")) place = entry;
  }
  if (place) *place = setting;
}

// A sanitizer's own first function comes at no known place among these.
#if !defined(__SANITIZE_ADDRESS__)
__attribute__((section(".preinit_array"), used)) void (*const before_libraries)(int, char**,
                                                                                char**) = write_environment;
#endif

}  // namespace

void spin_briefly(char** words) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv(spins)) return;
  setenv(spins, "1000", 1);
  execv("/proc/self/exe", words);  // returns only where that is not allowed: go on as we are
}

}  // namespace umov::program
