// The choice of preconditioners and of their reference material.
#include "dda/solver/preconditioning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "dda/scheme/memory.hpp"
#include "dda/scheme/polarizability.hpp"
#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

namespace {

bool solver_takes_one(const std::string& solver) {
  bool takes = false;
  krylov::for_each_solver([&](auto tag, const char*) {
    if (krylov::solver_name(solver).solver == krylov::name_of(tag)) takes = krylov::takes_preconditioner(tag);
  });
  return takes;
}

/// The reference's permittivity: the mean over the dipoles, component by component.
CVec3 mean_index(const Simulation& sim, const shapes::Particle& particle) {
  CVec3 m{};
  for (int c = 0; c < 3; ++c) {
    cplx sum = 0;
    for (int i = 0; i < particle.materials; ++i)
      sum += double(particle.dipoles_per_material[i]) * sim.m[i][c] * sim.m[i][c];
    m[c] = std::sqrt(sum / double(particle.dipoles()));
    if (m[c].imag() < 0 && sim.m[0][c].imag() >= 0) m[c] = -m[c];
  }
  return m;
}

/// 1/alpha of the reference at k. The preconditioner is one for both polarizations, and for all orientations
/// of an average: what depends on the direction enters by its mean.
CVec3 inverse_polarizability(const Simulation& sim, const shapes::Particle& particle, const CVec3& m,
                             double k, const Vec3& propagation) {
  Simulation reference = sim;
  reference.m = {m};
  reference.ldr_average = true;
  const double third = 1 / std::sqrt(3.0);
  const Vec3 direction = sim.orientation.average ? Vec3{third, third, third} : propagation;
  CVec3 inverse = polarizability(reference, particle.spacing, k, direction, {0, 0, 0}).at(0);
  for (auto& a : inverse) a = 1.0 / a;
  return inverse;
}

/// 1/alpha at k (1 + i damping): to first order, since every formulation is analytic in k.
CVec3 damped_inverse(const Simulation& sim, const shapes::Particle& particle, const CVec3& m, double k,
                     double damping, const Vec3& propagation) {
  constexpr double step = 1e-3;
  const auto at = [&](double factor) {
    return inverse_polarizability(sim, particle, m, factor * k, propagation);
  };
  const CVec3 here = at(1), above = at(1 + step), below = at(1 - step);
  CVec3 inverse;
  for (int c = 0; c < 3; ++c) inverse[c] = here[c] + cplx(0, damping / (2 * step)) * (above[c] - below[c]);
  return inverse;
}

std::string index_words(const CVec3& m) {
  const auto one = [](const cplx& z) {
    return z.imag() == 0 ? fmt::format("{:.4g}", z.real())
                         : fmt::format("{:.4g}{:+.4g}i", z.real(), z.imag());
  };
  if (m[0] == m[1] && m[0] == m[2]) return one(m[0]);
  return fmt::format("({}, {}, {})", one(m[0]), one(m[1]), one(m[2]));
}

/// Amplitude e^-0.3 that the waves of the inverse keep losing over the longest edge: 0.1 to 1 are as good.
constexpr double lasting_decay = 0.3;
/// How far, in wavelengths, dipoles of the medium interact beyond the particle: fewer cut its waves too
/// sharply for a plate or rod (2: six times the iterations of 3 for one of 16 x 16 x 160 dipoles, m = 1.5).
constexpr double margin = 3;

Preconditioner medium(const Simulation& sim, const shapes::Particle& particle, const CVec3& m, double k,
                      const Vec3& propagation) {
  Vec3 size;
  for (int c = 0; c < 3; ++c) size[c] = particle.box[c] * particle.spacing[c];
  const double longest = *std::max_element(size.begin(), size.end());
  const double index = (m[0].real() + m[1].real() + m[2].real()) / 3;
  Preconditioner p;
  p.kind = PreconditionerKind::medium;
  p.name = fmt::format("medium of m = {}", index_words(m));
  const bool propagates = sim.interaction != Interaction::nloc && sim.interaction != Interaction::nloc_av;
  p.damping = propagates ? 1 / (std::max(index, 0.6) * longest * k) : 0;
  p.growth = p.damping * index * k - lasting_decay / longest;
  for (int c = 0; c < 3; ++c) p.reach[c] = std::min(longest, size[c] + margin * 2 * pi / k);
  p.inverse_alpha = damped_inverse(sim, particle, m, k, p.damping, propagation);
  return p;
}

Preconditioner circulant(const Simulation& sim, const shapes::Particle& particle, const CVec3& m, double k,
                         const Vec3& propagation) {
  Preconditioner p;
  p.kind = PreconditionerKind::circulant;
  p.name = fmt::format("circulant of m = {}", index_words(m));
  p.inverse_alpha = inverse_polarizability(sim, particle, m, k, propagation);
  return p;
}

/// What decides for `auto`.
struct Case {
  double shift;  ///< x |m - 1| of the sphere of equal volume, the largest of the materials
  double fill;   ///< dipoles / sites of the box
  double index;  ///< the largest Re m
  /// Whether permittivities have a negative real part, and a positive one: a mean of both resembles neither
  /// (a sphere of glass with a silver core, 16 across: 303 iterations without, 1332 with the medium, 1007
  /// with the circulant).
  bool metal = false, dielectric = false;
};
Case describe(const Simulation& sim, const shapes::Particle& particle, double k) {
  Case c{0, double(particle.dipoles()) / double(particle.sites()), 0};
  const double radius = std::cbrt(3 / (4 * pi) * double(particle.dipoles()) * particle.dipole_volume());
  for (int i = 0; i < particle.materials; ++i)
    for (const cplx& m : sim.m[i]) {
      c.shift = std::max(c.shift, k * radius * std::abs(m - 1.0));
      c.index = std::max(c.index, m.real());
      ((m * m).real() < 0 ? c.metal : c.dielectric) = true;
    }
  return c;
}

double points(const Int3& grid) { return double(grid[0]) * grid[1] * grid[2]; }

// Products of a solve as measured (docs/theory/dda.md) on compact particles of m = 1.31 to 2: 33, 69, 86,
// 115, 236, 974 plain and 13, 17, 24, 36, 40, 92 iterations with the medium, at shifts of 2.1, 3.1, 3.4, 3.8,
// 5, 6.7. Set-ups took 24 to 36 products at grids 8 times the product's, 230 at 53 times.
double plain_products(double shift) { return 7.5 * shift * shift; }
double medium_products(double shift) { return 2 * 4.2 * std::pow(shift, 1.5); }
double set_up_products(double ratio) { return 4.3 * ratio; }

/// Modes of the particle's volume up to its own wavenumber, 4 (m x)^3 / (9 pi) with x and m of the sphere of
/// equal volume: about as many iterations a plain solve of a clear particle takes (sphere of m = 1.5: 265,
/// 993, 8584, 19540 at n = 48, 64, 128, 192; 470, 1100, 9000, 31000 by this count).
double volume_modes(const shapes::Particle& particle, const CVec3& m, double k) {
  const double radius = std::cbrt(3 / (4 * pi) * double(particle.dipoles()) * particle.dipole_volume());
  const double index = (m[0].real() + m[1].real() + m[2].real()) / 3;
  return 4 / (9 * pi) * std::pow(std::max(index, 0.0) * k * radius, 3);
}

/// Iterations a tenth of the residual may take, five of which a solve to 1e-5 needs, so that it costs no more
/// than the plain one: `products` for each iteration.
long patience_of(double modes, double products) { return long(std::min(modes / (5 * products), 1e9)); }

/// Waves of the medium through the void between grains are as wrong as none.
constexpr double least_fill = 0.1;
/// Above this the medium's own resonances are too sharp for its damped inverse.
constexpr double highest_index = 3;

}  // namespace

