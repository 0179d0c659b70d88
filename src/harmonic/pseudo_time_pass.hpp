// Whole steps of pseudo-time in one pass through memory, on backends that have such a pass.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "harmonic/kernels/pseudo_time_columns.hpp"

namespace umov::harmonic {

/// None: the stepper takes H and then E of all planes. A backend with a pass specialises this.
template <class Dev, class T>
class PseudoTimePass {
 public:
  bool begin(Dev&, const ColumnStep<T>&, bool) { return false; }
  void rest() {}
  void run(StaggeredFields<T>&, ColumnStep<T>&) {}
  double bytes() const { return 0; }
};

/// How a grid is cut into blocks, for a device that runs `resident` of them at a time: what the last ones
/// leave idle and the planes that a block needs beyond its own are made least together.
struct ColumnCut {
  int width = 0, tiles_x = 0, tiles_y = 0, planes = 0, blocks = 0;
};
inline ColumnCut cut_into_columns(const PaddedGrid& g, int most_width, int written_rows, int granule,
                                  int resident) {
  constexpr int least_planes = 8,
                beside = 2;  ///< planes' worth of a block's start: the one below, first loads
  ColumnCut out;
  out.tiles_x = (g.nx + most_width - 1) / most_width;
  const int even = (g.nx + out.tiles_x - 1) / out.tiles_x;
  out.width = std::min(most_width, (even + granule - 1) / granule * granule);
  out.tiles_x = (g.nx + out.width - 1) / out.width;
  out.tiles_y = (g.ny + written_rows - 1) / written_rows;
  const int tiles = out.tiles_x * out.tiles_y;
  long least = std::numeric_limits<long>::max();
  for (int cuts = 1; cuts <= std::max(1, g.nz / least_planes); ++cuts) {
    const int planes = (g.nz + cuts - 1) / cuts, blocks = tiles * ((g.nz + planes - 1) / planes);
    const long time = long((blocks + resident - 1) / resident) * (planes + beside);
    if (time >= least) continue;
    least = time;
    out.planes = planes;
    out.blocks = blocks;
  }
  return out;
}

/// The pass by columns on a device. Fields, and the memory of the absorbing planes, lie twice: a column reads
/// margins of its neighbours, which must be old. `Launch` runs ColumnThreads of any number of blocks:
///   bool possible(Dev&), int resident(Dev&), void run(Dev&, const ColumnStep<T>&, int blocks),
///   bool room(Dev&, double bytes), and its Rows.
template <class Dev, class T, class Launch>
class ColumnPass {
  using C = Complex<T>;
  using Shape = ColumnShape<T, Launch::rows>;

 public:
  /// `step`: all of a pass but the second copy. False where there is none: without two cells along x and y a
  /// neighbour's value is no phase times another, and there may be no room for the second copy.
  bool begin(Dev& dev, const ColumnStep<T>& step, bool poison) {
    dev_ = &dev;
    const PaddedGrid& g = step.grid;
    const double bytes = double(6 * g.size() + 4 * step.slots) * sizeof(C);
    if (g.nx < 2 || g.ny < 2 || !launch_.possible(dev) || !launch_.room(dev, bytes)) return false;
    cut_ =
        cut_into_columns(g, Shape::most_width, Shape::written_rows, 4 * Shape::cells, launch_.resident(dev));
    memory_ = dev.template allocate<C>(6 * g.size());
    psi_ = dev.template allocate<C>(4 * step.slots);
    const T nan = std::numeric_limits<T>::quiet_NaN();
    dev.for_each(index_t(memory_.size()), FillAll<T>{memory_.data(), poison ? C(nan, nan) : C(0, 0)});
    if (poison) dev.for_each(index_t(psi_.size()), FillAll<T>{psi_.data(), C(nan, nan)});
    other_.grid = g;
    for (int c = 0; c < 3; ++c) {
      other_.e[c] = memory_.data() + c * g.size();
      other_.h[c] = other_.e[c] + 3 * g.size();
    }
    // the planes above and below are read and never written
    for (const int k : {-1, g.nz}) dev.for_each_box({0, 0, k}, {g.nx, g.ny, k + 1}, FieldsAtRest<T>{other_});
    own_psi_[0] = const_cast<C*>(step.psi_in);
    own_psi_[1] = psi_.data();
    slots_ = step.slots;
    return true;
  }

  /// With the fields at rest: what the absorbing planes remember too.
  void rest() { dev_->fill_zero(own_psi_[0], 4 * slots_); }

  /// One step: `fields` are those after it.
  void run(StaggeredFields<T>& fields, ColumnStep<T>& step) {
    for (int c = 0; c < 3; ++c) {
      step.e_in[c] = fields.e[c];
      step.h_in[c] = fields.h[c];
      step.e_out[c] = other_.e[c];
      step.h_out[c] = other_.h[c];
    }
    step.psi_in = own_psi_[0];
    step.psi_out = own_psi_[1];
    step.width = cut_.width;
    step.tiles_x = cut_.tiles_x;
    step.tiles_y = cut_.tiles_y;
    step.planes = cut_.planes;
    launch_.run(*dev_, step, cut_.blocks);
    std::swap(fields, other_);
    std::swap(own_psi_[0], own_psi_[1]);
  }

  double bytes() const { return double(memory_.bytes() + psi_.bytes()); }

 private:
  Dev* dev_ = nullptr;
  Launch launch_;
  ColumnCut cut_;
  StaggeredFields<T> other_;
  typename Dev::template Array<C> memory_, psi_;
  C* own_psi_[2] = {nullptr, nullptr};
  index_t slots_ = 0;
};

}  // namespace umov::harmonic
