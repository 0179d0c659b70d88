// What a single grid is expected to be off by.
#include "dda/run/grid_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <optional>
#include <vector>

namespace umov::dda {

namespace {

constexpr double told = 0.1;                 ///< errors from here on are said
constexpr double told_of_resonances = 0.07;  ///< the same where errors are up to three times as large
constexpr double strong = -15;               ///< Re m^2 below which filtered dipoles have half of the error
constexpr double screening = -1;             ///< Re m^2 below which a shell screens what it encloses
/// Volume over surface, in dipoles, of a layer of one dipole: thinner ones are made of such steps, with gaps.
constexpr double thinnest = 0.5;

/// Where a material begins and ends along the rows of each axis.
class Extent {
 public:
  Extent(const shapes::Particle& p, int material) : box_(p.box) {
    for (int a = 0; a < 3; ++a) rows_[a].resize(std::size_t(box_[(a + 1) % 3]) * box_[(a + 2) % 3]);
    std::size_t site = 0;
    for (int z = 0; z < box_[2]; ++z)
      for (int y = 0; y < box_[1]; ++y)
        for (int x = 0; x < box_[0]; ++x)
          if (p.material[site++] == material) widen({x, y, z});
  }
  /// Whether the material is on both sides along every axis.
  bool encloses(const Int3& at) const {
    for (int a = 0; a < 3; ++a) {
      const Ends& e = rows_[a][row(a, at)];
      if (at[a] < e.first || at[a] > e.last) return false;
    }
    return true;
  }

 private:
  struct Ends {
    int first = INT_MAX, last = -1;
  };
  std::size_t row(int a, const Int3& at) const {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    return std::size_t(at[c]) * box_[b] + at[b];
  }
  void widen(const Int3& at) {
    for (int a = 0; a < 3; ++a) {
      Ends& e = rows_[a][row(a, at)];
      e = {std::min(e.first, at[a]), std::max(e.last, at[a])};
    }
  }

  Int3 box_;
  std::array<std::vector<Ends>, 3> rows_;
};

/// Sites of a body, and the faces that they have towards all others.
struct Faces {
  std::size_t sites = 0;
  std::size_t to_void = 0;
  std::size_t to_others = 0;
  std::size_t steps = 0;  ///< sites outside with faces of it along two axes
  double all() const { return double(to_void + to_others); }
};

/// The faces of one material, with what `shell` encloses of the others where it is given.
Faces faces_of(const shapes::Particle& p, int material, const Extent* shell) {
  const auto& [nx, ny, nz] = p.box;
  const auto at = [&, nx = nx, ny = ny, nz = nz](int x, int y, int z) -> int {
    const bool in_box = x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
    return in_box ? p.material[(std::size_t(z) * ny + y) * nx + x] : 0;
  };
  const auto is = [&](int x, int y, int z) {
    const int here = at(x, y, z);
    return here == material || (shell && here != 0 && shell->encloses({x, y, z}));
  };
  Faces f;
  for (int z = -1; z <= nz; ++z)
    for (int y = -1; y <= ny; ++y)
      for (int x = -1; x <= nx; ++x) {
        if (is(x, y, z)) {
          ++f.sites;
          continue;
        }
        const int along_x = is(x - 1, y, z) + is(x + 1, y, z), along_y = is(x, y - 1, z) + is(x, y + 1, z),
                  along_z = is(x, y, z - 1) + is(x, y, z + 1);
        (at(x, y, z) == 0 ? f.to_void : f.to_others) += std::size_t(along_x + along_y + along_z);
        f.steps += (along_x > 0) + (along_y > 0) + (along_z > 0) > 1;
      }
  return f;
}

/// Two digits, as a plain number.
std::string rounded(double x) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(x)) - 1));
  return fmt::format("{:.0f}", unit * std::round(x / unit));
}

bool filtered(const Simulation& sim) { return sim.polarizability == Polarizability::fcd; }

/// How much waves on the lattice are off, relative to the lattice dispersion relation; measured.
double dispersion_of(const Simulation& sim) {
  const bool integrated = sim.interaction == Interaction::igt || sim.interaction == Interaction::igt_so;
  return filtered(sim) ? 0.2 : integrated ? 3 : 1;
}

/// The prescription that was better, where the case may take it.
std::string better(const Simulation& sim, bool wanted, const char* how) {
  const bool cubes = sim.shape.rectangular == Vec3{1, 1, 1};
  if (!wanted || filtered(sim) || !cubes) return "";
  return fmt::format(", or `method.polarizability = 'fcd'` `method.interaction = 'fcd'`, whose error is {}",
                     how);
}

/// An error, and the material and component that have it.
struct Worst {
  double error = 0;
  bool of_lattice = false;
  std::size_t material = 0;
  cplx m{1, 0};
  void meet(double e, std::size_t i, cplx its_m, bool lattice = false) {
    if (e > error) *this = {e, lattice, i + 1, its_m};
  }
  std::string words() const {
    return fmt::format("material {}, m = {:.3g}{:+.3g}i", material, m.real(), m.imag());
  }
};

/// What absorbs too much, and the grid that helps.
std::string cause_of(const Prepared& p, const Worst& w) {
  if (w.of_lattice)
    return fmt::format(
        "the lattice of point dipoles has resonances in {}, finer grids nearly as many); let "
        "`accuracy = '1%'` find values and error bars",
        w.words());
  return fmt::format(
      "the steps of the surface of {}, absorb light that it would screen); let `accuracy = '1%'` find values "
      "and error bars, use a finer grid (the error falls as the size of the dipoles, 10 % want some {} along "
      "x)",
      w.words(), rounded(p.particle.box[0] * w.error / told));
}

