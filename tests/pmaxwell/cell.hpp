// Cells as directories of `umov pmaxwell`, for tests.
#pragma once

#include <cmath>
#include <vector>

#include "harmonic/wavy_cell.hpp"
#include "pmaxwell/generate.hpp"
#include "pmaxwell/iterate.hpp"

namespace umov::pmaxwell {

/// E of the cells after an iteration, [3][nz][ny][nx] as the native engine has it.
inline std::vector<cplx> electric_field(Engine& engine, const harmonic::CellGrid& g) {
  std::vector<cplx> out;
  for (int c = 0; c < 3; ++c) {
    const auto a = engine.field(part_of(field_e, c, 0)), b = engine.field(part_of(field_e, c, 1));
    const Int3 n = points_of(true, c, {g.nx, g.ny, g.nz});
    for (int k = 0; k < g.nz; ++k)
      for (int j = 0; j < g.ny; ++j)
        for (int i = 0; i < g.nx; ++i) {
          const index_t at = (index_t(k) * n[1] + j) * n[0] + i;
          out.push_back((a[at] + b[at]).to_std<double>());
        }
  }
  return out;
}

/// Largest difference over the largest value, outside the absorbing layers.
inline double apart(const harmonic::CellGrid& g, const std::vector<cplx>& a, const std::vector<cplx>& b) {
  double difference = 0, size = 0;
  for (int c = 0; c < 3; ++c)
    for (int k = g.absorbing[0]; k < g.nz - g.absorbing[1]; ++k)
      for (index_t i = 0; i < g.columns(); ++i) {
        const index_t at = (index_t(c) * g.nz + k) * g.columns() + i;
        difference = std::max(difference, std::abs(a[at] - b[at]));
        size = std::max(size, std::abs(b[at]));
      }
  return difference / size;
}

/// A small cell of odd sizes, rough: 7 x 5 columns.
struct SmallCell {
  harmonic::LayeredCell cell;
  harmonic::Problem problem;
  std::vector<cplx> media{2.25, cplx(17, 1.2), cplx(3.4, 0.01), std::pow(cplx(0.049, 3.248), 2)};

  explicit SmallCell(double period_x = 0.0875, double period_y = 0.0625)
      : cell(harmonic::grid_cell({0, 0.1, 0.2}, 0.0125, period_x, period_y, 0.2)) {
    if (period_x > 0) harmonic::make_wavy(cell, 2, 0.02);
    problem = harmonic::make_problem(cell, media, 0.55, {0, 0});
  }
  Generator generator(double courant = 0.9) const {
    return {cell, problem, layers::Polarization::p, courant};
  }
};

}  // namespace umov::pmaxwell
