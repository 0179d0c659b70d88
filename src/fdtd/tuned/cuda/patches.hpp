// Cells that a pass of plain curl updates gets wrong, stepped one by one: those around lists and walls.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "fdtd/passes.hpp"
#include "fdtd/tuned/cuda/cell_view.hpp"

namespace umov::fdtd::tuned {

/// Cells around the special ones (cell_set.hpp). A pass of s steps is wrong within s cells of them: `kept`.
/// Steps in place are right there if they act within 2 s cells, `stepped`, although what lies beyond stands
/// still meanwhile.
class PatchCells {
  using Dev = backend::Cuda;

 public:
  template <class S>
  PatchCells(S& s, CellSet special, int steps) {
    special.grow(steps);
    kept = s.copy_of(special.segments());
    special.grow(steps);
    stepped = s.copy_of(special.segments());
  }
  std::size_t bytes() const { return stepped.bytes() + kept.bytes(); }

  backend::CudaArray<Segment> stepped, kept;
};

template <class T>
class Patches {
  using Dev = backend::Cuda;
  using S = State<Dev, T, T>;
  using P = Passes<Dev, T, T>;

 public:
  Patches(S& s, const Problem& p, int steps, bool layers)
      : steps_(steps),
        quiet_(s, special_cells(p, layers, steps - 1), steps),
        busy_(s, special_cells(p, layers, 1 << 30), steps) {}

  /// Steps the patches in the state's own arrays, which a pass has read before, with all lists; then brings
  /// them to where the pass wrote. Samples all but the last step. What is sampled at times only needs patches
  /// of its own only when its time falls within the pass.
  void step(S& s, P& p, long first, const SweepView<T>& from, const SweepView<T>& to) const {
    const long last = first + steps_ - 1;
    const PatchCells& cells = busy(p, first) ? busy_ : quiet_;
    if (cells.stepped.size() == 0) return;
    for (long n = first; n <= last; ++n) {
      sweep(s, cells, Field::H, from);
      p.sources.apply(s, Field::H, n);
      p.sweeps.ghosts(s, Field::H);
      sweep(s, cells, Field::E, from);
      p.tensor.apply(s);
      p.sources.apply(s, Field::E, n);
      p.poles.apply(s);
      p.sweeps.ghosts(s, Field::E);
      if (n < last) p.samples.take(s, n);
    }
    copy_segments(from, to, cells.kept.data(), index_t(cells.kept.size()), s.dev.stream());
  }
  /// Whether something is sampled within the pass that begins with step `first`.
  bool busy(P& p, long first) const { return p.samples.next(first, steps_) < first + steps_ - 1; }
  /// The cells that such a pass, or another one, changes in the state's own arrays.
  std::vector<Segment> stepped(S& s, bool busy) const {
    const auto& cells = (busy ? busy_ : quiet_).stepped;
    std::vector<Segment> host(cells.size());
    s.dev.download(host.data(), cells.data(), host.size());
    return host;
  }
  std::size_t bytes() const { return quiet_.bytes() + busy_.bytes(); }

 private:
  void sweep(S& s, const PatchCells& cells, Field f, const SweepView<T>& view) const {
    sweep_segments(s.grid.mode, f, view, cells.stepped.data(), index_t(cells.stepped.size()), s.dev.stream());
  }
  int steps_;
  PatchCells quiet_, busy_;
};

}  // namespace umov::fdtd::tuned
