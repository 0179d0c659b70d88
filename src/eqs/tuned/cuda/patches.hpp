// Elements in patches whose unknowns have short local numbers: what the matrix-free product on a GPU streams.
#pragma once

#include <cstdint>

#include "backend/cuda/cuda.hpp"

namespace umov::eqs::gpu {

inline constexpr int width = 10;            ///< nodes of an element
inline constexpr int patch_elements = 192;  ///< so that patch_elements * width fits the sort below
inline constexpr int sort_size = 2048;
inline constexpr int fixed_place = 0xffff;

/// Element t of patch p is element p * patch_elements + t of the mesh: neighbours in memory are neighbours in
/// space. Of a patch's unknowns come first those no other patch has (inner), then those it shares.
struct PatchView {
  int elements = 0, patches = 0, unknowns = 0;
  const int* first = nullptr;             ///< per patch, in `unknown`; [patches + 1]
  const int* first_part = nullptr;        ///< per patch, in the sums of shared unknowns; [patches + 1]
  const int* unknown = nullptr;           ///< of a patch: inner, then shared, both ascending
  const std::uint16_t* start = nullptr;   ///< beside `unknown`: where its contributions begin in `gather`
  const std::uint16_t* place = nullptr;   ///< [patch][node][element]: local number; fixed_place
  const std::uint16_t* gather = nullptr;  ///< [patch]: node * patch_elements + element, by local number
  const std::uint16_t* filled = nullptr;  ///< per patch: contributions in `gather`
  int shared = 0;
  const int* shared_unknown = nullptr;
  const int* part_start = nullptr;
  const int* part = nullptr;  ///< places of the sums of a shared unknown, patch by patch
};

/// Patches made on the device; the same numbers every time.
class Patches {
 public:
  /// `dofs`: ten unknowns per element on the device, negative where fixed. Throws MachineFailure past 2^31
  /// places.
  Patches(backend::Cuda&, const int* dofs, int elements, int unknowns);
  PatchView view() const;
  std::size_t bytes() const;

 private:
  template <class T>
  using Array = backend::Cuda::Array<T>;
  int elements_, patches_, unknowns_, shared_count_ = 0;
  Array<int> first_, first_part_, unknown_, shared_unknown_, part_start_, part_;
  Array<std::uint16_t> start_, place_, gather_, filled_;

 public:
  int parts() const { return int(part_.size()); }
};

}  // namespace umov::eqs::gpu
