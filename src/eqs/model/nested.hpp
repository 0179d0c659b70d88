// Prolongations between the meshes that a refined one came from, for multigrid.
#pragma once

#include <memory>

#include "eqs/problem.hpp"
#include "linalg/amg/nested.hpp"

namespace umov::eqs {

/// Linear interpolation of first-order unknowns from each mesh of Problem::lineage to the next finer one, the
/// finest first. Unknowns of a coarser mesh are those of the finest mesh's that its nodes have, in their
/// order; nodes at a fixed potential give nothing, and all nodes of a floating conductor have its unknown.
/// Null where the mesh was not refined, or where bodies have bases (Problem::base): potentials over a base
/// that is no node of the coarser mesh have no interpolation there.
std::shared_ptr<const amg::Nested> nested_prolongations(const Problem&);

}  // namespace umov::eqs
