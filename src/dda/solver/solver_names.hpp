// Names of solvers that a number may follow, "mlbicgstab,8".
#pragma once

#include <string>
#include <vector>

namespace umov::dda {

/// Largest such number: starting vectors of ML(n)BiCGSTAB, degree of BiCGSTAB(L).
inline constexpr int most_order = 50;

/// The solvers that have one.
const std::vector<std::string>& ordered_solvers();

}  // namespace umov::dda
