// The list of Krylov solvers: found by name from the command line, TOML and tests.
#pragma once

#include <string>
#include <utility>

#include "linalg/krylov/bcgs2.hpp"
#include "linalg/krylov/bicg.hpp"
#include "linalg/krylov/bicgstab.hpp"
#include "linalg/krylov/cgnr.hpp"
#include "linalg/krylov/cocr.hpp"
#include "linalg/krylov/csym.hpp"
#include "linalg/krylov/gpbicg.hpp"
#include "linalg/krylov/idrs.hpp"
#include "linalg/krylov/qmr.hpp"
#include "linalg/krylov/qmr2.hpp"

namespace umov::krylov {

/// A solver template as a value, so that a list of them can be walked.
template <template <class, class, class> class S>
struct Tag {
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
  f(Tag<Idr4>{}, "induced dimension reduction IDR(4) for any matrix, 1 product an iteration, 9 vectors");
  f(Tag<Idr8>{}, "induced dimension reduction IDR(8) for any matrix, 1 product an iteration, 17 vectors");
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
constexpr int vectors_of(TagOf) {
  return TagOf::template type<NoDevice, double, NoDevice>::vectors;
}

}  // namespace umov::krylov
