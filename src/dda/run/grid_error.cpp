// What a single grid is expected to be off by.
#include "dda/run/grid_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace umov::dda {

namespace {

constexpr double told = 0.1;    ///< errors from here on are said
constexpr double strong = -15;  ///< Re m^2 below which filtered dipoles have half of the error

/// What a material's sites have towards all others.
struct Surface {
  std::size_t faces = 0;
  std::size_t steps = 0;  ///< sites outside with faces of it along two axes
  /// 1 for a sphere; of flat faces along the axes only edges are left to err, which is measured on a cube.
  double roughness() const { return std::clamp(double(steps) / double(faces) / 0.28, 0.05, 1.0); }
};

Surface surface_of(const shapes::Particle& p, int material) {
  const auto& [nx, ny, nz] = p.box;
  const auto is = [&, nx = nx, ny = ny, nz = nz](int x, int y, int z) {
    const bool in_box = x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
    return in_box && p.material[(std::size_t(z) * ny + y) * nx + x] == material;
  };
  Surface s;
  for (int z = -1; z <= nz; ++z)
    for (int y = -1; y <= ny; ++y)
      for (int x = -1; x <= nx; ++x) {
        if (is(x, y, z)) continue;
        const int along_x = is(x - 1, y, z) + is(x + 1, y, z), along_y = is(x, y - 1, z) + is(x, y + 1, z),
                  along_z = is(x, y, z - 1) + is(x, y, z + 1);
        s.faces += std::size_t(along_x + along_y + along_z);
        s.steps += (along_x > 0) + (along_y > 0) + (along_z > 0) > 1;
      }
  return s;
}

/// Volume over surface in dipoles, where a sphere of cubes has 1.5 times the faces of the sphere.
double depth_of(const shapes::Particle& p, int material, const Surface& s) {
  return (1 + 0.5 * s.roughness()) * double(p.dipoles_per_material[std::size_t(material) - 1]) /
         double(s.faces);
}

/// Two digits, as a plain number.
std::string rounded(double x) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(x)) - 1));
  return fmt::format("{:.0f}", unit * std::round(x / unit));
}

bool filtered(const Simulation& sim) { return sim.polarizability == Polarizability::fcd; }

/// The prescription that was better, where the case may take it.
std::string better(const Simulation& sim, bool wanted, const char* how) {
  const bool cubes = sim.shape.rectangular == Vec3{1, 1, 1};
  if (!wanted || filtered(sim) || !cubes) return "";
  return fmt::format(
      ", or {}, whose error is {}",
      sim.front == Front::adda ? "-pol fcd -int fcd" : "--polarizability fcd --interaction fcd", how);
}

/// An error, and the material and component that have it.
struct Worst {
  double error = 0;
  std::size_t material = 0;
  cplx m{1, 0};
  void meet(double e, std::size_t i, cplx its_m) {
    if (e > error) *this = {e, i + 1, its_m};
  }
  std::string words() const {
    return fmt::format("material {}, m = {:.3g}{:+.3g}i", material, m.real(), m.imag());
  }
};

void warn_of_metal(const Prepared& p, const Worst& w, front::Journal& journal) {
  journal.warn(fmt::format(
      "Cabs may be off by some {} % (spheres of metals: 95 of 100 by at most twice that, Csca by 10 to 20 %; "
      "the steps of the surface of {}, absorb light that it would reflect); let --accuracy 1% find values "
      "and "
      "error bars, use a finer grid (the error falls as the size of the dipoles, 10 % want some {} along "
      "x){}",
      rounded(100 * w.error), w.words(), rounded(p.particle.box[0] * w.error / told),
      better(p.sim, (w.m * w.m).real() < strong, "half of that")));
}

void warn_of_resonances(const Prepared& p, const Worst& w, double kd, front::Journal& journal) {
  journal.warn(fmt::format(
      "Cext and Csca may be off by some {} % (spheres: by at most three times that; {}, has resonances, "
      "which "
      "its dipoles shift, |m| k d = {:.2g}); let --accuracy 1% find values and error bars, use a finer grid "
      "(the error falls as the square of the size of the dipoles){}",
      rounded(100 * w.error), w.words(), std::abs(w.m) * kd, better(p.sim, true, "a fifth of that")));
}

}  // namespace

double metal_error(cplx m, double kd, double depth) {
  const cplx eps = m * m;
  if (eps.real() > 0 || m.imag() <= 0) return 0;
  const double skin = 1 / (2 * m.imag() * kd);  // in which the intensity falls to 1/e
  const double angle = std::arg(eps), contrast = std::norm(eps - 1.0);
  const double of_none = 1e-3;  // a metal that absorbs nothing has no relative error
  return 0.2 / std::min(depth, skin) * angle / std::max(std::sin(angle), of_none) * contrast / (contrast + 9);
}

double resonance_error(cplx m, double kd, double x) {
  const double y = std::abs(m) * kd;
  return 0.7 * y * y * std::max(0.0, m.real() - 1.6) / (1 + 4 * std::max(0.0, m.imag()) * x);
}

void warn_of_grid(const Prepared& p, front::Journal& journal) {
  if (p.sim.accuracy > 0 || p.sim.one_of_grids || !p.has_materials()) return;
  const Vec3& d = p.particle.spacing;
  const double kd = p.wavenumber * std::max({d[0], d[1], d[2]}), x = p.wavenumber * p.particle.eq_radius;
  Worst metal, resonant;
  for (std::size_t i = 0; i < std::size_t(p.particle.materials); ++i) {
    if (p.particle.dipoles_per_material[i] == 0) continue;
    std::optional<Surface> surface;  // found where it is wanted
    for (const cplx& m : p.sim.m[i]) {
      resonant.meet(resonance_error(m, kd, x) * (filtered(p.sim) ? 0.2 : 1), i, m);
      if ((m * m).real() > 0 || m.imag() <= 0) continue;
      if (!surface) surface = surface_of(p.particle, int(i) + 1);
      const bool halved = filtered(p.sim) && (m * m).real() < strong;
      const double depth = depth_of(p.particle, int(i) + 1, *surface);
      metal.meet(metal_error(m, kd, depth) * surface->roughness() * (halved ? 0.5 : 1), i, m);
    }
  }
  if (metal.error >= told) warn_of_metal(p, metal, journal);
  if (resonant.error >= told) warn_of_resonances(p, resonant, kd, journal);
}

}  // namespace umov::dda
