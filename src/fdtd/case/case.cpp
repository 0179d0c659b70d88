// From the user's case to a Simulation of the time domain: derived values and checks that span parameters.
#include "fdtd/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "fdtd/case/readers.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/absorbers.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/materials.hpp"
#include "fdtd/observables/references.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

Case case_of(const Simulation& simulation) {
  Case c;
  c.simulation = simulation;
  if (simulation.pml.layers != PmlSettings{}.layers) c.simulation.pml.asked = simulation.pml.layers;
  if (simulation.picture) c.picture = *simulation.picture;
  if (simulation.layout) c.layout = *simulation.layout;
  for (const auto& spec : simulation.sources) {
    SourceCase source;
    source.spec = spec;
    source.frequency = spec.waveform.frequency;
    c.sources.push_back(source);
  }
  for (const auto& spec : simulation.monitors) c.monitors.push_back({spec, {}, {}});
  return c;
}

namespace {

constexpr const char* axes[] = {"x", "y", "z"};

class FdtdCaseChecker : cases::CasePlaces {
 public:
  FdtdCaseChecker(const Case& c, const Origins& origins)
      : cases::CasePlaces(origins), case_(c), sim_(c.simulation) {}

  Simulation finish() {
    refuse_contradictions();
    sim_.pml.layers = sim_.pml.asked.value_or(PmlSettings{}.layers);
    take_picture();
    take_layout();
    check_domain();
    refuse_blocks_in_the_plane();
    check_walls();
    check_model();
    for (std::size_t i = 0; i < case_.sources.size(); ++i) take_source(i);
    for (std::size_t i = 0; i < case_.monitors.size(); ++i) take_monitor(i);
    take_s_parameters();
    check_references();
    check_fields();
    return sim_;
  }

 private:
  void refuse_contradictions() const {
    refuse_two_devices("--gpu");
    refuse_idle_machine(case_.machine);
    if (!case_.machine.checkpoint.resume) refuse_escape("output.folder", case_.machine.output_dir);
    exclusive("--single", "--double", "each chooses the precision");
    if (case_.machine.backend == "serial" && given_as_flag("--simple-kernels"))
      throw BadInput(place("--simple-kernels") +
                     " has no effect (the serial backend has no others); leave it out");
    if (sim_.stop.steps > 0 && sim_.stop.time > 0)
      exclusive("stop.steps", "stop.time", "each fixes the length of the run");
  }

  /// Of ranks that the case asks for; those of mpirun are known when it runs.
  void refuse_blocks_in_the_plane() const {
    const comm::Asked& ranks = case_.machine.ranks;
    const bool several = ranks.ranks > 1 || ranks.gpus > 1 || ranks.gpus == comm::Asked::all;
    const bool in_space = case_.picture.files.empty()
                              ? sim_.size[2] != 0
                              : case_.picture.files.size() > 1 || case_.picture.depth > 0;
    if (case_.machine.cut == RankCut::blocks && several && !in_space && !given_as_flag("machine.cut"))
      throw BadInput(place("machine.cut") +
                     " is blocks, but this grid has no two axes to cut across (blocks are of space; a row "
                     "along x stays whole); leave it out, or give \"slabs\"");
  }

  void take_picture() {
    sim_.picture.reset();
    if (!case_.picture.files.empty()) {
      sim_.picture = case_.picture;
      for (const auto& file : case_.picture.files) check_file(place("picture.files"), file, "the model");
      if (given("domain.size"))
        throw BadInput(fmt::format(
            "{} is given beside a picture (whose pixels and cells are the domain: {:g} of them to a "
            "wavelength); leave it out, and change width, height and resolution together to refine",
            place("domain.size"), sim_.resolution > 0 ? sim_.resolution : 10));
    }
  }

