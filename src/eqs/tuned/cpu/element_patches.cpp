// How elements are cut into patches, and what their unknowns are called there.
#include "eqs/tuned/cpu/element_patches.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>

#include "core/large_memory.hpp"

namespace umov::eqs::cpu {
namespace {

constexpr int width = ElementPatches::width;

/// The first and the last patch that an unknown belongs to.
struct Reach {
  std::vector<int> first, last;
};

/// Sets the number where another one is further in the order; every thread comes to the same end.
template <class Further>
void push(int& number, int to, const Further& further) {
  const std::atomic_ref<int> at(number);
  for (int now = at.load(std::memory_order_relaxed);
       further(to, now) && !at.compare_exchange_weak(now, to, std::memory_order_relaxed);) {
  }
}

Reach reach_of(const int* dofs, int elements, int unknowns, int patch_elements) {
  Reach r{std::vector<int>(unknowns, std::numeric_limits<int>::max()), std::vector<int>(unknowns, -1)};
#pragma omp parallel for schedule(static)
  for (int e = 0; e < elements; ++e)
    for (int k = 0; k < width; ++k) {
      const int u = dofs[index_t(e) * width + k];
      if (u < 0) continue;
      push(r.first[u], e / patch_elements, std::less());
      push(r.last[u], e / patch_elements, std::greater());
    }
  return r;
}

}  // namespace

ElementPatches make_patches(const int* dofs, int elements, int unknowns, int lanes, int patch_elements) {
  ElementPatches out;
  out.unknowns = unknowns;
  out.lanes = lanes;
  const int count = (elements + patch_elements - 1) / patch_elements;
  const int groups_of_patch = (patch_elements + lanes - 1) / lanes;
  out.patches.resize(count);
  resize_large(out.place, std::size_t(index_t(count) * groups_of_patch * width * lanes));
  const Reach reach = reach_of(dofs, elements, unknowns, patch_elements);
  std::vector<std::vector<int>> locals(count);
#pragma omp parallel
  {
    std::vector<int> local(unknowns, 0);
#pragma omp for schedule(dynamic, 1)
    for (int p = 0; p < count; ++p) {
      auto& patch = out.patches[p];
      patch.first_element = p * patch_elements;
      patch.elements = std::min(patch_elements, elements - patch.first_element);
      patch.first_group = p * groups_of_patch;
      auto& list = locals[p];
      const int* own = dofs + index_t(patch.first_element) * width;
      for (int i = 0; i < patch.elements * width; ++i)
        if (own[i] >= 0 && local[own[i]] == 0) local[own[i]] = 1, list.push_back(own[i]);
      // shared ones behind, both parts ascending: reading and writing them runs forward
      const auto middle = std::partition(list.begin(), list.end(),
                                         [&](int u) { return reach.first[u] == p && reach.last[u] == p; });
      std::sort(list.begin(), middle);
      std::sort(middle, list.end());
      patch.inner = int(middle - list.begin());
      patch.shared = int(list.end() - middle);
      for (std::size_t i = 0; i < list.size(); ++i) local[list[i]] = int(i) + 1;
      std::uint16_t* place = out.place.data() + index_t(patch.first_group) * width * lanes;
      const int filled = (patch.elements + lanes - 1) / lanes * lanes;
      for (int e = 0; e < filled; ++e)
        for (int k = 0; k < width; ++k) {
          const int u = e < patch.elements ? own[e * width + k] : -1;
          place[(e / lanes * width + k) * lanes + e % lanes] = std::uint16_t(u < 0 ? 0 : local[u]);
        }
      for (const int u : list) local[u] = 0;
    }
  }
  std::vector<int> parts_of(unknowns + 1, 0);
  int unknown_count = 0;
  for (int p = 0; p < count; ++p) {
    auto& patch = out.patches[p];
    patch.first_unknown = unknown_count;
    patch.first_part = out.part_count;
    out.part_count += patch.shared;
    out.most_local = std::max(out.most_local, 1 + patch.inner + patch.shared);
    unknown_count += int(locals[p].size());
    for (int i = 0; i < patch.shared; ++i) ++parts_of[locals[p][patch.inner + i]];
  }
  resize_large(out.unknown, std::size_t(unknown_count));
#pragma omp parallel for schedule(static)
  for (int p = 0; p < count; ++p)
    std::copy(locals[p].begin(), locals[p].end(), out.unknown.begin() + out.patches[p].first_unknown);
  std::vector<int> next(unknowns, 0);
  out.part_start.push_back(0);
  for (int u = 0; u < unknowns; ++u)
    if (parts_of[u] > 0) {
      next[u] = out.part_start.back();
      out.shared.push_back(u);
      out.part_start.push_back(out.part_start.back() + parts_of[u]);
    }
  out.parts.resize(out.part_count);
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < out.patches[p].shared; ++i)
      out.parts[next[locals[p][out.patches[p].inner + i]]++] = out.patches[p].first_part + i;
  return out;
}

}  // namespace umov::eqs::cpu
