// The engine of one rank's slab on a backend in one precision, each compiled on its own.
#pragma once

#include "dda/engines/engine_on.hpp"
#include "dda/ranks/inverse_lattice.hpp"
#include "dda/ranks/product.hpp"
#include "dda/ranks/shadows.hpp"
#include "dda/ranks/state_files.hpp"
#include "dda/solver/refined_solver.hpp"

namespace umov::dda {

/// The twin in float of a double engine; compiled with the single one.
template <class Dev>
std::unique_ptr<InnerSolver<comm::OnRanks<Dev>>> make_rank_inner(comm::OnRanks<Dev>&);

/// `ProductOf`: of a device of several ranks.
template <class Dev, class T, template <class, class> class ProductOf, class... Args>
std::unique_ptr<Engine> make_slab_engine(const EngineRequest& request, Args&&... args) {
  using Ranked = comm::OnRanks<Dev>;
  InnerMaker<Ranked> inner = nullptr;
  if constexpr (std::is_same_v<T, double>) inner = make_rank_inner<Dev>;
  return std::make_unique<EngineOn<Ranked, T, ProductOf>>(inner, *request.ranks, std::forward<Args>(args)...);
}

}  // namespace umov::dda
