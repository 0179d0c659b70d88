// A cell with open ends between absorbing planes: what pseudo-time takes over where the layered inverse ends.
#include "harmonic/absorbing_ends.hpp"

#include <algorithm>
#include <cmath>

#include "backend/cpu/cpu.hpp"
#include "harmonic/layered_inverse.hpp"
#include "harmonic/pseudo_time_coefficients.hpp"

namespace umov::harmonic {

namespace {

/// Planes [3][from][columns] as the planes from `at` on of [3][to][columns]; the others are 0.
std::vector<cplx> placed(const std::vector<cplx>& planes, index_t columns, int from, int to, int at) {
  std::vector<cplx> out(3 * to * columns, 0);
  for (int c = 0; c < 3; ++c)
    std::copy_n(planes.begin() + c * from * columns, from * columns, out.begin() + (c * to + at) * columns);
  return out;
}

}  // namespace

AbsorbingEnds::AbsorbingEnds(const Problem& open) : problem_(open), nz_(open.grid.nz) {
  auto& g = problem_.grid;
  const auto planes = [&](bool below) {
    const cplx index = std::sqrt((below ? open.tangential.back() : open.tangential.front()) + cplx(0, 0));
    return std::max(12, int(std::ceil(2 * pi / (open.k0 * std::abs(index) * g.spacing[2]))));
  };
  for (const bool below : {false, true})
    if (open.open(below)) g.absorbing[below] = planes(below);
  above_ = open.open(false) ? g.absorbing[0] : 0;
  const int below = open.open(true) ? g.absorbing[1] : 0;
  g.nz += above_ + below;
  g.source += above_;
  problem_.rough_begin += above_;
  problem_.rough_end += above_;
  for (auto* layers : {&problem_.tangential, &problem_.normal}) {
    layers->insert(layers->begin(), above_, layers->front());
    layers->insert(layers->end(), below, layers->back());
  }
  set_absorbing_layers(problem_, problem_.tangential.front(), problem_.tangential.back());
}

std::vector<cplx> AbsorbingEnds::extended(const std::vector<cplx>& layered) const {
  return placed(layered, 1, nz_, problem_.grid.nz, above_);
}

Fields AbsorbingEnds::extended(const std::vector<cplx>& layered, const Fields& fields) const {
  if (fields.values.empty()) return {};
  const auto& g = problem_.grid;
  const index_t columns = g.columns();
  Fields out{placed(fields.values, columns, nz_, g.nz, above_)};
  // what the equations lack outside the rough planes, at the planes where the cell ended, makes the waves
  // that go on from there
  auto lack = equation_residual(problem_, extended(layered), out);
  for (int c = 0; c < 3; ++c)
    for (int k = problem_.rough_begin; k < problem_.rough_end; ++k)
      std::fill_n(lack.begin() + (index_t(c) * g.nz + k) * columns, columns, cplx(0));
  backend::Cpu dev(0);
  LayeredInverse<backend::Cpu, double>(dev, problem_, 0, g.nz)
      .apply(reinterpret_cast<Complex<double>*>(lack.data()));
  for (std::size_t i = 0; i < lack.size(); ++i) out.values[i] += lack[i];
  return out;
}

Fields AbsorbingEnds::cut(const Fields& fields) const {
  const index_t columns = problem_.grid.columns();
  Fields out;
  for (int c = 0; c < 3; ++c) {
    const cplx* from = fields.component(problem_.grid, c) + above_ * columns;
    out.values.insert(out.values.end(), from, from + nz_ * columns);
  }
  return out;
}

}  // namespace umov::harmonic
