// The grids that an extrapolation in the size of the dipoles takes.
#include "dda/run/grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace umov::dda {

namespace {

/// A box is a multiple of its proportions on the grids that are multiples of this number; 0: of none that is
/// small enough to be of use, or no box.
int exact_step(const shapes::Request& q) {
  if (q.shape != "box") return 0;
  std::array<double, 2> ratio{1, 1};
  for (std::size_t i = 0; i < std::min<std::size_t>(q.arguments.size(), 2); ++i) ratio[i] = q.arguments[i];
  constexpr int most = 8;
  for (int step = 1; step <= most; ++step) {
    const auto exact = [&](int k) {
      const double sites = step * ratio[k - 1] * q.rectangular[0] / q.rectangular[k];
      return std::round(sites) > 0 && std::abs(sites - std::round(sites)) < 1e-9;
    };
    if (exact(1) && exact(2)) return step;
  }
  return 0;
}

constexpr int coarsest = 6;  // sites along x: fewer show little of a shape

/// Materials whose shares a fit can tell apart: each takes one more grid.
constexpr int most_materials = 7;

}  // namespace

Grids::Grids(const Simulation& sim, const shapes::Particle& own) : sim_(sim) {
  shapes::Request& q = sim_.shape;
  divided_ = q.shape == "read" || q.jagged > 1;
  if (!q.size && !q.eq_radius) q.size = own.size;
  q.dpl.reset();
  if (divided_) {
    for (int k = 0; k < 3; ++k) q.grid[k] = own.box[k] / q.jagged;
    return;
  }
  step_ = exact_step(q);
  own_ = near(own.box[0]);
  if (cubical()) return;
  if (own.materials > most_materials)
    throw BadInput(fmt::format(
        "an accuracy is asked of shape '{}' with {} materials (at most {}: their shares change from grid "
        "to grid, and as many terms of a fit with them); run it without an accuracy on two grids",
        q.shape, own.materials, most_materials));
  materials_ = own.materials;
}

int Grids::near(double n) const {
  const int step = std::max(step_, 1);
  return std::max(step, step * int(std::lround(n / step)));
}

Simulation Grids::on(int n) const {
  Simulation sim = sim_;
  sim.accuracy = sim.accuracy_time = 0;  // of this grid alone
  sim.one_of_grids = true;
  if (divided_)
    sim.shape.jagged = n;
  else
    sim.shape.grid = {n, 0, 0};
  return sim;
}

std::vector<int> Grids::fitted(int finest, const std::vector<int>& done) const {
  std::vector<int> out;
  if (divided_) {
    for (int n = std::max(1, (finest + 3) / 4); n <= finest; ++n) out.push_back(n);
    return out;
  }
  const int last = cubical() ? 4 : 7 + materials_;
  for (const int n : done)
    if (2 * n >= finest && n < finest) out.push_back(n);
  out.push_back(finest);
  const double near_enough = std::pow(2, 0.5 / last);
  for (int j = 1; j <= last; ++j) {
    const double wanted = finest * std::pow(2, -double(j) / last);
    const int n = near(wanted);
    const bool there = std::any_of(out.begin(), out.end(), [&](int other) {
      return other == n || std::max(other / wanted, wanted / other) < near_enough;
    });
    if (!there && n >= coarsest) out.push_back(n);
  }
  std::sort(out.begin(), out.end());
  return out;
}

int Grids::finer(int finest, double excess) const {
  if (divided_) return finest + 1;
  // Errors fall with y or y^2: half of what the faster would need, at most twice the dipoles at a time.
  const double factor = std::clamp(std::sqrt(excess), std::pow(2, 1 / 8.0), std::cbrt(2.0));
  return std::max(near(finest * factor), finest + std::max(step_, 1));
}

}  // namespace umov::dda
