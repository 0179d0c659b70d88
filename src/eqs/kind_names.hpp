// Names of the kinds of electrodes and waveforms, in cases and messages. TO ADD A KIND: its value in
// simulation.hpp, its line here.
#pragma once

#include "eqs/simulation.hpp"
#include "parameters/kind_name.hpp"

namespace umov::eqs {

inline constexpr KindName<ElectrodeSpec::Kind> electrode_kinds[] = {
    {ElectrodeSpec::Kind::driven, "driven", "driven electrode"},
    {ElectrodeSpec::Kind::ground, "ground", "grounded electrode"},
    {ElectrodeSpec::Kind::floating, "floating", "floating electrode"},
};

inline constexpr KindName<WaveformSpec::Kind> waveform_kinds[] = {
    {WaveformSpec::Kind::sine, "sine", "sine"},
    {WaveformSpec::Kind::step, "step", "step"},
    {WaveformSpec::Kind::impulse, "impulse", "lightning impulse"},
    {WaveformSpec::Kind::table, "table", "table of a file"},
    {WaveformSpec::Kind::constant, "constant", "constant"},
};

}  // namespace umov::eqs
