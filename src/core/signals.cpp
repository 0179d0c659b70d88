#include "core/signals.hpp"

#include <unistd.h>

#include <atomic>
#include <initializer_list>
#include <string_view>

#include "core/silence.hpp"

namespace umov {

namespace {

std::atomic<int> received{0};  // the signal's number
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

int guards = 0;  // of the main thread
std::atomic<bool> guarded_once{false}, ignore_after{false}, wordless{false};

/// Ends the program with a line, by what a signal handler may call.
[[noreturn]] void end_by(int number, std::string_view line) {
  if (!ignore_after && !wordless && write(STDERR_FILENO, line.data(), line.size()) < 0) _exit(128 + number);
  _exit(128 + number);
}

void on_signal(int number) {
  // The user who asks twice does not want to wait for the checkpoint.
  if (received.exchange(number) > 0)
    end_by(number, "\numov: interrupted a second time; ended at once, without saving what was under way\n");
}

void on_signal_outside(int number) {
  end_by(number, guarded_once ? "umov: interrupted after its run; what it has written stays\n"
                              : "umov: interrupted before a run began; nothing was written or kept\n");
}

}  // namespace

bool interrupted() { return received_signal() > 0; }

int received_signal() { return received.load(std::memory_order_relaxed); }

void tell_signals() {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action {
    }, before{};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;
    action.sa_handler = on_signal_outside;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

void be_silent_at_signals() { wordless = true; }

void ignore_signals() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
}

void ignore_signals_after_guards() { ignore_after = true; }

SignalGuard::SignalGuard() : outermost_(guards++ == 0) {
  if (!outermost_) return;
  received = 0;
  guarded_once = true;
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
