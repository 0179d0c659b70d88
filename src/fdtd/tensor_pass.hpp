// Off-diagonal permittivity on the device: one list of edges per E component.
#pragma once

#include "fdtd/kernels/lists.hpp"
#include "fdtd/sweeps.hpp"

namespace umov::fdtd {

template <class Dev, class T, class F>
class TensorPass {
  using S = State<Dev, T, F>;
  template <class V>
  using Array = typename Dev::template Array<V>;

 public:
  TensorPass(S& s, const Problem& p) {
    for (int c = Ex; c <= Ez; ++c) {
      if (p.tensor[c].empty() || !has_component(p.grid.mode, c)) continue;
      std::vector<index_t> cell;
      std::vector<T> weight;
      for (const TensorTerm& t : p.tensor[c]) cell.push_back(t.cell);
      for (int other = 0; other < 2; ++other)
        for (int end = 0; end < 2; ++end)
          for (const TensorTerm& t : p.tensor[c]) weight.push_back(T(t.w[other][end]));
      cell_[c] = s.copy_of(cell);
      weight_[c] = s.copy_of(weight);
    }
  }

  bool empty() const { return !cell_[Ex].size() && !cell_[Ey].size() && !cell_[Ez].size(); }
  void apply(S& s) const {
    for (int c = Ex; c <= Ez; ++c)
      if (cell_[c].size()) s.dev.for_each(index_t(cell_[c].size()), kernel(s, c));
  }
  AddOffDiagonal<T, F> kernel(S& s, int c) const {
    AddOffDiagonal<T, F> k{s.field(c),
                           {},
                           {},
                           s.grid.active(c) ? s.layout.stride(c) : 0,
                           cell_[c].data(),
                           weight_[c].data(),
                           index_t(cell_[c].size())};
    for (int other = 0; other < 2; ++other) {
      const int p = (c + 1 + other) % 3;
      // a component the mode lacks has no curl: differences of a field with itself, and one that no thread of
      // this pass writes
      const F* const still = s.field(has_component(s.grid.mode, Hz) ? Hz : Hy);
      k.curl[other] =
          has_component(s.grid.mode, p) ? curl_view(s, p) : CurlView<F>{still, still, still, still};
      k.stride[other] = has_component(s.grid.mode, p) ? s.layout.stride(p) : 0;
    }
    return k;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (int c = Ex; c <= Ez; ++c) sum += cell_[c].bytes() + weight_[c].bytes();
    return sum;
  }

 private:
  Array<index_t> cell_[3];
  Array<T> weight_[3];
};

}  // namespace umov::fdtd
