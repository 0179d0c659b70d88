// Tabulates the integrated Green's tensor.
#include "dda/scheme/interaction_table.hpp"

#include <algorithm>
#include <cmath>

#include "dda/kernels/integrated_green.hpp"

namespace umov::dda {

InteractionTable make_igt_table(const std::vector<double>& arguments, double k, const Vec3& spacing,
                                const Int3& box) {
  const double limit = arguments.empty() ? -1 : arguments[0];
  const IntegratedGreen<double> term{{k, {spacing[0], spacing[1], spacing[2]}}, limit};
  const double reach = limit * *std::max_element(spacing.begin(), spacing.end());
  InteractionTable table;
  for (int c = 0; c < 3; ++c) {
    table.extent[c] = box[c];
    if (limit >= 0) table.extent[c] = int(std::min<double>(box[c], std::floor(reach / spacing[c] + 0.5) + 1));
  }
  const int nx = table.extent[0], ny = table.extent[1], nz = table.extent[2];
  table.terms.resize(std::size_t(6) * nx * ny * nz);
  gauss_rule(1);  // built before the threads start
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) term(x, y, z, &table.terms[6 * ((std::size_t(z) * ny + y) * nx + x)]);
  return table;
}

}  // namespace umov::dda
