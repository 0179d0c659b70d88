// Keys of an electrode that its kind or waveform does not have.
#include <fmt/format.h>

#include "core/error.hpp"
#include "eqs/case/case.hpp"
#include "eqs/kind_names.hpp"

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
                      where, named(electrode_kinds, c.spec.kind).word));
    return;
  }
  const auto only = [&](bool set, Kind kind, const char* key) {
    const char* const waveform = named(waveform_kinds, kind).word;
    if (set && wave.kind != kind)
      throw BadInput(
          fmt::format("{} has a {} (which a {} has), but its waveform is another; leave it out, or set "
                      "waveform = \"{}\"",
                      where, key, waveform, waveform));
  };
  only(c.frequency.has_value(), Kind::sine, "frequency");
  only(wave.phase != 0, Kind::sine, "phase");
  only(wave.rise != 0, Kind::step, "rise");
  only(wave.front != none.front, Kind::impulse, "front");
  only(wave.tail != none.tail, Kind::impulse, "tail");
}

}  // namespace umov::eqs
