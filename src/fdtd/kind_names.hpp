// Names of waveforms, field components and modes of the grid. TO ADD A WAVEFORM: its value in simulation.hpp,
// its line here. Kinds of sources and monitors: sources/list.hpp, monitors/list.hpp.
#pragma once

#include "fdtd/grid.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/sources/kind.hpp"
#include "parameters/kind_name.hpp"

namespace umov::fdtd {

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

constexpr const char* word(Waveform::Kind kind) { return named(waveform_kinds, kind).word; }
constexpr const char* word(Component component) { return named(component_names, component).word; }

}  // namespace umov::fdtd
