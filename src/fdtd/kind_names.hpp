// What the kinds of the time domain are called. TO ADD A KIND of source, monitor, waveform: its value in
// simulation.hpp, its line here.
#pragma once

#include <stdexcept>

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// A value of an enumeration, its word in cases and messages, and how a legend calls it.
template <class Kind>
struct KindName {
  Kind kind;
  const char *word, *title;
};

inline constexpr KindName<SourceSpec::Kind> source_kinds[] = {
    {SourceSpec::Kind::point, "point", "point"},
    {SourceSpec::Kind::line, "line", "line"},
    {SourceSpec::Kind::box, "box", "box"},
    {SourceSpec::Kind::shape, "shape", "drawn"},
    {SourceSpec::Kind::plane_wave, "plane_wave", "plane wave"},
    {SourceSpec::Kind::mode, "mode", "mode"},
};

inline constexpr KindName<MonitorSpec::Kind> monitor_kinds[] = {
    {MonitorSpec::Kind::series, "series", "series"},
    {MonitorSpec::Kind::flux, "flux", "flux"},
    {MonitorSpec::Kind::fourier, "fourier", "Fourier fields"},
    {MonitorSpec::Kind::near_to_far, "near_to_far", "far field"},
    {MonitorSpec::Kind::resonance, "resonance", "resonances"},
    {MonitorSpec::Kind::snapshot, "snapshot", "snapshots"},
    {MonitorSpec::Kind::mode, "mode", "mode amplitudes"},
    {MonitorSpec::Kind::orders, "orders", "diffraction orders"},
};

inline constexpr KindName<Waveform::Kind> waveform_kinds[] = {
    {Waveform::Kind::continuous, "continuous", "continuous wave"},
    {Waveform::Kind::gaussian, "gaussian", "pulse"},
    {Waveform::Kind::samples, "samples", "samples of a file"},
};

inline constexpr KindName<Component> component_names[] = {
    {Ex, "Ex", "Ex"}, {Ey, "Ey", "Ey"}, {Ez, "Ez", "Ez"},
    {Hx, "Hx", "Hx"}, {Hy, "Hy", "Hy"}, {Hz, "Hz", "Hz"},
};

template <class Kind, std::size_t n>
constexpr const KindName<Kind>& named(const KindName<Kind> (&list)[n], Kind kind) {
  for (const auto& name : list)
    if (name.kind == kind) return name;
  throw std::logic_error("a kind without a name");
}

constexpr const char* word(SourceSpec::Kind kind) { return named(source_kinds, kind).word; }
constexpr const char* word(MonitorSpec::Kind kind) { return named(monitor_kinds, kind).word; }
constexpr const char* word(Waveform::Kind kind) { return named(waveform_kinds, kind).word; }
constexpr const char* word(Component component) { return named(component_names, component).word; }

}  // namespace umov::fdtd
