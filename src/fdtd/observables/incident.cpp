// Phasors of plane waves and checks that their boxes lie inside far-field surfaces.
#include "fdtd/observables/incident.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

std::string owner_of(const SourceSpec& s) { return fmt::format("source '{}'", s.name); }

}  // namespace

IncidentWave::IncidentWave(const SourceSpec& s, const Problem& p)
    : grid_(p.grid),
      complex_(p.complex_fields),
      signal_(s.waveform, owner_of(s)),
      setup_(plane_wave_setup(s, p, owner_of(s))),
      timing_(plane_wave_timing(p, setup_, signal_)) {}

cplx IncidentWave::amplitude(double frequency, double until) const {
  const double w = 2 * pi * frequency;
  const GridWave wave = grid_wave(grid_, setup_.family, w);
  if (!wave.travels) return 0;
  const double held_back = double(timing_.lead) * grid_.dt;
  const cplx sent = complex_ ? complex_spectrum(signal_, frequency, until - held_back)
                             : spectrum(signal_, frequency, until - held_back);
  return plane_wave_gain(grid_, setup_.family, wave, w, signal_.carrier()) * sent *
         std::polar(1.0, w * held_back - wave.kappa * timing_.first_place);
}

FarWave IncidentWave::wave(double frequency) const {
  return far_wave(grid_, {setup_.family.eps, setup_.family.mu}, frequency, setup_.direction,
                  setup_.polarization);
}

double IncidentWave::intensity(double frequency, double until) const {
  return std::norm(amplitude(frequency, until)) / 2 / setup_.impedance;
}

double IncidentWave::flux_density(int axis, double frequency, double until) const {
  const GridWave wave = grid_wave(grid_, setup_.family, 2 * pi * frequency);
  if (!wave.travels) return 0;
  const Vec3& e0 = setup_.polarization;
  Vec3 e = e0 - (dot(wave.K, e0) / dot(wave.K, wave.K)) * wave.K;
  e = (1 / norm(e)) * e;
  const Vec3 h = (1 / (wave.Omega * setup_.family.mu)) * cross(wave.K, e);
  const double k = setup_.family.fixed[axis] + wave.kappa * setup_.family.along[axis];
  return 0.5 * std::norm(amplitude(frequency, until)) * cross(e, h)[axis] *
         std::cos(k * edge_of(grid_, setup_.family, axis) / 2);
}

std::optional<IncidentWave> incident_wave(const MonitorSpec& m, const std::vector<PlaneFace>& faces,
                                          const Whole& whole, const Simulation& sim, const Problem& p) {
  const auto is_wave = [](const SourceSpec& s) { return s.kind == SourceSpec::Kind::plane_wave; };
  const auto source = std::find_if(sim.sources.begin(), sim.sources.end(), is_wave);
  if (source == sim.sources.end()) return {};
  if (std::count_if(sim.sources.begin(), sim.sources.end(), is_wave) > 1)
    throw BadInput(fmt::format(
        "{} sees several plane waves (a cross section belongs to one); run them one by one", called(m)));
  IncidentWave wave(*source, p);
  const TotalFieldBox& box = wave.box();
  for (int a = 0; a < dimensions(p.grid.mode); ++a)
    for (int side = 0; side < 2; ++side)
      if (!box.face[a][side] && whole.mirror_side(a) != side)
        throw BadInput(
            fmt::format("{} is in the wave of {} (whose total field has no face on the {} side along {}) "
                        "give the source a size, smaller than the monitor",
                        called(m), owner_of(*source), side == 0 ? "low" : "high", "xyz"[a]));
  for (const PlaneFace& f : faces) {
    // In the whole domain: behind a symmetry plane lies the image of the box.
    const int a = f.axis, n = p.grid.cells[a];
    const int lo = whole.mirror_side(a) == 0 ? -box.hi[a] : box.lo[a];
    const int hi = whole.mirror_side(a) == 1 ? 2 * n - box.lo[a] : box.hi[a];
    if (f.node >= lo && f.node <= hi)
      throw BadInput(
          fmt::format("{} has a face inside the total field of {} (a far field is that of scattered "
                      "fields); make the monitor larger than the source's box",
                      called(m), owner_of(*source)));
    if (faces.size() > 1 && (f.sign < 0 ? f.node > hi : f.node < lo))
      throw BadInput(
          fmt::format("{} stands beside the total field of {} (what scatters there passes through it: its "
                      "cross sections would be 0); make the monitor a box around that of the source",
                      called(m), owner_of(*source)));
  }
  return wave;
}

std::optional<IncidentWave> only_plane_wave(const Simulation& sim, const Problem& p) {
  if (sim.sources.size() != 1 || sim.sources[0].kind != SourceSpec::Kind::plane_wave) return {};
  return IncidentWave(sim.sources[0], p);
}

}  // namespace umov::fdtd
