// The equations of a cell as a sparse matrix, solved directly: what the engine's fields are held to, for
// tests.
#pragma once

#include <Eigen/Sparse>
#include <Eigen/SparseLU>
#include <vector>

#include "harmonic/problem.hpp"

namespace umov::harmonic {

/// curl curl - k0^2 eps over all edges, built from differences of neighbours and nothing of the engine's.
/// With `rough` false the layered permittivity is everywhere.
class SparseReference {
 public:
  using Matrix = Eigen::SparseMatrix<cplx>;
  using Vector = Eigen::VectorXcd;

  explicit SparseReference(const Problem& p) : p_(p), n_(p.grid.nz * p.grid.columns()) {}

  Matrix matrix(bool rough) const {
    const Matrix fx = forward(0), fy = forward(1), fz = forward(2);
    // backward differences are minus the adjoint of the forward ones, and have the stretch of planes, not of
    // half planes
    const Matrix bx = Matrix(fx.adjoint()) * cplx(-1), by = Matrix(fy.adjoint()) * cplx(-1),
                 bz = backward_z();
    const Matrix rows[3][3] = {{by * fy * cplx(-1) - bz * fz, by * fx, bz * fx},
                               {bx * fy, bx * fx * cplx(-1) - bz * fz, bz * fy},
                               {bx * fz, by * fz, bx * fx * cplx(-1) - by * fy}};
    std::vector<Eigen::Triplet<cplx>> all;
    for (int c = 0; c < 3; ++c) {
      for (int o = 0; o < 3; ++o)
        for (int column = 0; column < rows[c][o].outerSize(); ++column)
          for (Matrix::InnerIterator it(rows[c][o], column); it; ++it)
            all.emplace_back(int(c * n_ + it.row()), int(o * n_ + it.col()), it.value());
      for (index_t i = 0; i < n_; ++i)
        all.emplace_back(int(c * n_ + i), int(c * n_ + i), -p_.k0 * p_.k0 * permittivity(c, i, rough));
    }
    Matrix out(3 * n_, 3 * n_);
    out.setFromTriplets(all.begin(), all.end());
    return out;
  }

  /// A field of the layered cell [3][nz] in every column.
  Vector spread(const std::vector<cplx>& layered) const {
    Vector out(3 * n_);
    for (index_t i = 0; i < 3 * n_; ++i) out[i] = layered[i / p_.grid.columns()];
    return out;
  }

  /// The field of the cell under the source that gives `layered` in the layered one.
  Vector solve(const std::vector<cplx>& layered) const {
    const Vector source = matrix(false) * spread(layered);
    Eigen::SparseLU<Matrix> lu(matrix(true));
    return lu.solve(source);
  }

 private:
  cplx permittivity(int c, index_t edge, bool rough) const {
    const index_t columns = p_.grid.columns();
    const int k = int(edge / columns);
    if (rough && k >= p_.rough_begin && k < p_.rough_end)
      return p_
          .permittivity[(index_t(c) * p_.rough_planes() + k - p_.rough_begin) * columns + edge % columns];
    return (c == 2 ? p_.normal : p_.tangential)[k];
  }

  Matrix forward(int axis) const {
    const auto& g = p_.grid;
    const Int3 size{g.nx, g.ny, g.nz};
    const index_t step[] = {1, g.nx, g.columns()};
    std::vector<Eigen::Triplet<cplx>> all;
    for (index_t i = 0; i < n_; ++i) {
      const int at = int(i / step[axis] % size[axis]);
      if (axis < 2 && size[axis] == 1) {
        all.emplace_back(int(i), int(i), cplx(0, p_.bloch[axis]));
        continue;
      }
      const cplx unit = 1.0 / (g.spacing[axis] * (axis == 2 ? p_.stretch_half[at] : cplx(1)));
      all.emplace_back(int(i), int(i), -unit);
      const cplx phase = axis == 2 ? cplx(1) : std::polar(1.0, p_.bloch[axis] * g.spacing[axis]);
      if (at + 1 < size[axis])
        all.emplace_back(int(i), int(i + step[axis]), unit * phase);
      else if (axis < 2)
        all.emplace_back(int(i), int(i - (size[axis] - 1) * step[axis]), unit * phase);
    }
    Matrix out(n_, n_);
    out.setFromTriplets(all.begin(), all.end());
    return out;
  }

  Matrix backward_z() const {
    const auto& g = p_.grid;
    std::vector<Eigen::Triplet<cplx>> all;
    for (index_t i = 0; i < n_; ++i) {
      const int k = int(i / g.columns());
      const cplx unit = 1.0 / (g.spacing[2] * p_.stretch[k]);
      all.emplace_back(int(i), int(i), unit);
      if (k > 0) all.emplace_back(int(i), int(i - g.columns()), -unit);
    }
    Matrix out(n_, n_);
    out.setFromTriplets(all.begin(), all.end());
    return out;
  }

  const Problem& p_;
  index_t n_;
};

}  // namespace umov::harmonic
