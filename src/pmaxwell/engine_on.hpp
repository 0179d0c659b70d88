// The split iteration on one device: forty arrays, one launch per component and half step.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "pmaxwell/engine.hpp"
#include "pmaxwell/kernels/half_step.hpp"
#include "pmaxwell/kernels/watch.hpp"

namespace umov::pmaxwell {

template <class Dev>
class EngineOn final : public Engine {
  using T = float;
  using Array = typename Dev::template Array<Value>;

 public:
  template <class... Args>
  EngineOn(System&& s, Copies copies, Args&&... args)
      : dev_(std::forward<Args>(args)...), cells_(s.cells), copies_(copies) {
    for (int a = 0; a < array_count; ++a) {
      arrays_[a] = dev_.template allocate<Value>(s.arrays[a].size());
      dev_.upload(arrays_[a].data(), s.arrays[a].data(), s.arrays[a].size());
      s.arrays[a] = {};
    }
    totals_.cells = cells_;
    for (int group = 0; group < 2; ++group)
      for (int c = 0; c < 3; ++c) {
        totals_.points[group][c] = points(group == 0, c);
        for (int part = 0; part < 2; ++part)
          totals_.parts[group][c][part] = arrays_[part_of(group == 0 ? field_e : field_h, c, part)].data();
      }
    for (auto& kept : kept_) kept = dev_.template allocate<Value>(3 * totals_.count());
  }

  std::string device_name() const override { return dev_.device_name(); }
  const TimerTable& times() const override { return times_; }

  void step(double strength) override {
    if constexpr (queues) {  // a GPU gets all at once: parts cannot be told apart without waiting for each
      const ScopedTimer timer(times_, "steps");
      return step_parts(strength, [](const char*, const auto& part) { part(); });
    }
    step_parts(strength, [this](const char* name, const auto& part) { timed(name, part); });
  }

  void keep(Moment moment) override {
    timed("watching", [&] {
      dev_.for_each(3 * totals_.count(), Keep<T>{totals_, kept_[int(moment)].data()});
    });
  }

  Changes changes(double turn, int stride) override {
    Changes out;
    finish_steps();
    timed("watching", [&] {
      const index_t n = 3 * totals_.count();
      out.largest = dev_.map_max(n, Size<T>{totals_});
      out.plain = dev_.map_max(n, Change<T>{totals_, kept_[int(Moment::one_step)].data()});
      if (turn != 0 && stride > 0) {
        const double angle = stride * turn;
        const Value w(T(std::cos(angle)), T(std::sin(angle)));
        // what does not turn is left with the factor 1 - w
        out.phasor = dev_.map_max(n, ChangeWithoutTurning<T>{totals_, kept_[0].data(), kept_[1].data(), w}) /
                     (stride * 2 * std::abs(std::sin(angle / 2))) * (2 * pi / std::abs(turn));
      }
    });
    return out;
  }

  std::vector<float> norm(bool of_parts) override {
    finish_steps();
    auto on_device = dev_.template allocate<float>(totals_.count());
    dev_.for_each(totals_.count(), Norm<T>{totals_, on_device.data(), of_parts});
    std::vector<float> out(totals_.count());
    dev_.download(out.data(), on_device.data(), out.size());
    return out;
  }

  std::vector<Value> field(int array) override {
    std::vector<Value> out(arrays_[array].size());
    dev_.download(out.data(), arrays_[array].data(), out.size());
    return out;
  }

 private:
  /// Work is queued on this device, and goes on while the host does.
  static constexpr bool queues = requires(Dev & d) { d.stream(); };

  template <class F>
  void timed(const char* name, const F& f) {
    const ScopedTimer timer(times_, name);
    f();
  }
  /// So that what was queued counts as steps.
  void finish_steps() {
    if constexpr (queues) timed("steps", [&] { dev_.synchronize(); });
  }

