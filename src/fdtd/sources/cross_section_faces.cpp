// The H of a cross-section beside perfect conductors, where Ampere's law does not give it.
#include <Eigen/LU>

#include "fdtd/sources/cross_section.hpp"
#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {
namespace {

/// The inverse of a matrix that couples few unknowns, which `coupled` lists: each group of them by itself.
template <class T>
SparseOf<T> inverse_of_groups(const SparseOf<T>& m, const std::vector<int>& coupled) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  std::vector<int> group(m.rows(), -1);
  std::vector<TripletOf<T>> all;
  for (const int seed : coupled) {
    if (group[seed] >= 0) continue;
    std::vector<int> members{seed};
    group[seed] = seed;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (typename SparseOf<T>::InnerIterator it(m, members[i]); it; ++it)
        if (it.value() != T(0) && group[it.row()] < 0) {
          group[it.row()] = seed;
          members.push_back(int(it.row()));
        }
    const int n = int(members.size());
    Matrix block(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) block(i, j) = m.coeff(members[i], members[j]);
    const Matrix inverse = block.inverse();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) all.emplace_back(members[i], members[j], inverse(i, j));
  }
  return matrix<T>(int(m.rows()), int(m.cols()), all);
}

}  // namespace

template <class T>
SparseOf<T> CrossSectionOf<T>::faces_of(const Sparse& edges) const {
  std::vector<Triplet> all;
  int row = 0;
  for (const int h : magnetic) {
    int first = 0;
    for (const int e : electric) {
      if (axis_of(e) != axis_of(h))  // the places of both are the same
        for (int i = 0; i < count(h); ++i)
          if (edges.coeff(first + i, first + i) != T(0)) all.emplace_back(row + i, row + i, 1);
      first += count(e);
    }
    row += count(h);
  }
  return matrix<T>(row, row, all);
}

// There 0 = W mu Hq + D_p Ex and 0 = -W mu Hp + D_q Ex, with W eps Ex = D_p Hq - D_q Hp of all H around.
template <class T>
SparseOf<T> CrossSectionOf<T>::with_faces_of_dead_edges(const Problem& p, double w,
                                                        const Sparse& dead) const {
  Sparse all(dead.rows(), dead.cols());
  all.setIdentity();
  const Sparse live = all - dead;
  if (!has_component(p.grid.mode, axis)) return live;
  std::vector<std::vector<SparseOf<T>>> curl(1), faraday;
  for (const int h : magnetic) {
    const int r = axis_of(h) == t[0].axis ? 0 : 1;
    const double sign = r == 1 ? 1 : -1;
    curl[0].push_back(T(sign) * difference(p.grid, 1 - r, h, axis));
    faraday.push_back(
        {Sparse(T(-sign / phase) * medium(p, h, w, true) * difference(p.grid, 1 - r, axis, h))});
  }
  const Sparse c = assemble<T>(curl), g = dead * assemble<T>(faraday), eps = medium(p, axis, w, false);
  const Sparse there = eps.unaryExpr([](const T& x) { return T(x != T(0) ? 1.0 : 0.0); });
  const Sparse around = there * Sparse(c * g) * there;
  std::vector<int> coupled;
  for (int column = 0; column < around.outerSize(); ++column)
    if (typename SparseOf<T>::InnerIterator it(around, column); it) coupled.push_back(column);
  const Sparse along = inverse_of_groups<T>(Sparse(T(phase) * eps - around), coupled);
  return live + Sparse(g * there * along * there * c * live);
}

#define UMOV_OF(T)                                                                         \
  template SparseOf<T> CrossSectionOf<T>::faces_of(const SparseOf<T>&) const;              \
  template SparseOf<T> CrossSectionOf<T>::with_faces_of_dead_edges(const Problem&, double, \
                                                                   const SparseOf<T>&) const;
UMOV_OF(double)
UMOV_OF(cplx)
#undef UMOV_OF

}  // namespace umov::fdtd
