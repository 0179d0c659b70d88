// One V-cycle as a linear operator, for iterations that are not ours.
#pragma once

#include <memory>
#include <span>

#include "linalg/amg/options.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::amg {

/// z = M r, M about A^-1: symmetric, and definite as A is. On the processor.
class Cycle {
 public:
  virtual ~Cycle() = default;
  /// Both have as many elements as the matrix has rows, and may be one array. One call at a time.
  virtual void apply(std::span<const double> r, std::span<double> z) = 0;
  virtual const SetupInfo& info() const = 0;
};

/// Throws BadInput as check_system does. The cycle keeps what it needs of the matrix. `threads`: 0 for all.
std::unique_ptr<Cycle> make_cycle(const sparse::HostCsr&, const Options&, int threads = 0);

}  // namespace umov::amg