  template <class Timed>
  void step_parts(double strength, const Timed& timed) {
    timed("periodic E update", [&] {
      if (copies_ == Copies::formulas) return copy_as_in_formulas(field_e);
      repeat(field_e, 1, 0), repeat(field_e, 2, 0);
      repeat(field_e, 0, 1), repeat(field_e, 2, 1);
    });
    timed("H step", [&] {
      for (int c = 0; c < 3; ++c) half_step<false>(c, strength);
    });
    timed("periodic H update", [&] {
      if (copies_ == Copies::formulas) return copy_as_in_formulas(field_h);
      repeat(field_h, 0, 0), repeat(field_h, 1, 1);
    });
    timed("E step", [&] {
      for (int c = 0; c < 3; ++c) half_step<true>(c, strength);
    });
  }

  Points points(bool electric, int c) const {
    const Int3 n = points_of(electric, c, cells_);
    return {n[0], index_t(n[0]) * n[1]};
  }

  /// Of component c of E or H along `axis`, over all points of the other axes: an axis done before is whole.
  void repeat(Group group, int c, int axis) { copy_plane(group, c, axis, 0, cells_[axis]); }

  void copy_plane(Group group, int c, int axis, int from, int to) {
    Int3 n = points_of(group == field_e, c, cells_);
    n[axis] = 1;
    const Points p = points(group == field_e, c);
    const index_t stride = axis == 0 ? 1 : axis == 1 ? p.row : p.plane;
    dev_.for_each_box({0, 0, 0}, n,
                      Repeat<T>{arrays_[part_of(group, c, 0)].data(), arrays_[part_of(group, c, 1)].data(), p,
                                from * stride, to * stride});
  }

  /// See `Copies`; a plane that the component does not have is left out.
  void copy_as_in_formulas(Group group) {
    for (int c = 0; c < 3; ++c) {
      const int n = points_of(group == field_e, c, cells_)[c], to = c == 0 ? cells_[c] - 1 : cells_[c];
      if (to > 1 && to < n) copy_plane(group, c, c, 1, to);
    }
  }

  template <bool electric>
  Part<T> part(int c, int which) {
    const int axis = (c + 1 + which) % 3, other = (c + 2 - which) % 3;
    const Group group = electric ? field_e : field_h, from = electric ? field_h : field_e;
    const Points p = points(!electric, other);
    const index_t stride = axis == 0 ? 1 : axis == 1 ? p.row : p.plane;
    // + d_(c+1) of component c + 2, - d_(c+2) of component c + 1; H has the opposite sign; the difference of
    // E is taken backward, so that the other point is the one before
    const T sign = (which == 0 ? T(1) : T(-1)) * (electric ? T(1) : T(-1)) * (electric ? T(-1) : T(1));
    const int source = (electric ? bnd_e : bnd_h) + c;
    return {arrays_[part_of(group, c, which)].data(),
            arrays_[part_of(electric ? t_e : t_h, c, which)].data(),
            arrays_[part_of(electric ? s_e : s_h, c, which)].data(),
            arrays_[part_of(from, other, 0)].data(),
            arrays_[part_of(from, other, 1)].data(),
            axis == 2 ? arrays_[source].data() : nullptr,
            p,
            electric ? -stride : stride,
            axis < 2 ? (cells_[axis] - 1) * stride : 0,
            axis,
            sign};
  }

  /// Planes k = 0 and nz of Ex and Ey stay as they were read: a perfect conductor behind the absorbing
  /// layers.
  template <bool electric>
  void half_step(int c, double strength) {
    const Int3 n = points_of(electric, c, cells_);
    const Int3 lo{0, 0, electric && c < 2 ? 1 : 0},
        hi{cells_[0], cells_[1], electric && c < 2 ? cells_[2] : n[2]};
    dev_.for_each_box(
        lo, hi,
        HalfStep<T, electric>{part<electric>(c, 0), part<electric>(c, 1), points(electric, c), T(strength)});
  }

  mutable Dev dev_;
  Int3 cells_;
  Copies copies_;
  std::array<Array, array_count> arrays_;
  std::array<Array, 3> kept_;  ///< E of the moments
  Totals<T> totals_;
  TimerTable times_;
};

}  // namespace umov::pmaxwell
