// The stiffness matrix of second order applied element by element, several in a vector register.
#pragma once

#include <omp.h>

#include <vector>

#include "backend/cpu/cpu.hpp"
#include "eqs/kernels/quadratic_stiffness.hpp"
#include "eqs/tuned/cpu/element_patches.hpp"
#include "eqs/tuned/cpu/lanes.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::eqs::cpu {

/// y = sum over elements of K_e x on the cpu backend. Streams 6 T + 20 bytes per element and some
/// 3 T + 4 bytes per unknown of a patch.
template <class T>
class QuadraticOperator {
  static constexpr int lanes = Lanes<T>::count, width = ElementPatches::width;
  using V = typename Lanes<T>::Vector;

 public:
  /// gram(e) -> six numbers as quadratic_stiffness wants them. `patches` outlives this.
  template <class Gram>
  QuadraticOperator(backend::Cpu& dev, const ElementPatches& patches, const Gram& gram)
      : dev_(dev),
        patches_(patches),
        gram_(patches.place.size() / width * 6 / lanes * lanes),
        part_(patches.part_count) {
#pragma omp parallel for schedule(static) num_threads(dev.threads())
    for (std::size_t p = 0; p < patches.patches.size(); ++p) {
      const auto& patch = patches.patches[p];
      T* to = gram_.data() + index_t(patch.first_group) * patches.lanes * 6;
      const int filled = (patch.elements + patches.lanes - 1) / patches.lanes * patches.lanes;
      for (int e = 0; e < filled; ++e) {
        std::array<double, 6> g{};
        if (e < patch.elements) g = gram(patch.first_element + e);
        for (int k = 0; k < 6; ++k) to[(e / lanes * 6 + k) * lanes + e % lanes] = T(g[k]);
      }
    }
  }

  index_t size() const { return patches_.unknowns; }
  std::size_t bytes() const { return gram_.bytes() + part_.bytes(); }

  /// f(i, (A x)_i) once for every i.
  template <class Then>
  void then(const T* x, const Then& f) const {
    sweep(
        x, [](const V* g, const V* u, V* y) { quadratic_stiffness(g, u, y); }, f);
  }
  void apply(const T* x, T* y) const { then(x, sparse::Store<T>{y}); }
  /// f(i, a_ii) once for every i.
  template <class Then>
  void diagonal_then(const Then& f) const {
    sweep(
        static_cast<const T*>(nullptr),
        [](const V* g, const V*, V* y) { quadratic_stiffness_diagonal(g, y); }, f);
  }

 private:
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
    const V* g = reinterpret_cast<const V*>(gram_.data() + index_t(patch.first_group) * patches_.lanes * 6);
    for (int group = 0; group < groups; ++group, place += width * patches_.lanes)
      for (int part = 0; part < patches_.lanes / lanes; ++part, g += 6) {
        V u[width], y[width];
        for (int k = 0; k < width; ++k) u[k] = gather(local, place + k * patches_.lanes + part * lanes);
        element(g, u, y);
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
  backend::HostArray<T> gram_;
  mutable backend::HostArray<T> part_;
};

}  // namespace umov::eqs::cpu