void warn_of_absorption(const Prepared& p, const Worst& w, run::Journal& journal) {
  const bool metal = (w.m * w.m).real() < strong;
  const char* filtered_has = metal ? "half of that" : "that of the steps of the surface alone";
  journal.warn(fmt::format(
      "Cabs may be off by some {} %, and Cext where it is mostly absorption (spheres: 95 of 100 by at most "
      "1.5 times that; {}{}",
      rounded(100 * w.error), cause_of(p, w), better(p.sim, metal || w.of_lattice, filtered_has)));
}

void meet_absorption(const Simulation& sim, const Surface& s, double kd, std::size_t material, cplx m,
                     Worst& worst) {
  const bool points = sim.interaction == Interaction::point, metal = (m * m).real() <= 0;
  const double steps = surface_error(m, kd, s.depth, filtered(sim)) * s.roughness;
  const double lattice = points && !metal ? lattice_error(m, s.depth) : 0;
  worst.meet(steps + lattice, material, m, lattice > steps);
}

void warn_of_resonances(const Prepared& p, const Worst& w, double kd, run::Journal& journal) {
  journal.warn(fmt::format(
      "Cext and Csca may be off by some {} % (spheres: 95 of 100 by at most three times that, and Cabs; {}, "
      "has resonances, which its dipoles shift, |m| k d = {:.2g}); let `accuracy = '1%'` find values and "
      "error bars, use a finer grid (the error falls as the square of the size of the dipoles){}",
      rounded(100 * w.error), w.words(), std::abs(w.m) * kd, better(p.sim, true, "mostly less than half")));
}

}  // namespace

Surface surface_of(const shapes::Particle& p, int material, bool screens) {
  Faces f = faces_of(p, material, nullptr);
  if (screens && f.to_others > 0 && f.to_void >= f.to_others) {
    const Extent shell(p, material);
    f = faces_of(p, material, &shell);
  }
  // of flat faces along the axes only edges are left to err, which is measured on a cube
  const double roughness = std::clamp(double(f.steps) / f.all() / 0.28, 0.05, 1.0);
  // a sphere of cubes has 1.5 times the faces of the sphere
  return {std::max(thinnest, (1 + 0.5 * roughness) * double(f.sites) / f.all()), roughness};
}

double surface_error(cplx m, double kd, double depth, bool filtered) {
  if (m.imag() <= 0) return 0;
  const double skin = 1 / (2 * m.imag() * kd);  // in which the intensity falls to 1/e
  const double angle = std::arg(m * m), contrast = std::abs(m * m - 1.0);
  const double of_none = 1e-3;  // a metal that absorbs nothing has no relative error
  const double grains = std::max(1.0, angle / std::max(std::sin(angle), of_none));
  const double large = 0.6 * contrast / (contrast + 13.5), eps = std::norm(m);
  const double small = eps < 1 ? 0.053 * (1 - eps) * std::pow(std::max(eps, of_none), -0.4) : 0;
  const double halved = filtered && (m * m).real() < strong ? 0.5 : 1;
  return (halved * large + (filtered ? 1.5 : 1) * small) * grains / std::min(depth, skin);
}

double lattice_error(cplx m, double depth) {
  if (m.imag() <= 0) return 0;
  const cplx chi = m * m - 1.0;
  const double edge = 0.0925;  // how far the modes of a cubic lattice reach below a depolarisation of 0
  const double between = 0.3;  // Im m^2 below which the material absorbs between its few modes
  const double angle = std::abs(std::arg(1.0 / chi - edge));
  return 0.003 / depth * std::norm(chi) / std::max(chi.imag(), between) * angle / pi;
}

double resonance_error(cplx m, double kd, double x, double dispersion) {
  const double y = std::abs(m) * kd, steps = kd / x;
  const double first = std::min(1.0, std::pow(m.real() * x / 2.5, 4));  // none in what is smaller
  // the lowest ones of high indices are narrow, which filtered dipoles, elsewhere better, shift as others do
  const bool lowest = dispersion < 1 && m.real() * x < 6;
  const double narrow = lowest ? std::clamp(std::pow(m.real() / 2.7, 2), 1.0, 2.5) : 1;
  return first * narrow * (0.7 * dispersion * y * y + 1.8 * steps * steps) * std::max(0.0, m.real() - 1.6) /
         (1 + 4 * std::max(0.0, m.imag()) * x);
}

void warn_of_grid(const Prepared& p, run::Journal& journal) {
  if (p.sim.accuracy > 0 || p.sim.one_of_grids || !p.has_materials()) return;
  const Vec3& d = p.particle.spacing;
  const double kd = p.wavenumber * std::max({d[0], d[1], d[2]}), x = p.wavenumber * p.particle.eq_radius;
  Worst absorbing, resonant;
  for (std::size_t i = 0; i < std::size_t(p.particle.materials); ++i) {
    if (p.particle.dipoles_per_material[i] == 0) continue;
    std::array<std::optional<Surface>, 2>
        surfaces;  // found where they are wanted: of a body, of what screens
    for (const cplx& m : p.sim.m[i]) {
      resonant.meet(resonance_error(m, kd, x, dispersion_of(p.sim)), i, m);
      if (surface_error(m, kd, thinnest, filtered(p.sim)) < told) continue;
      const bool screens = (m * m).real() < screening;
      std::optional<Surface>& surface = surfaces[screens];
      if (!surface) surface = surface_of(p.particle, int(i) + 1, screens);
      meet_absorption(p.sim, *surface, kd, i, m, absorbing);
    }
  }
  if (absorbing.error >= told) warn_of_absorption(p, absorbing, journal);
  if (resonant.error >= told_of_resonances) warn_of_resonances(p, resonant, kd, journal);
}

}  // namespace umov::dda
