// Quantities of a state on the device: peaks, energies, losses, fields, potentials.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "eqs/engine.hpp"
#include "eqs/kernels/observe.hpp"
#include "eqs/solve/system.hpp"

namespace umov::eqs {

/// A state: potentials and electrodes; harmonic: with imaginary parts.
struct StateView {
  const double *u = nullptr, *fixed = nullptr, *u_imaginary = nullptr, *fixed_imaginary = nullptr;
};

template <class Device>
class Observer {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  Observer(System<Device>& system, const Problem& p) : system_(system), p_(p) {
    std::vector<int> list;
    list.reserve(p.material.size());
    for (std::size_t m = 0; m < p.materials.size(); ++m) {
      first_.push_back(list.size());
      for (std::size_t t = 0; t < std::size_t(p.own_elements()); ++t)
        if (p.material[t] == int(m)) list.push_back(int(t));
    }
    first_.push_back(list.size());
    auto& dev = system.device();
    by_material_ = to_device(dev, list);
    largest_ = dev.template allocate<double>(list.size());
    vertex_ = dev.template allocate<int>(list.size());
  }

  /// Peaks, energy and power per material (means over a period where the state is complex), times the
  /// symmetry factor.
  void fill(const StateView& s, Observation& o) {
    auto& dev = system_.device();
    for (const double* u : {s.u, s.u_imaginary}) system_.update(u);
    system_.by_order([&](auto tag) {
      constexpr int order = decltype(tag)::value;
      const ModelView model = system_.model();
      dev.for_each(index_t(by_material_.size()),
                   LargestField<order>{model, by_material_.data(), s.u, s.u_imaginary, s.fixed,
                                       s.fixed_imaginary, largest_.data(), vertex_.data()});
      for (std::size_t m = 0; m < p_.materials.size(); ++m) {
        o.peaks.push_back(peak(m));
        if constexpr (comm::is_ranked<Device>) o.peaks.back() = largest_of_ranks(o.peaks.back());
        const index_t n = count(m);
        const int* elements = by_material_.data() + first_[m];
        auto sums =
            dev.template map_reduce<2, double>(n, EnergyAndLoss<order>{model, elements, s.u, s.fixed});
        if (s.u_imaginary) {
          const auto more = dev.template map_reduce<2, double>(
              n, EnergyAndLoss<order>{model, elements, s.u_imaginary, s.fixed_imaginary});
          for (int k = 0; k < 2; ++k) sums.v[k] = (sums.v[k] + more.v[k]) / 2;
        }
        o.material_energy.push_back(p_.symmetry_factor * sums.v[0]);
        o.material_power.push_back(p_.symmetry_factor * sums.v[1]);
        o.energy += o.material_energy.back();
        o.power += o.material_power.back();
      }
    });
  }

  std::vector<double> potential(const double* u, const double* fixed) {
    auto& dev = system_.device();
    system_.update(u);
    auto out = dev.template allocate<double>(p_.nodes);
    dev.for_each(p_.nodes,
                 NodePotential{system_.model().unknown, system_.model().base, u, fixed, out.data()});
    std::vector<double> host(p_.nodes);
    dev.download(host.data(), out.data(), host.size());
    return host;
  }
  std::vector<float> field(const double* u, const double* fixed) {
    auto& dev = system_.device();
    system_.update(u);
    const std::size_t elements = p_.mesh.tets.size();
    auto out = dev.template allocate<float>(12 * elements);
    system_.by_order([&](auto tag) {
      dev.for_each(index_t(elements),
                   FieldAtVertices<decltype(tag)::value>{system_.model(), u, fixed, out.data()});
    });
    std::vector<float> host(12 * elements);
    dev.download(host.data(), out.data(), host.size());
    return host;
  }

  std::size_t bytes() const { return by_material_.bytes() + largest_.bytes() + vertex_.bytes(); }

 private:
  index_t count(std::size_t m) const { return index_t(first_[m + 1] - first_[m]); }

  /// The first rank's of equal ones.
  Observation::Peak largest_of_ranks(const Observation::Peak& own) {
    Observation::Peak out{-1, {}};
    for (const auto& p : comm::all_gather(system_.device().comm(), own))
      if (p.field > out.field || std::isnan(p.field)) out = p;
    return out;
  }
  Observation::Peak peak(std::size_t m) {
    auto& dev = comm::alone(system_.device());
    const index_t n = count(m);
    Observation::Peak out;
    if (n == 0) return out;
    const double* values = largest_.data() + first_[m];
    out.field = dev.map_max(n, ValueAt{values});
    const index_t place = n - index_t(dev.map_max(n, FirstPlaceOf{values, out.field, n}));
    if (place >= n) return out;  // not a number
    int element = 0, vertex = 0;
    dev.download(&element, by_material_.data() + first_[m] + place, 1);
    dev.download(&vertex, vertex_.data() + first_[m] + place, 1);
    const auto& t = p_.mesh.tets[element];
    out.at = p_.mesh.nodes[t[vertex]];
    if (p_.order == 1) {
      out.at = {0, 0, 0};
      for (const int k : t) out.at = out.at + 0.25 * p_.mesh.nodes[k];
    }
    return out;
  }

  System<Device>& system_;
  const Problem& p_;
  std::vector<std::size_t> first_;
  Array<int> by_material_, vertex_;
  Array<double> largest_;
};

}  // namespace umov::eqs
