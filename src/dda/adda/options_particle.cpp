// Options that describe the particle: shape, size, discretisation, material.
#include <fmt/format.h>

#include "core/error.hpp"
#include "dda/adda/options.hpp"

namespace umov::dda::adda {

namespace {

// A grid index fits 16 bits and a material 8 bits, with 0 kept for the void.
constexpr int grid_limit = 65535;
constexpr int material_limit = 255;

void set_shape(State& s, const Arguments& a) {
  auto& shape = s.sim().shape;
  std::vector<std::string> names;
  for (const auto& choice : shape_choices()) {
    names.push_back(choice.name);
    if (choice.name != a[0]) continue;
    const int n = int(a.size()) - 1;
    const Arguments mine(a.name() + " " + a[0], {&a[0], a.size()});
    if (n < choice.least || n > choice.most || (choice.only_ends && n != choice.least && n != choice.most)) {
      mine.fail(fmt::format("{} argument(s) given (expected: {})", n,
                            choice.arguments.empty() ? "none" : choice.arguments));
    }
    shape.shape = a[0];
    if (choice.file) {
      shape.file = mine.file(1);
    } else {
      for (int i = 1; i <= n; ++i) shape.arguments.push_back(mine.number(i));
    }
    return;
  }
  a.unknown_word(a[0], names);
}

void set_grid(State& s, const Arguments& a) {
  if (a.size() == 2) a.fail("2 arguments given (1 or 3 expected)");
  for (std::size_t i = 0; i < a.size(); ++i) s.sim().shape.grid[i] = a.integer(i, 1, grid_limit);
}

void set_materials(State& s, const Arguments& a) {
  if (a.size() % 2 != 0) a.fail("odd number of arguments (pairs of real and imaginary part expected)");
  s.m.clear();
  for (std::size_t i = 0; i < a.size(); i += 2) {
    s.m.emplace_back(a.number(i), a.number(i + 1));
    if (s.m.back() == cplx(1)) {
      a.fail("a refractive index is exactly 1 (vacuum has no polarizability to divide by); take 1.0001");
    }
  }
  if (s.m.size() > 3 * material_limit) a.fail("too many refractive indices (255 domains at most)");
}

void set_granules(State& s, const Arguments& a) {
  shapes::Request::Granules granules;
  granules.fraction = a.in_range(0, 0, pi / 6);
  granules.diameter = a.positive(1);
  if (a.size() == 3) granules.domain = a.integer(2, 1, material_limit);
  s.sim().shape.granules = granules;
}

}  // namespace

std::vector<Option> particle_options() {
  return {
      {"anisotr", "",
       "Refractive index is a tensor, diagonal in the particle's frame: -m takes 6 numbers per domain", 0, 0,
       [](State& s, const Arguments&) { s.sim().anisotropic = true; }},
      {"dpl", "<number>", "Dipoles per wavelength (default: 10 |m|, the largest m)", 1, 1,
       [](State& s, const Arguments& a) { s.sim().shape.dpl = a.positive(0); }},
      {"eq_rad", "<um>", "Radius of the sphere of equal volume; not together with -size", 1, 1,
       [](State& s, const Arguments& a) { s.sim().shape.eq_radius = a.positive(0); }},
      {"granul", "<fraction> <diameter> [<domain>]",
       "Fill a domain (default 1) randomly with spherical granules", 2, 3, set_granules},
      {"grid", "<nx> [<ny> <nz>]", "Dipoles along the axes (default 16 along x, or derived from the size)", 1,
       3, set_grid},
      {"jagged", "<n>", "Build the particle of cubes of n^3 dipoles: finer dipoles, same shape", 1, 1,
       [](State& s, const Arguments& a) { s.sim().shape.jagged = a.integer(0, 1, grid_limit); }},
      {"m", "<re> <im> [...]",
       "Refractive index of each domain (default 1.5 0); with -anisotr three per domain", 2, -1,
       set_materials},
      {"no_vol_cor", "", "Match the extent along x rather than the volume", 0, 0,
       [](State& s, const Arguments&) { s.sim().shape.volume_correction = false; }},
      {"orient", "<alpha> <beta> <gamma> | avg [<file>]",
       "Euler angles of the particle (degrees, zyz), or an average over orientations", 1, 3,
       [](State& s, const Arguments& a) {
         auto& o = s.sim().orientation;
         if (a[0] == "avg") {
           a.expect(1, 2, "avg and at most one file name");
           o.average = true;
           if (a.size() == 2) o.average_file = a.file(1);
           return;
         }
         a.expect(3, 3, "three angles, or avg,");
         o.alpha = a.number(0);
         o.beta = a.number(1);
         o.gamma = a.number(2);
       }},
      {"rect_dip", "<x> <y> <z>", "Relative edges of a rectangular dipole (default 1 1 1)", 3, 3,
       [](State& s, const Arguments& a) {
         s.sim().shape.rectangular = {a.positive(0), a.positive(1), a.positive(2)};
       }},
      {"shape", "<type> [<arguments>]",
       "Shape of the particle (default sphere); lengths relative to that along x", 1, -1, set_shape,
       &shape_choices()},
      {"size", "<um>", "Extent of the box along x; not together with -eq_rad", 1, 1,
       [](State& s, const Arguments& a) { s.sim().shape.size = a.positive(0); }},
      {"sym", "auto|no|enf",
       "Find the particle's symmetries, ignore them, or assume all of them (default auto)", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().symmetry = a.choice<SymmetryUse>(
             0, {{"auto", SymmetryUse::automatic}, {"no", SymmetryUse::none}, {"enf", SymmetryUse::enforce}});
       }},
  };
}

