// Integrals over this rank's elements: energy norm, losses, the size of the field in every material.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "eqs/kernels/vectors.hpp"
#include "eqs/model/device_model.hpp"
#include "eqs/solve/by_order.hpp"
#include "eqs/solve/field_size.hpp"

namespace umov::eqs {

/// eps |E|^2, the square of the energy norm, and kappa |E|^2, the power lost, W.
struct Forms {
  double energy_square, power;
};

/// Of potentials u, those behind the unknowns up to date, and of the electrodes (`fixed`).
template <class Device>
struct ElementIntegrals {
  Device& dev;
  ModelView model;
  int order;
  index_t elements;
  int materials;

  Forms forms(const double* u, const double* fixed) const {
    Forms f{};
    with_order(order, [&](auto o) {
      constexpr int n = decltype(o)::value;
      const auto sums = dev.template map_reduce<2, double>(elements, ElementForms<n>{model, u, fixed});
      f = {sums.v[0], sums.v[1]};
    });
    return f;
  }
  /// How large the field is, in the whole and in every material.
  FieldSize field_size(const double* u, const double* fixed) const {
    FieldSize size{std::sqrt(forms(u, fixed).energy_square), {}};
    with_order(order, [&](auto o) {
      constexpr int n = decltype(o)::value;
      size.material = of_materials([&](int first) { return MaterialForms<n>{model, u, fixed, first}; });
    });
    for (double& m : size.material) m = std::sqrt(m);
    return size;
  }
  /// Of the materials, m³.
  std::vector<double> volumes() const {
    return of_materials([&](int first) { return MaterialVolumes{model, first}; });
  }

 private:
  /// A sum of elements for every material; `functor` takes the first one of those that it sums.
  template <class F>
  std::vector<double> of_materials(const F& functor) const {
    std::vector<double> sums(std::size_t(materials), 0.0);
    for (int first = 0; first < materials; first += materials_at_once) {
      const auto some = dev.template map_reduce<materials_at_once, double>(elements, functor(first));
      std::copy_n(some.v, std::min(materials_at_once, materials - first), sums.begin() + first);
    }
    return sums;
  }
};

}  // namespace umov::eqs
