// Cross-sections whose modes are known exactly.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "modes/solve.hpp"

namespace umov::modes::test {

inline constexpr double all = std::numeric_limits<double>::infinity();

inline fdtd::MaterialSpec medium(const std::string& name, double n) {
  fdtd::MaterialSpec m;
  m.name = name;
  m.index = n;
  return m;
}

/// A slab between y = low and high in two dimensions, E along z (tm) or H along z (te).
struct Layer {
  double n, low, high;
};

inline Simulation slabs(const std::vector<Layer>& layers, double background, double width, bool te,
                        double resolution, double wavelength) {
  Simulation s;
  s.model.size = {1, width, 0};
  s.model.te = te;
  s.model.resolution = resolution;
  s.model.materials.push_back(medium("around", background));
  s.model.background = "around";
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = "layer" + std::to_string(i);
    s.model.materials.push_back(medium(name, layers[i].n));
    fdtd::BodySpec b;
    b.material = name;
    b.size = Vec3{0, layers[i].high - layers[i].low, 0};
    b.center = {0, (layers[i].high + layers[i].low) / 2, 0};
    s.model.bodies.push_back(b);
  }
  s.wavelengths = {wavelength};
  s.dispersion = false;
  s.levels = 1;
  return s;
}

/// A zero of an analytic function by the secant method.
inline cplx zero(const std::function<cplx(cplx)>& f, cplx a, cplx b) {
  cplx fa = f(a), fb = f(b);
  for (int i = 0; i < 100 && std::abs(b - a) > 1e-14 * std::abs(b); ++i) {
    const cplx c = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb;
    b = c, fb = f(c);
    if (fb == fa) break;
  }
  return b;
}

/// What vanishes at the index of a mode of layers between two half spaces: (field, flux) marched from the
/// lower one, whose wave decays or, with `leaks`, goes away, to the upper one, whose wave decays. E along the
/// layers (flux E') or H along them (flux H' / n^2). Yeh 1988, Optical Waves in Layered Media, chapter 11.
inline cplx mismatch(const std::vector<Layer>& layers, double below, bool leaks, double above, bool h_along,
                     double k, cplx n) {
  const auto across = [&](double medium) { return k * std::sqrt(n * n - medium * medium); };
  const auto weight = [&](double medium) { return h_along ? 1 / (medium * medium) : 1.0; };
  // Going away downwards: exp(-i q y), q = sqrt(below^2 - n^2).
  cplx field = 1,
       flux = weight(below) * (leaks ? cplx(0, -k) * std::sqrt(below * below - n * n) : across(below));
  for (const Layer& l : layers) {
    const cplx g = across(l.n), d = g * (l.high - l.low), w = weight(l.n) * g;
    const cplx next = field * std::cosh(d) + flux / w * std::sinh(d);
    flux = field * w * std::sinh(d) + flux * std::cosh(d);
    field = next;
  }
  return flux + field * weight(above) * across(above);
}

inline Mode only(const Simulation& s) { return solve(make_section(s), s, 1 / s.wavelengths.front()).at(0); }

}  // namespace umov::modes::test
