// Azimuthal averages of the Mueller matrix.
#include "dda/observables/phi_integration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/types.hpp"

namespace umov::dda {
namespace {

struct Multiplier {
  int bit;
  const char *file, *label;
  double (*value)(double phi);
};

constexpr std::array<Multiplier, 5> multipliers{{
    {1, "mueller_integr", "1         ", [](double) { return 1.0; }},
    {2, "mueller_integr_c2", "cos(2*phi)", [](double phi) { return std::cos(2 * phi); }},
    {4, "mueller_integr_s2", "sin(2*phi)", [](double phi) { return std::sin(2 * phi); }},
    {8, "mueller_integr_c4", "cos(4*phi)", [](double phi) { return std::cos(4 * phi); }},
    {16, "mueller_integr_s4", "sin(4*phi)", [](double phi) { return std::sin(4 * phi); }},
}};

PhiIntegral integrate(const Multiplier& multiplier, const ScatteringGrid& grid,
                      std::span<const ScatteringRow> rows) {
  PhiIntegral out;
  out.file = multiplier.file;
  out.theta = grid.theta;
  const std::size_t columns = grid.phi.size();
  std::vector<double> data(16 * columns);
  for (std::size_t t = 0; t < grid.theta.size(); ++t) {
    for (std::size_t p = 0; p < columns; ++p) {
      const double factor = multiplier.value(grid.phi[p] * pi / 180);
      const Mueller& m = rows[t * columns + p].mueller;
      std::transform(m.begin(), m.end(), data.begin() + 16 * p, [factor](double x) { return factor * x; });
    }
    Mueller average;
    out.error.push_back(romberg_average(*grid.phi_axis, 16, data, average));
    out.mueller.push_back(average);
  }
  return out;
}

}  // namespace

std::vector<PhiIntegral> integrate_over_phi(int mask, const ScatteringGrid& grid,
                                            std::span<const ScatteringRow> rows) {
  std::vector<PhiIntegral> out;
  for (const Multiplier& m : multipliers) {
    if (mask & m.bit) out.push_back(integrate(m, grid, rows));
  }
  return out;
}

std::string describe_phi_errors(std::span<const PhiIntegral> integrals) {
  std::string s = "\nMaximum relative mean-square error of Mueller integration:\n";
  for (const PhiIntegral& p : integrals) {
    const auto m = std::find_if(multipliers.begin(), multipliers.end(),
                                [&](const Multiplier& x) { return p.file == x.file; });
    const double worst = *std::max_element(p.error.begin(), p.error.end());
    s += fmt::format("  {} -> {:.3E}\n", m->label, worst);
  }
  return s;
}

}  // namespace umov::dda
