// Parameters of `umov fdtd` that describe a source or a monitor.
#include "cases/declare.hpp"
#include "fdtd/case/case.hpp"
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

void add_wave(SourceParameters& t) {
  t.add(item("theta", "deg", "plane_wave: direction of travel from +z; 90 in the xy plane."), number(),
        UMOV_CASE(spec.theta));
  t.add(item("phi", "deg", "plane_wave: direction of travel from +x."), number(), UMOV_CASE(spec.phi));
  t.add(item("polarization_angle", "deg", "plane_wave in space: of E from e_theta towards e_phi."), number(),
        UMOV_CASE(spec.polarization_angle));
  t.add(item("mode", "", "mode: its number, from 1."), integer<int>(Range::between(1, 1000)),
        UMOV_CASE(spec.mode));
  t.add(item("direction", "", "mode: travel along (1) or against (-1) the normal of the plane."), sign(),
        UMOV_CASE(spec.direction));
  t.add(item("index_guess", "", "mode: effective index to look near.", "the highest index"),
        optional_number(Range::above(0)), UMOV_CASE(spec.index_guess));
}

void add_frequencies(MonitorTable& t) {
  t.add(item("frequencies", "c / unit", "Frequencies of a spectrum, one by one.", "none"),
        numbers(Range::above(0)), UMOV_CASE(spec.frequencies));
  using List = std::vector<double>;
  t.add_action(item("wavelengths", "unit", "The same as wavelengths in vacuum."), numbers(Range::above(0)),
               [](MonitorCase& c, const List& list) { c.wavelengths = list; });
  t.add_action(item("wavelengths_um", "um", "The same in micrometres."), numbers(Range::above(0)),
               [](MonitorCase& c, const List& list) { c.wavelengths_um = list; });
  t.add(item("frequency_from", "c / unit", "Or a range of them: the lowest,"), number(Range::at_least(0)),
        UMOV_CASE(spec.frequency_from));
  t.add(item("frequency_to", "c / unit", "the highest,"), number(Range::at_least(0)),
        UMOV_CASE(spec.frequency_to));
  t.add(item("frequency_count", "", "and how many."), integer<int>(Range::between(0, 100000)),
        UMOV_CASE(spec.frequency_count));
}

Codec<int> axis_name() { return choice<int>({{"x", 0}, {"y", 1}, {"z", 2}}); }

}  // namespace

Codec<Component> field_component() { return one_of(component_names); }

Codec<int> sign() {
  Codec<int> codec = integer<int>(Range::between(-1, 1));
  codec.values = "1, -1";
  codec.read = [](const Value& v) {
    const auto x = read_integer(v, {});
    if (x != 1 && x != -1) throw ValueError("wants 1 or -1, not " + describe(v));
    return static_cast<int>(x);
  };
  return codec;
}

ParameterTable<SourceCase> source_parameters() {
  SourceParameters t;
  t.add(item("kind", "", "What the source is."), one_of(source_kinds), UMOV_CASE(spec.kind));
  t.add(item("name", "", "Its name in messages.", "its kind and number"), text("NAME"), UMOV_CASE(spec.name));
  t.add(item("component", "", "point, line, box, shape: the field that is driven."), field_component(),
        UMOV_CASE(spec.component));
  t.add(item("hard", "", "Impose the field instead of adding to it: waves are reflected."), boolean(),
        UMOV_CASE(spec.hard));
  t.add(item("center", "unit", "Centre."), extents(), UMOV_CASE(spec.center));
  t.add(item("size", "unit",
             "Extents; inf is up to the absorbing layers. plane_wave: of the total-field box, 0 ends it 4 "
             "cells before the layers; mode: of the plane."),
        extents(Range::at_least(0), true), UMOV_CASE(spec.size));
  t.add(
      item("cells", "", "shape: the cells [i, j, k] that are driven: squares (cubes) between nodes.", "none"),
      list_of(cell()), UMOV_CASE(spec.pixels));
  add_waveform(t);
  add_wave(t);
  declare_source_readers(t);
  return t;
}

ParameterTable<MonitorCase> monitor_parameters() {
  MonitorTable t;
  t.add(item("kind", "", "What is measured."), one_of(monitor_kinds), UMOV_CASE(spec.kind));
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
  t.add(item("direction", "", "flux, mode, orders: sign of the normal of a plane."), sign(),
        UMOV_CASE(spec.direction));
  t.add(item("cells", "", "series: the cells [i, j, k] of a shape.", "none"), list_of(cell()),
        UMOV_CASE(spec.pixels));
  t.add(item("reference", "",
             "flux, orders: name of the flux monitor whose flux is 1: that of its reference run, else of "
             "this run.",
             "the monitor's own place in the reference run"),
        text("NAME"), UMOV_CASE(spec.reference));
  t.add(item("per_source_spectrum", "",
             "fourier: divide by the spectrum of the first source: fields per unit amplitude of it."),
        boolean(), UMOV_CASE(spec.per_source_spectrum));
  add_frequencies(t);
  t.add(item("interval", "steps", "Steps between samples; 0: by the highest frequency."),
        integer<int>(Range::at_least(0)), UMOV_CASE(spec.interval));
  t.add(
      item("start", "unit / c", "resonance: time at which recording begins; 0: when the sources have ended."),
      number(Range::at_least(0)), UMOV_CASE(spec.start));
  t.add(item("theta", "deg", "near_to_far: directions from +z; none is 90 for all.", "every degree"),
        numbers(), UMOV_CASE(spec.theta));
  t.add(item("phi", "deg", "near_to_far: directions from +x.", "every degree"), numbers(),
        UMOV_CASE(spec.phi));
  t.add(item("every", "unit / c", "snapshot: time between pictures."), number(Range::at_least(0)),
        UMOV_CASE(spec.every));
  t.add(item("plane", "", "snapshot in space: axis normal to the plane."), axis_name(),
        UMOV_CASE(spec.plane));
  t.add(item("plane_at", "unit", "snapshot in space: place of the plane on that axis."), number(),
        UMOV_CASE(spec.plane_at));
  t.add(item("mode", "", "mode: its number, from 1."), integer<int>(Range::between(1, 1000)),
        UMOV_CASE(spec.mode));
  declare_monitor_readers(t);
  return t;
}

}  // namespace umov::fdtd
