// The matrix-free product of second order on processors: patches of elements, several in a vector register.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/large_memory.hpp"
#include "eqs/solve/element_matrix.hpp"
#include "eqs/tuned/cpu/quadratic_operator.hpp"
#include "linalg/p_multigrid.hpp"

namespace umov::eqs {

template <>
struct ElementTables<backend::Cpu> {
  std::optional<cpu::ElementPatches> patches;

  /// Elements of first order are a few numbers a row in a matrix, too; where nodes have a base, an element
  /// has more than ten functions.
  void make(backend::Cpu&, const ModelView& model, int order, int unknowns) {
    if (order != 2 || model.base) return;
    constexpr int width = cpu::ElementPatches::width;
    const auto dofs = large_buffer<int>(std::size_t(model.elements) * width);
#pragma omp parallel for schedule(static)
    for (int e = 0; e < model.elements; ++e)
      for (int k = 0; k < width; ++k)
        dofs[std::size_t(e) * width + k] = std::max(-1, model.unknown[element_node<2>(model, e, k)]);
    patches.emplace(
        cpu::make_patches(dofs.get(), model.elements, unknowns, cpu::Lanes<float>::count, patch_elements));
  }
  /// Two passes serve: a curve is what takes the time.
  bool flux(backend::Cpu&, const ModelView&, const double*, const double*, const Weights&, index_t,
            double*) const {
    return false;
  }
  std::size_t bytes() const { return patches ? patches->bytes() : 0; }

 private:
  static constexpr int patch_elements = 2048;
};

template <class T>
class FastElements<backend::Cpu, T> {
 public:
  void take(backend::Cpu& dev, const ElementMatrix<backend::Cpu>& m) {
    dev_ = &dev;
    if (!m.tables->patches) return simple_.take(dev, m);
    if (!tuned_) {
      tuned_.emplace(dev, *m.tables->patches);
      y_ = dev.template allocate<T>(m.rows.rows);
    }
    tuned_->set([&](int e) { return m.elements.place_of(e) >= 0; },
                [&](int e, double* g) { return element_numbers<2>(m.elements, e, g); });
  }
  index_t size() const { return tuned_ ? tuned_->size() : simple_.size(); }
  std::size_t bytes() const { return simple_.bytes() + y_.bytes() + (tuned_ ? tuned_->bytes() : 0); }
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
    if (!tuned_) return simple_.template then_sum<K>(x, f, sums);
    tuned_->apply(x, y_.data());
    dev_->template reduce_to<K>(size(), linalg::SumStored<T, Then>{y_.data(), f}, sums);
  }

 private:
  backend::Cpu* dev_ = nullptr;
  ElementProducts<backend::Cpu, T> simple_;
  std::optional<cpu::QuadraticOperator<T>> tuned_;
  mutable backend::HostArray<T> y_;
};

}  // namespace umov::eqs
