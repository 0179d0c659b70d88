// Linear systems of a program's own.
#pragma once

#include <span>

#include "api/family.hpp"

namespace umov {

/// A square matrix in compressed rows: row i has entries start[i] .. start[i + 1] in `column`, ascending, and
/// `value`.
struct Rows {
  std::span<const int> start, column;
  std::span<const double> value;
};

/// Solves A x = b as the family "solve" solves a system of files: symmetric, definite, both triangles given.
/// `options` is a case of it without files ([solver], [machine]). The result has x under that name. Throws
/// BadInput for a matrix that is none, and for options that name files.
results::Result solve_rows(const Rows& a, std::span<const double> b, const Tree& options = {},
                           const Machine& = {}, const Observer& = {});

}  // namespace umov
