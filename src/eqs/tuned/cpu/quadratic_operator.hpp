// The stiffness matrix of second order applied element by element, several in a vector register.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "eqs/kernels/element_stiffness.hpp"
#include "eqs/tuned/cpu/element_patches.hpp"
#include "eqs/tuned/cpu/lanes.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::eqs::cpu {

/// y = sum over elements of K_e x on the cpu backend. An element has six numbers (quadratic_stiffness) or, in
/// groups with one whose tensor differs from point to point, point_numbers. Streams 6 T (24 T) + 20 bytes per
/// element and some 3 T + 4 bytes per unknown of a patch.
template <class T>
class QuadraticOperator {
  static constexpr int lanes = Lanes<T>::count, width = ElementPatches::width;
  using V = typename Lanes<T>::Vector;

 public:
  /// Without its numbers yet. `patches` outlives this.
  QuadraticOperator(backend::Cpu& dev, const ElementPatches& patches)
      : dev_(dev), patches_(patches), part_(patches.part_count) {}
  /// gram(e) -> six numbers.
  template <class Gram>
  QuadraticOperator(backend::Cpu& dev, const ElementPatches& patches, const Gram& gram)
      : QuadraticOperator(dev, patches) {
    set([](int) { return false; },
        [&](int e, double* g) {
          const auto six = gram(e);
          std::copy(six.begin(), six.end(), g);
          return false;
        });
  }

  /// has_points(e): does the element have point_numbers? numbers(e, g) fills them and says so again. The same
  /// answers of has_points at every call.
  template <class HasPoints, class Numbers>
  void set(const HasPoints& has_points, const Numbers& numbers) {
    if (first_.empty()) lay_out(has_points);
#pragma omp parallel for schedule(dynamic, 1) num_threads(dev_.threads())
    for (std::size_t p = 0; p < patches_.patches.size(); ++p) fill(patches_.patches[p], numbers);
  }

  index_t size() const { return patches_.unknowns; }
  std::size_t bytes() const { return numbers_.bytes() + part_.bytes() + first_.size() * 4; }

  /// f(i, (A x)_i) once for every i.
  template <class Then>
  void then(const T* x, const Then& f) const {
    sweep(
        x,
        [](bool points, const V* g, const V* u, V* y) {
          if (points)
            quadratic_stiffness_points<T>(g, u, y);
          else
            quadratic_stiffness(g, u, y);
        },
        f);
  }
  void apply(const T* x, T* y) const { then(x, sparse::Store<T>{y}); }
  /// f(i, a_ii) once for every i, of six numbers per element.
  template <class Then>
  void diagonal_then(const Then& f) const {
    sweep(
        static_cast<const T*>(nullptr),
        [](bool, const V* g, const V*, V* y) { quadratic_stiffness_diagonal(g, y); }, f);
  }

 private:
  /// Groups of `lanes` elements before those of a patch.
  int first_group(const ElementPatches::Patch& patch) const {
    return patch.first_group * (patches_.lanes / lanes);
  }
  int groups(const ElementPatches::Patch& patch) const {
    return (patch.elements + patches_.lanes - 1) / patches_.lanes * (patches_.lanes / lanes);
  }
  template <class HasPoints>
  void lay_out(const HasPoints& has_points) {
    const int all = int(patches_.place.size() / width / lanes);
    first_.assign(all + 1, 0);
    for (const auto& patch : patches_.patches)
      for (int g = 0; g < groups(patch); ++g) {
        bool any = false;
        for (int e = g * lanes; e < std::min((g + 1) * lanes, patch.elements); ++e)
          any = any || has_points(patch.first_element + e);
        first_[first_group(patch) + g + 1] = any ? point_numbers / 6 : 1;
      }
    for (int g = 0; g < all; ++g) first_[g + 1] += first_[g];
    numbers_ = backend::HostArray<T>(std::size_t(first_[all]) * 6 * lanes);
  }
  template <class Numbers>
  void fill(const ElementPatches::Patch& patch, const Numbers& numbers) {
    const int* first = first_.data() + first_group(patch);
    for (int g = 0; g < groups(patch); ++g, ++first) {
      T* to = numbers_.data() + index_t(first[0]) * 6 * lanes;
      const bool wide = first[1] - first[0] > 1;
      for (int l = 0; l < lanes; ++l) {
        const int e = g * lanes + l;
        double n[point_numbers] = {};
        const bool points = e < patch.elements && numbers(patch.first_element + e, n);
        // the same coefficient at every point: a quarter of the volume each, not a twentieth
        if (wide && !points)
          for (int k = point_numbers - 1; k >= 0; --k) n[k] = 5 * n[k % 6];
        for (int k = 0; k < (wide ? point_numbers : 6); ++k) to[k * lanes + l] = T(n[k]);
      }
    }
  }

