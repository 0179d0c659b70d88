// Azimuthal averages of the Mueller matrix.
#include "dda/observables/phi_integration.hpp"

#include <array>
#include <cmath>

#include "core/types.hpp"

namespace umov::dda {
namespace {

struct Multiplier {
  int bit;
  const char* file;
  double (*value)(double phi);
};

constexpr std::array<Multiplier, 5> multipliers{{
    {1, "mueller_integr", [](double) { return 1.0; }},
    {2, "mueller_integr_c2", [](double phi) { return std::cos(2 * phi); }},
    {4, "mueller_integr_s2", [](double phi) { return std::sin(2 * phi); }},
    {8, "mueller_integr_c4", [](double phi) { return std::cos(4 * phi); }},
    {16, "mueller_integr_s4", [](double phi) { return std::sin(4 * phi); }},
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

}  // namespace umov::dda
