// Recorders and running Fourier transforms on the device, and the samples that wait on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "fdtd/recorder_list.hpp"
#include "fdtd/source_pass.hpp"
#include "fdtd/state.hpp"

namespace umov::fdtd {

template <class Dev, class T, class F>
class SamplePass {
  using S = State<Dev, T, F>;
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  SamplePass(S& s, const Problem& p)
      : dev_(s.dev), dt_(p.grid.dt), complex_(p.complex_fields), waiting_(p.recorders.size()) {
    for (RecorderList& list : compile_recorders(p)) add_batch(s, std::move(list));
    for (const FourierAccumulator& a : p.fouriers) add_transform(s, a);
  }

  long longest() const { return longest_; }
  void prepare(long first, long steps) {
    first_ = first;
    last_ = first + steps;
    for (Transform& t : transforms_) prepare_phases(t);
  }
  /// The first step from n on after which something with an interval of `least` steps or more is sampled.
  long next(long n, long least = 1) const {
    long soonest = std::numeric_limits<long>::max() - 1;
    for (const Batch& b : batches_)
      if (b.list.interval >= least) soonest = std::min(soonest, due(n, b.list.interval));
    for (const Transform& t : transforms_)
      if (t.interval >= least) soonest = std::min(soonest, due(n, t.interval));
    return soonest;
  }
  /// After step n: samples what is due.
  void take(S& s, long n) {
    for (Batch& b : batches_)
      if ((n + 1) % b.list.interval == 0) record(s, b, n);
    for (Transform& t : transforms_)
      if ((n + 1) % t.interval == 0) transform(s, t, n);
  }
  /// The functors of one batch of recorders, for steppers that sample by themselves: sample m of the prepared
  /// steps, taken after each step n with (n + 1) % interval == 0, is written to row m of `channels.out`.
  struct RecorderKernels {
    long interval;
    index_t pieces, channels;
    SumPiece<F> sum_piece;
    SumChannel sum_channel;
  };
  std::vector<RecorderKernels> recorder_kernels(S& s) {
    std::vector<RecorderKernels> all;
    for (Batch& b : batches_)
      all.push_back({b.list.interval,
                     index_t(b.list.pieces.size()),
                     b.list.channels(),
                     sum_pieces(s, b),
                     {b.first_piece.data(), b.partial.data(), b.out.data()}});
    return all;
  }
  /// The same of the transforms: sample m has row m of `add.phase`.
  struct TransformKernel {
    long interval;
    index_t points;
    int frequencies;
    AddToFourier<T, F> add;
  };
  std::vector<TransformKernel> transform_kernels(S& s) {
    std::vector<TransformKernel> all;
    for (Transform& t : transforms_)
      all.push_back(
          {t.interval,
           index_t(t.cell.size()),
           int(t.frequencies.size()),
           {s.field(t.component), t.cell.data(), t.phase.data(), t.sum.data(), index_t(t.cell.size())}});
    return all;
  }
  void collect() {
    std::vector<Complex<double>> host;
    for (Batch& b : batches_) {
      const long samples = samples_before(last_, b.list.interval) - samples_before(first_, b.list.interval);
      host.resize(std::size_t(samples * b.list.channels()));
      dev_.download(host.data(), b.out.data(), host.size());
      for (long m = 0; m < samples; ++m) distribute(b.list, host.data() + m * b.list.channels());
    }
  }

  /// Samples that wait for drain(), per recorder; see Engine::drain.
  std::vector<std::vector<double>>& waiting() { return waiting_; }
  std::vector<cplx> sums(int accumulator) const {
    const Transform& t = transforms_.at(accumulator);
    std::vector<Complex<T>> host(t.sum.size());
    dev_.download(host.data(), t.sum.data(), host.size());
    std::vector<cplx> wide;
    wide.reserve(host.size());
    for (const auto& z : host) wide.emplace_back(z.re, z.im);
    return wide;
  }
  template <class Visit>
  void visit_changing(const Visit& f) {
    for (Transform& t : transforms_) f(t.sum);
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Batch& b : batches_)
      sum += b.piece.bytes() + b.row.bytes() + b.cell.bytes() + b.weight.bytes() + b.first_piece.bytes() +
             b.partial.bytes() + b.out.bytes();
    for (const Transform& t : transforms_) sum += t.cell.bytes() + t.phase.bytes() + t.sum.bytes();
    return sum;
  }

