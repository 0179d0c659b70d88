// Making patches: a block sorts the unknowns of its elements, and what it needs follows from their order.
#include <algorithm>

#include "eqs/tuned/cuda/patches.hpp"

namespace umov::eqs::gpu {
namespace {

using backend::Cuda;
using Key = unsigned long long;

constexpr int threads = 256;
constexpr Key none = ~Key(0);
constexpr Key shared_bit = Key(1) << 50;
constexpr int entry_bits = 12;

struct Reach {  // first and last patch of an unknown
  const int* dofs;
  int *first, *last;
  __device__ void operator()(index_t i) const {
    const int u = dofs[i], p = int(i / (width * patch_elements));
    if (u < 0) return;
    atomicMin(first + u, p);
    atomicMax(last + u, p);
  }
};
struct StartReach {
  int *first, *last;
  UMOV_HD void operator()(index_t i) const { first[i] = 0x7fffffff, last[i] = -1; }
};

/// Contributions of a patch sorted by (shared, unknown, entry), entry = node * patch_elements + element.
__device__ void sort_patch(const int* dofs, int elements, const int* first, const int* last, Key* key) {
  const int begin = blockIdx.x * patch_elements;
  for (int i = threadIdx.x; i < sort_size; i += threads) {
    Key k = none;
    const int node = i / patch_elements, t = i % patch_elements, e = begin + t;
    if (node < width && e < elements) {
      const int u = dofs[index_t(e) * width + node];
      if (u >= 0) k = (first[u] < last[u] ? shared_bit : 0) | Key(u) << entry_bits | Key(i);
    }
    key[i] = k;
  }
  for (int run = 2; run <= sort_size; run *= 2)
    for (int gap = run / 2; gap > 0; gap /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < sort_size / 2; i += threads) {
        const int low = 2 * gap * (i / gap) + i % gap, high = low + gap;
        const bool up = (low & run) == 0;
        const Key a = key[low], b = key[high];
        if ((a > b) == up) key[low] = b, key[high] = a;
      }
    }
  __syncthreads();
}

__device__ bool begins(const Key* key, int i) {
  return key[i] != none && (i == 0 || key[i] >> entry_bits != key[i - 1] >> entry_bits);
}

__global__ void __launch_bounds__(threads)
    count_patch(const int* dofs, int elements, const int* first, const int* last, int* local, int* shared) {
  __shared__ Key key[sort_size];
  __shared__ int all, across;
  if (threadIdx.x == 0) all = across = 0;
  sort_patch(dofs, elements, first, last, key);
  int mine = 0, mine_shared = 0;
  for (int i = threadIdx.x; i < sort_size; i += threads)
    if (begins(key, i)) ++mine, mine_shared += (key[i] & shared_bit) != 0;
  atomicAdd(&all, mine);
  atomicAdd(&across, mine_shared);
  __syncthreads();
  if (threadIdx.x == 0) local[blockIdx.x] = all, shared[blockIdx.x] = across;
}

__global__ void __launch_bounds__(threads)
    fill_patch(const int* dofs, int elements, const int* first, const int* last, const int* patch_first,
               int* unknown, std::uint16_t* start, std::uint16_t* place, std::uint16_t* gather,
               std::uint16_t* filled) {
  constexpr int each = sort_size / threads;
  __shared__ Key key[sort_size];
  __shared__ int before[threads / 32];
  __shared__ int valid;
  if (threadIdx.x == 0) valid = 0;
  sort_patch(dofs, elements, first, last, key);
  const index_t base = index_t(blockIdx.x) * width * patch_elements;
  for (int i = threadIdx.x; i < width * patch_elements; i += threads) place[base + i] = fixed_place;
  // local numbers: prefix sums over the beginnings, `each` neighbours per thread
  int mine = 0, have = 0;
  for (int k = 0; k < each; ++k) {
    mine += begins(key, threadIdx.x * each + k);
    have += key[threadIdx.x * each + k] != none;
  }
  atomicAdd(&valid, have);
  int sum = mine;
  for (int o = 1; o < 32; o *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, sum, o);
    if (int(threadIdx.x % 32) >= o) sum += other;
  }
  if (threadIdx.x % 32 == 31) before[threadIdx.x / 32] = sum;
  __syncthreads();
  int number = sum - mine;
  for (int w = 0; w < int(threadIdx.x / 32); ++w) number += before[w];
  const int to = patch_first[blockIdx.x];
  for (int k = 0; k < each; ++k) {
    const int i = threadIdx.x * each + k;
    if (key[i] == none) break;
    if (begins(key, i)) {
      unknown[to + number] = int((key[i] & (shared_bit - 1)) >> entry_bits);
      start[to + number] = std::uint16_t(i);
      ++number;
    }
    const int entry = int(key[i] & ((1 << entry_bits) - 1));
    place[base + entry] = std::uint16_t(number - 1);
    gather[base + i] = std::uint16_t(entry);
  }
  if (threadIdx.x == 0) filled[blockIdx.x] = std::uint16_t(valid);
}