  void take_layout() {
    sim_.layout.reset();
    if (!case_.layout.file.empty()) {
      if (sim_.picture)
        throw BadInput(place("layout.file") +
                       " is given beside a picture (each is the model's domain); leave one of them out");
      check_file(place("layout.file"), case_.layout.file, "the layout");
      sim_.layout = case_.layout;
    }
    const char* without = " a part of a layout (and there is none); give file = \"...\" under [layout]";
    if (!sim_.layout && !sim_.layers.empty())
      throw BadInput(item("layer", 0, sim_.layers[0].name) + " is" + without);
    for (std::size_t i = 0; i < sim_.ports.size(); ++i)
      if (!sim_.layout && !sim_.ports[i].center)
        throw BadInput(item("port", i, sim_.ports[i].name) + " is" + without +
                       ", or give the port a center, size and direction in the domain");
    for (int a = 0; a < 3; ++a)
      if (std::isinf(sim_.size[a]) && (!sim_.layout || a == 2))
        throw BadInput(fmt::format(
            "{} is infinite along {} ({}); give its extent there", place("domain.size"), axes[a],
            sim_.layout ? "a layout has no height" : "there is no layout that it could be around"));
    for (std::size_t i = 0; i < sim_.layers.size(); ++i) check_layer(i);
    for (std::size_t i = 0; i < sim_.ports.size(); ++i) check_port(i);
  }

  void check_layer(std::size_t i) const {
    const LayerSpec& l = sim_.layers[i];
    const std::string where = item("layer", i, l.name);
    if (l.material.empty())
      throw BadInput(where + " has no material (space is filled by materials); give material = \"...\"");
    require_material(sim_, l.material, where);
    if (!(l.from.value_or(-INFINITY) < l.to.value_or(INFINITY)))
      throw BadInput(where + " does not end above where it begins (from is below to); exchange them");
    const bool ends = l.from || l.to;
    if (ends && case_dimensions(case_) < 3)
      throw BadInput(item_place("layer", i, l.from ? "from" : "to") +
                     " has no effect (the domain has no extent along z); leave it out");
    if (l.side_angle != 90 && !(l.from && l.to))
      throw BadInput(item_place("layer", i, "side_angle") +
                     " leans sides without ends (they would meet, or part for ever); give from and to");
    if (l.in_reference && !given("run.normalize"))
      throw BadInput(item_place("layer", i, "in_reference") +
                     " has no effect (there is no reference run); set normalize = true under [run]");
  }

  void check_port(std::size_t i) const {
    const PortSpec& p = sim_.ports[i];
    if (p.name.empty())
      throw BadInput(item("port", i) + " has no name (others refer to it by that); give name = \"...\"");
    for (std::size_t j = 0; j < i; ++j)
      if (sim_.ports[j].name == p.name)
        throw BadInput(item("port", i, p.name) + " has the name of an earlier one; choose another");
    if (p.center) return check_plane(i);
    if (p.direction.ends_with('z'))
      throw BadInput(item_place("port", i, "direction") + " is " + p.direction +
                     " (guides of a layout leave it along x or y); give one of these");
    if (!p.direction.empty() && !(p.width > 0))
      throw BadInput(item("port", i, p.name) +
                     " has a direction and no width (of its guide); give both or none");
  }

  /// Of a port with a place in the domain.
  void check_plane(std::size_t i) const {
    const PortSpec& p = sim_.ports[i];
    const std::string where = item("port", i, p.name);
    if (p.direction.empty())
      throw BadInput(where +
                     " has a center and no direction (out of the structure); give direction = \"+x\"");
    const int axis = p.direction[1] - 'x', there = case_dimensions(case_);
    if (axis >= there)
      throw BadInput(fmt::format(
          "{} leaves along {} (the domain has no extent there); give another direction", where, axes[axis]));
    if (p.size[axis] != 0)
      throw BadInput(fmt::format("{} has a size along {}, its direction (a port is a plane); give 0 there",
                                 where, axes[axis]));
    for (int a = 0; a < there; ++a)
      if (a != axis && p.size[a] == 0)
        throw BadInput(fmt::format(
            "{} has no size along {} (its plane lies across the guide and has room around it); give size",
            where, axes[a]));
  }

  template <class Spec>
  void check_port_of(const Spec& spec, const std::string& list, std::size_t i) const {
    if (spec.port.empty()) return;
    if (!sim_.layout && sim_.ports.empty())
      throw BadInput(item_place(list, i, "port") +
                     " names a port, and there is none; give file = \"...\" under [layout], or a [[port]] "
                     "with center, size and direction");
  }

