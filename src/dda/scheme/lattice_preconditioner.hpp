// A preconditioner at work: S^-1 K S^-1 by the product's own convolution with another table.
#pragma once

#include <memory>
#include <vector>

#include "dda/mirror/convolution.hpp"
#include "dda/mirror/lattice_materials.hpp"
#include "dda/scheme/inverse_lattice.hpp"

namespace umov::dda {

/// M = S^-1 K S^-1, complex symmetric as A = I - S G S is, for `Conv` the backend's product.
///
/// The products know x - R G' R x only, and no zero lag. With G' = -K/V without it and R = sqrt(V) S^-1 they
/// give x + S^-1 K S^-1 x, of which one pass makes M x: no kernel of theirs is another for it. One more
/// table than the plain iteration, [medium] of the size of the interaction's in whose work memory it runs,
/// [circulant] an eighth of that with work memory of its own.
template <class Dev, class T, class Conv>
class LatticePreconditioner {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  /// `root`: S as [material][3].
  LatticePreconditioner(Dev& dev, const LatticeView& lattice, const Conv& product, const Problem& problem,
                        const Preconditioner& p)
      : dev_(dev), problem_(problem), lattice_(lattice), volume_(problem.particle->dipole_volume()) {
    const auto table = InverseLattice<Dev, T>(dev, problem, p).table();
    Complex<double> zero_lag[6];
    table.zero_lag(dev, zero_lag);
    for (int c = 0; c < 3; ++c)
      self_lag_[c] = -zero_lag[c == 0 ? XX : c == 1 ? YY : ZZ].template to_std<double>();
    Problem with_table = problem;
    with_table.table = table.view();
    if (p.kind == PreconditionerKind::circulant) {
      with_table.fft_grid = problem.particle->box;
      with_table.tensor_on_host = false;
      periodic_ = std::make_unique<SimpleProduct<Dev, T>>(dev, with_table, lattice);
    } else {
      padded_ = std::make_unique<Conv>(product, with_table);
    }
  }

  /// For S^2 = alpha of each material; cheap, and done for each polarizability.
  void set_polarizability(const std::vector<CVec3>& alpha) {
    std::vector<C> root, self;
    for (const LatticeMaterial& m : lattice_materials(problem_, alpha))
      for (int c = 0; c < 3; ++c) {
        const std::complex<long double> s = std::sqrt(std::complex<long double>(m.alpha[c]));
        root.push_back(C(m.weight[c] * std::sqrt((long double)volume_) / s));
        self.push_back(m.weight[c] == 0 ? C(0, 0) : C(volume_ / m.alpha[c] * self_lag_[c] - 1.0));
      }
    root_ = dev_.template allocate<C>(root.size());
    self_ = dev_.template allocate<C>(self.size());
    dev_.upload(root_.data(), root.data(), root.size());
    dev_.upload(self_.data(), self.data(), self.size());
  }

  /// y = M x, or M^H x, with the sums of products.
  krylov::ProductSums<A> apply(const C* x, C* y, bool adjoint) {
    if (padded_)
      padded_->apply(root_.data(), x, y, adjoint);
    else
      periodic_->apply(root_.data(), x, y, adjoint);
    const auto s = dev_.template map_reduce<5, A>(lattice_.dipoles,
                                                  AddSelfTerm<T>{lattice_, self_.data(), x, y, adjoint});
    return krylov::product_sums(s);
  }

  /// y = M x of several vectors, one after the other.
  void apply_block(const C* x, C* y, int columns) {
    const index_t n = 3 * lattice_.dipoles;
    if (padded_)
      apply_columns(*padded_, n, root_.data(), x, y, columns);
    else
      apply_columns(*periodic_, n, root_.data(), x, y, columns);
    for (int j = 0; j < columns; ++j)
      dev_.for_each(lattice_.dipoles,
                    AddSelfTermAlone<T>{{lattice_, self_.data(), x + j * n, y + j * n, false}});
  }

  /// Beyond what the product has already.
  std::size_t bytes() const {
    if (padded_) return padded_->memory().front().bytes;
    std::size_t sum = 0;
    for (const auto& m : periodic_->memory()) sum += m.bytes;
    return sum;
  }

 private:
  Dev& dev_;
  Problem problem_;
  LatticeView lattice_;
  double volume_;
  CVec3 self_lag_{};
  std::unique_ptr<Conv> padded_;
  std::unique_ptr<SimpleProduct<Dev, T>> periodic_;
  typename Dev::template Array<C> root_, self_;
};

}  // namespace umov::dda
