// The simple stepper, referee of the tuned ones: every part of a step is a pass of its own.
#pragma once

#include <string>
#include <string_view>

#include "fdtd/passes.hpp"

namespace umov::fdtd {

/// What every stepper offers. One that keeps fields in arrays of its own brings them into the State in
/// `flush`, and takes them from there in `reload`.
///   static bool fits(const Problem&)         whether it can step this problem
///   Stepper(State&, Passes&, const Problem&)
///   advance(State&, Passes&, first, steps)   steps first .. first + steps - 1, prepared in Passes
///   flush(State&)                            State is about to be read
///   reload(State&)                           State was changed from outside
///   bytes()                                  device memory of its own
///   variant()                                which of several ways it goes, for the log; "" where there is
///   one
///   join, has_borders_first(steps), advance(State&, Passes&, first, steps, BorderCalls)
///                                            where it has these: steps of a part that has joined (Border),
///                                            with what others copy ready first: they call start(), queue
///                                            the rest, call finish(), and sample
///   box_means(BoxMean, size)                 where it has one: a twin of that kernel over all boxes
template <class Dev, class T, class F>
class SimpleStepper {
 public:
  static bool fits(const Problem&) { return true; }
  SimpleStepper(State<Dev, T, F>&, Passes<Dev, T, F>&, const Problem&) {}

  void advance(State<Dev, T, F>& s, Passes<Dev, T, F>& p, long first, long steps) {
    for (long n = first; n < first + steps; ++n) {
      p.sweeps.curl(s, Field::H);
      p.sweeps.layers(s, Field::H);
      p.sources.apply(s, Field::H, n);
      p.sweeps.ghosts(s, Field::H);
      p.sweeps.curl(s, Field::E);
      p.sweeps.layers(s, Field::E);
      p.tensor.apply(s);
      p.sources.apply(s, Field::E, n);
      p.poles.apply(s);
      p.sweeps.ghosts(s, Field::E);
      p.samples.take(s, n);
    }
  }
  void flush(State<Dev, T, F>&) {}
  void reload(State<Dev, T, F>&) {}
  std::size_t bytes() const { return 0; }
  std::string variant() const { return std::string_view(Dev::name) == "cuda" ? "simple steps" : ""; }
};

}  // namespace umov::fdtd