  /// x = nullptr: `element` looks at no u.
  template <class Element, class Then>
  void sweep(const T* x, const Element& element, const Then& f) const {
    const int count = int(patches_.patches.size());
#pragma omp parallel num_threads(dev_.threads())
    {
      backend::HostArray<T> local(patches_.most_local), sum(patches_.most_local);
#pragma omp for schedule(dynamic, 1)
      for (int p = 0; p < count; ++p) {
        const auto& patch = patches_.patches[p];
        apply_patch(patch, x, element, local.data(), sum.data());
        const int* unknown = patches_.unknown.data() + patch.first_unknown;
        for (int i = 0; i < patch.inner; ++i) f(unknown[i], sum.data()[1 + i]);
        std::copy_n(sum.data() + 1 + patch.inner, patch.shared, part_.data() + patch.first_part);
      }
      const int shared = int(patches_.shared.size());
#pragma omp for schedule(static)
      for (int s = 0; s < shared; ++s) {
        T v = 0;
        for (int k = patches_.part_start[s]; k < patches_.part_start[s + 1]; ++k)
          v += part_.data()[patches_.parts[k]];
        f(patches_.shared[s], v);
      }
    }
  }

  template <class Element>
  void apply_patch(const ElementPatches::Patch& patch, const T* x, const Element& element, T* local,
                   T* sum) const {
    const int* unknown = patches_.unknown.data() + patch.first_unknown;
    const int n = patch.inner + patch.shared;
    local[0] = 0;
    for (int i = 0; i < n; ++i) local[1 + i] = x ? x[unknown[i]] : T(0);
    std::fill_n(sum, 1 + n, T(0));
    // places lie in groups of patches_.lanes, which is a multiple of the lanes used here
    const int groups = (patch.elements + patches_.lanes - 1) / patches_.lanes;
    const std::uint16_t* place = patches_.place.data() + index_t(patch.first_group) * width * patches_.lanes;
    const int* first = first_.data() + first_group(patch);
    for (int group = 0; group < groups; ++group, place += width * patches_.lanes)
      for (int part = 0; part < patches_.lanes / lanes; ++part, ++first) {
        const V* g = reinterpret_cast<const V*>(numbers_.data()) + index_t(first[0]) * 6;
        V u[width], y[width];
        for (int k = 0; k < width; ++k) u[k] = gather(local, place + k * patches_.lanes + part * lanes);
        element(first[1] - first[0] > 1, g, u, y);
        for (int k = 0; k < width; ++k) {
          alignas(register_bytes) T v[lanes];
          *reinterpret_cast<V*>(v) = y[k];
          const std::uint16_t* to = place + k * patches_.lanes + part * lanes;
          for (int l = 0; l < lanes; ++l) sum[to[l]] += v[l];
        }
      }
  }

  backend::Cpu& dev_;
  const ElementPatches& patches_;
  std::vector<int> first_;  // per group, in its numbers, by six registers
  backend::HostArray<T> numbers_;
  mutable backend::HostArray<T> part_;
};

}  // namespace umov::eqs::cpu
