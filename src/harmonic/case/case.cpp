// From the user's case to a Simulation of a time-harmonic cell: derived values and checks that span
// parameters.
#include "harmonic/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "materials/library.hpp"

namespace umov::harmonic {

namespace {

class HarmonicCaseChecker : cases::CasePlaces {
 public:
  HarmonicCaseChecker(const Case& c, const Origins& origins)
      : cases::CasePlaces(origins), case_(c), sim_(c.simulation) {}

  Simulation finish() {
    refuse_two_devices("--gpu");
    refuse_idle_machine(case_.machine);
    if (!case_.machine.checkpoint.resume) refuse_escape("output.folder", case_.machine.output_dir);
    take_wavelengths();
    check_period();
    if (sim_.method == Method::pseudo_time && sim_.ends == Ends::open)
      throw BadInput(place("harmonic.ends") +
                     " is open (pseudo-time needs ends that absorb); leave it out, or take another method");
    check_materials();
    check_layers();
    check_media();
    check_textures();
    check_cuts();
    check_file(given("harmonic.spectrum") ? place("harmonic.spectrum") : "harmonic.spectrum", sim_.spectrum,
               "the spectrum");
    for (const double w : sim_.fields_at)
      if (std::none_of(sim_.wavelengths.begin(), sim_.wavelengths.end(),
                       [&](double own) { return std::abs(own - w) < 1e-9 * w; }))
        throw BadInput(
            fmt::format("{}: {:g} um is no wavelength of the case (fields are kept where they are computed); "
                        "name one of them",
                        place("harmonic.fields_at"), w));
    return sim_;
  }

 private:
  void take_wavelengths() {
    const bool range = case_.from || case_.to || case_.count > 0;
    auto& list = sim_.wavelengths;
    if (range && given("harmonic.wavelengths"))
      throw BadInput(place("harmonic.wavelengths") +
                     " is given beside a range of wavelengths (each says which there are); keep one");
    if (range) {
      if (!case_.from || !case_.to || case_.count < 1)
        throw BadInput(fmt::format(
            "the range of wavelengths has no {} (it has a shortest, a longest and a number); give "
            "wavelength_from, wavelength_to and wavelength_count under [harmonic]",
            !case_.from ? "wavelength_from"
            : !case_.to ? "wavelength_to"
                        : "wavelength_count"));
      if (*case_.to < *case_.from)
        throw BadInput(
            fmt::format("wavelength_from = {:g} um lies above wavelength_to = {:g} um (the shortest "
                        "comes first); exchange them",
                        *case_.from, *case_.to));
      if ((case_.count == 1) != (*case_.from == *case_.to))
        throw BadInput(
            fmt::format("the range from {:g} to {:g} um has wavelength_count = {} (two ends are two "
                        "wavelengths at least, equal ends are one); give {}",
                        *case_.from, *case_.to, case_.count,
                        case_.count == 1 ? "2 or more" : "wavelengths = [...] in its place"));
      list.clear();
      for (int i = 0; i < case_.count; ++i)
        list.push_back(case_.count == 1 ? *case_.from
                                        : *case_.from + (*case_.to - *case_.from) * i / (case_.count - 1));
    }
    if (list.empty())
      throw BadInput(
          "there is no wavelength ('harmonic.wavelengths' is missing, and the range too); give wavelengths = "
          "[...] or wavelength_from, wavelength_to and wavelength_count under [harmonic]");
    std::sort(list.begin(), list.end());
    if (std::adjacent_find(list.begin(), list.end()) != list.end())
      throw BadInput(place("harmonic.wavelengths") + ": a wavelength is there twice; leave one out");
  }

  void check_period() const {
    if (sim_.period[2] > 0)
      throw BadInput(place("harmonic.period") +
                     " has three numbers (the layers lie along x and y); give one or two");
    if (sim_.period[0] == 0 && sim_.period[1] > 0)
      throw BadInput(place("harmonic.period") +
                     " has a period along y but none along x (in two dimensions they are x and z); give the "
                     "one along x");
  }

  void check_materials() const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < sim_.materials.size(); ++i) {
      const auto& m = sim_.materials[i];
      if (m.name.empty())
        throw BadInput(item("material", i) +
                       " has no name (layers refer to it by name); give name = \"...\"");
      if (!names.insert(m.name).second)
        throw BadInput(item("material", i, m.name) + " has the name of an earlier one; choose another");
      check_file(item("material", i, m.name), m.nk_file, "n and k");
      const int ways = int(!m.library.empty()) + !m.nk_file.empty() + (m.index || m.extinction);
      if (ways != 1)
        throw BadInput(fmt::format(
            "{} is given {} (library, nk_file, or index and extinction say what it is); give one of "
            "them",
            item("material", i, m.name), ways == 0 ? "in no way" : "in more than one way"));
      if (ways == 1 && m.extinction && !m.index)
        throw BadInput(item("material", i, m.name) +
                       " has an extinction without an index; give index = ... too");
      if (m.index && *m.index == 0 && m.extinction.value_or(0) == 0)
        throw BadInput(item("material", i, m.name) +
                       " has n = k = 0 (a permittivity of 0 has no waves); give one of them above 0");
    }
  }

