// Which parameters of `umov fdtd` have no effect in which case. TO ADD A PARAMETER that not every kind reads:
// one line here.
#include "fdtd/case/readers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/read_by.hpp"
#include "core/text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

namespace {

using cases::read_by;
using cases::unless;
using Words = std::vector<std::string>;

std::string kind_word(const materials::Pole& p) { return named(materials::pole_kinds, p.kind).title; }
std::string kind_word(const SourceCase& c) { return word(c.spec.kind); }
std::string kind_word(const MonitorCase& c) { return word(c.spec.kind); }
std::string waveform_of(const SourceCase& c) { return word(c.spec.waveform.kind); }

bool absorbs(const Case& c) {
  for (int a = 0; a < case_dimensions(c); ++a)
    for (const WallKind wall : c.simulation.walls[a])
      if (wall == WallKind::pml) return true;
  return false;
}

bool has_bloch_wall(const Case& c) {
  for (int a = 0; a < case_dimensions(c); ++a)
    if (turns(c.simulation.walls[a][0])) return true;
  return false;
}

bool has_spectrum(const Case& c) {
  return std::any_of(c.monitors.begin(), c.monitors.end(),
                     [](const MonitorCase& m) { return traits_of(m.spec).spectrum; });
}

/// A picture draws monitors, as far as is known before it is read.
bool has_shapes(const Case& c) {
  return !c.picture.files.empty() || std::any_of(c.monitors.begin(), c.monitors.end(),
                                                 [](const MonitorCase& m) { return !m.spec.pixels.empty(); });
}

bool is_fixed(const Stop& s) { return s.steps > 0 || s.time > 0; }

}  // namespace

bool asks_s_parameters(const Case& c) {
  const SParameterSpec& s = c.simulation.s_parameters;
  return s.on.value_or(!s.frequencies.empty() || s.frequency_count > 0 ||
                       !c.s_parameters.wavelengths.empty() || !c.s_parameters.wavelengths_um.empty());
}

int case_dimensions(const Case& c) {
  if (!c.picture.files.empty()) return c.picture.files.size() > 1 || c.picture.depth > 0 ? 3 : 2;
  return c.simulation.size[2] > 0 ? 3 : c.simulation.size[1] > 0 ? 2 : 1;
}

void declare_case_readers(ParameterTable<Case>& t) {
  t.idle({"picture.width", "picture.height", "picture.depth", "picture.eps_max", "picture.mapping",
          "picture.wavelength"},
         [](const Case& c) {
           return unless(!c.picture.files.empty(), "no picture is given, which it describes");
         });
  t.idle({"domain.size"}, [](const Case& c) {
    return unless(c.picture.files.empty(),
                  "the cells of the picture are the domain: width, height and resolution together refine it");
  });
  t.idle(
      {"layout.cell", "layout.window", "layout.margin", "layout.extend", "layout.port_layer",
       "layout.port_margin"},
      [](const Case& c) { return unless(!c.layout.file.empty(), "no layout is given, which it describes"); });
  t.idle({"s_parameters.ports", "s_parameters.modes", "s_parameters.reference", "s_parameters.excite"},
         [](const Case& c) {
           return unless(asks_s_parameters(c),
                         "no S-parameters are asked for, by frequencies under [s_parameters]");
         });
  t.idle({"domain.polarization"}, [](const Case& c) {
    return unless(c.simulation.te || case_dimensions(c) == 2, "tm and te are a choice in two dimensions");
  });
  t.idle({"grid.growth"}, [](const Case& c) {
    return unless(c.simulation.grid.graded(Mode::full), "the cells are alike, see [grid]");
  });
  t.idle({"grid.across"}, [](const Case& c) {
    return unless(c.simulation.grid.cells_per_wavelength > 0,
                  "the materials do not choose the cells, see grid.cells_per_wavelength");
  });
  t.idle({"grid.least_edge"}, [](const Case& c) {
    return unless(c.simulation.grid.graded(Mode::full), "the cells are alike, see [grid]");
  });
  t.idle({"grid.y"},
         [](const Case& c) { return unless(case_dimensions(c) > 1, "the domain has no extent along y"); });
  t.idle({"grid.z"},
         [](const Case& c) { return unless(case_dimensions(c) > 2, "the domain has no extent along z"); });
  t.idle({"boundary.y"},
         [](const Case& c) { return unless(case_dimensions(c) > 1, "the domain has no extent along y"); });
  t.idle({"boundary.z"},
         [](const Case& c) { return unless(case_dimensions(c) > 2, "the domain has no extent along z"); });
  t.idle({"boundary.bloch"}, [](const Case& c) {
    return unless(has_bloch_wall(c) || c.simulation.bloch != Vec3{0, 0, 0}, "no wall is bloch");
  });
  t.idle({"pml.layers", "pml.order", "pml.sigma_scale", "pml.kappa_max", "pml.alpha_max", "pml.alpha_order"},
         [](const Case& c) { return unless(absorbs(c), "no wall absorbs"); });
  t.idle({"stop.decay", "stop.fourier", "stop.steady", "stop.max_time"}, [](const Case& c) {
    return unless(!is_fixed(c.simulation.stop), "steps or time fix the length of the run");
  });
  t.idle({"run.normalize"}, [](const Case& c) {
    return unless(!c.simulation.normalize || has_spectrum(c) || has_shapes(c),
                  "no monitor has a spectrum to normalise, and none is drawn");
  });
  t.idle({"output.view_interval"},
         [](const Case& c) { return unless(c.view.on, "the run is not viewed, see `output.view`"); });
  t.idle({"output.frames"},
         [](const Case& c) { return unless(c.simulation.outputs.animation, "there is no animation"); });
}

