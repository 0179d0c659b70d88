// Vectors that a singular matrix maps to zero, and right-hand sides that have a part along them.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/amg/solver.hpp"

namespace umov::amg {

/// Orthonormal vectors v with |A v| <= 1e-12 |A| |v|: for random y the solver's answer x to A x = A y differs
/// from y by such a vector, and so does each of its parts on a block of A that no entry joins to another.
/// `solver` is set up with A; its aim changes. Finds all of up to eight in a block; none where A is regular.
/// `all` tells whether no more were left.
std::vector<std::vector<double>> null_vectors(const sparse::HostCsr& a, LinearSolver& solver,
                                              int max_iterations, bool* all = nullptr);

/// Numbers in (-1, 1) that are the same every time; `state` goes on.
std::vector<double> random_vector(int n, std::uint64_t& state);

/// Takes the part of b along orthonormal vectors out of it; returns its length.
double project_out(const std::vector<std::vector<double>>& vectors, std::vector<double>& b);

}  // namespace umov::amg
