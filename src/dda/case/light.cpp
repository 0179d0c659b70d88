// Wavelength and refractive indices of a case: materials at the vacuum wavelength, then the medium divided
// out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/case/case.hpp"
#include "materials/library.hpp"
#include "materials/nk_axes.hpp"

namespace umov::dda {

namespace {

/// k / n of a medium up to which its absorption is left out: over a particle of 100 wavelengths the light
/// loses less than a tenth of a per cent.
constexpr double clear_enough = 1e-6;

/// n + ik of a material of the library. Throws BadInput outside of its data.
cplx index_of(const std::string& name, double wavelength) {
  const materials::Material& m = materials::find(name).material;
  if (const std::string why = materials::check_range(m, wavelength, wavelength); !why.empty())
    throw BadInput(why);
  return materials::refractive_index(m, wavelength);
}

class LightReader : cases::CasePlaces {
 public:
  LightReader(const Case& c, const Origins& origins) : cases::CasePlaces(origins), case_(c) {}

  void read(Simulation& sim) const {
    GivenLight given{case_.vacuum_wavelength, case_.medium, case_.materials};
    if (given.materials.empty()) given.materials = {{{CVec3{1.5, 1.5, 1.5}, ""}, "", ""}};
    sim.medium = medium_at(given.vacuum_wavelength);
    sim.wavelength = given.vacuum_wavelength / sim.medium;
    sim.m.clear();
    for (std::size_t i = 0; i < given.materials.size(); ++i) sim.m.push_back(material(i, given, sim.medium));
    sim.given = std::move(given);
  }

 private:
  double medium_at(double wavelength) const {
    if (const auto number = parse_number(case_.medium)) return *number;
    const cplx n = at("medium", [&] { return index_of(case_.medium, wavelength); });
    if (!(n.real() > 0) || n.imag() > clear_enough * n.real())
      throw BadInput(
          fmt::format("{} is '{}', which at {:.6g} um has an index of {:.5g} + {:.3g}i (cross sections are "
                      "of particles in a "
                      "medium that does not absorb); take another one, or a number",
                      place("medium"), case_.medium, wavelength, n.real(), n.imag()));
    return n.real();
  }

  /// `find`, with the parameter and the wavelength before what it refuses.
  template <class Find>
  cplx at(const std::string& parameter, const Find& find) const {
    try {
      return find();
    } catch (const BadInput& e) {
      throw BadInput(fmt::format("{}: {}; change {}, or take another material", place(parameter), e.what(),
                                 place("wavelength")));
    }
  }

  CVec3 material(std::size_t i, GivenLight& given, double medium) const {
    MaterialRequest& request = given.materials[i];
    const int ways = bool(request.index.m) + !request.index.word.empty() + !request.library.empty() +
                     !request.nk_file.empty();
    if (ways != 1)
      throw BadInput(
          fmt::format("{}: material {} has {} of m, library and nk_file ({}); give one of them",
                      place(given_key()), i + 1, ways == 0 ? "none" : "several",
                      ways == 0 ? "each of them says what it is" : "each says the whole material"));
    if (!request.index.word.empty()) {
      std::error_code ignored;
      const bool file = std::filesystem::is_regular_file(request.index.word, ignored);
      (file ? request.nk_file : request.library) = request.index.word;
      request.index.word.clear();
    }
    const CVec3 m = request.index.m ? *request.index.m : by_wavelength(request, given.vacuum_wavelength);
    if (medium == 1) {
      if (std::find(m.begin(), m.end(), cplx(1)) != m.end())
        throw BadInput(
            fmt::format("{}: material {} has a refractive index of exactly 1 (vacuum does not scatter: its "
                        "polarizability is zero); leave its sites empty, or give another one",
                        place(given_key()), i + 1));
      return m;
    }
    const CVec3 relative{m[0] / medium, m[1] / medium, m[2] / medium};
    for (const cplx& c : relative)
      if (c == cplx(1))
        throw BadInput(
            fmt::format("{}: material {} has the index of the medium (it does not scatter); leave its "
                        "sites empty, or give another one",
                        place(given_key()), i + 1));
    return relative;
  }

  CVec3 by_wavelength(const MaterialRequest& request, double wavelength) const {
    const std::string key = given_key();
    if (!request.nk_file.empty()) check_file(place(key), request.nk_file, "n and k");
    CVec3 m;
    if (request.library.empty()) {
      const materials::NkAxes axes = materials::read_nk_axes(request.nk_file);
      for (std::size_t c = 0; c < 3; ++c) m[c] = at(key, [&] { return axes[c].at(wavelength); });
    } else {
      m.fill(at(key, [&] { return index_of(request.library, wavelength); }));
    }
    return m;
  }

  /// Where the materials were given.
  std::string given_key() const {
    for (const char* key : {"material.nk_file", "material.library"})
      if (given(key)) return key;
    return "material.m";
  }

  const Case& case_;
};

}  // namespace

void set_light(const Case& c, const Origins& origins, Simulation& sim) { LightReader(c, origins).read(sim); }

}  // namespace umov::dda