 private:
  struct Batch {
    RecorderList list;
    Array<Piece> piece;
    Array<index_t> row, cell, first_piece;
    Array<double> weight;
    Array<Complex<double>> partial, out;
  };
  struct Transform {
    Component component;
    int interval;
    std::vector<double> frequencies;
    Array<index_t> cell;
    Array<Complex<T>> phase, sum;
  };

  static long due(long n, long interval) { return n + interval - 1 - n % interval; }
  static long samples_before(long n, long interval) { return n / interval; }
  static long most_samples(long steps, long interval) { return steps / interval + 1; }

  void add_batch(S& s, RecorderList list) {
    constexpr long room = 1L << 21;
    longest_ = std::min(longest_, list.interval * std::max(1L, room / std::max<index_t>(1, list.channels())));
    Batch b{std::move(list), {}, {}, {}, {}, {}, {}, {}};
    b.piece = s.copy_of(b.list.pieces);
    b.row = s.copy_of(b.list.first_point);
    b.cell = s.copy_of(b.list.cell);
    b.weight = s.copy_of(b.list.weight);
    b.first_piece = s.copy_of(b.list.first_piece);
    b.partial = s.template zeros<Complex<double>>(b.list.pieces.size());
    const long samples = std::min(most_samples(256, b.list.interval),
                                  std::max(1L, room / std::max<index_t>(1, b.list.channels())));
    b.out = s.template zeros<Complex<double>>(std::size_t(samples) * b.list.channels());
    batches_.push_back(std::move(b));
  }
  void add_transform(S& s, const FourierAccumulator& a) {
    const std::size_t f = a.frequencies.size();
    transforms_.push_back({a.component, a.interval, a.frequencies, s.copy_of(a.cells),
                           s.template zeros<Complex<T>>(most_samples(256, a.interval) * f),
                           s.template zeros<Complex<T>>(a.cells.size() * f)});
  }

  static SumPiece<F> sum_pieces(S& s, Batch& b) {
    return {field_pointers(s), b.piece.data(),  b.row.data(),
            b.cell.data(),     b.weight.data(), b.partial.data()};
  }
  void record(S& s, Batch& b, long n) {
    Complex<double>* out =
        b.out.data() +
        (samples_before(n, b.list.interval) - samples_before(first_, b.list.interval)) * b.list.channels();
    dev_.for_each(index_t(b.list.pieces.size()), sum_pieces(s, b));
    dev_.for_each(b.list.channels(), SumChannel{b.first_piece.data(), b.partial.data(), out});
  }
  void distribute(const RecorderList& list, const Complex<double>* row) {
    for (std::size_t r = 0; r < list.recorders.size(); ++r) {
      std::vector<double>& to = waiting_[list.recorders[r]];
      for (index_t ch = list.first_channel[r]; ch < list.first_channel[r + 1]; ++ch) {
        to.push_back(row[ch].re);
        if (complex_) to.push_back(row[ch].im);
      }
    }
  }

  /// exp(+i 2 pi f t) interval dt for the samples of the prepared steps, t in double.
  void prepare_phases(Transform& t) {
    std::vector<Complex<T>> phases;
    for (long n = due(first_, t.interval); n < last_; n += t.interval) {
      const double time = (double(n) + (is_electric(t.component) ? 1.0 : 0.5)) * dt_;
      for (const double f : t.frequencies) {
        const double turns = f * time, angle = 2 * pi * (turns - std::floor(turns));
        phases.emplace_back(T(std::cos(angle) * t.interval * dt_), T(std::sin(angle) * t.interval * dt_));
      }
    }
    dev_.upload(t.phase.data(), phases.data(), phases.size());
  }
  void transform(S& s, Transform& t, long n) {
    const index_t points = index_t(t.cell.size());
    const long sample = samples_before(n, t.interval) - samples_before(first_, t.interval);
    dev_.for_each_box(
        {0, 0, 0}, {int(points), int(t.frequencies.size()), 1},
        AddToFourier<T, F>{s.field(t.component), t.cell.data(),
                           t.phase.data() + sample * long(t.frequencies.size()), t.sum.data(), points});
  }

  Dev& dev_;
  double dt_;
  bool complex_;
  long longest_ = 256, first_ = 0, last_ = 0;
  std::vector<Batch> batches_;
  std::vector<Transform> transforms_;
  std::vector<std::vector<double>> waiting_;
};

}  // namespace umov::fdtd