  void check_domain() const {
    const Vec3& size = sim_.size;
    if (sim_.picture) return;
    if (size[0] == 0)
      throw BadInput(
          "there is no domain ('domain.size' is missing and no picture is given); name a picture, or a case "
          "with size = [x, y] under [domain]");
    if (size[1] == 0 && size[2] > 0)
      throw BadInput(
          place("domain.size") +
          " has an extent along z but none along y (one dimension is x, two are x and y); turn the "
          "model");
    if (sim_.te && (size[1] == 0 || size[2] > 0))
      throw BadInput(place("domain.polarization") +
                     " is te (which is a choice in two dimensions only); leave it out");
  }

  void check_walls() const {
    for (int a = 0; a < 3; ++a) {
      const auto& w = sim_.walls[a];
      const auto key = place(given(std::string("boundary.") + axes[a]) ? std::string("boundary.") + axes[a]
                                                                       : "boundary.all");
      if ((wraps(w[0]) || wraps(w[1])) && w[0] != w[1])
        throw BadInput(fmt::format(
            "{}: one side repeats and the other does not (what leaves on one side enters on the other); give "
            "both sides of {} the same wall",
            key, axes[a]));
      if (sim_.bloch[a] != 0 && !turns(w[0]))
        throw BadInput(
            fmt::format("{} has a component along {} (whose walls are not bloch); set {} = \"bloch\"",
                        place("boundary.bloch"), axes[a], axes[a]));
    }
  }

