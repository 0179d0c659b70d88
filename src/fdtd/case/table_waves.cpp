// Parameters of `umov fdtd` that describe a source or a monitor.
#include "cases/declare.hpp"
#include "core/text.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/case/frequencies.hpp"
#include "fdtd/case/readers.hpp"
#include "fdtd/kind_names.hpp"

namespace umov::fdtd {

using cases::item;
using cases::one_of;

namespace {

using SourceParameters = ParameterTable<SourceCase>;
using MonitorTable = ParameterTable<MonitorCase>;

void add_waveform(SourceParameters& t) {
  t.add(item("waveform", "", "Course over time."), one_of(waveform_kinds), UMOV_CASE(spec.waveform.kind));
  t.add(item("frequency", "c / unit", "Frequency, for a pulse its middle.", "by the wavelength"),
        optional_number(Range::above(0)), UMOV_CASE(frequency));
  t.add_action(item("wavelength", "unit", "Wavelength in vacuum, instead of the frequency."),
               number(Range::above(0)), [](SourceCase& c, const double& w) { c.wavelength = w; });
  t.add_action(item("wavelength_um", "um", "The same in micrometres."), number(Range::above(0)),
               [](SourceCase& c, const double& w) { c.wavelength_um = w; });
  t.add(item("ramp", "periods", "continuous: from nothing to full, as a raised cosine."),
        number(Range::at_least(0)), UMOV_CASE(spec.waveform.ramp));
  t.add(item("width", "", "gaussian: standard deviation of the spectrum over the frequency."),
        number(Range::above(0)), UMOV_CASE(spec.waveform.width));
  t.add(item("delay", "", "gaussian: standard deviations in time from the start to the peak."),
        number(Range::at_least(0)), UMOV_CASE(spec.waveform.delay));
  t.add(item("phase", "deg", "Phase of the oscillation."), number(), UMOV_CASE(spec.waveform.phase));
  t.add(item("amplitude", "", "Amplitude."), number(), UMOV_CASE(spec.waveform.amplitude));
  t.add(item("file", "", "samples: CSV of time and value.", "none"), path(), UMOV_CASE(spec.waveform.file));
  t.add(item("end", "unit / c", "Time after which the source falls silent.", "never, or as a pulse does"),
        optional_number(Range::at_least(0)), UMOV_CASE(spec.waveform.end));
}

/// A choice among all kinds of sources or monitors.
template <class Value, class Kind>
Codec<Value> one_of_kinds(std::span<const Kind* const> kinds) {
  std::vector<std::pair<std::string, Value>> words;
  for (const Kind* kind : kinds) words.emplace_back(kind->name(), Value(words.size()));
  return choice<Value>(std::move(words));
}

/// The parameters that single kinds read, after those common to several.
template <class Table, class Kind>
void add_own(Table& t, std::span<const Kind* const> kinds) {
  for (const Kind* kind : kinds) {
    const std::size_t first = t.parameters().size();
    kind->declare(t);
    for (std::size_t i = first; i < t.parameters().size(); ++i)
      declare_only_reader(t, t.parameters()[i].name(), kind->name());
  }
}

/// "flux, orders: " before the text of a parameter that those kinds read.
std::string of_readers(const char* key, const char* text) {
  return join(monitors_that_read(key), ", ") + ": " + text;
}

}  // namespace

Codec<Component> field_component() { return one_of(component_names); }

ParameterTable<SourceCase> source_parameters() {
  SourceParameters t;
  t.add(item("kind", "", "What the source is."), one_of_kinds<SourceSpec::Kind>(source_kinds()),
        UMOV_CASE(spec.kind));
  t.add(item("name", "", "Its name in messages.", "its kind and number"), text("NAME"), UMOV_CASE(spec.name));
  t.add(item("component", "", "point, line, box, shape: the field that is driven."), field_component(),
        UMOV_CASE(spec.component));
  t.add(item("hard", "", "Impose the field instead of adding to it: waves are reflected."), boolean(),
        UMOV_CASE(spec.hard));
  t.add(item("center", "unit", "Centre."), extents(), UMOV_CASE(spec.center));
  t.add(item("size", "unit",
             "Extents; inf is up to the absorbing layers. plane_wave: of the total-field box, 0 ends it 4 "
             "cells before the layers; mode, beam: of the plane."),
        extents(Range::at_least(0), true), UMOV_CASE(spec.size));
  t.add(item("port", "", "mode: name of a port, in place of center, size and direction.", "none"),
        text("NAME"), UMOV_CASE(spec.port));
  t.add(item("port_offset", "unit", "From the port, outward."), number(), UMOV_CASE(spec.port_offset));
  t.add(
      item("cells", "", "shape: the cells [i, j, k] that are driven: squares (cubes) between nodes.", "none"),
      list_of(cell()), UMOV_CASE(spec.pixels));
  add_waveform(t);
  t.add(item("theta", "deg", "plane_wave, beam: direction of travel from +z; 90 in the xy plane."), number(),
        UMOV_CASE(spec.theta));
  t.add(item("phi", "deg", "plane_wave, beam: direction of travel from +x."), number(), UMOV_CASE(spec.phi));
  t.add(item("polarization_angle", "deg", "plane_wave, beam in space: of E from e_theta towards e_phi."),
        number(), UMOV_CASE(spec.polarization_angle));
  add_own(t, source_kinds());
  declare_source_readers(t);
  return t;
}

ParameterTable<MonitorCase> monitor_parameters() {
  MonitorTable t;
  t.add(item("kind", "", "What is measured."), one_of_kinds<MonitorSpec::Kind>(monitor_kinds()),
        UMOV_CASE(spec.kind));
  t.add(item("name", "", "Its name in files.", "its kind and number"), text("NAME"), UMOV_CASE(spec.name));
  t.add(item("fields", "",
             "series, fourier, snapshot, resonance (the first one): which fields; none is Ez (tm), Hz (te), "
             "all E in "
             "space (resonance: that of the first current among the sources, else Ex)."),
        list_of(field_component()), UMOV_CASE(spec.fields));
  t.add(item("center", "unit", "Centre."), extents(), UMOV_CASE(spec.center));
  t.add(item("size", "unit", "Extents; inf is up to the absorbing layers."),
        extents(Range::at_least(0), true), UMOV_CASE(spec.size));
  t.add(item("box", "", "flux: through all faces of the box, outward."), boolean(), UMOV_CASE(spec.box));
  t.add(item("direction", "", of_readers("direction", "sign of the normal of a plane.")), sign(),
        UMOV_CASE(spec.direction));
  t.add(item("port", "",
             of_readers("port",
                        "name of a port, in place of center, size and direction; out of the structure counts "
                        "positive."),
             "none"),
        text("NAME"), UMOV_CASE(spec.port));
  t.add(item("port_offset", "unit", "From the port, outward."), number(), UMOV_CASE(spec.port_offset));
  t.add(item("cells", "", "series: the cells [i, j, k] of a shape.", "none"), list_of(cell()),
        UMOV_CASE(spec.pixels));
  t.add(item("reference", "",
             of_readers("reference",
                        "name of the flux monitor whose flux is 1: that of its reference run, else of this "
                        "run."),
             "the monitor's own place in the reference run"),
        text("NAME"), UMOV_CASE(spec.reference));
  add_frequencies(
      t, item, [](auto& c) -> auto& { return c.spec; }, [](auto& c) -> auto& { return c; });
  t.add(item("interval", "steps", "Steps between samples; 0: by the highest frequency."),
        integer<int>(Range::at_least(0)), UMOV_CASE(spec.interval));
  add_own(t, monitor_kinds());
  declare_monitor_readers(t);
  return t;
}

}  // namespace umov::fdtd
