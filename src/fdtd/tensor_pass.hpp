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
          if (p.grid.graded())
            add_graded(p, c, other, end, weight);
          else
            for (const TensorTerm& t : p.tensor[c]) weight.push_back(T(t.w[other][end]));
      cell_[c] = s.copy_of(cell);
      weight_[c] = s.copy_of(weight);
    }
  }

  bool empty() const { return !cell_[Ex].size() && !cell_[Ey].size() && !cell_[Ez].size(); }
  void apply(S& s) const {
    for (int c = Ex; c <= Ez; ++c) {
      if (!cell_[c].size()) continue;
      const auto k = kernel(s, c);
      if (!s.grid.graded()) {
        s.dev.for_each(index_t(cell_[c].size()), k);
        continue;
      }
      s.dev.for_each(
          index_t(cell_[c].size()),
          AddOffDiagonalGraded<T, F>{
              k.f, {k.curl[0], k.curl[1]}, {k.stride[0], k.stride[1]}, k.along, k.cell, k.weight, k.terms});
    }
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
  /// D_p in a node is the mean of its two p-edges by their lengths, so that what D_p does to E_c, and D_c to
  /// E_p, is the same part of the energy (docs/theory/fdtd.md, "Graded grids").
  static void add_graded(const Problem& p, int c, int other, int end, std::vector<T>& weight) {
    const Grid& g = p.grid;
    const int along = (c + 1 + other) % 3;
    if (!has_component(g.mode, along)) return weight.resize(weight.size() + 4 * p.tensor[c].size(), T(0));
    const CurlTerm term[2] = {curl_term(g, along, 0), curl_term(g, along, 1)};
    for (int back = 0; back < 2; ++back)
      for (int which = 0; which < 2; ++which)
        for (const TensorTerm& t : p.tensor[c]) {
          Int3 node = cell_of(g, t.cell);
          node[c] += g.active(c) ? end : 0;
          const double share =
              g.graded(along) ? g.edge(along, node[along] - back) / g.dual_edge(along, node[along]) : 1;
          const double rate =
              term[which].exists ? g.rate(along, term[which].axis, node[term[which].axis]) : 0;
          weight.push_back(T(t.w[other][end] * share * rate));
        }
  }

  Array<index_t> cell_[3];
  Array<T> weight_[3];
};

}  // namespace umov::fdtd
