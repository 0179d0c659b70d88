// The list of Krylov solvers: found by name from the command line, TOML and tests.
#pragma once

#include <string>
#include <utility>

#include "linalg/krylov/bcgs2.hpp"
#include "linalg/krylov/bicg.hpp"
#include "linalg/krylov/bicg_preconditioned.hpp"
#include "linalg/krylov/bicgstab.hpp"
#include "linalg/krylov/cgnr.hpp"
#include "linalg/krylov/cgs.hpp"
#include "linalg/krylov/cocr.hpp"
#include "linalg/krylov/cocr_preconditioned.hpp"
#include "linalg/krylov/csym.hpp"
#include "linalg/krylov/gpbicg.hpp"
#include "linalg/krylov/idrs.hpp"
#include "linalg/krylov/mlbicgstab.hpp"
#include "linalg/krylov/mlbicgstab_ss.hpp"
#include "linalg/krylov/order.hpp"
#include "linalg/krylov/preconditioned.hpp"
#include "linalg/krylov/qmr.hpp"
#include "linalg/krylov/qmr2.hpp"
#include "linalg/krylov/rbicgstab.hpp"
#include "linalg/krylov/tfqmr.hpp"

namespace umov::krylov {

/// The form of a solver that takes a complex symmetric preconditioner M (with an apply() like the
/// operator's): of its own where it lives from the symmetry of A, which A M has not, else on the right.
template <template <class, class, class> class S>
struct Preconditioned {
  static constexpr bool exists = true;
  template <class Dev, class T, class Op, class M>
  using type = RightPreconditioned<S, Dev, T, Op, M>;
};
template <>
struct Preconditioned<Cocr> {
  static constexpr bool exists = true;
  template <class Dev, class T, class Op, class M>
  using type = PreconditionedCocr<Dev, T, Op, M>;
};
template <>
struct Preconditioned<Bicg> {
  static constexpr bool exists = true;
  template <class Dev, class T, class Op, class M>
  using type = PreconditionedBicg<Dev, T, Op, M>;
};
template <>
struct Preconditioned<Qmr> {
  static constexpr bool exists = true;
  template <class Dev, class T, class Op, class M>
  using type = PreconditionedQmr<Dev, T, Op, M, false>;
};
template <>
struct Preconditioned<Qmr2> {
  static constexpr bool exists = true;
  template <class Dev, class T, class Op, class M>
  using type = PreconditionedQmr<Dev, T, Op, M, true>;
};
/// Its tridiagonal form needs A and conj(A) in turn, for which there is no form of M.
template <>
struct Preconditioned<Csym> {
  static constexpr bool exists = false;
};

/// A solver template as a value, so that a list of them can be walked.
template <template <class, class, class> class S>
struct Tag {
  using Preconditioning = Preconditioned<S>;
  template <class Dev, class T, class Op>
  using type = S<Dev, T, Op>;
};

/// Calls f(tag, text) for every solver; `text` is its line of help.
template <class F>
void for_each_solver(F&& f) {
  f(Tag<Qmr>{}, "quasi-minimal residual, three-term Lanczos for complex symmetric matrices");
  f(Tag<Qmr2>{}, "quasi-minimal residual, coupled two-term recurrences: steadier rounding than qmr");
  f(Tag<Bicg>{}, "bi-conjugate gradients for complex symmetric matrices: least memory of the fast ones");
  f(Tag<Cocr>{}, "conjugate residuals for complex symmetric matrices: smoother than bicg");
  f(Tag<Csym>{}, "true minimal residual for complex symmetric matrices: never breaks down, slow");
  f(Tag<Bicgstab>{}, "stabilised bi-conjugate gradients for any matrix, 2 products an iteration");
  f(Tag<Bcgs2>{}, "enhanced Bi-CGSTAB(2) for any matrix, 4 products an iteration");
  f(Tag<Gpbicg>{}, "generalised product-type Bi-CG for any matrix, 2 products an iteration");
  f(Tag<Tfqmr>{},
    "transpose-free quasi-minimal residual for any matrix: cgs smoothed, 2 products an iteration");
  f(Tag<Cgs>{}, "conjugate gradients squared for any matrix, 2 products an iteration: fast or not at all");
  f(Tag<Idr4>{}, "induced dimension reduction IDR(4) for any matrix, 1 product an iteration, 9 vectors");
  f(Tag<Idr8>{}, "induced dimension reduction IDR(8) for any matrix, 1 product an iteration, 17 vectors");
  f(Tag<Mlbicgstab>{},
    "ML(n)BiCGSTAB with n starting vectors (mlbicgstab,n) for any matrix, 1 product an iteration");
  f(Tag<MlbicgstabOrig>{}, "the same in its authors' first form");
  f(Tag<MlbicgstabSs>{}, "ML(n)BiCGSTAB in its storage-saving form, 2 n + 2 vectors");
  f(Tag<Rbicgstab>{}, "Bi-CGSTAB(L) (rbicgstab,L) for any matrix, 2 products an iteration");
  f(Tag<Cgnr>{}, "conjugate gradients on the normal equations: never breaks down, slowest");
}

/// Name and memory of a solver without choosing a device for it.
struct NoDevice {
  template <class T>
  struct Array {};
};
template <class TagOf>
constexpr const char* name_of(TagOf) {
  return TagOf::template type<NoDevice, double, NoDevice>::name;
}
/// Vectors that it allocates, besides the solution and the residual.
template <class TagOf>
constexpr int vectors_of(TagOf, bool preconditioned = false, int order = 0) {
  using P = typename TagOf::Preconditioning;
  if constexpr (P::exists)
    if (preconditioned)
      return vectors_in<typename P::template type<NoDevice, double, NoDevice, NoDevice>>(order);
  return vectors_in<typename TagOf::template type<NoDevice, double, NoDevice>>(order);
}
/// Whether its user chooses an order.
template <class TagOf>
constexpr bool has_order(TagOf) {
  return HasOrder<typename TagOf::template type<NoDevice, double, NoDevice>>;
}
/// Whether it takes a preconditioner.
template <class TagOf>
constexpr bool takes_preconditioner(TagOf) {
  return TagOf::Preconditioning::exists;
}

}  // namespace umov::krylov