struct CountParts {  // per shared unknown of every patch
  const int *first, *first_part, *unknown;
  int* count;
  __device__ void operator()(index_t p) const {
    const int shared = first_part[p + 1] - first_part[p], begin = first[p + 1] - shared;
    for (int i = 0; i < shared; ++i) atomicAdd(count + unknown[begin + i], 1);
  }
};
struct MarkShared {
  const int* count;
  int* number;
  UMOV_HD void operator()(index_t u) const { number[u] = count[u] > 0; }
};
struct ListShared {
  const int *count, *number;
  int *shared_unknown, *part_start;
  UMOV_HD void operator()(index_t u) const {
    if (count[u] > 0) shared_unknown[number[u]] = int(u), part_start[number[u]] = count[u];
  }
};
struct PutParts {
  const int *first, *first_part, *unknown, *number, *part_start;
  int *next, *part;
  __device__ void operator()(index_t p) const {
    const int shared = first_part[p + 1] - first_part[p], begin = first[p + 1] - shared;
    for (int i = 0; i < shared; ++i) {
      const int s = number[unknown[begin + i]];
      part[part_start[s] + atomicAdd(next + s, 1)] = first_part[p] + i;
    }
  }
};
struct SortParts {  // patches arrive in any order
  const int* part_start;
  int* part;
  UMOV_HD void operator()(index_t s) const {
    for (int i = part_start[s] + 1; i < part_start[s + 1]; ++i) {
      const int v = part[i];
      int to = i;
      for (; to > part_start[s] && part[to - 1] > v; --to) part[to] = part[to - 1];
      part[to] = v;
    }
  }
};

}  // namespace

Patches::Patches(Cuda& dev, const int* dofs, int elements, int unknowns)
    : elements_(elements), patches_((elements + patch_elements - 1) / patch_elements), unknowns_(unknowns) {
  auto first_patch = dev.allocate<int>(unknowns), last_patch = dev.allocate<int>(unknowns);
  dev.for_each(unknowns, StartReach{first_patch.data(), last_patch.data()});
  dev.for_each(index_t(elements) * width, Reach{dofs, first_patch.data(), last_patch.data()});
  first_ = dev.allocate<int>(patches_ + 1), first_part_ = dev.allocate<int>(patches_ + 1);
  dev.fill_zero(first_.data() + patches_, 1);
  dev.fill_zero(first_part_.data() + patches_, 1);
  if (patches_)
    count_patch<<<unsigned(patches_), threads, 0, dev.stream()>>>(
        dofs, elements, first_patch.data(), last_patch.data(), first_.data(), first_part_.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  const index_t locals = dev.exclusive_scan(first_.data(), patches_ + 1);
  const index_t parts = dev.exclusive_scan(first_part_.data(), patches_ + 1);
  if (locals > 2147483647)
    throw MachineFailure("too many elements for the GPU's product; use a coarser mesh");
  unknown_ = dev.allocate<int>(locals);
  start_ = dev.allocate<std::uint16_t>(locals);
  place_ = dev.allocate<std::uint16_t>(std::size_t(patches_) * width * patch_elements);
  gather_ = dev.allocate<std::uint16_t>(std::size_t(patches_) * width * patch_elements);
  filled_ = dev.allocate<std::uint16_t>(patches_);
  if (patches_)
    fill_patch<<<unsigned(patches_), threads, 0, dev.stream()>>>(
        dofs, elements, first_patch.data(), last_patch.data(), first_.data(), unknown_.data(), start_.data(),
        place_.data(), gather_.data(), filled_.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  // sums that several patches have a part in
  auto& count = first_patch;
  auto& number = last_patch;
  dev.fill_zero(count.data(), unknowns);
  dev.for_each(patches_, CountParts{first_.data(), first_part_.data(), unknown_.data(), count.data()});
  dev.for_each(unknowns, MarkShared{count.data(), number.data()});
  shared_count_ = int(dev.exclusive_scan(number.data(), unknowns));
  shared_unknown_ = dev.allocate<int>(shared_count_);
  part_start_ = dev.allocate<int>(shared_count_ + 1);
  dev.fill_zero(part_start_.data() + shared_count_, 1);
  dev.for_each(unknowns, ListShared{count.data(), number.data(), shared_unknown_.data(), part_start_.data()});
  dev.exclusive_scan(part_start_.data(), shared_count_ + 1);
  part_ = dev.allocate<int>(parts);
  dev.fill_zero(count.data(), unknowns);
  dev.for_each(patches_, PutParts{first_.data(), first_part_.data(), unknown_.data(), number.data(),
                                  part_start_.data(), count.data(), part_.data()});
  dev.for_each(shared_count_, SortParts{part_start_.data(), part_.data()});
}

PatchView Patches::view() const {
  return {elements_,          patches_,        unknowns_,     first_.data(),
          first_part_.data(), unknown_.data(), start_.data(), place_.data(),
          gather_.data(),     filled_.data(),  shared_count_, shared_unknown_.data(),
          part_start_.data(), part_.data()};
}

std::size_t Patches::bytes() const {
  return first_.bytes() + first_part_.bytes() + unknown_.bytes() + shared_unknown_.bytes() +
         part_start_.bytes() + part_.bytes() + start_.bytes() + place_.bytes() + gather_.bytes() +
         filled_.bytes();
}

}  // namespace umov::eqs::gpu
