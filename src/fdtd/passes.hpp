// The passes beside the main sweeps: ghosts, absorbing layers, sources, tensor, poles, samples. Steppers call
// them at the places that problem.hpp fixes, or do the same work in their own sweeps.
#pragma once

#include <optional>

#include "fdtd/pole_pass.hpp"
#include "fdtd/sample_pass.hpp"
#include "fdtd/source_pass.hpp"
#include "fdtd/sweeps.hpp"
#include "fdtd/tensor_pass.hpp"

namespace umov::fdtd {

/// One step n, in this order:
///   H sweep, H layers, sources(H), ghosts(H),
///   E sweep, E layers, tensor, sources(E), poles, ghosts(E), sample.
/// Poles are taken on last: they hear of all that changes E in this step, currents too.
template <class Dev, class T, class F>
class Passes {
 public:
  Passes(State<Dev, T, F>& s, const Problem& p)
      : sweeps(s, p), sources(s, p), tensor(s, p), poles(s, p), samples(s, p) {}

  /// Most steps of one advance(): tables of sources and buffers of samples have room for these.
  long longest() const { return std::min(sources.longest(), samples.longest()); }
  /// Must precede the steps; not more than longest().
  void prepare(long first, long steps) {
    sources.prepare(first, steps);
    samples.prepare(first, steps);
  }
  /// Brings the samples of the prepared steps to the host.
  void collect() { samples.collect(); }

  /// Prepared steps from n on that a stepper may take in one go, before `last`: no source is active, no list
  /// changes fields, and nothing is sampled before the end of the last of them (call samples.take then).
  /// 0 where every step needs its passes.
  long undisturbed(long n, long last) const {
    if (!sources.silent() || !tensor.empty() || !poles.empty()) return 0;
    return std::min(last, samples.next(n) + 1) - n;
  }

  std::size_t bytes() const { return sources.bytes() + tensor.bytes() + poles.bytes() + samples.bytes(); }
  /// See State::visit_changing.
  template <class Visit>
  void visit_changing(const Visit& f) {
    poles.visit_changing(f);
    samples.transforms.visit_changing(f);
  }

  Sweeps<Dev, T, F> sweeps;
  SourcePass<Dev, T, F> sources;
  TensorPass<Dev, T, F> tensor;
  PolePass<Dev, T, F> poles;
  SamplePass<Dev, T, F> samples;
};

}  // namespace umov::fdtd
