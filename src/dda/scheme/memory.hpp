// Memory that a dipole run will need, known before anything is allocated.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "dda/engine.hpp"
#include "dda/kernels/product.hpp"

namespace umov::dda {

/// Bytes on the device of each large array: tensor, lines and slices of the product, solver vectors of 3 N
/// complex numbers, bit fields. "cpu" counts the tuned product of that backend with so many threads (0 =
/// all), any other backend the generic one: tensor 6 hx hy hz, lines 3 gx ny nz, slices 3 width gy gz.
/// With preconditioners the largest of those that may be tried, and its set-up, which is freed before the
/// solve. A problem with `inner_float` has the double product and vectors of its solution, and the product,
/// the solver and the preconditioner in float.
std::vector<MemoryUse> estimate_memory(const Problem&, const std::string& solver, Precision,
                                       const std::string& backend = "serial", int threads = 0,
                                       const std::vector<Preconditioner>& = {});

/// The same for solves in the sectors of mirror planes: product, vectors and preconditioner of the fraction,
/// fields of the whole. On "cuda" the tuned product, where it can be.
std::vector<MemoryUse> estimate_memory(const Problem&, const std::array<bool, 3>& planes,
                                       const std::string& solver, Precision, const std::string& backend,
                                       int threads, const std::vector<Preconditioner>&);

/// Grid of the transforms that set up a preconditioner: as far as the medium reaches and back, or the box.
Int3 inverse_grid(const Preconditioner&, const shapes::Particle&);

/// Complex numbers of the lines that are transformed together there: some that stay in a core's caches, or as
/// many as fill a GPU.
inline std::size_t inverse_buffer(const GridView& g, bool in_caches) {
  const std::size_t length = std::max({g.gx, g.gy, g.gz}), most = std::size_t(g.hy) * std::max(g.hx, g.hz);
  return length * std::clamp<std::size_t>((in_caches ? 1 << 15 : 1 << 23) / length, 1, most);
}

/// Of one more right-hand side of a block: its solution, the vectors of the iteration, lines of its product;
/// with mirror planes those of the particle's fraction, and the fields of the whole.
std::size_t block_bytes(const Problem&, const std::array<bool, 3>& planes, Precision,
                        const std::string& backend, int threads);

std::size_t total_bytes(const std::vector<MemoryUse>&);

/// The next product of 2, 3, 5 and 7 not below n.
int next_fast_length(int n);

/// Sizes of the transforms: twice the box along every axis longer than one site, padded, or as given.
/// Throws BadInput when a given size is smaller than twice the box.
Int3 transform_grid(const Int3& box, const Int3& given);

}  // namespace umov::dda
