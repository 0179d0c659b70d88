// The list of Krylov solvers: found by name from the command line, TOML and tests.
#pragma once

#include <string>
#include <utility>

#include "linalg/krylov/bicg.hpp"
#include "linalg/krylov/qmr.hpp"

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
  f(Tag<Bicg>{}, "bi-conjugate gradients for complex symmetric matrices");
}

/// Name of a solver without choosing a device for it.
struct NoDevice {
  template <class T>
  struct Array {};
};
template <class TagOf>
constexpr const char* name_of(TagOf) {
  return TagOf::template type<NoDevice, double, NoDevice>::name;
}

/// Vectors a solver keeps besides x and r.
template <class TagOf>
constexpr int vectors_of(TagOf) {
  return TagOf::template type<NoDevice, double, NoDevice>::vectors;
}

}  // namespace umov::krylov
