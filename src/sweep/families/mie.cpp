// Spheres by the Mie series.
#include "mie/mie.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "cases/declare.hpp"
#include "core/error.hpp"
#include "sweep/families/families.hpp"
#include "sweep/families/reading.hpp"

namespace umov::sweep {

namespace {

/// A sphere as its user writes it; lengths in um.
struct MieCase {
  std::optional<double> x, radius, wavelength, core_x, core_radius;
  cplx m{1.5, 0};
  std::optional<cplx> core_m;
  int angles = 180;  ///< intervals of the scattering angle
};

/// A number, or its two parts.
Codec<cplx> complex_number() {
  const auto parts = numbers();
  return {[parts](const Value& v) {
            const auto x = parts.read(v);
            if (x.empty() || x.size() > 2)
              throw ValueError("wants a number, or two: [real part, imaginary part]");
            return cplx(x[0], x.size() > 1 ? x[1] : 0.0);
          },
          parse_nested,
          [](const cplx& z) { return fmt::format("[{}, {}]", z.real(), z.imag()); },
          "",
          "RE,IM",
          false};
}

ParameterTable<MieCase> make_table() {
  using cases::item;
  ParameterTable<MieCase> t;
  const auto positive = optional_number(Range::above(0));
  t.add(item("x", "", "Size parameter 2 pi radius / wavelength.", "by the radius"), positive, UMOV_CASE(x));
  t.add(item("radius", "um", "Radius of the sphere, with the wavelength.", "by x"), positive,
        UMOV_CASE(radius));
  t.add(item("wavelength", "um", "Wavelength in the medium around the sphere.", "by x"), positive,
        UMOV_CASE(wavelength));
  t.add(item("m", "", "Refractive index relative to the medium: a number, or [re, im]."), complex_number(),
        UMOV_CASE(m));
  t.add(item("core_x", "", "Size parameter of a concentric core; m is then the shell's.", "none"), positive,
        UMOV_CASE(core_x));
  t.add(item("core_radius", "um", "Its radius, beside the radius of the sphere.", "none"), positive,
        UMOV_CASE(core_radius));
  t.add(item("core_m", "", "Its refractive index.", "none"), optional_of(complex_number()),
        UMOV_CASE(core_m));
  t.add(item("angles", "", "Intervals of the scattering angle over 0 to 180 degrees."),
        integer<int>(Range::between(1, 10000000)), UMOV_CASE(angles));
  return t;
}

const ParameterTable<MieCase>& table() {
  static const ParameterTable<MieCase> made = make_table();
  return made;
}

mie::Sphere sphere_of(const MieCase& c) {
  if (c.x ? c.radius || c.wavelength : !c.radius || !c.wavelength)
    throw BadInput(
        "a sphere has 'x', or 'radius' and 'wavelength' (one size); give the one or the "
        "others");
  if (c.core_x && c.core_radius) throw BadInput("'core_x' beside 'core_radius' (one size); give one of them");
  if (c.x && c.core_radius)
    throw BadInput("'core_radius' beside 'x' (a length beside a size parameter); give 'core_x'");
  if ((c.core_x || c.core_radius) != c.core_m.has_value())
    throw BadInput(
        "half a core (a coated sphere needs its size and its index); give 'core_m' with its "
        "size");
  const double k = c.x ? 1 : 2 * pi / *c.wavelength;
  mie::Sphere sphere{c.x ? *c.x : k * *c.radius, c.m};
  if (c.core_m) {
    sphere.core_x = c.core_x ? *c.core_x : k * *c.core_radius;
    sphere.core_m = *c.core_m;
  }
  mie::validate(sphere);
  return sphere;
}

results::Result solve(const MieCase& c) {
  const mie::Sphere sphere = sphere_of(c);
  const auto coefficients = mie::coefficients(sphere);
  const auto e = mie::efficiencies(sphere);
  results::Result r;
  r.add("size_parameter", "1", "2 pi radius / wavelength", sphere.x);
  r.add("Qext", "1", "extinction efficiency", e.qext);
  r.add("Qsca", "1", "scattering efficiency", e.qsca);
  r.add("Qabs", "1", "absorption efficiency", e.qabs);
  r.add("Qpr", "1", "efficiency of radiation pressure", e.qpr);
  r.add("Qback", "1", "efficiency of radar backscattering", e.qback);
  r.add("g", "1", "asymmetry parameter <cos theta>", e.g);
  std::vector<double> theta, mueller;
  for (int i = 0; i <= c.angles; ++i) {
    theta.push_back(180.0 * i / c.angles);
    const auto s = mie::mueller(mie::amplitudes(coefficients, std::cos(theta.back() * pi / 180)));
    mueller.insert(mueller.end(), s.begin(), s.end());
  }
  const std::size_t n = theta.size();
  r.add("theta", "degree", "scattering angle", theta);
  r.add("mueller", "1", "Mueller matrix S_ij", mueller, {n, 4, 4});
  return r;
}

}  // namespace

Family mie_family() {
  Family f;
  f.name = "mie";
  f.parameters = &table();
  f.check = [](const Tree& tree) { sphere_of(read(table(), tree).given); };
  f.need = [](const Tree&) { return Need{"cpu", -1, 1, 0}; };
  f.worker = [](const Seat&) -> Worker {
    return [](const Tree& tree, const Watch&) { return Found{solve(read(table(), tree).given)}; };
  };
  return f;
}

}  // namespace umov::sweep