  void check_model() const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < sim_.materials.size(); ++i) {
      const auto& m = sim_.materials[i];
      if (m.name.empty())
        throw BadInput(item("material", i) +
                       " has no name (bodies refer to it by name); give name = \"...\"");
      if (!names.insert(m.name).second)
        throw BadInput(item("material", i, m.name) + " has the name of an earlier one; choose another");
      check_file(item("material", i, m.name), m.nk_file, "n and k");
      const bool whole = m.index || m.extinction || !m.library.empty() || !m.nk_file.empty() ||
                         m.constants.perfect_conductor;
      if (whole && !m.constants.poles.empty())
        throw BadInput(fmt::format(
            "{} has poles that have no effect (library, nk_file, index or perfect_conductor says the whole "
            "material); give eps and the poles, or leave them out",
            item("material", i, m.name)));
    }
    for (std::size_t i = 0; i < sim_.bodies.size(); ++i) {
      const auto& b = sim_.bodies[i];
      if (b.material.empty())
        throw BadInput(item("body", i) +
                       " has no material (space is filled by materials); give material = \"...\"");
      if (b.shape == "mesh" && b.file.empty())
        throw BadInput(item("body", i) + " is a mesh without a file; give file = \"...\"");
      check_file(item("body", i), b.file, "the mesh");
      if (b.in_reference && !given("run.normalize"))
        throw BadInput(item_place("body", i, "in_reference") +
                       " has no effect (there is no reference run); set normalize = true under [run]");
      check_body(i);
    }
    for (std::size_t i = 0; i < sim_.absorbers.size(); ++i) {
      const auto& a = sim_.absorbers[i];
      if (a.shape == "mesh" && a.file.empty())
        throw BadInput(item("absorber", i) + " is a mesh without a file; give file = \"...\"");
      check_file(item("absorber", i), a.file, "the mesh");
      placed("absorber", i, [&] { check_absorber(sim_, i); });
    }
    for (std::size_t i = 0; i < sim_.materials.size(); ++i) check_material(i);
    require_material(sim_, sim_.background, place("domain.background"));
  }

  /// What the model refuses of a body, with its place. Files of meshes name themselves.
  void check_body(std::size_t i) const {
    const BodySpec& b = sim_.bodies[i];
    require_material(sim_, b.material, line("body", i) + body_label(sim_, i));
    if (b.shape != "mesh") placed("body", i, [&] { (void)make_body(sim_, i); });
  }

  /// Of a material that bodies use, too. Tables name themselves, and their fits take time.
  void check_material(std::size_t i) const {
    const MaterialSpec& m = sim_.materials[i];
    const bool used = m.name == sim_.background ||
                      std::ranges::count(sim_.bodies, m.name, &BodySpec::material) ||
                      std::ranges::count(sim_.layers, m.name, &LayerSpec::material);
    if (used && m.nk_file.empty()) placed("material", i, [&] { (void)make_material(m, sim_.unit_um); });
  }

  /// "case.toml:14: ", "" without a place.
  std::string line(const std::string& list, std::size_t i) const {
    const std::string whole = item(list, i);
    return whole.substr(0, whole.rfind(list));
  }

  template <class Make>
  void placed(const std::string& list, std::size_t i, const Make& make) const {
    try {
      make();
    } catch (const BadInput& e) {
      throw BadInput(line(list, i) + e.what());
    }
  }

  /// One spelling of the frequency; a source of samples needs none.
  void take_source(std::size_t i) {
    const auto& c = case_.sources[i];
    SourceSpec spec = c.spec;
    name(spec.name, word(spec.kind), source_count_);
    const std::string where = item("source", i, spec.name);
    auto& wave = spec.waveform;
    if (int(c.frequency.has_value()) + c.wavelength.has_value() + c.wavelength_um.has_value() > 1)
      throw BadInput(where +
                     ": the frequency is given twice (frequency, wavelength, wavelength_um); keep one");
    if (c.frequency) wave.frequency = *c.frequency;
    if (c.wavelength) wave.frequency = 1 / *c.wavelength;
    if (c.wavelength_um) wave.frequency = sim_.unit_um / *c.wavelength_um;
    const bool samples = wave.kind == Waveform::Kind::samples;
    if (!samples && !c.frequency && !c.wavelength && !c.wavelength_um)
      throw BadInput(where + " has no frequency (how fast it oscillates); give frequency or wavelength");
    if (samples && wave.file.empty())
      throw BadInput(where + " has a waveform of samples but no file; give file = \"...\"");
    check_file(where, wave.file, "the samples");
    const SourceKind& kind = kind_of(spec);
    if (const auto problem = kind.problem(spec); !problem.empty()) throw BadInput(where + " " + problem);
    refuse_flat(kind.in_space(spec), "source", i);
    check_port_of(spec, "source", i);
    sim_.sources.push_back(std::move(spec));
  }

  /// What was changed and only three dimensions have.
  void refuse_flat(const std::vector<std::string>& in_space, const std::string& list, std::size_t i) const {
    if (!in_space.empty() && case_dimensions(case_) < 3)
      throw BadInput(fmt::format("{} has no effect (the domain has {} of three dimensions); leave it out",
                                 item_place(list, i, in_space.front()), case_dimensions(case_)));
  }

  void take_monitor(std::size_t i) {
    const auto& c = case_.monitors[i];
    MonitorSpec spec = c.spec;
    name(spec.name, word(spec.kind), monitor_count_);
    const std::string where = item("monitor", i, spec.name);
    for (const auto& other : sim_.monitors)
      if (other.name == spec.name)
        throw BadInput(where + " has the name of an earlier one (files are called after it); choose another");
    take_frequencies(spec, c, traits_of(spec).free_fields, where);
    const MonitorKind& kind = kind_of(spec);
    if (const auto problem = kind.problem(spec); !problem.empty()) throw BadInput(where + " " + problem);
    refuse_flat(kind.in_space(spec), "monitor", i);
    check_port_of(spec, "monitor", i);
    sim_.monitors.push_back(std::move(spec));
  }

  /// One list of frequencies, however they are spelled. `band`: of a range the ends alone are wanted.
  template <class Spec, class Spelled>
  void take_frequencies(Spec& spec, const Spelled& c, bool band, const std::string& where) const {
    for (const double w : c.wavelengths) spec.frequencies.push_back(1 / w);
    for (const double w : c.wavelengths_um) spec.frequencies.push_back(sim_.unit_um / w);
    const bool range = spec.frequency_count > 0 || spec.frequency_from > 0 || spec.frequency_to > 0;
    if (range && !((band || spec.frequency_count > 0) && spec.frequency_from > 0 &&
                   (spec.frequency_to > spec.frequency_from ||
                    (spec.frequency_count == 1 && spec.frequency_to == spec.frequency_from))))
      throw BadInput(
          where +
          ": the range of frequencies is incomplete or empty; give frequency_from < frequency_to, both "
          "above 0" +
          (band ? "" : ", and frequency_count"));
    if (range && !spec.frequencies.empty())
      throw BadInput(where + ": frequencies are given as a list and as a range; keep one");
  }

  void take_s_parameters() {
    SParameterSpec& s = sim_.s_parameters;
    take_frequencies(s, case_.s_parameters, false, "`s_parameters`");
    for (int i = 0; i < s.frequency_count; ++i)
      s.frequencies.push_back(s.frequency_from +
                              (s.frequency_to - s.frequency_from) * i / std::max(s.frequency_count - 1, 1));
    s.frequency_from = s.frequency_to = 0, s.frequency_count = 0;
    std::ranges::sort(s.frequencies);
    s.frequencies.erase(std::unique(s.frequencies.begin(), s.frequencies.end()), s.frequencies.end());
    if (!s.wanted()) return;
    if (s.frequencies.empty())
      throw BadInput(place("s_parameters.on") +
                     " has no frequencies; give wavelengths = [...] under [s_parameters]");
    if (!sim_.layout && sim_.ports.empty())
      throw BadInput(
          "S-parameters are asked for, and there is no port; give a [[port]] with center, size and "
          "direction, "
          "or a layout with ports");
    if (sim_.normalize)
      throw BadInput(place("run.normalize") +
                     " has no effect on S-parameters (their incident power is measured in the port itself); "
                     "leave it out");
    if (case_.view.on)
      throw BadInput(place("output.view") +
                     " cannot be had with S-parameters (they are several runs); leave it out, or compute one "
                     "run with `s_parameters.on = false`");
    check_per_port(s.modes.size(), "modes");
    check_per_port(s.reference.size(), "reference");
  }

  /// What has one number for all ports, or one for each. How many there are where none are named is known
  /// once the layout has been read.
  void check_per_port(std::size_t count, const std::string& key) const {
    const std::size_t ports = sim_.s_parameters.ports.size();
    if (count == 0 || (count != 1 && ports > 0 && count != ports))
      throw BadInput(fmt::format("{} has {} numbers for {} named ports; give one for all, or as many",
                                 place("s_parameters." + key), count, ports));
  }

  void check_references() const {
    for (std::size_t i = 0; i < sim_.monitors.size(); ++i) {
      const auto& m = sim_.monitors[i];
      if (const auto problem = reference_problem(sim_, m); !problem.empty())
        throw BadInput(fmt::format("{}: {}", item("monitor", i, m.name), problem));
    }
  }

  void check_fields() const {
    const int extent = case_dimensions(case_);
    const Mode mode = extent == 3 ? Mode::full : extent == 1 ? Mode::one : sim_.te ? Mode::te : Mode::tm;
    std::string there;
    for (int c = 0; c < components; ++c)
      if (has_component(mode, c)) there += fmt::format("{}{}", there.empty() ? "" : ", ", word(Component(c)));
    for (const Component c : sim_.outputs.fields)
      if (!has_component(mode, c))
        throw BadInput(
            fmt::format("{} names {}, which has no effect (the fields of {} are {}); name one of these",
                        place("output.fields"), word(c),
                        extent == 1 ? "one dimension"
                        : sim_.te   ? "te"
                                    : "tm",
                        there));
  }

  /// "point1", "point2", ... for what has no name.
  static void name(std::string& own, const std::string& kind, std::map<std::string, int>& count) {
    const int number = ++count[kind];
    if (own.empty()) own = kind + std::to_string(number);
  }

  const Case& case_;
  Simulation sim_;
  std::map<std::string, int> source_count_, monitor_count_;
};

}  // namespace

Simulation finish_case(const Case& c, const Origins& origins) {
  Case own = c;
  own.simulation.sources.clear();
  own.simulation.monitors.clear();
  return FdtdCaseChecker(own, origins).finish();
}

std::string resolved_toml(const Simulation& simulation, const Machine& machine) {
  Case c = case_of(simulation);
  c.machine = machine;
  c.machine.device = machine.gpu();
  return "# The case as it was run: every default filled in. `umov fdtd resolved.toml` repeats it.\n" +
         parameters().write_toml(c);
}

}  // namespace umov::fdtd
