// Names of the kinds of the time domain, and what checks and pictures ask of them. TO ADD A KIND of source,
// monitor, waveform: its value in simulation.hpp, its line here; the compiler then names the predicates below
// that have no answer for it.
#pragma once

#include "fdtd/grid.hpp"
#include "fdtd/simulation.hpp"
#include "parameters/kind_name.hpp"

namespace umov::fdtd {

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

inline constexpr KindName<Mode> mode_names[] = {
    {Mode::one, "one", "one dimension"},
    {Mode::tm, "tm", "two dimensions, tm"},
    {Mode::te, "te", "two dimensions, te"},
    {Mode::full, "full", "three dimensions"},
};

constexpr const char* word(SourceSpec::Kind kind) { return named(source_kinds, kind).word; }
constexpr const char* word(MonitorSpec::Kind kind) { return named(monitor_kinds, kind).word; }
constexpr const char* word(Waveform::Kind kind) { return named(waveform_kinds, kind).word; }
constexpr const char* word(Component component) { return named(component_names, component).word; }

/// A current over cells, of one component; else a wave that a surface launches, of the components that it
/// has.
constexpr bool is_current(SourceSpec::Kind kind) {
  using Kind = SourceSpec::Kind;
  switch (kind) {
    case Kind::point:
    case Kind::line:
    case Kind::box:
    case Kind::shape:
      return true;
    case Kind::plane_wave:
    case Kind::mode:
      return false;
  }
  return false;
}

/// Lies at a centre with a size; else where it was drawn, or on nodes.
constexpr bool fills_box(SourceSpec::Kind kind) {
  return is_current(kind) && kind != SourceSpec::Kind::shape;
}

/// Its plane or box is moved to nodes of the grid.
constexpr bool lies_on_nodes(SourceSpec::Kind kind) { return !is_current(kind); }

/// Accumulates Fourier transforms at the monitor's frequencies; else samples in time or of the whole domain.
constexpr bool has_spectrum(MonitorSpec::Kind kind) {
  using Kind = MonitorSpec::Kind;
  switch (kind) {
    case Kind::flux:
    case Kind::fourier:
    case Kind::near_to_far:
    case Kind::mode:
    case Kind::orders:
      return true;
    case Kind::series:
    case Kind::resonance:
    case Kind::snapshot:
      return false;
  }
  return false;
}

/// Its planes are moved to nodes of the grid.
constexpr bool lies_on_nodes(MonitorSpec::Kind kind) {
  using Kind = MonitorSpec::Kind;
  switch (kind) {
    case Kind::flux:
    case Kind::near_to_far:
    case Kind::mode:
    case Kind::orders:
      return true;
    case Kind::series:
    case Kind::fourier:
    case Kind::resonance:
    case Kind::snapshot:
      return false;
  }
  return false;
}

/// Should not reach into absorbing layers or beyond; a mode's plane may, where the mode has died out.
constexpr bool keeps_inside(MonitorSpec::Kind kind) {
  using Kind = MonitorSpec::Kind;
  switch (kind) {
    case Kind::series:
    case Kind::flux:
    case Kind::fourier:
    case Kind::near_to_far:
    case Kind::resonance:
    case Kind::orders:
      return true;
    case Kind::snapshot:
    case Kind::mode:
      return false;
  }
  return false;
}

/// Its spectrum comes with an estimate of what is still missing when the run ends.
constexpr bool has_uncertainty(MonitorSpec::Kind kind) {
  using Kind = MonitorSpec::Kind;
  switch (kind) {
    case Kind::flux:
    case Kind::near_to_far:
    case Kind::orders:
      return true;
    case Kind::series:
    case Kind::fourier:
    case Kind::resonance:
    case Kind::snapshot:
    case Kind::mode:
      return false;
  }
  return false;
}

}  // namespace umov::fdtd
