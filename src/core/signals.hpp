// Ctrl-C and SIGTERM as a request to stop: the run saves a checkpoint and ends in good order.
#pragma once

#include <csignal>

namespace umov {

/// True once SIGINT or SIGTERM has arrived under a SignalGuard.
bool interrupted();
/// The first signal that arrived (SIGINT or SIGTERM); 0 = none.
int received_signal();

/// From here on SIGINT and SIGTERM outside of every SignalGuard end the program at once as they do without
/// this, by exit code 128 plus the signal's number, and say so on standard error (where a process does not
/// talk, silently: see ignore_signals_after_guards). A signal that is ignored stays so. May be called before
/// any constructor has run.
void tell_signals();

/// From here on SIGINT and SIGTERM do nothing: for a process that has done its part while another one still
/// writes.
void ignore_signals();
/// The same from the end of the next SignalGuard on, without a moment in between.
void ignore_signals_after_guards();

/// While alive, the first SIGINT or SIGTERM only raises the flag that `interrupted()` reads; the second
/// ends the program at once with exit code 128 plus the signal's number, and says so. Restores the former
/// handlers, unless ignore_signals_after_guards() was called. One within another does nothing of its own.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  bool outermost_;
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

}  // namespace umov
