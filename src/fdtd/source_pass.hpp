// Sources on the device: lists of targets, and the values of the steps to come.
#pragma once

#include "fdtd/kernels/lists.hpp"
#include "fdtd/source_list.hpp"
#include "fdtd/state.hpp"

namespace umov::fdtd {

template <class Dev, class T, class F>
FieldPointers<F> field_pointers(State<Dev, T, F>& s) {
  FieldPointers<F> p;
  for (int c = 0; c < components; ++c) p.of[c] = s.field(c);
  return p;
}
/// A complex number as a field holds it: real fields keep the real part.
template <class F>
F to_field(const cplx& z) {
  if constexpr (requires(F f) { f.re; })
    return F(z);
  else
    return F(z.real());
}

template <class Dev, class T, class F>
class SourcePass {
  using S = State<Dev, T, F>;
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  SourcePass(S& s, const Problem& p)
      : dev_(s.dev),
        compiled_(compile_sources(p)),
        lists_{device_list(s, compiled_.magnetic), device_list(s, compiled_.electric)} {
    problem_.tables = p.tables;
    if (compiled_.columns > 0) longest_ = std::clamp<long>((1L << 21) / compiled_.columns, 1, 256);
    values_ = s.dev.template allocate<F>(std::size_t(longest_) * compiled_.columns);
  }

  long longest() const { return compiled_.columns > 0 ? longest_ : 256; }
  void prepare(long first, long steps) {
    first_ = first;
    if (compiled_.columns == 0) return;
    const auto active = fill_rows(problem_, compiled_, first, steps, rows_);
    for (const Field f : {Field::H, Field::E}) {
      const SourceList& list = host(f);
      silent_[int(f)] = !list.any_hard;
      for (const int feed : list.feeds) silent_[int(f)] &= !active[feed];
    }
    if (silent()) return;
    std::vector<F> narrow;
    narrow.reserve(rows_.size());
    for (const cplx& z : rows_) narrow.push_back(to_field<F>(z));
    dev_.upload(values_.data(), narrow.data(), narrow.size());
  }

  /// True when the prepared steps change no field of this kind.
  bool silent(Field f) const { return silent_[int(f)] || host(f).empty(); }
  bool silent() const { return silent(Field::H) && silent(Field::E); }

  void apply(S& s, Field f, long n) const {
    if (silent(f)) return;
    s.dev.for_each(index_t(host(f).cell.size()), kernel(s, f, n));
  }
  /// The functor of step n over the targets, for steppers that drive by themselves.
  DriveFields<F> kernel(S& s, Field f, long n) const {
    const List& l = lists_[int(f)];
    return {field_pointers(s), l.component.data(), l.hard.data(),   l.cell.data(),
            l.first.data(),    l.column.data(),    l.weight.data(), values(n)};
  }
  /// Row of values of a prepared step.
  const F* values(long n) const { return values_.data() + (n - first_) * compiled_.columns; }
  const SourceList& host(Field f) const { return f == Field::E ? compiled_.electric : compiled_.magnetic; }

  std::size_t bytes() const {
    std::size_t sum = values_.bytes();
    for (const List& l : lists_)
      sum += l.component.bytes() + l.hard.bytes() + l.cell.bytes() + l.first.bytes() + l.column.bytes() +
             l.weight.bytes();
    return sum;
  }

 private:
  struct List {
    Array<std::uint8_t> component, hard;
    Array<index_t> cell, first;
    Array<int> column;
    Array<F> weight;
  };
  static List device_list(S& s, const SourceList& h) {
    std::vector<F> weight;
    for (const cplx& w : h.weight) weight.push_back(to_field<F>(w));
    return {s.copy_of(h.component), s.copy_of(h.hard),   s.copy_of(h.cell),
            s.copy_of(h.first),     s.copy_of(h.column), s.copy_of(weight)};
  }

  Dev& dev_;
  CompiledSources compiled_;
  List lists_[2];    ///< [Field]
  Problem problem_;  ///< only its tables
  Array<F> values_;
  std::vector<cplx> rows_;
  long longest_ = 256, first_ = 0;
  bool silent_[2] = {true, true};
};

}  // namespace umov::fdtd