  void check_layers() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < sim_.layers.size(); ++i) {
      auto& l = sim_.layers[i];
      if (l.material.empty())
        throw BadInput(item("layer", i, l.name) + " has no material; give material = \"...\"");
      if (l.thickness == 0)
        throw BadInput(item("layer", i, l.name) + " has no thickness; give thickness = ... (um)");
      if (l.name.empty()) {
        l.name = l.material;
        for (int n = 2; names.count(l.name) || l.name == "substrate"; ++n)
          l.name = fmt::format("{} {}", l.material, n);
      }
      if (l.name == "substrate" || l.name == "superstrate" || !names.insert(l.name).second)
        throw BadInput(
            fmt::format("{} has a name that is taken (results and textures go by it); choose another",
                        item("layer", i, l.name)));
    }
  }

  /// What layers and ends are made of has to be a material of the case or of the library.
  void check_media() const {
    for (const auto& [key, name] : {std::pair("harmonic.superstrate", &sim_.superstrate),
                                    std::pair("harmonic.substrate", &sim_.substrate)})
      check_medium(given(key) ? place(key) : key, *name);
    for (std::size_t i = 0; i < sim_.layers.size(); ++i)
      check_medium(item("layer", i, sim_.layers[i].name), sim_.layers[i].material);
  }

  void check_medium(const std::string& where, const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& m : sim_.materials) known.push_back(m.name);
    if (std::ranges::count(known, name)) return;
    try {
      materials::find(name);
    } catch (const BadInput&) {
      for (const auto& entry : materials::library()) known.push_back(entry.material.name);
      const std::string hint = did_you_mean(name, known);
      throw BadInput(fmt::format("{}: unknown material '{}' (neither a [[material]] nor in the library); {}",
                                 where, name,
                                 hint.empty() ? "declare it, or take a name of `umov materials`" : hint));
    }
  }

  void check_textures() const {
    std::set<std::size_t> textured;
    for (std::size_t i = 0; i < sim_.textures.size(); ++i) {
      const auto& t = sim_.textures[i];
      const std::string where = item("texture", i);
      if (t.above.empty())
        throw BadInput(where + " belongs to no interface; give above = \"...\", the layer below it");
      std::size_t interface = sim_.layers.size();
      if (t.above != "substrate") {
        const auto l = std::find_if(sim_.layers.begin(), sim_.layers.end(),
                                    [&](const auto& x) { return x.name == t.above; });
        if (l == sim_.layers.end())
          throw BadInput(fmt::format(
              "{}: there is no layer '{}' (textures are upper sides of layers or of the substrate); "
              "name one",
              where, t.above));
        interface = std::size_t(l - sim_.layers.begin());
      }
      if (!textured.insert(interface).second)
        throw BadInput(
            fmt::format("{}: the upper side of '{}' has a texture already; leave one out", where, t.above));
      if (sim_.period[0] == 0)
        throw BadInput(where +
                       " needs a period (its heights are periodic); give period = [...] under [harmonic]");
      if (t.kind == TextureKind::conformal && interface == 0)
        throw BadInput(where +
                       " is conformal to the interface above, and there is none; choose another kind");
      if (t.kind == TextureKind::gaussian && !(t.correlation_length > 0))
        throw BadInput(where + " has no correlation length; give correlation_length = ... (um)");
      if (t.kind == TextureKind::gaussian && t.correlation_length > shortest_period())
        throw BadInput(
            fmt::format("{} has a correlation length of {:g} um (the period is {:g} um, and a random surface "
                        "needs several of them in it); choose a longer period or a shorter length",
                        where, t.correlation_length, shortest_period()));
      if (t.kind == TextureKind::picture) {
        if (t.file.empty()) throw BadInput(where + " is a picture without a file; give file = \"...\"");
        check_file(where, t.file, "the heights");
      }
    }
  }

  void check_cuts() const {
    for (std::size_t i = 0; i < sim_.cuts.size(); ++i) {
      const auto& c = sim_.cuts[i];
      const std::string where = item("cut", i);
      const int axis = c.plane == CutPlane::xz ? 1 : 0;
      if (c.plane != CutPlane::xz && sim_.period[1] == 0)
        throw BadInput(where + " runs along y (nothing changes there without a period along y); take xz");
      if (c.plane == CutPlane::xy) {
        if (!c.below.empty() && c.below != "substrate" &&
            std::none_of(sim_.layers.begin(), sim_.layers.end(),
                         [&](const auto& l) { return l.name == c.below; }))
          throw BadInput(
              fmt::format("{}: there is no layer '{}' (its depth counts from a layer's mean top); "
                          "name one",
                          where, c.below));
      } else if (c.at < 0 || (c.at > 0 && c.at >= sim_.period[axis])) {
        throw BadInput(
            fmt::format("{} lies at {:g} um (the period there is {:g} um); choose 'at' within one "
                        "period",
                        where, c.at, sim_.period[axis]));
      }
    }
  }

  double shortest_period() const {
    return sim_.period[1] > 0 ? std::min(sim_.period[0], sim_.period[1]) : sim_.period[0];
  }

  const Case& case_;
  Simulation sim_;
};

}  // namespace

Simulation finish_case(const Case& c, const Origins& origins) {
  return HarmonicCaseChecker(c, origins).finish();
}

std::string resolved_toml(const Simulation& simulation, const run::Machine& machine) {
  Case c;
  c.simulation = simulation;
  c.machine = machine;
  return "# The case as it was run: every default filled in. `umov fdtd resolved.toml` repeats it.\n" +
         parameters().write_toml(c);
}

std::string shared_settings(const Simulation& simulation, const CellGrid& g) {
  Case c;
  c.simulation = simulation;
  return parameters().identity(
             &c, {Concern::result},
             {"harmonic.wavelengths", "harmonic.angle", "harmonic.azimuth", "harmonic.spectrum"}) +
         fmt::format("grid: {} x {} x {} cells of {:.9g} x {:.9g} x {:.9g} um, absorbing {} and {}\n", g.nx,
                     g.ny, g.nz, g.spacing[0], g.spacing[1], g.spacing[2], g.absorbing[0], g.absorbing[1]);
}

}  // namespace umov::harmonic
