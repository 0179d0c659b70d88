// Linear systems of a program's own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "api/family.hpp"

namespace umov {

namespace amg {
class Cycle;
}

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

/// One V-cycle of that solver's multigrid, for iterations of a program's own: z = M r with M about A^-1,
/// symmetric, and definite as A is. On the processor; of `options` it reads [solver] but for tolerance and
/// max_iterations, and machine.threads.
class Preconditioner {
 public:
  /// Throws as solve_rows does, and for another backend.
  explicit Preconditioner(const Rows&, const Tree& options = {}, const Machine& = {});
  ~Preconditioner();
  Preconditioner(Preconditioner&&) noexcept;
  std::size_t size() const { return size_; }
  /// Of vectors with as many elements as the matrix has rows; one call at a time. Throws BadInput.
  void apply(std::span<const double> r, std::span<double> z) const;

 private:
  std::size_t size_ = 0;
  std::unique_ptr<amg::Cycle> cycle_;
};

}  // namespace umov