Preconditioning choose_preconditioning(const Simulation& sim, const shapes::Particle& particle, double k,
                                       const Vec3& propagation, const Int3& fft_grid, int solves) {
  using Choice = PreconditionerChoice;
  const Choice choice = sim.solver.preconditioner;
  if (choice == Choice::none) return {};
  if (!solver_takes_one(sim.solver.name)) {
    if (choice == Choice::automatic) return {{}, "none (the solver " + sim.solver.name + " takes none)"};
    throw BadInput(
        fmt::format("the solver {0} takes no preconditioner (its recurrence is not that of A alone); use "
                    "another one, cocr for example, or `solver.preconditioner = 'none'`",
                    sim.solver.name));
  }
  const CVec3 m = mean_index(sim, particle);
  const double modes = volume_modes(particle, m, k);
  const auto of_medium = [&](double factor) {
    auto p = medium(sim, particle, {factor * m[0], factor * m[1], factor * m[2]}, k, propagation);
    p.patience = patience_of(modes, 2);
    return p;
  };
  const auto of_circulant = [&] {
    auto p = circulant(sim, particle, m, k, propagation);
    p.patience = patience_of(modes, 1.15);
    return p;
  };
  // its filter turns the interaction into one that oscillates from site to site and does not decay
  const bool has_medium = sim.interaction != Interaction::fcd_st;
  if (choice == Choice::medium && !has_medium)
    throw BadInput(
        "the interaction fcd_st has no infinite medium (its terms do not decay); use "
        "`solver.preconditioner` circulant or none");
  if (choice == Choice::medium) return {{of_medium(1)}, "medium"};
  if (choice == Choice::circulant) return {{of_circulant()}, "circulant"};

  const Case c = describe(sim, particle, k);
  const auto facts = fmt::format("x|m-1| = {:.2g}, fill {:.0f} %", c.shift, 100 * c.fill);
  if (c.fill < least_fill) return {{}, fmt::format("none (auto: sparse, {})", facts)};
  if (c.metal && c.dielectric)
    return {{}, fmt::format("none (auto: metal beside dielectric has no mean, {})", facts)};
  const Preconditioner of_mean = of_medium(1);
  const double set_up = set_up_products(points(inverse_grid(of_mean, particle)) / points(fft_grid)) / solves;
  if (plain_products(c.shift) <= medium_products(c.shift) + set_up)
    return {{}, fmt::format("none (auto: would not pay, {})", facts)};
  if (!has_medium) return {{of_circulant(), {}}, fmt::format("circulant (auto: fcd_st, {})", facts)};
  if (c.index > highest_index)
    return {{of_circulant(), of_medium(0.85), {}}, fmt::format("circulant (auto: high index, {})", facts)};
  return {{of_mean, of_circulant(), {}}, fmt::format("medium (auto: {})", facts)};
}

InnerChoice choose_inner_precision(const Simulation& sim, const Preconditioning& preconditioning) {
  if (sim.precision != Precision::double_ || sim.solver.inner == InnerPrecision::double_) return {};
  if (sim.solver.inner == InnerPrecision::single) return {true, "float"};
  const auto& list = preconditioning.list;
  if (!list.empty() && list.front().kind == PreconditionerKind::medium) {
    double index = 0;
    for (const CVec3& m : sim.m)
      for (const cplx& one : m) index = std::max(index, one.real());
    if (index >= highest_index)
      return {false, "double (auto: at so high an index float would take up to four times the iterations)"};
    return {true, "float (auto: the medium's inverse leaves few iterations)"};
  }
  return {false, "double (auto: float would take more iterations without the medium's inverse)"};
}

}  // namespace umov::dda
