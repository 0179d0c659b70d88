// Running Fourier transforms on the device: samples wait in a ring until they are added to the sums together.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/contract.hpp"
#include "fdtd/kernels/transforms.hpp"
#include "fdtd/lateral_pass.hpp"
#include "fdtd/product_pass.hpp"
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
  TransformPass(S& s, const Problem& p) : dev_(s.dev), dt_(p.grid.dt), products_(s.dev), laterals_(s.dev) {
    std::size_t phases = 0;
    for (const FourierAccumulator& a : p.fouriers) {
      add(s, a);
      phases += std::size_t(transforms_.back().room) * a.frequencies.size();
    }
    phase_ = s.template zeros<Complex<T>>(phases);
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
    add_waiting([&](const Transform& t) { return (n + 1) % t.interval == 0 && t.waiting == t.room; });
    for (Transform& t : transforms_)
      if ((n + 1) % t.interval == 0) {
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
    add_waiting([&](const Transform& t) { return t.waiting + due(t, first, steps) > t.room; });
    std::vector<Kernel> all;
    for (Transform& t : transforms_) all.push_back({t.interval, index_t(t.cell.size()), gather(s, t)});
    return all;
  }
  void took(long first, long steps) {
    for (Transform& t : transforms_) note(t, first / t.interval, due(t, first, steps));
  }
  /// Adds all that waits to the sums.
  void flush() {
    add_waiting([](const Transform&) { return true; });
  }
  /// The sums were replaced.
  void forget() {
    for (Transform& t : transforms_) t.waiting = 0;
  }

  /// By pieces, so that a plane of many frequencies is touched once on the host.
  std::vector<cplx> sums(int accumulator) {
    constexpr std::size_t piece = std::size_t(1) << 18;
    const Transform& t = transforms_.at(std::size_t(accumulator));
    add_waiting([&](const Transform& other) { return &other == &t; });
    std::vector<Complex<T>> host(std::min(piece, t.sum.size()));
    std::vector<cplx> wide;
    wide.reserve(t.sum.size());
    while (wide.size() < t.sum.size()) {
      const std::size_t n = std::min(piece, t.sum.size() - wide.size());
      dev_.download(host.data(), t.sum.data() + wide.size(), n);
      for (std::size_t i = 0; i < n; ++i) wide.emplace_back(host[i].re, host[i].im);
    }
    return wide;
  }
  /// See TransformProducts.
  std::vector<double> product_sum(const ProductSum& products) {
    UMOV_EXPECT(products && !products->empty(), "a sum of products has a product");
    add_waiting([&](const Transform& t) {
      const int n = int(&t - transforms_.data());
      return std::ranges::any_of(*products, [n](const auto& p) { return p.a == n || p.b == n; });
    });
    const Transform& first = transforms_.at(std::size_t(products->front().a));
    return products_.sum(products, first.frequencies.size(), [&](int a) { return view(a); });
  }
  /// See TransformProducts.
  std::vector<std::vector<cplx>> lateral_sums(const LateralSums& sums) {
    UMOV_EXPECT(sums, "sums over planes are of something");
    add_waiting([&](const Transform& t) {
      const int n = int(&t - transforms_.data());
      return std::ranges::any_of(*sums, [n](const auto& s) { return s.a == n; });
    });
    return laterals_.sums(sums, [&](int a) { return view(a); });
  }
  template <class Visit>
  void visit_changing(const Visit& f) {
    for (Transform& t : transforms_) f(t.sum);
  }
  std::size_t bytes() const {
    std::size_t sum = phase_.bytes() + products_.bytes() + laterals_.bytes();
    for (const Transform& t : transforms_) sum += t.cell.bytes() + t.ring.bytes() + t.sum.bytes();
    return sum;
  }

 private:
  struct Transform {
    Component component;
    int interval, room;
    std::vector<double> frequencies;
    Array<index_t> cell;
    Array<F> ring;          ///< [sample][point]
    Array<Complex<T>> sum;  ///< [frequency][point]
    int waiting = 0;
    long first = 0;  ///< number of the first sample that waits; sample k is taken after step (k+1) interval-1
  };

  void add(S& s, const FourierAccumulator& a) {
    const std::size_t points = a.cells.size(), f = a.frequencies.size();
    const int room = transform_room(points, f, sizeof(F));
    transforms_.push_back({a.component, a.interval, room, a.frequencies, s.copy_of(a.cells),
                           s.template zeros<F>(room * points), s.template zeros<Complex<T>>(points * f)});
  }

  TransformView<T> view(int accumulator) const {
    const Transform& t = transforms_.at(std::size_t(accumulator));
    return {t.sum.data(), index_t(t.cell.size())};
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

  /// exp(+i 2 pi f t) interval dt of what waits, [sample][frequency], t in double.
  void append_phases(const Transform& t, std::vector<Complex<T>>& phases) const {
    for (long k = t.first; k < t.first + t.waiting; ++k) {
      const long n = (k + 1) * t.interval - 1;
      const double time = (double(n) + (is_electric(t.component) ? 1.0 : 0.5)) * dt_;
      for (const double f : t.frequencies) {
        const double turns = f * time, angle = 2 * pi * (turns - std::floor(turns));
        phases.emplace_back(T(std::cos(angle) * t.interval * dt_), T(std::sin(angle) * t.interval * dt_));
      }
    }
  }
  static bool same_phases(const Transform& a, const Transform& b) {
    return is_electric(a.component) == is_electric(b.component) && a.interval == b.interval &&
           a.first == b.first && a.waiting == b.waiting && a.frequencies == b.frequencies;
  }
  /// Adds what waits in the transforms that are `meant`. Their phases go to the device in one copy, which
  /// waits for it; those of a plane share them.
  template <class Meant>
  void add_waiting(const Meant& meant) {
    std::vector<std::pair<Transform*, std::size_t>> some;  // and where its phases begin
    std::vector<Complex<T>> phases;
    for (Transform& t : transforms_) {
      if (t.waiting == 0 || !meant(t)) continue;
      const auto same =
          std::ranges::find_if(some, [&](const auto& other) { return same_phases(*other.first, t); });
      some.emplace_back(&t, same == some.end() ? phases.size() : same->second);
      if (some.back().second == phases.size()) append_phases(t, phases);
    }
    if (some.empty()) return;
    dev_.upload(phase_.data(), phases.data(), phases.size());
    for (const auto& [t, at] : some) add_waiting(*t, phase_.data() + at);
  }
  void add_waiting(Transform& t, const Complex<T>* phase) {
    const AddToFourier<T, F> all{
        t.ring.data(), phase, t.sum.data(), index_t(t.cell.size()), int(t.frequencies.size()), t.waiting};
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
  Array<Complex<T>> phase_;  ///< of what is being added
  ProductPass<Dev, T> products_;
  LateralPass<Dev, T> laterals_;
};

}  // namespace umov::fdtd
