// The spectrum of a case's source, checked against the frequencies that are asked for.
#include "fdtd/observables/source_spectrum.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "fdtd/sources/band.hpp"
#include "fdtd/sources/beam_source.hpp"

namespace umov::fdtd {
namespace {

/// Whether two waveforms are the same function of time but for a factor.
bool same_course(const Waveform& a, const Waveform& b) {
  return a.kind == b.kind && a.frequency == b.frequency && a.ramp == b.ramp && a.width == b.width &&
         a.delay == b.delay && a.file == b.file && a.end == b.end;
}

const SourceSpec& only_course(const MonitorSpec& m, const Simulation& sim) {
  if (sim.sources.empty())
    throw BadInput(fmt::format(
        "{}: per_source_spectrum without a source (there is nothing to divide by); add one", called(m)));
  const SourceSpec& first = sim.sources.front();
  for (const SourceSpec& s : sim.sources)
    if (!same_course(s.waveform, first.waveform))
      throw BadInput(
          fmt::format("{}: per_source_spectrum with sources '{}' and '{}' of different waveforms (there is "
                      "no one spectrum to divide by); give them the same, or run them one by one",
                      called(m), first.name, s.name));
  if (first.waveform.amplitude == 0)
    throw BadInput(
        fmt::format("{}: per_source_spectrum with source '{}' of amplitude 0 (it has no spectrum); give it "
                    "an amplitude",
                    called(m), first.name));
  return first;
}

[[noreturn]] void refuse(const MonitorSpec& m, const SourceSpec& s, double frequency) {
  const auto [low, high] = band_above(s.waveform, faint_share);
  throw BadInput(
      fmt::format("{}: per_source_spectrum at the frequency {:.6g} (where source '{}' has no spectrum to "
                  "divide by); choose frequencies from {:.4g} to {:.4g}, or a wider pulse",
                  called(m), frequency, s.name, low, high));
}

}  // namespace

SourceSpectrum::SourceSpectrum(const MonitorSpec& m, const std::vector<double>& frequencies,
                               const Simulation& sim, const Problem& p)
    : complex_(p.complex_fields),
      signal_(only_course(m, sim).waveform, "source '" + sim.sources[0].name + "'") {
  const SourceSpec& s = sim.sources.front();
  if (s.kind == SourceSpec::Kind::plane_wave) wave_.emplace(s, p);
  if (s.kind == SourceSpec::Kind::beam) later_ = beam_delay(s, p);
  for (const double f : frequencies) {
    if (relative_strength(s.waveform, f) < absent_share) refuse(m, s, f);
    if (wave_ && !signal_.endless() && wave_->amplitude(f, 1e300) == 0.0) refuse(m, s, f);
  }
}

cplx SourceSpectrum::at(double frequency, double until) const {
  if (wave_) return wave_->amplitude(frequency, until);
  const double own = until - later_;
  return std::polar(1.0, 2 * pi * frequency * later_) *
         (complex_ ? complex_spectrum(signal_, frequency, own) : spectrum(signal_, frequency, own));
}

}  // namespace umov::fdtd