void declare_pole_readers(ParameterTable<materials::Pole>& t) {
  const auto by = [](Words readers) {
    return [readers](const materials::Pole& p) { return read_by(kind_word(p), readers); };
  };
  t.idle({"omega"}, by({"lorentz pole"}));
  t.idle({"gamma"}, by({"drude pole", "lorentz pole"}));
  t.idle({"tau"}, by({"debye pole"}));
}

void declare_material_readers(ParameterTable<MaterialSpec>& t) {
  const auto whole = [](const MaterialSpec& m) -> std::string {
    const char* way = !m.library.empty()              ? "library"
                      : !m.nk_file.empty()            ? "nk_file"
                      : m.index || m.extinction       ? "index"
                      : m.constants.perfect_conductor ? "perfect_conductor"
                                                      : nullptr;
    return way ? fmt::format("{} says the whole material", way) : "";
  };
  t.idle({"eps", "mu", "sigma", "sigma_magnetic"}, whole);
  t.idle({"perfect_conductor"}, [whole](const MaterialSpec& m) {
    MaterialSpec rest = m;
    rest.constants.perfect_conductor = false;
    return m.constants.perfect_conductor ? whole(rest) : "";
  });
  t.idle({"at_wavelength"}, [](const MaterialSpec& m) {
    return unless(m.extinction.has_value(), "it is where an extinction holds, and there is none");
  });
  t.idle({"fit_target"}, [](const MaterialSpec& m) {
    return unless(!m.nk_file.empty(), "it ends the fit to an nk_file, and there is none");
  });
}

namespace {

template <class Spec>
void declare_readers_of_shape(ParameterTable<Spec>& t) {
  const auto by = [](Words readers) {
    return [readers](const Spec& b) { return read_by(b.shape, readers); };
  };
  t.idle({"size"}, by({"box", "ellipsoid"}));
  t.idle({"radius"}, by({"sphere", "cylinder", "ring"}));
  t.idle({"inner_radius"}, by({"ring"}));
  t.idle({"height"}, by({"cylinder", "ring", "prism"}));
  t.idle({"vertices"}, by({"prism"}));
  t.idle({"file", "scale"}, by({"mesh"}));
  t.idle({"rotation"}, by({"box", "ellipsoid", "prism", "mesh"}));
  t.idle({"axis"}, [](const Spec& b) {
    const bool own = b.shape == "cylinder" || b.shape == "ring" || b.shape == "prism";
    if (b.shape == "sphere") return read_by(b.shape, {"cylinder", "ring", "prism"});
    return unless(own || b.rotation != 0, "the body is turned about it, and its rotation is 0");
  });
}

}  // namespace

void declare_shape_readers(ParameterTable<BodySpec>& t) { declare_readers_of_shape(t); }
void declare_shape_readers(ParameterTable<AbsorberSpec>& t) { declare_readers_of_shape(t); }

