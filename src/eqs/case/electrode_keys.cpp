// Keys of an electrode that its kind or waveform does not have.
#include <fmt/format.h>

#include "core/error.hpp"
#include "eqs/case/case.hpp"

namespace umov::eqs {

void refuse_foreign_keys(const ElectrodeCase& c, const std::string& where) {
  using Kind = WaveformSpec::Kind;
  const WaveformSpec& wave = c.spec.waveform;
  const WaveformSpec none;
  if (c.spec.kind != ElectrodeSpec::Kind::driven) {
    if (wave.kind != Kind::sine || !wave.file.empty() || c.frequency || wave.phase != 0 ||
        wave.ramp != WaveformSpec::Ramp::none || wave.rise != 0)
      throw BadInput(
          fmt::format("{} is {} but has a waveform (only driven ones have); leave it out, or set kind = "
                      "\"driven\"",
                      where, c.spec.kind == ElectrodeSpec::Kind::ground ? "ground" : "floating"));
    return;
  }
  const auto only = [&](bool set, Kind kind, const char* key, const char* waveform) {
    if (set && wave.kind != kind)
      throw BadInput(
          fmt::format("{} has a {} (which a {} has), but its waveform is another; leave it out, or set "
                      "waveform = \"{}\"",
                      where, key, waveform, waveform));
  };
  only(c.frequency.has_value(), Kind::sine, "frequency", "sine");
  only(wave.phase != 0, Kind::sine, "phase", "sine");
  only(wave.rise != 0, Kind::step, "rise", "step");
  only(wave.front != none.front, Kind::impulse, "front", "impulse");
  only(wave.tail != none.tail, Kind::impulse, "tail", "impulse");
}

}  // namespace umov::eqs
