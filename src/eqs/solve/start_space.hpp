// Of which earlier solutions start vectors are made.
#pragma once

#include "eqs/simulation.hpp"
#include "linalg/projected_start.hpp"

namespace umov::eqs {

/// The space that a start vector is taken from; its `solutions` are 0 where it is zero.
inline linalg::StartSpace start_space(const LinearSpec& spec) {
  if (spec.start_vector == StartVector::last) return {0, false, 0, 0};
  const int own = spec.start_vector == StartVector::spe ? 10 : 20;  // Richter 2019, table 7.6
  return {spec.start_solutions > 0 ? spec.start_solutions : own, spec.start_vector != StartVector::pod, 1e-12,
          spec.start_directions};
}

}  // namespace umov::eqs
