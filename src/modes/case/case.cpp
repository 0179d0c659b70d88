#include "modes/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case_places.hpp"
#include "core/error.hpp"

namespace umov::modes {
namespace {

/// The specification of a name among sources or monitors; nullptr for none.
template <class Specs>
auto* named(const Specs& specs, const std::string& name) {
  const auto found = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

class Checker : cases::CasePlaces {
 public:
  Checker(const Case& c, const Origins& origins) : cases::CasePlaces(origins), case_(c), sim_(c.simulation) {}

  Simulation finish() {
    fdtd::Case model = case_.model;
    int flat = -1;
    make_room(model.simulation.size, flat);
    sim_.model = fdtd::finish_case(model, case_.model_origins);
    if (sim_.model.picture)
      throw BadInput(
          "the case's model is a picture (its walls and cells come with it); describe the "
          "cross-section by [[body]]");
    take_normal(flat);
    take_wavelengths();
    if (sim_.bend_radius > 0 && !given("modes.absorber")) sim_.absorber = 12;
    if (!given("modes.bend_radius") && given("modes.bend_axis"))
      throw BadInput(place("modes.bend_axis") + " has no effect (there is no bend); give bend_radius, too");
    if (!sim_.at.empty() && given("modes.position"))
      throw BadInput(place("modes.position") +
                     " is given beside a source or monitor (whose plane says where it lies); keep one");
    take_other();
    return sim_;
  }

 private:
  void take_other() {
    if (sim_.overlap.empty()) return;
    check_file(place("modes.overlap"), sim_.overlap, "the other cross-section");
    Case other;
    Origins origins;
    parameters().read_toml(sim_.overlap, other, origins);
    if (!other.simulation.overlap.empty())
      throw BadInput(place("modes.overlap") + " names a case that has an overlap of its own; take that out");
    other.wavelengths = NumberList(sim_.wavelengths.front());
    sim_.other = std::make_shared<const Simulation>(finish_case(other, origins));
    const auto &own = sim_.model, &there = sim_.other->model;
    if (own.unit_um != there.unit_um)
      throw BadInput(fmt::format(
          "{} names a case whose unit is {:g} um, and the unit here is {:g} (lengths are compared "
          "as numbers); give both the same `domain.unit_um`",
          place("modes.overlap"), there.unit_um, own.unit_um));
    if ((own.size[2] > 0) != (there.size[2] > 0))
      throw BadInput(fmt::format(
          "{} names a case of {} dimensions, and there are {} here (a slab's modes have power per "
          "length, a guide's have power); give both as many",
          place("modes.overlap"), there.size[2] > 0 ? 3 : 2, own.size[2] > 0 ? 3 : 2));
  }

  /// A domain without extent along one of its axes is a cross-section; along the axis it is as long as it
  /// pleases.
  static void make_room(Vec3& size, int& flat) {
    if (size[0] == 0 && size[1] > 0) flat = 0;
    if (size[0] > 0 && size[1] == 0 && size[2] > 0) flat = 1;
    if (flat >= 0) size[std::size_t(flat)] = std::max({size[0], size[1], size[2]});
  }

  void take_normal(int flat) {
    const Vec3* box = nullptr;
    if (const auto* s = named(sim_.model.sources, sim_.at); s && !sim_.at.empty()) box = &s->size;
    if (const auto* m = named(sim_.model.monitors, sim_.at); m && !sim_.at.empty()) box = &m->size;
    const int dimensions = sim_.model.size[2] > 0 ? 3 : sim_.model.size[1] > 0 ? 2 : 1;
    if (dimensions == 1)
      throw BadInput(
          "the domain has one dimension (a mode needs a cross-section); give size = [0, y, z], or "
          "[0, y] for a slab");
    sim_.normal = flat >= 0 ? flat : 0;
    if (box)
      for (int a = 0; a < dimensions; ++a)
        if ((*box)[std::size_t(a)] == 0) sim_.normal = a;
    if (case_.normal.empty()) return;
    sim_.normal = case_.normal[0] - 'x';
    if (sim_.normal >= dimensions || (flat >= 0 && sim_.normal != flat))
      throw BadInput(fmt::format("{} is {} (along which the cross-section has its extent); leave it out",
                                 place("modes.normal"), case_.normal));
  }

  void take_wavelengths() {
    auto& list = sim_.wavelengths;
    list.clear();
    if (case_.wavelengths) list = case_.wavelengths->values;
    if (const auto* s = named(sim_.model.sources, sim_.at); list.empty() && s && !sim_.at.empty())
      list = {1 / s->waveform.frequency};
    if (const auto* m = named(sim_.model.monitors, sim_.at); list.empty() && m && !sim_.at.empty()) {
      for (const double f : m->frequencies) list.push_back(1 / f);
      for (int i = 0; i < m->frequency_count; ++i)
        list.push_back(1 / (m->frequency_from +
                            (m->frequency_to - m->frequency_from) * i / std::max(1, m->frequency_count - 1)));
    }
    if (list.empty())
      throw BadInput(
          "there is no wavelength ('modes.wavelengths' is missing); give wavelengths = [...] or "
          "\"from:to:count\" under [modes], in units of the model");
    std::sort(list.begin(), list.end());
  }

  const Case& case_;
  Simulation sim_;
};

}  // namespace

Simulation finish_case(const Case& c, const Origins& origins) { return Checker(c, origins).finish(); }

std::string resolved_toml(const Simulation& sim, const run::Machine& machine) {
  Case c;
  c.simulation = sim;
  c.machine = machine;
  c.normal = "xyz"[sim.normal];
  NumberList list;
  list.values = sim.wavelengths;
  list.is_list = true;
  c.wavelengths = list;
  return "# The case as it was run: every default filled in. `umov modes resolved.toml` repeats it.\n" +
         parameters().write_toml(c) + "\n" + fdtd::parameters().write_toml(fdtd::case_of(sim.model));
}

}  // namespace umov::modes