const std::vector<Choice>& shape_choices() {
  static const std::vector<Choice> list = {
      {"axisymmetric", "<file>", "body of revolution, contour (rho, z) from a file", 1, 1, false, true},
      {"bicoated", "<Rcc/d> <din/d>", "two coated spheres along z", 2, 2, false, false},
      {"biellipsoid", "<y1/x1> <z1/x1> <x2/x1> <y2/x2> <z2/x2>", "two touching ellipsoids along z", 5, 5,
       false, false},
      {"bisphere", "<Rcc/d>", "two spheres along z", 1, 1, false, false},
      {"box", "[<y/x> <z/x>]", "cube or rectangular box", 0, 2, true, false},
      {"capsule", "<h/d>", "cylinder with half spheres at its ends", 1, 1, false, false},
      {"chebyshev", "<eps> <n>", "r = r0 (1 + eps cos n theta)", 2, 2, false, false},
      {"coated", "<din/d> [<x/d> <y/d> <z/d>]", "sphere with a spherical inclusion", 1, 4, true, false},
      {"coated2", "<ds/d> <dc/d>", "sphere with two shells (prefer onion)", 2, 2, false, false},
      {"cylinder", "<h/d>", "cylinder along z", 1, 1, false, false},
      {"egg", "<eps> <nu>", "a^2 = r^2 + nu r z - (1 - eps) z^2", 2, 2, false, false},
      {"ellipsoid", "<y/x> <z/x>", "ellipsoid", 2, 2, false, false},
      {"line", "", "dipoles along x", 0, 0, false, false},
      {"onion", "<d2/d> [<d3/d> ...]", "sphere of concentric shells", 1, 254, false, false},
      {"onion_ell", "<y/x> <z/x> <x2/x> [...]", "ellipsoid of concentric shells", 3, 256, false, false},
      {"plate", "<h/d>", "cylinder with a rounded side", 1, 1, false, false},
      {"prism", "<n> <h/Dx>", "right prism on a regular polygon", 2, 2, false, false},
      {"rbc", "<h/d> <b/d> <c/d>", "red blood cell", 3, 3, false, false},
      {"read", "<file>", "dipoles listed in a file (ADDA or DDSCAT format)", 1, 1, false, true},
      {"sphere", "", "sphere", 0, 0, false, false},
      {"spherebox", "<dsph/Dx>", "sphere (second domain) in a cube", 1, 1, false, false},
      {"superellipsoid", "<b/a> <c/a> <e> <n>", "superellipsoid", 4, 4, false, false},
  };
  return list;
}

}  // namespace umov::dda::adda
