// What a pass of plain curl updates gets wrong, stepped one by one: the cells around lists and walls.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "fdtd/passes.hpp"
#include "fdtd/tuned/cuda/cell_view.hpp"

namespace umov::fdtd::tuned {

/// Cells around the special ones (cell_set.hpp). A pass of s steps is wrong within s cells of them: `kept`.
/// Steps in place are right there if they act within 2 s cells, `stepped`, although what lies beyond stands
/// still meanwhile.
struct PatchCells {
  std::vector<Segment> stepped, kept;
  index_t stepped_count = 0;

  PatchCells(const Problem& p, int steps, bool layers) {
    CellSet set = special_cells(p, layers);
    set.grow(steps);
    kept = set.segments();
    set.grow(steps);
    stepped = set.segments();
    stepped_count = set.count();
  }
};

template <class T>
class Patches {
  using Dev = backend::Cuda;
  using S = State<Dev, T, T>;
  using P = Passes<Dev, T, T>;

 public:
  Patches(S& s, const PatchCells& cells) : stepped_(s.copy_of(cells.stepped)), kept_(s.copy_of(cells.kept)) {}

  /// Steps the patches in the state's own arrays, which a pass has read before, with all lists; then brings
  /// them to where the pass wrote.
  void step(S& s, P& p, long first, int steps, const SweepView<T>& from, const SweepView<T>& to) const {
    if (stepped_.size() == 0) return;
    for (long n = first; n < first + steps; ++n) {
      sweep(s, false, from);
      p.sources.apply(s, false, n);
      p.sweeps.ghosts(s, false);
      sweep(s, true, from);
      p.tensor.apply(s);
      p.poles.apply(s);
      p.sources.apply(s, true, n);
      p.sweeps.ghosts(s, true);
      p.samples.take(s, n);
    }
    copy_segments(from, to, kept_.data(), index_t(kept_.size()), s.dev.stream());
  }
  std::size_t bytes() const { return stepped_.bytes() + kept_.bytes(); }

 private:
  void sweep(S& s, bool electric, const SweepView<T>& view) const {
    sweep_segments(s.grid.mode, electric, view, stepped_.data(), index_t(stepped_.size()), s.dev.stream());
  }
  backend::CudaArray<Segment> stepped_, kept_;
};

}  // namespace umov::fdtd::tuned
