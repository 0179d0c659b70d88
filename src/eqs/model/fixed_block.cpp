// Couplings among electrodes at fixed potential, and materials as kernels see them.
#include "eqs/model/device_model.hpp"
#include "eqs/model/indices_where.hpp"
#include "eqs/model/pattern.hpp"

namespace umov::eqs {

std::vector<MaterialEntry> compile_materials(const Problem& p, CurveTable& curves) {
  std::vector<MaterialEntry> list;
  for (const Material& m : p.materials) {
    MaterialEntry e;
    if (m.permittivity.nonlinear())
      e.eps_curve = curves.add(m.permittivity, eps0);
    else
      e.eps = eps0 * m.permittivity.value;
    if (m.conductivity.nonlinear())
      e.kappa_curve = curves.add(m.conductivity);
    else
      e.kappa = m.conductivity.value;
    list.push_back(e);
  }
  return list;
}

namespace {

template <int Order>
FixedBlock block(const Problem& p) {
  constexpr int nodes = element_nodes<Order>;
  CurveTable curves;
  const auto materials = compile_materials(p, curves);
  ModelView model;
  if (p.mesh.tets.empty())
    return {std::vector<double>(p.electrodes.size() * p.electrodes.size()),
            std::vector<double>(p.electrodes.size() * p.electrodes.size())};
  model.tet = p.mesh.tets[0].data();
  model.x = p.mesh.nodes[0].data();
  const std::size_t count = p.electrodes.size();
  FixedBlock out{std::vector<double>(count * count, 0.0), std::vector<double>(count * count, 0.0)};
  const auto electrode_at = [&](int t, int k) {
    const NodeFunctions n = functions(p, t, k);
    return is_fixed(n.first) ? -1 - n.first : is_fixed(n.second) ? -1 - n.second : -1;
  };
  const auto touches = [&](int t) {
    for (int k = 0; k < nodes; ++k)
      if (electrode_at(t, k) >= 0) return true;
    return false;
  };
  for (const int t : indices_where(p.own_elements(), touches)) {
    int electrode[nodes];
    for (int k = 0; k < nodes; ++k) electrode[k] = electrode_at(t, k);
    const MaterialEntry& c = materials[p.material[t]];
    const Products s{Shape(model, t)};
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j) {
        if (electrode[i] < 0 || electrode[j] < 0) continue;
        const double v = stiffness<Order>(s.d, i, j);
        const std::size_t at = electrode[i] * count + electrode[j];
        if (c.eps_curve < 0) out.m[at] += c.eps * v;
        if (c.kappa_curve < 0) out.k[at] += c.kappa * v;
      }
  }
  return out;
}

}  // namespace

FixedBlock fixed_block(const Problem& p) { return p.order == 1 ? block<1>(p) : block<2>(p); }

}  // namespace umov::eqs
