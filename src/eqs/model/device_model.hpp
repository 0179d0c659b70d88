// The model in the memory of a device: mesh, unknowns, materials.
#pragma once

#include <vector>

#include "core/large_memory.hpp"
#include "eqs/kernels/element.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

/// Vacuum permittivity (CODATA 2018), F/m.
inline constexpr double eps0 = 8.8541878128e-12;

/// A copy on the device.
template <class Device, class T>
typename Device::template Array<T> to_device(Device& dev, const T* data, std::size_t n) {
  auto out = dev.template allocate<T>(n);
  if constexpr (requires { dev.threads(); }) {  // its memory is the host's
    prefer_large_pages(out.data(), n * sizeof(T));
    T* const to = out.data();
#pragma omp parallel for num_threads(dev.threads()) schedule(static) if (n >= std::size_t(1) << 16)
    for (std::size_t i = 0; i < n; ++i) to[i] = data[i];
  } else if (n) {
    dev.upload(out.data(), data, n);
  }
  return out;
}
template <class Device, class T>
typename Device::template Array<T> to_device(Device& dev, const std::vector<T>& v) {
  return to_device(dev, v.data(), v.size());
}

/// Materials as kernels see them; adds their curves to the table.
std::vector<MaterialEntry> compile_materials(const Problem&, CurveTable&);

template <class Device>
class DeviceModel {
  template <class T>
  using Array = typename Device::template Array<T>;

 public:
  DeviceModel(Device& dev, const Problem& p) {
    CurveTable curves;
    const auto entries = compile_materials(p, curves);
    const std::size_t elements = p.mesh.tets.size();
    tet_ = to_device(dev, elements ? p.mesh.tets[0].data() : nullptr, 4 * elements);
    if (p.order == 2) edge_ = to_device(dev, elements ? p.edges.of_tet[0].data() : nullptr, 6 * elements);
    x_ = to_device(dev, elements ? p.mesh.nodes[0].data() : nullptr, 3 * p.mesh.nodes.size());
    unknown_ = to_device(dev, p.unknown);
    material_ = to_device(dev, p.material);
    base_ = to_device(dev, p.base);
    good_ = to_device(dev, p.good);
    materials_ = to_device(dev, entries);
    curves_ = to_device(dev, curves.entries);
    knot_ = to_device(dev, curves.knot);
    log_value_ = to_device(dev, curves.log_value);
    log_slope_ = to_device(dev, curves.log_slope);
    ops_ = to_device(dev, curves.ops);
    elements_ = int(elements);
    vertices_ = int(p.mesh.nodes.size());
  }
  ModelView view() const {
    return {elements_,
            vertices_,
            tet_.data(),
            edge_.data(),
            x_.data(),
            unknown_.data(),
            material_.data(),
            materials_.data(),
            {curves_.data(), knot_.data(), log_value_.data(), log_slope_.data(), ops_.data()},
            base_.size() ? base_.data() : nullptr,
            base_.size() ? good_.data() : nullptr};
  }
  std::size_t bytes() const {
    return base_.bytes() + tet_.bytes() + edge_.bytes() + x_.bytes() + unknown_.bytes() + material_.bytes() +
           materials_.bytes() + curves_.bytes() + knot_.bytes() + log_value_.bytes() + log_slope_.bytes() +
           ops_.bytes();
  }

 private:
  int elements_ = 0, vertices_ = 0;
  Array<int> tet_, edge_, unknown_, material_, base_;
  Array<char> good_;
  Array<double> x_, knot_, log_value_, log_slope_;
  Array<MaterialEntry> materials_;
  Array<CurveEntry> curves_;
  Array<CurveOp> ops_;
};

}  // namespace umov::eqs
