// From a request to a particle: fits the box, fills its sites, and derives spacing and size from them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

#include "core/error.hpp"
#include "shapes/absent.hpp"
#include "shapes/box.hpp"
#include "shapes/check_request.hpp"
#include "shapes/granules.hpp"
#include "shapes/recipe.hpp"

namespace umov::shapes {
namespace {

constexpr int default_grid = 16;  // sites along x, before `jagged`
/// Sites of which fewer stay on one thread.
constexpr std::size_t worth_waking = 1 << 15;
constexpr int min_auto_grid = 16;  // dipoles along x, when the default dpl asks for fewer

/// The smallest multiple of jagged that holds n sites.
int fit(double n, int jagged) {
  const double fitted = jagged * std::ceil(n / jagged);
  if (!(fitted <= max_edge))
    throw BadInput(
        fmt::format("the grid would be {:g} sites long (at most {}); use a coarser grid", fitted, max_edge));
  return int(fitted);
}

/// Edges of a dipole over the longest of them.
Vec3 relative_edges(const Request& q) {
  const double longest = *std::max_element(q.rectangular.begin(), q.rectangular.end());
  return {q.rectangular[0] / longest, q.rectangular[1] / longest, q.rectangular[2] / longest};
}

double default_dpl(const Request& q) { return 10 * q.max_abs_m; }

/// Extent along x as far as it is known before voxelising.
std::optional<double> extent(const Request& q, const Recipe& r) {
  if (q.size) return q.size;
  if (q.eq_radius)
    return r.volume_ratio ? std::optional(std::cbrt(4 * pi / 3 / *r.volume_ratio) * *q.eq_radius)
                          : std::nullopt;
  return r.size;
}

int derived_grid_x(const Request& q, const Recipe& r) {
  const auto size = extent(q, r);
  if (!size && q.eq_radius)
    throw BadInput(
        fmt::format("the grid cannot be derived from eq_radius for shape '{}' (its volume is not known "
                    "analytically); give `size` or `grid`",
                    q.shape));
  if (!size) return fit(double(default_grid) * q.jagged, q.jagged);
  const double lengths = *size / relative_edges(q)[0];
  if (q.dpl) return fit(std::ceil(lengths * *q.dpl / q.wavelength), q.jagged);
  return fit(std::max(std::ceil(lengths * default_dpl(q) / q.wavelength), double(min_auto_grid)), q.jagged);
}

/// Sites along an axis that the particle needs: rounded, so that the outermost centres lie 1/4 to 3/4 of a
/// site inside the surface.
int needed(const std::optional<double>& ratio, int fixed, int box_x, double edges, int jagged, char axis) {
  const double sites = ratio ? jagged * std::round(*ratio * box_x * edges / jagged) : double(fixed) * jagged;
  if (!(sites <= max_edge))
    throw BadInput(
        fmt::format("the particle would be {:g} sites long along {} (at most {}); use a coarser grid", sites,
                    axis, max_edge));
  return int(sites);
}

void fit_box_x(Particle& p, const Request& q, const Recipe& r) {
  const double asked = double(q.grid[0]) * q.jagged, fixed = double(r.box[0]) * q.jagged;
  if (asked == 0 && fixed == 0) {
    p.box[0] = derived_grid_x(q, r);
    return;
  }
  p.box[0] = fit(asked > 0 ? asked : fixed, q.jagged);
  if (fixed > p.box[0])
    throw BadInput(
        fmt::format("the particle does not fit into the grid ({} sites along x, grid {}); enlarge `grid`",
                    fixed, p.box[0]));
}

/// Along y and z; an odd number of void layers puts the particle off the centre for ADDA, which then drops
/// the mirror plane.
void fit_box_yz(Particle& p, const Request& q, const Recipe& r) {
  const std::array<std::optional<double>, 3> ratios{std::nullopt, r.y_ratio, r.z_ratio};
  std::array<bool*, 3> mirror{nullptr, &p.symmetry.y, &p.symmetry.z};
  for (int k = 1; k < 3; ++k) {
    const int n =
        needed(ratios[k], r.box[k], p.box[0], q.rectangular[0] / q.rectangular[k], q.jagged, "xyz"[k]);
    if (q.grid[k] == 0) {
      if (n == 0)
        throw BadInput(
            fmt::format("the particle is thinner than half a dipole along {} (no site would be filled) "
                        "use a finer grid or rectangular dipoles",
                        "xyz"[k]));
      p.box[k] = fit(n, q.jagged);
      continue;
    }
    p.box[k] = fit(double(q.grid[k]) * q.jagged, q.jagged);
    if (n > p.box[k])
      throw BadInput(
          fmt::format("the particle does not fit into the grid ({} sites along {}, grid {}); enlarge `grid`",
                      n, "xyz"[k], p.box[k]));
    if ((p.box[k] - n) / q.jagged % 2 == 1) *mirror[k] = false;
  }
}

void allocate(Particle& p) {
  const double bytes = double(p.box[0]) * p.box[1] * p.box[2];
  const double memory = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  const auto refuse = [&] {
    throw BadInput(
        fmt::format("not enough memory for a box of {}x{}x{} sites (needs {:.3g} GiB, the machine has "
                    "{:.3g} GiB); use a coarser grid",
                    p.box[0], p.box[1], p.box[2], bytes / 0x1p30, memory / 0x1p30));
  };
  if (memory > 0 && bytes > memory) refuse();
  try {
    p.material.assign(p.sites(), 0);
  } catch (const std::bad_alloc&) {
    refuse();
  }
}

/// With jagged, all dipoles of a large site take the material at its centre.
void fill_analytic(Particle& p, const Recipe& r, int jagged) {
  const double y_scale = p.rectangular[1] / p.rectangular[0], z_scale = p.rectangular[2] / p.rectangular[0];
  const Int3 n{p.box[0] / jagged, p.box[1] / jagged, p.box[2] / jagged};
#pragma omp parallel for schedule(dynamic, 4) if (p.sites() >= worth_waking)
  for (int k = 0; k < p.box[2]; ++k) {
    Point point{};
    point.half[2] = 2 * (k / jagged) + 1 - n[2];
    point.z = 0.5 * (jagged * point.half[2]) / p.box[0] * z_scale;
    for (int j = 0; j < p.box[1]; ++j) {
      point.half[1] = 2 * (j / jagged) + 1 - n[1];
      point.y = 0.5 * (jagged * point.half[1]) / p.box[0] * y_scale;
      std::uint8_t* row = &p.material[(std::size_t(k) * p.box[1] + j) * p.box[0]];
      for (int i = 0; i < p.box[0]; ++i) {
        if (i % jagged != 0) {
          row[i] = row[i - 1];
          continue;
        }
        point.half[0] = 2 * (i / jagged) + 1 - n[0];
        point.x = 0.5 * (jagged * point.half[0]) / p.box[0];
        row[i] = std::uint8_t(r.material(point));
      }
    }
  }
}

void fill_voxels(Particle& p, const Recipe& r, int jagged) {
  for (const Voxel& v : r.voxels)
    for (int z = v.z * jagged; z < (v.z + 1) * jagged; ++z)
      for (int y = v.y * jagged; y < (v.y + 1) * jagged; ++y) {
        std::uint8_t* row = &p.material[(std::size_t(z) * p.box[1] + y) * p.box[0]];
        std::fill(row + v.x * jagged, row + (v.x + 1) * jagged, std::uint8_t(v.material));
      }
}

void count(Particle& p, const std::string& shape) {
  const auto counts = sites_of_materials(p.material);
  p.dipoles_per_material.assign(counts.begin() + 1, counts.begin() + 1 + p.materials);
  if (p.dipoles() == 0)
    throw BadInput(
        fmt::format("shape '{}' has no dipoles on a grid of {}x{}x{} (all sites are void); use a finer grid",
                    shape, p.box[0], p.box[1], p.box[2]));
}

/// Dipole size, dpl and extent. With volume correction, N dipoles have the analytic volume; without, nx
/// dipoles have the extent along x.
void scale(Particle& p, const Request& q, const Recipe& r) {
  const Vec3 edge = relative_edges(q);
  const double volume = edge[0] * edge[1] * edge[2] * double(p.dipoles());  // in cubes of the longest edge
  p.volume_corrected = q.volume_correction && r.volume_ratio.has_value();
  if (!q.volume_correction && !r.volume_ratio)
    p.warnings.push_back(fmt::format(
        "there is no volume correction to leave out (the volume of shape '{}' is not known analytically)",
        q.shape));
  // Extent along x over the longest edge of a dipole.
  const double across = p.volume_corrected ? std::cbrt(volume / *r.volume_ratio) : p.box[0] * edge[0];
  if (const auto size = extent(q, r)) {
    p.size = *size;
    p.dpl = q.wavelength * across / p.size;
  } else {
    p.dpl = q.eq_radius ? q.wavelength * std::cbrt(volume * 3 / (4 * pi)) / *q.eq_radius
                        : q.dpl.value_or(default_dpl(q));
    p.size = q.wavelength * across / p.dpl;
  }
  const double longest = q.wavelength / p.dpl;
  p.spacing = longest * edge;
  p.eq_radius = std::cbrt(3 / (4 * pi) * volume) * longest;
}

std::uint8_t at(const Particle& p, int x, int y, int z) {
  return p.material[(std::size_t(z) * p.box[1] + y) * p.box[0] + x];
}

/// Whether map(x, y, z) carries the material of every dipole on a dipole of the same material.
template <class Map>
bool invariant(const Particle& p, Map map) {
  const auto row_is = [&](int y, int z) {
    for (int x = 0; x < p.box[0]; ++x) {
      const auto m = at(p, x, y, z);
      if (m == 0) continue;
      const Int3 to = map(x, y, z);
      for (int k = 0; k < 3; ++k)
        if (to[k] < 0 || to[k] >= p.box[k]) return false;
      if (at(p, to[0], to[1], to[2]) != m) return false;
    }
    return true;
  };
  std::atomic<bool> all{true};
#pragma omp parallel for schedule(static) if (p.sites() >= worth_waking)
  for (int z = 0; z < p.box[2]; ++z)
    for (int y = 0; y < p.box[1] && all; ++y)
      if (!row_is(y, z)) all = false;
  return all;
}

/// A shape's symmetry holds for its sites only if rounding did not favour one side; the solver relies on it,
/// so what the shape promises is verified.
void verify_symmetry(Particle& p) {
  const auto [nx, ny, nz] = p.box;
  auto& s = p.symmetry;
  s.x = s.x && invariant(p, [n = nx](int x, int y, int z) { return Int3{n - 1 - x, y, z}; });
  s.y = s.y && invariant(p, [n = ny](int x, int y, int z) { return Int3{x, n - 1 - y, z}; });
  s.z = s.z && invariant(p, [n = nz](int x, int y, int z) { return Int3{x, y, n - 1 - z}; });
  const int half = (nx - ny) / 2;
  s.rotation_z = s.rotation_z && s.x == s.y && (nx - ny) % 2 == 0 && p.rectangular[0] == p.rectangular[1] &&
                 invariant(p, [=, n = ny](int x, int y, int z) {
                   return Int3{n - 1 - y + half, x - half, z};
                 });
}

/// What a particle is before its sites.
Particle make_box(const Request& q, Recipe& r) {
  check_redundancy(q, r);
  Particle p;
  p.warnings = std::move(r.warnings);
  p.rectangular = q.rectangular;
  p.symmetry = r.symmetry;
  p.materials = r.materials;
  if (q.granules) {
    if (q.granules->domain > r.materials)
      throw BadInput(
          fmt::format("domain {} is to be filled with granules (shape '{}' has {}); correct the domain",
                      q.granules->domain, q.shape, r.materials));
    p.materials += 1;
    p.symmetry = {};
  }
  if (p.materials > max_materials)
    throw BadInput(fmt::format("{} domains (at most {}); use fewer", p.materials, max_materials));
  fit_box_x(p, q, r);
  fit_box_yz(p, q, r);
  return p;
}

}  // namespace

Int3 particle_box(const Request& q) {
  check_request(q);
  Recipe r = make_recipe(q);
  return make_box(q, r).box;
}

Particle make_particle(const Request& q) {
  check_request(q);
  Recipe r = make_recipe(q);
  Particle p = make_box(q, r);
  allocate(p);
  if (r.material)
    fill_analytic(p, r, q.jagged);
  else
    fill_voxels(p, r, q.jagged);
  count(p, q.shape);
  scale(p, q, r);
  if (q.granules) place_granules(p, *q.granules);
  if (auto text = absence_warning(p, q.shape == "read"); !text.empty()) p.warnings.push_back(std::move(text));
  verify_symmetry(p);
  p.description = fmt::format("{} {:.10g}{}", r.before, p.size, r.after);
  return p;
}

}  // namespace umov::shapes
