// Running Fourier transforms on the device: samples wait in a ring until they are added to the sums together.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/contract.hpp"
#include "fdtd/kernels/transforms.hpp"
#include "fdtd/state.hpp"
#include "fdtd/transform_room.hpp"

namespace umov::fdtd {

/// Bytes of a sample of N points and f frequencies, r samples waiting together: 8 N (places) + 2 w N (a value
/// of w bytes out and in), and when they are added w N for each block of frequencies and 32 or 16 f N / r of
/// the sums in and out, where adding every sample by itself moves all of these each time.
template <class Dev, class T, class F>
class TransformPass {
  using S = State<Dev, T, F>;
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  TransformPass(S& s, const Problem& p) : dev_(s.dev), dt_(p.grid.dt) {
    for (const FourierAccumulator& a : p.fouriers) add(s, a);
  }

  /// Most steps whose samples the rings hold.
  long longest() const {
    long steps = std::numeric_limits<long>::max();
    for (const Transform& t : transforms_) steps = std::min(steps, long(t.interval) * t.room);
    return steps;
  }
  /// Calls f(interval) for every transform.
  template <class Visit>
  void visit_intervals(const Visit& f) const {
    for (const Transform& t : transforms_) f(t.interval);
  }
  /// After step n: samples what is due.
  void take(S& s, long n) {
    for (Transform& t : transforms_)
      if ((n + 1) % t.interval == 0) {
        if (t.waiting == t.room) add_waiting(t);
        dev_.for_each(index_t(t.cell.size()), gather(s, t));
        note(t, n / t.interval, 1);
      }
  }
  /// The functors for steppers that sample by themselves: sample m of the steps to come goes to row m of
  /// `gather.to`, which have room. `took` follows these steps.
  struct Kernel {
    long interval;
    index_t points;
    GatherPoints<F> gather;
  };
  std::vector<Kernel> kernels(S& s, long first, long steps) {
    std::vector<Kernel> all;
    for (Transform& t : transforms_) {
      if (t.waiting + due(t, first, steps) > t.room) add_waiting(t);
      all.push_back({t.interval, index_t(t.cell.size()), gather(s, t)});
    }
    return all;
  }
  void took(long first, long steps) {
    for (Transform& t : transforms_) note(t, first / t.interval, due(t, first, steps));
  }
  /// Adds all that waits to the sums.
  void flush() {
    for (Transform& t : transforms_) add_waiting(t);
  }
  /// The sums were replaced.
  void forget() {
    for (Transform& t : transforms_) t.waiting = 0;
  }

  std::vector<cplx> sums(int accumulator) {
    Transform& t = transforms_.at(std::size_t(accumulator));
    add_waiting(t);
    std::vector<Complex<T>> host(t.sum.size());
    dev_.download(host.data(), t.sum.data(), host.size());
    std::vector<cplx> wide(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) wide[i] = {host[i].re, host[i].im};
    return wide;
  }
  /// See TransformProducts.
  std::vector<double> product(const TransformProduct& q) {
    Transform &a = transforms_.at(std::size_t(q.a)), &b = transforms_.at(std::size_t(q.b));
    add_waiting(a);
    add_waiting(b);
    auto term = dev_.template allocate<TransformProduct::Term>(q.terms.size());
    dev_.upload(term.data(), q.terms.data(), q.terms.size());
    SumProducts<T> sums{a.sum.data(),
                        b.sum.data(),
                        index_t(a.cell.size()),
                        index_t(b.cell.size()),
                        term.data(),
                        index_t(q.terms.size()),
                        nullptr};
    auto partial = dev_.template allocate<double>(std::size_t(sums.pieces()) * a.frequencies.size());
    sums.partial = partial.data();
    dev_.for_each(index_t(partial.size()), sums);
    std::vector<double> host(partial.size());
    dev_.download(host.data(), partial.data(), host.size());
    return sums_of_pieces(host, a.frequencies.size());
  }
  template <class Visit>
  void visit_changing(const Visit& f) {
    for (Transform& t : transforms_) f(t.sum);
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Transform& t : transforms_)
      sum += t.cell.bytes() + t.ring.bytes() + t.phase.bytes() + t.sum.bytes();
    return sum;
  }

 private:
  struct Transform {
    Component component;
    int interval, room;
    std::vector<double> frequencies;
    Array<index_t> cell;
    Array<F> ring;                 ///< [sample][point]
    Array<Complex<T>> phase, sum;  ///< [sample][frequency], [frequency][point]
    int waiting = 0;
    long first = 0;  ///< number of the first sample that waits; sample k is taken after step (k+1) interval-1
  };

  void add(S& s, const FourierAccumulator& a) {
    const std::size_t points = a.cells.size(), f = a.frequencies.size();
    const int room = transform_room(points, f, sizeof(F));
    transforms_.push_back({a.component, a.interval, room, a.frequencies, s.copy_of(a.cells),
                           s.template zeros<F>(room * points), s.template zeros<Complex<T>>(room * f),
                           s.template zeros<Complex<T>>(points * f)});
  }

  static int due(const Transform& t, long first, long steps) {
    return int((first + steps) / t.interval - first / t.interval);
  }
  static GatherPoints<F> gather(S& s, Transform& t) {
    return {s.field(t.component), t.cell.data(), t.ring.data() + t.waiting * t.cell.size()};
  }
  static void note(Transform& t, long first, int samples) {
    if (t.waiting == 0) t.first = first;
    UMOV_EXPECT(first == t.first + t.waiting && t.waiting + samples <= t.room,
                "samples of a transform follow each other and have room");
    t.waiting += samples;
  }

  /// exp(+i 2 pi f t) interval dt of what waits, t in double.
  std::vector<Complex<T>> phases(const Transform& t) const {
    std::vector<Complex<T>> phases;
    for (long k = t.first; k < t.first + t.waiting; ++k) {
      const long n = (k + 1) * t.interval - 1;
      const double time = (double(n) + (is_electric(t.component) ? 1.0 : 0.5)) * dt_;
      for (const double f : t.frequencies) {
        const double turns = f * time, angle = 2 * pi * (turns - std::floor(turns));
        phases.emplace_back(T(std::cos(angle) * t.interval * dt_), T(std::sin(angle) * t.interval * dt_));
      }
    }
    return phases;
  }
  void add_waiting(Transform& t) {
    if (t.waiting == 0) return;
    const std::vector<Complex<T>> now = phases(t);
    dev_.upload(t.phase.data(), now.data(), now.size());
    const AddToFourier<T, F> all{
        t.ring.data(), t.phase.data(), t.sum.data(), index_t(t.cell.size()), int(t.frequencies.size()),
        t.waiting};
    if constexpr (std::string_view(Dev::name) == "cuda") {
      const AddByPoints<T, F> add{all};
      dev_.for_each_box({0, 0, 0}, {int(all.points), add.blocks(), 1}, add);
    } else {
      add_on_host(AddByTiles<T, F>{all});
    }
    t.waiting = 0;
  }
  /// Threads wake where there is enough to do.
  void add_on_host(const AddByTiles<T, F>& add) {
    constexpr double worth_waking = 1 << 18;
    if (double(add.of.points) * add.of.frequencies * add.of.samples < worth_waking)
      for (index_t tile = 0; tile < add.tiles(); ++tile) add(tile);
    else
      dev_.for_each(add.tiles(), add);
  }

  Dev& dev_;
  double dt_;
  std::vector<Transform> transforms_;
};

}  // namespace umov::fdtd