namespace {

/// Of a layer that is no sheet of the whole domain.
std::string sheet(const LayerSpec& l) {
  return unless(l.layer.has_value(), "it has no number of a layer, and is the whole domain between its ends");
}

}  // namespace

void declare_layer_readers(ParameterTable<LayerSpec>& t) {
  for (const char* key : {"datatype", "bias", "side_angle"}) t.idle({key}, sheet);
  t.idle({"drawn_at"}, [](const LayerSpec& l) {
    return unless(l.side_angle != 90, "its sides are upright, and as drawn at every height");
  });
}

namespace {

/// Of a source's or monitor's plane.
const std::string port_says_it = "its port says where the plane is, and which way is out";

/// Of what most kinds read: the others are told so.
std::string unread(const MonitorCase& c, std::string_view key) {
  return kind_of(c.spec).reads(key) ? "" : fmt::format("a {} does not read it", kind_word(c));
}

/// Of what few kinds read: they are named.
std::string unread_but(const MonitorCase& c, std::string_view key) {
  return read_by(kind_word(c), monitors_that_read(key));
}

}  // namespace

void declare_source_readers(ParameterTable<SourceCase>& t) {
  for (const char* key : {"component", "hard", "cells", "port", "theta", "phi", "polarization_angle"})
    t.idle({key}, [key](const SourceCase& c) { return read_by(kind_word(c), sources_that_read(key)); });
  for (const char* key : {"center", "size"})
    t.idle({key}, [key](const SourceCase& c) {
      return c.spec.port.empty() ? read_by(kind_word(c), sources_that_read(key)) : port_says_it;
    });
  t.idle({"direction"}, [](const SourceCase& c) {
    return c.spec.port.empty() ? read_by(kind_word(c), {"mode"}) : port_says_it;
  });
  t.idle({"port_offset"},
         [](const SourceCase& c) { return unless(!c.spec.port.empty(), "it names no port"); });
  const auto by_waveform = [](Words readers) {
    return [readers](const SourceCase& c) { return read_by(waveform_of(c), readers); };
  };
  t.idle({"width", "delay"}, by_waveform({"gaussian"}));
  t.idle({"phase"}, by_waveform({"continuous", "gaussian"}));
  t.idle({"file"}, by_waveform({"samples"}));
  t.idle({"ramp"}, [](const SourceCase& c) {
    const auto& w = c.spec.waveform;
    return unless(w.kind == Waveform::Kind::continuous || w.end,
                  "a continuous wave rises over it, and what has an end falls");
  });
}

void declare_monitor_readers(ParameterTable<MonitorCase>& t) {
  for (const char* key : {"fields", "interval"})
    t.idle({key}, [key](const MonitorCase& c) { return unread(c, key); });
  for (const char* key : {"cells", "reference", "port"})
    t.idle({key}, [key](const MonitorCase& c) { return unread_but(c, key); });
  t.idle({"size"},
         [](const MonitorCase& c) { return c.spec.port.empty() ? unread(c, "size") : port_says_it; });
  t.idle({"box"},
         [](const MonitorCase& c) { return c.spec.port.empty() ? unread_but(c, "box") : port_says_it; });
  t.idle({"port_offset"},
         [](const MonitorCase& c) { return unless(!c.spec.port.empty(), "it names no port"); });
  t.idle({"center"}, [](const MonitorCase& c) {
    if (!c.spec.port.empty()) return port_says_it;
    return c.spec.pixels.empty() ? unread(c, "center") : "its cells say where it is";
  });
  t.idle({"direction"}, [](const MonitorCase& c) {
    if (!c.spec.port.empty()) return port_says_it;
    return c.spec.box ? "the faces of a box count outward" : unread_but(c, "direction");
  });
  t.idle(
      {"frequencies", "wavelengths", "wavelengths_um", "frequency_from", "frequency_to", "frequency_count"},
      [](const MonitorCase& c) { return unread(c, "frequencies"); });
}

void declare_only_reader(ParameterTable<SourceCase>& t, const std::string& key, const char* kind) {
  t.idle({key}, [kind](const SourceCase& c) { return read_by(kind_word(c), {kind}); });
}

void declare_only_reader(ParameterTable<MonitorCase>& t, const std::string& key, const char* kind) {
  t.idle({key}, [kind](const MonitorCase& c) { return read_by(kind_word(c), {kind}); });
}

}  // namespace umov::fdtd
