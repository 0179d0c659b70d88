// Options that describe the incident light and the angles of the scattered light.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "dda/adda/options.hpp"

namespace umov::dda::adda {

namespace {

const std::vector<std::pair<const char*, BeamKind>> beam_kinds = {
    {"plane", BeamKind::plane},     {"lminus", BeamKind::lminus}, {"davis3", BeamKind::davis3},
    {"barton5", BeamKind::barton5}, {"dipole", BeamKind::dipole}, {"read", BeamKind::read}};

void set_beam(State& s, const Arguments& a) {
  std::vector<std::string> names;
  const Choice* choice = nullptr;
  for (const auto& c : beam_choices()) {
    names.push_back(c.name);
    if (c.name == a[0]) choice = &c;
  }
  if (!choice) a.unknown_word(a[0], names);
  if (a[0].rfind("bessel", 0) == 0) {
    throw BadInput(
        fmt::format("adda: option -beam {} is not built in umov yet; beams: plane, lminus, davis3, "
                    "barton5, dipole, read",
                    a[0]));
  }
  const int n = int(a.size()) - 1;
  const Arguments mine("beam " + a[0], {&a[0], a.size()});
  if (n < choice->least || n > choice->most ||
      (choice->only_ends && n != choice->least && n != choice->most)) {
    mine.fail(fmt::format("{} argument(s) given (expected: {})", n,
                          choice->arguments.empty() ? "none" : choice->arguments));
  }
  auto& beam = s.sim().beam;
  for (const auto& [name, kind] : beam_kinds) {
    if (a[0] == name) beam.kind = kind;
  }
  if (choice->file) {
    beam.file_y = mine.file(1);
    if (n == 2) beam.file_x = mine.file(2);
    return;
  }
  const bool gaussian =
      beam.kind == BeamKind::lminus || beam.kind == BeamKind::davis3 || beam.kind == BeamKind::barton5;
  if (gaussian) beam.width = mine.positive(1);
  if (n >= 3) {
    beam.center = mine.vector(std::size_t(n) - 2);
    s.beam_center_in_beam = true;
  }
}

void set_propagation(State& s, const Arguments& a) {
  const Vec3 v = a.vector(0);
  const double square = dot(v, v);
  if (!(square > 0) || !std::isfinite(square)) a.fail("the propagation vector has no direction (length 0)");
  s.sim().propagation = (1 / std::sqrt(square)) * v;
}

}  // namespace

std::vector<Option> light_options() {
  return {
      {"beam", "<type> [<arguments>]", "Incident beam (default plane); lengths in um", 1, -1, set_beam,
       &beam_choices()},
      {"beam_center", "<x> <y> <z>", "Centre of the beam, laboratory frame (um; default 0 0 0)", 3, 3,
       [](State& s, const Arguments& a) { s.sim().beam.center = a.vector(0); }},
      {"lambda", "<um>", "Wavelength in vacuum (default 2 pi)", 1, 1,
       [](State& s, const Arguments& a) { s.sim().wavelength = a.positive(0); }},
      {"prop", "<x> <y> <z>", "Direction of propagation, any length (default 0 0 1)", 3, 3, set_propagation},
      {"ntheta", "<n>", "Intervals of the scattering angle over 180 degrees (default 90 to 720 by the grid)",
       1, 1,
       [](State& s, const Arguments& a) {
         s.sim().outputs.ntheta = a.integer(0, 1, std::numeric_limits<int>::max() / 4);
       }},
      {"phi_integr", "<bits>",
       "Integrate Mueller matrices over phi: sum of 1, 2 cos2, 4 sin2, 8 cos4, 16 sin4", 1, 1,
       [](State& s, const Arguments& a) { s.sim().outputs.phi_integr = a.integer(0, 1, 31); }},
      {"scat_grid_inp", "<file>", "Grid of scattering angles (default scat_params.dat, else built in)", 1, 1,
       [](State& s, const Arguments& a) { s.sim().outputs.scat_grid_file = a.file(0); }},
      {"alldir_inp", "<file>", "Angles for integrated quantities (default alldir_params.dat, else built in)",
       1, 1, [](State& s, const Arguments& a) { s.sim().outputs.alldir_file = a.file(0); }},
      {"scat_plane", "", "Scattering in the plane through the z-axis and the propagation direction", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.scat_plane = true; }},
      {"yz", "", "Scattering in the yz-plane of the incident wave", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.yz = true; }},
      {"surf", "<h> {<re> <im> | inf}", "Particle above a plane surface (not built yet)", 0, -1,
       [](State&, const Arguments&) {
         throw BadInput(
             "adda: option -surf is not built in umov yet; leave it out for a particle in free space");
       }},
      {"int_surf", "img|som", "Reflected interaction of -surf (not built yet)", 0, -1,
       [](State&, const Arguments&) {
         throw BadInput(
             "adda: option -int_surf is not built in umov yet; it goes with -surf, which is not either");
       }},
  };
}

const std::vector<Choice>& beam_choices() {
  static const std::vector<Choice> list = {
      {"barton5", "<width> [<x> <y> <z>]", "Gaussian beam, fifth order (Barton and Alexander 1989)", 1, 4,
       true, false},
      {"besselCS", "<order> <angle>", "Bessel beam (not built yet)", 2, 2, false, false},
      {"besselCSp", "<order> <angle>", "Bessel beam (not built yet)", 2, 2, false, false},
      {"besselLE", "<order> <angle>", "Bessel beam (not built yet)", 2, 2, false, false},
      {"besselLM", "<order> <angle>", "Bessel beam (not built yet)", 2, 2, false, false},
      {"besselM", "<order> <angle> <M>", "Bessel beam (not built yet)", 6, 10, true, false},
      {"besselTEL", "<order> <angle>", "Bessel beam (not built yet)", 2, 2, false, false},
      {"besselTML", "<order> <angle>", "Bessel beam (not built yet)", 2, 2, false, false},
      {"davis3", "<width> [<x> <y> <z>]", "Gaussian beam, third order (Davis 1979)", 1, 4, true, false},
      {"dipole", "[<x> <y> <z>]", "field of a point dipole along -prop at -beam_center", 0, 3, true, false},
      {"lminus", "<width> [<x> <y> <z>]", "Gaussian beam, simplest form", 1, 4, true, false},
      {"plane", "", "plane wave", 0, 0, false, false},
      {"read", "<fileY> [<fileX>]", "field per dipole, as -store_beam writes it", 1, 2, false, true},
  };
  return list;
}

}  // namespace umov::dda::adda
