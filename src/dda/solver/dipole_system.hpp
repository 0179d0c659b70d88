// The dipole system on one device: its operator, its vectors, and what both solver and engine do with them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "dda/engine.hpp"
#include "dda/kernels/fields.hpp"
#include "dda/mirror/lattice_materials.hpp"
#include "dda/ranks/slab.hpp"
#include "dda/scheme/lattice.hpp"
#include "dda/scheme/lattice_preconditioner.hpp"

namespace umov::dda {

/// Seconds since some fixed moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Whether any rank of a device says so; a device of one rank: whether it does.
template <class Dev>
bool any_rank(const Dev& dev, bool mine) {
  if constexpr (requires { dev.any(mine); })
    return dev.any(mine);
  else
    return mine;
}

/// The operator that Krylov solvers see: (I - S G S), with its products counted and timed.
template <class Dev, class T, class Conv>
struct DipoleOperator {
  Dev* dev;
  Conv* convolution;
  const Complex<T>* root;
  index_t n;  ///< unknowns
  long products = 0;
  double seconds = 0;

  auto apply(const Complex<T>* x, Complex<T>* y, bool adjoint) {
    const double start = now();
    const auto sums = convolution->apply(root, x, y, adjoint);
    seconds += now() - start;
    ++products;
    return sums;
  }
  /// Of several vectors, one after the other.
  void apply_block(const Complex<T>* x, Complex<T>* y, int columns) {
    const double start = now();
    apply_columns(*convolution, n, root, x, y, columns);
    seconds += now() - start;
    products += columns;
  }
};

/// A preconditioner as the solvers see it, its products counted and timed.
template <class T, class M>
struct CountedPreconditioner {
  M* m;
  long products = 0;
  double seconds = 0;

  auto apply(const Complex<T>* x, Complex<T>* y, bool adjoint) {
    const double start = now();
    const auto sums = m->apply(x, y, adjoint);
    seconds += now() - start;
    ++products;
    return sums;
  }
  void apply_block(const Complex<T>* x, Complex<T>* y, int columns) {
    const double start = now();
    m->apply_block(x, y, columns);
    seconds += now() - start;
    products += columns;
  }
};

/// (I - S G S) x = S E_inc, with x and E_inc as [3][dipoles].
template <class Dev, class T, class Conv>
class DipoleSystem {
 protected:
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Operator = DipoleOperator<Dev, T, Conv>;
  using Vector = typename Dev::template Array<C>;

  explicit DipoleSystem(Dev& dev) : dev_(dev) {}

  /// Lattice, product and factors of a problem; `problem_` refers to its particle.
  void load_system(const Problem& problem) {
    const shapes::Particle& particle = problem.fraction ? problem.fraction->particle : *problem.particle;
    const PackedLattice packed(problem.slab ? problem.slab->particle : particle);
    problem_ = problem;
    spacing_ = particle.spacing;
    materials_ = particle.materials;
    lattice_.emplace(dev_, packed);
    n_ = 3 * packed.dipoles;
    convolution_.reset();
    if (!problem.fields_only) convolution_.emplace(dev_, problem, lattice_->view());
    root_ = dev_.template allocate<C>(3 * materials_);
    inverse_root_ = dev_.template allocate<C>(3 * materials_);
    const index_t dipoles = problem.slab ? problem.slab->all_dipoles() : packed.dipoles;
    fingerprint_ = {double(particle.box[0]),
                    double(particle.box[1]),
                    double(particle.box[2]),
                    double(dipoles),
                    problem.wavenumber,
                    spacing_[0],
                    spacing_[1],
                    spacing_[2]};
  }

  /// S and its inverse per material.
  void set_roots(std::span<const CVec3> alpha) {
    std::vector<C> root, inverse;
    alpha_.assign(alpha.begin(), alpha.end());
    for (const LatticeMaterial& m : lattice_materials(problem_, alpha))
      for (int c = 0; c < 3; ++c) {
        const std::complex<long double> s =
            (long double)m.weight[c] * std::sqrt(std::complex<long double>(m.alpha[c]));
        root.push_back(C(s));
        inverse.push_back(m.weight[c] == 0 ? C(0, 0) : C(1.0L / s));
      }
    root.resize(3 * materials_);
    inverse.resize(3 * materials_);
    dev_.upload(root_.data(), root.data(), root.size());
    dev_.upload(inverse_root_.data(), inverse.data(), inverse.size());
  }

  void put(std::span<const CVec3> from, Vector& to) {
    const index_t dipoles = n_ / 3;
    in_stretches(dipoles, [&](index_t first, index_t count, C* some) {
#pragma omp parallel for schedule(static)
      for (index_t i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c) some[c * count + i] = C(from[first + i][c]);
      for (int c = 0; c < 3; ++c) dev_.upload(to.data() + c * dipoles + first, some + c * count, count);
    });
  }

  void get(const Vector& from, std::span<CVec3> to) const { get_from(from, 0, to.first(n_ / 3)); }
  /// Those of dipole `begin` and as many behind it as there is room for.
  void get_from(const Vector& from, index_t begin, std::span<CVec3> to) const {
    const index_t dipoles = n_ / 3;
    in_stretches(index_t(to.size()), [&](index_t first, index_t count, C* some) {
      for (int c = 0; c < 3; ++c)
        dev_.download(some + c * count, from.data() + c * dipoles + begin + first, count);
#pragma omp parallel for schedule(static)
      for (index_t i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c) to[first + i][c] = some[c * count + i].template to_std<double>();
    });
  }

  void scale(const Vector& factor, const C* in, C* out) {
    dev_.for_each(n_ / 3, ScaleByMaterial<T>{lattice_->view(), factor.data(), in, out});
  }

  /// Of the box of what is solved for, in sites: the same on all ranks.
  int longest_edge() const {
    const LatticeView& l = lattice_->view();
    const int nz = problem_.slab ? problem_.particle->box[2] : l.nz;
    return std::max({l.nx, l.ny, nz});
  }

  double norm2_of(const C* v) { return double(dev_.template map_reduce<1, A>(n_, krylov::Norm<T>{v}).v[0]); }

  /// r = S E_inc - A x; returns |r|^2.
  double residual_of(Operator& op, const C* x, C* r) {
    op.apply(x, r, false);
    return double(dev_.template map_reduce<1, A>(
                          n_ / 3, ResidualOfIncident<T>{lattice_->view(), root_.data(), incident_.data(), r})
                      .v[0]);
  }

  /// Calls act(first, count, room) for stretches of the dipoles, with room for three numbers of each: pages
  /// of a buffer for all would cost more than what is done with it.
  template <class Act>
  static void in_stretches(index_t dipoles, const Act& act) {
    constexpr index_t most = index_t(1) << 17;
    std::vector<C> room(std::size_t(3 * std::min(dipoles, most)));
    for (index_t first = 0; first < dipoles; first += most)
      act(first, std::min(most, dipoles - first), room.data());
  }

  Dev& dev_;
  std::optional<DeviceLattice<Dev>> lattice_;
  std::optional<Conv> convolution_;
  Vector incident_, polarization_, root_, inverse_root_;
  std::vector<CVec3> alpha_;
  Problem problem_;
  Vec3 spacing_{};
  int materials_ = 1;
  index_t n_ = 0;
  std::vector<double> fingerprint_;
};

}  // namespace umov::dda
