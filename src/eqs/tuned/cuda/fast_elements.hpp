// The matrix-free product of second order on a GPU: patches of elements, a block each.
#pragma once

#include <optional>
#include <string>

#include "eqs/solve/element_matrix.hpp"
#include "eqs/tuned/cuda/flux_operator.hpp"

namespace umov::eqs {

namespace gpu {

/// The unknown of every node of every element, -1 where it is fixed.
struct FillDofs {
  ModelView model;
  int* dofs;
  UMOV_HD void operator()(index_t e) const {
    for (int k = 0; k < width; ++k) {
      const int n = model.unknown[element_node<2>(model, int(e), k)];
      dofs[e * width + k] = n < 0 ? -1 : n;
    }
  }
};
/// Numbers of elements as QuadraticOperator::set asks for them.
struct NumbersOf {
  ElementView m;
  UMOV_HD bool points(int e) const { return m.place_of(e) >= 0; }
  UMOV_HD bool operator()(int e, double* g) const { return element_numbers<2>(m, e, g); }
};

}  // namespace gpu

template <>
struct ElementTables<backend::Cuda> {
  std::optional<gpu::Patches> patches;
  mutable backend::Cuda::Array<double> parts;  // of fluxes

  /// As on processors: not of first order, and not where nodes have a base.
  void make(backend::Cuda& dev, const ModelView& model, int order, int unknowns) {
    if (order != 2 || model.base) return;
    auto dofs = dev.allocate<int>(std::size_t(model.elements) * gpu::width);
    dev.for_each(model.elements, gpu::FillDofs{model, dofs.data()});
    patches.emplace(dev, dofs.data(), model.elements, unknowns);
    parts = dev.allocate<double>(patches->parts());
    dev.synchronize();
  }
  bool flux(backend::Cuda& dev, const ModelView& model, const double* u, const double* fixed,
            const Weights& w, index_t own, double* out) const {
    if (!patches) return false;
    gpu::patch_flux(dev, *patches, model, u, fixed, w, parts.data(), own, out);
    return true;
  }
  std::size_t bytes() const { return patches ? patches->bytes() + parts.bytes() : 0; }
};

template <class T>
class FastElements<backend::Cuda, T> {
 public:
  void take(backend::Cuda& dev, const ElementMatrix<backend::Cuda>& m) {
    if (!m.tables->patches) return simple_.take(dev, m);
    if (!tuned_) tuned_.emplace(dev, *m.tables->patches);
    tuned_->set(gpu::NumbersOf{m.elements});
  }
  index_t size() const { return tuned_ ? tuned_->size() : simple_.size(); }
  std::size_t bytes() const { return simple_.bytes() + (tuned_ ? tuned_->bytes() : 0); }
  std::string variant() const { return tuned_ ? "in patches" : simple_.variant(); }

  template <class Then>
  void then(const T* x, const Then& f) const {
    if (tuned_)
      tuned_->then(x, f);
    else
      simple_.then(x, f);
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    if (tuned_)
      tuned_->template then_sum<K>(x, f, sums);
    else
      simple_.template then_sum<K>(x, f, sums);
  }

 private:
  ElementProducts<backend::Cuda, T> simple_;
  std::optional<gpu::QuadraticOperator<T>> tuned_;
};

}  // namespace umov::eqs
