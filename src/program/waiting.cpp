#include "program/waiting.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "core/signals.hpp"

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
  tell_signals();  // as early as this program does anything
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
  // signals that come while no handler is there wait for that of the program that follows
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  execv("/proc/self/exe", words);  // returns only where that is not allowed: go on as we are
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void hear_signals() {
  tell_signals();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace umov::program
