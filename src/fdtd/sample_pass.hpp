// Recorders on the device and the samples that wait on the host, beside the running Fourier transforms.
#pragma once

#include <algorithm>
#include <limits>

#include "fdtd/recorder_list.hpp"
#include "fdtd/source_pass.hpp"
#include "fdtd/state.hpp"
#include "fdtd/transform_pass.hpp"

namespace umov::fdtd {

template <class Dev, class T, class F>
class SamplePass {
  using S = State<Dev, T, F>;
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  SamplePass(S& s, const Problem& p)
      : transforms(s, p), dev_(s.dev), complex_(p.complex_fields), waiting_(p.recorders.size()) {
    for (RecorderList& list : compile_recorders(p)) add_batch(s, std::move(list));
  }

  long longest() const { return longest_; }
  void prepare(long first, long steps) {
    first_ = first;
    last_ = first + steps;
  }
  /// The first step from n on after which something with an interval of `least` steps or more is sampled.
  long next(long n, long least = 1) const {
    long soonest = std::numeric_limits<long>::max() - 1;
    for (const Batch& b : batches_)
      if (b.list.interval >= least) soonest = std::min(soonest, due(n, b.list.interval));
    transforms.visit_intervals([&](long interval) {
      if (interval >= least) soonest = std::min(soonest, due(n, interval));
    });
    return soonest;
  }
  /// After step n: samples what is due.
  void take(S& s, long n) {
    for (Batch& b : batches_)
      if ((n + 1) % b.list.interval == 0) record(s, b, n);
    transforms.take(s, n);
  }
  /// The functors of one batch of recorders, for steppers that sample by themselves: sample m from step
  /// `first` on, taken after each step n with (n + 1) % interval == 0, is written to row m of `channels.out`.
  struct RecorderKernels {
    long interval;
    index_t pieces, channels;
    SumPiece<F> sum_piece;
    SumChannel sum_channel;
  };
  std::vector<RecorderKernels> recorder_kernels(S& s, long first) {
    std::vector<RecorderKernels> all;
    for (Batch& b : batches_)
      all.push_back({b.list.interval,
                     index_t(b.list.pieces.size()),
                     b.list.channels(),
                     sum_pieces(s, b),
                     {b.first_piece.data(), b.partial.data(), row_of(b, first)}});
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
  std::size_t bytes() const {
    std::size_t sum = transforms.bytes();
    for (const Batch& b : batches_)
      sum += b.piece.bytes() + b.row.bytes() + b.cell.bytes() + b.weight.bytes() + b.first_piece.bytes() +
             b.partial.bytes() + b.out.bytes();
    return sum;
  }

  TransformPass<Dev, T, F> transforms;

 private:
  struct Batch {
    RecorderList list;
    Array<Piece> piece;
    Array<index_t> row, cell, first_piece;
    Array<double> weight;
    Array<Complex<double>> partial, out;
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
  static SumPiece<F> sum_pieces(S& s, Batch& b) {
    return {field_pointers(s), b.piece.data(),  b.row.data(),
            b.cell.data(),     b.weight.data(), b.partial.data()};
  }
  /// Where the next sample from step n on goes.
  Complex<double>* row_of(Batch& b, long n) const {
    return b.out.data() +
           (samples_before(n, b.list.interval) - samples_before(first_, b.list.interval)) * b.list.channels();
  }
  void record(S& s, Batch& b, long n) {
    dev_.for_each(index_t(b.list.pieces.size()), sum_pieces(s, b));
    dev_.for_each(b.list.channels(), SumChannel{b.first_piece.data(), b.partial.data(), row_of(b, n)});
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

  Dev& dev_;
  bool complex_;
  long longest_ = 256, first_ = 0, last_ = 0;
  std::vector<Batch> batches_;
  std::vector<std::vector<double>> waiting_;
};

}  // namespace umov::fdtd
