// Spectra of waves that never end: what they are, and where they are nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/observables/sampling.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {
namespace {

/// Whether no endless wave has a frequency and no pulse was meant to: a line's transform has side lobes that
/// depend on the length of the run.
bool beside_all(const std::vector<double>& waves, double f) {
  return std::none_of(waves.begin(), waves.end(),
                      [f](double wave) { return std::fabs(f - wave) <= 1e-6 * wave; });
}

}  // namespace

void validate_endless(const Simulation& s, Findings& found) {
  std::vector<double> waves;
  bool pulses = false;
  std::string name;
  for (const auto& source : s.sources)
    if (std::isinf(source_end(source)))
      waves.push_back(source.waveform.frequency), name = source.name;
    else
      pulses = true;
  if (waves.empty()) return;
  std::vector<std::string> all, off;
  for (const auto& m : s.monitors) {
    if (!traits_of(m).spectrum || (m.frequencies.empty() && m.frequency_count <= 0)) continue;
    all.push_back("'" + m.name + "'");
    const auto list = listed_frequencies(m);
    if (std::any_of(list.begin(), list.end(), [&](double f) { return beside_all(waves, f); }))
      off.push_back(all.back());
  }
  if (all.empty()) return;
  const bool fixed = s.stop.steps > 0 || s.stop.time > 0;
  const std::string advice = "give the source waveform = \"gaussian\" or an `end`";
  if (s.normalize && !fixed)
    found.push_back(
        {Severity::stop,
         fmt::format("monitor {}: a spectrum over that of a reference run, with source '{}' that "
                     "never ends (the two runs are not equally long, and their transforms grow with "
                     "their lengths: quotients mean nothing); {}, or fix the time of the run",
                     join(all, ", "), name, advice)});
  else if (pulses || !off.empty())
    found.push_back(
        {Severity::warning,
         fmt::format(
             "monitor {}: frequencies that source '{}', which never ends, does not have (what is there "
             "is its switching on and the length of the run{}); take its own frequency alone, or {}",
             join(off.empty() ? all : off, ", "), name, pulses ? ", beside the pulses" : "", advice)});
  else
    found.push_back(
        {Severity::warning,
         fmt::format("monitor {}: a spectrum of source '{}', which never ends (transforms grow with the run: "
                     "amplitudes are about half its length times those of the wave, and quotients of them as "
                     "good as its length is large against the time to become steady); {}",
                     join(all, ", "), name, advice)});
}

}  // namespace umov::fdtd
