// K(u) u of second order on a GPU: gather, gradient, curve, test functions and sums in one kernel.
#pragma once

#include "eqs/kernels/element_product.hpp"
#include "eqs/tuned/cuda/quadratic_operator.hpp"

namespace umov::eqs::gpu {

/// As apply_patch, with the material instead of numbers: streams the mesh (vertices, material) and 40 bytes
/// of places per element, some 28 bytes per unknown of a patch. `inner` as there.
template <class Inner>
__device__ inline void flux_of_patch(const PatchView& v, const ModelView& m, int p,
                                     const double* __restrict__ u, const double* __restrict__ fixed,
                                     const Weights& w, double* __restrict__ parts, PatchWork<double>& work,
                                     const Inner& inner) {
  const int first = v.first[p], locals = v.first[p + 1] - first;
  const int t = threadIdx.x, e = p * patch_elements + t;
  const index_t base = index_t(p) * width * patch_elements;
  int place[width];
#pragma unroll
  for (int k = 0; k < width; ++k) place[k] = v.place[base + k * patch_elements + t];
  for (int i = t; i < locals; i += patch_elements) work.v[i] = u[v.unknown[first + i]];
  // loaded while the others wait for u
  const int own = min(e, v.elements - 1);
  const MaterialEntry c = m.materials[m.material[own]];
  const Shape s(m, own);
  __syncthreads();
  double x[width], y[width];
#pragma unroll
  for (int k = 0; k < width; ++k) {
    x[k] = 0;
    if (place[k] != fixed_place)
      x[k] = work.v[place[k]];
    else if (e < v.elements)
      x[k] = value_of(m.unknown[element_node<2>(m, e, k)], u, fixed);
  }
  __syncthreads();
#pragma unroll
  for (int k = width - 1; k >= 0; --k) x[k] -= x[0], y[k] = 0;
  if (e < v.elements) element_flux<2>(m, c, s, w, x, y);
#pragma unroll
  for (int k = 0; k < width; ++k) work.v[k * patch_elements + t] = y[k];
  __syncthreads();
  gather_patch(v, p, work, parts, inner);
}

template <class Then>
__global__ void __launch_bounds__(patch_elements)
    flux_kernel(PatchView v, ModelView m, const double* __restrict__ u, const double* __restrict__ fixed,
                Weights w, double* __restrict__ parts, Then then) {
  extern __shared__ char memory[];
  flux_of_patch(v, m, blockIdx.x, u, fixed, w, parts, *reinterpret_cast<PatchWork<double>*>(memory), then);
}

/// charge * q(u) + current * i(u) into the first `own` of `out`; `parts`: Patches::parts() numbers of
/// scratch.
inline void patch_flux(backend::Cuda& dev, const Patches& patches, const ModelView& model, const double* u,
                       const double* fixed, const Weights& w, double* parts, index_t own, double* out) {
  const PatchView v = patches.view();
  if (v.patches == 0) return;
  using Then = OwnRows<sparse::Store<double>>;
  flux_kernel<<<unsigned(v.patches), patch_elements, sizeof(PatchWork<double>), dev.stream()>>>(
      v, model, u, fixed, w, parts, Then{own, {out}});
  UMOV_CUDA_CHECK(cudaGetLastError());
  sum_shared_rows(dev, v, parts, Then{own, {out}});
}

}  // namespace umov::eqs::gpu
