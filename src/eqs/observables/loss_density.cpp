// kappa |E|^2, element by element.
#include "eqs/observables/loss_density.hpp"

#include <cmath>

namespace umov::eqs {

LossDensity::LossDensity(const Problem& p) : material_(p.material) {
  if (p.analysis == Analysis::electrostatic) return;
  for (const auto& m : p.materials) curve_.push_back(curves_.add(m.conductivity));
}

std::vector<float> LossDensity::of(const std::vector<float>& field) const {
  const auto kappa = curves_.view();
  std::vector<float> out;
  out.reserve(material_.size());
  for (std::size_t i = 0; i < material_.size(); ++i) {
    const double square = double(field[3 * i]) * field[3 * i] + double(field[3 * i + 1]) * field[3 * i + 1] +
                          double(field[3 * i + 2]) * field[3 * i + 2];
    out.push_back(float(kappa(curve_[std::size_t(material_[i])], std::sqrt(square)).value * square));
  }
  return out;
}

}  // namespace umov::eqs
