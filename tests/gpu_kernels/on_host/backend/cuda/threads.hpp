// The threads of a block of CUDA on a processor: each runs until it waits for others, then the next one does.
#pragma once

#include <ucontext.h>

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
inline dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace umov::test {

class Threads {
 public:
  /// Runs body() as threads 0 ... count - 1 of a block until all have ended; each turn begins with the first
  /// of them, or with the last one. Throws std::logic_error where they wait for each other for ever.
  void run(int count, const std::function<void()>& body, bool backwards) {
    body_ = &body;
    for (auto& b : barriers_) b = {};
    while (int(fibres_.size()) < count) {
      fibres_.push_back(std::make_unique<Fibre>());
      make(*fibres_.back());
    }
    for (int i = 0; i < count; ++i) fibres_[std::size_t(i)]->ended = false;
    for (int left = count; left > 0;) {
      bool progress = false;
      for (int i = 0; i < count; ++i) {
        Fibre& f = *fibres_[std::size_t(backwards ? count - 1 - i : i)];
        if (f.ended || (f.waits_for && f.waits_for->turn == f.turn)) continue;
        threadIdx = dim3(unsigned(backwards ? count - 1 - i : i), 0, 0);
        current_ = &f;
        go_on(f);
        progress = true;
        if (f.ended) --left;
      }
      if (progress) continue;
      fibres_.clear();  // as they are they could run nothing else
      throw std::logic_error("threads of a block wait for each other for ever");
    }
  }

  /// A thread waits at a barrier until `threads` of them have come.
  void wait(int barrier, int threads) {
    Barrier& b = barriers_.at(std::size_t(barrier));
    current_->waits_for = &b;
    current_->turn = b.turn;
    if (++b.arrived == threads) {
      b.arrived = 0;
      ++b.turn;
    }
    Fibre& me = *current_;
    if (__builtin_setjmp(me.here) == 0) jump(scheduler_);
    me.waits_for = nullptr;
  }

 private:
  struct Barrier {
    int arrived = 0;
    unsigned turn = 0;
  };
  /// Where a function stands, for the compiler's own jumps: the library's cost as much as most kernels do
  /// between two barriers.
  using Place = void* [5];
  struct Fibre {
    static constexpr std::size_t stack_bytes = 256 << 10;
    bool begun = false, ended = false;
    unsigned turn = 0;
    const Barrier* waits_for = nullptr;
    Place here{};
    std::unique_ptr<char[]> stack{new char[stack_bytes]};
    ucontext_t context{};
  };

  /// A fibre runs one body after another: making one asks the kernel for the mask of signals.
  void make(Fibre& f) {
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = Fibre::stack_bytes;
    makecontext(&f.context, &Threads::enter, 0);
  }
  static void enter();
  /// In a function of its own, as such jumps want it.
  [[noreturn, gnu::noinline]] static void jump(Place& there) { __builtin_longjmp(there, 1); }
  /// Until it waits or ends; by jumps, for the same reason.
  void go_on(Fibre& f) {
    if (__builtin_setjmp(scheduler_) != 0) return;
    if (f.begun) jump(f.here);
    f.begun = true;
    setcontext(&f.context);
  }

  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::array<Barrier, 64> barriers_;
  Place scheduler_{};
  Fibre* current_ = nullptr;
  const std::function<void()>* body_ = nullptr;
};

inline Threads& threads_of_block() {
  static Threads threads;
  return threads;
}
inline void Threads::enter() {
  Threads& t = threads_of_block();
  Fibre& me = *t.current_;
  for (;;) {
    (*t.body_)();
    me.ended = true;
    if (__builtin_setjmp(me.here) == 0) jump(t.scheduler_);
  }
}

}  // namespace umov::test
