#include "core/signals.hpp"

#include <unistd.h>

#include <atomic>

namespace umov {

namespace {

std::atomic<int> received{0};  // the signal's number
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

int guards = 0;  // of the main thread
bool ignore_after = false;

void on_signal(int number) {
  // The user who asks twice does not want to wait for the checkpoint.
  if (received.exchange(number) > 0) _exit(128 + number);
}

}  // namespace

bool interrupted() { return received_signal() > 0; }

int received_signal() { return received.load(std::memory_order_relaxed); }

void ignore_signals() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
}

void ignore_signals_after_guards() { ignore_after = true; }

SignalGuard::SignalGuard() : outermost_(guards++ == 0) {
  if (!outermost_) return;
  received = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

SignalGuard::~SignalGuard() {
  --guards;
  if (!outermost_) return;
  if (ignore_after) {
    ignore_signals();
    return;
  }
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

}  // namespace umov
