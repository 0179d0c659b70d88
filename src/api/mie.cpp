// Lorenz-Mie theory in the library.
#include "mie/mie.hpp"

#include <fmt/format.h>

#include <cmath>

#include "api/course.hpp"
#include "api/members.hpp"
#include "cases/declare.hpp"
#include "run/version.hpp"

namespace umov::api {

namespace {

struct Case {
  std::optional<double> x, radius, wavelength, core_x, core_radius;
  cplx m{1.5, 0};
  std::optional<cplx> core_m;
  int angles = 180;
};

Codec<cplx> complex_number() {
  return {[](const Value& v) {
            const auto list = read_list(v);
            if (list.empty() || list.size() > 2)
              throw ValueError(fmt::format("wants one number or two, re and im, not {}", describe(v)));
            return cplx(read_number(list[0], {}), list.size() > 1 ? read_number(list[1], {}) : 0.0);
          },
          parse_nested,
          [](const cplx& z) { return fmt::format("[{}, {}]", z.real(), z.imag()); },
          "",
          "RE,IM",
          false,
          false,
          schema::any_of({schema::number({}), schema::list(schema::number({}), 1, 2)})};
}

const ParameterTable<Case>& table() {
  static const ParameterTable<Case> whole = [] {
    using cases::item;
    ParameterTable<Case> t;
    const Range positive = Range::above(0);
    t.add(item("x", "1", "Size parameter 2 pi radius / wavelength.", "from radius and wavelength"),
          optional_number(positive), UMOV_CASE(x));
    t.add(item("radius", "um", "Radius of the sphere, with the wavelength.", "see x"),
          optional_number(positive), UMOV_CASE(radius));
    t.add(item("wavelength", "um", "Wavelength in the medium around the sphere.", "see x"),
          optional_number(positive), UMOV_CASE(wavelength));
    t.add(item("m", "1", "Refractive index over that of the medium, re or [re, im]; im > 0 absorbs."),
          complex_number(), UMOV_CASE(m));
    t.add(item("core_x", "1", "Size parameter of a concentric core.", "no core"), optional_number(positive),
          UMOV_CASE(core_x));
    t.add(item("core_radius", "um", "Radius of a concentric core, with the wavelength.", "no core"),
          optional_number(positive), UMOV_CASE(core_radius));
    t.add(item("core_m", "1", "Refractive index of the core; m is then the shell's.", "no core"),
          optional_of(complex_number()), UMOV_CASE(core_m));
    t.add(item("angles", "1", "Intervals of the scattering angle over 0 to 180 degrees."),
          integer<int>(Range::between(1, 10'000'000)), UMOV_CASE(angles));
    return t;
  }();
  return whole;
}

Case read(const Tree& tree) {
  Case c;
  Origins origins;
  table().read(tree, c, origins);
  return c;
}

mie::Sphere sphere_of(const Case& c) {
  const bool lengths = c.radius && c.wavelength;
  if (c.x ? c.radius || c.wavelength : !lengths)
    throw BadInput("a sphere has one size (x, or radius and wavelength); give either");
  if (c.core_x && c.core_radius) throw BadInput("core_x and core_radius are both given; give one of them");
  if (c.core_radius && !lengths)
    throw BadInput("core_radius beside x (a length beside a size parameter); give core_x");
  if ((c.core_x || c.core_radius) != c.core_m.has_value())
    throw BadInput("half a core (it needs its size and its index); give core_x or core_radius, and core_m");
  mie::Sphere s;
  const double k = lengths ? 2 * pi / *c.wavelength : 0;
  s.x = lengths ? k * *c.radius : *c.x;
  s.m = c.m;
  if (c.core_m) s.core_x = c.core_x ? *c.core_x : k * *c.core_radius, s.core_m = *c.core_m;
  mie::validate(s);
  return s;
}

void add_efficiencies(results::Result& r, const mie::Efficiencies& e, double area) {
  const auto add = [&](const std::string& name, const std::string& text, double q) {
    r.add("Q" + name, "1", text + " efficiency", q);
    if (area > 0) r.add("C" + name, "um^2", text + " cross section", q * area);
  };
  add("ext", "extinction", e.qext);
  add("sca", "scattering", e.qsca);
  add("abs", "absorption", e.qabs);
  add("pr", "radiation pressure", e.qpr);
  add("back", "radar backscattering", e.qback);
  r.add("g", "1", "mean cosine of the scattering angle", e.g);
}

void add_angles(results::Result& r, const mie::Coefficients& c, int intervals) {
  const std::size_t n = std::size_t(intervals) + 1;
  std::vector<double> theta, mueller;
  std::vector<cplx> amplitude;
  for (std::size_t i = 0; i < n; ++i) {
    theta.push_back(180.0 * double(i) / intervals);
    const auto s = mie::amplitudes(c, std::cos(theta.back() * pi / 180));
    const auto m = mie::mueller(s);
    mueller.insert(mueller.end(), m.begin(), m.end());
    amplitude.insert(amplitude.end(), {s.s1, s.s2});
  }
  r.add("theta", "degree", "scattering angle", std::move(theta));
  r.add("mueller", "1", "Mueller matrix S_ij", std::move(mueller), {n, 4, 4});
  r.add("amplitude", "1", "amplitude functions S1, S2", std::move(amplitude), {n, 2});
}

results::Result computed(const Tree& tree, const Machine&, const Observer&) {
  const Case c = read(tree);
  const mie::Sphere sphere = sphere_of(c);
  results::Result r;
  r.attributes = {{"program", "umov mie"}, {"version", umov::run::version()}, {"converged", "yes"}};
  r.add("size_parameter", "1", "2 pi radius / wavelength", sphere.x);
  add_efficiencies(r, mie::efficiencies(sphere), c.radius ? pi * *c.radius * *c.radius : 0);
  add_angles(r, mie::coefficients(sphere), c.angles);
  return r;
}

class Mie : public Family {
 public:
  std::string name() const override { return "mie"; }
  const ParameterList& parameters() const override { return table(); }

  void check(const Tree& tree) const override { sphere_of(read(tree)); }

  Plan plan(const Tree& tree, const Machine&) const override {
    const Case c = read(tree);
    sphere_of(c);
    return {table().write_toml(c), 0, {}, {}};
  }

  results::Result run(const Tree& tree, const Machine& machine, const Observer& observer) const override {
    return computed(tree, machine, observer);
  }

  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    return series_of(seats, parameters(), computed);
  }
};

}  // namespace

const Family& mie() {
  static const Mie family;
  return family;
}

}  // namespace umov::api
