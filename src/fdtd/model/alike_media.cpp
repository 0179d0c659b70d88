#include "fdtd/model/alike_media.hpp"

#include <algorithm>
#include <cmath>

namespace umov::fdtd {
namespace {

using materials::Material;

/// Half of the relative difference.
constexpr double contrast = 0.05;

/// Centre and ends of the sources' bands.
std::vector<double> band(const Simulation& s) {
  std::vector<double> all;
  for (const auto& source : s.sources) {
    const auto& w = source.waveform;
    if (!(w.frequency > 0)) continue;
    const double half = w.kind == Waveform::Kind::gaussian ? std::min(w.width, 0.9) : 0;
    for (const double end : {-1.0, 0.0, 1.0}) all.push_back(w.frequency * (1 + end * half));
  }
  return all;
}

/// What is compared: permittivities in the band, permeabilities.
std::vector<cplx> numbers(const Material& m, const std::vector<double>& frequencies) {
  std::vector<cplx> all;
  for (int a = 0; a < 3; ++a) {
    for (const double f : frequencies) all.push_back(m.permittivity(2 * pi * f, a));
    if (frequencies.empty()) all.emplace_back(m.eps[a], m.sigma[a]);
    all.push_back(m.mu[a]);
  }
  return all;
}

}  // namespace

std::vector<bool> alike_media(const Simulation& s, const std::vector<Material>& list) {
  const auto frequencies = band(s);
  const std::size_t n = list.size();
  std::vector<std::vector<cplx>> all(n);
  for (std::size_t i = 0; i < n; ++i)
    if (!list[i].perfect_conductor) all[i] = numbers(list[i], frequencies);
  const auto near = [](cplx a, cplx b) { return std::abs(a - b) < contrast * (std::abs(a) + std::abs(b)); };
  std::vector<bool> alike(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      alike[i * n + j] = i == j || equal_media(list[i], list[j]) ||
                         (!all[i].empty() && std::ranges::equal(all[i], all[j], near) &&
                          (!frequencies.empty() || list[i].dispersive() == list[j].dispersive()));
  return alike;
}

bool equal_media(const Material& a, const Material& b) {
  if (a.perfect_conductor || b.perfect_conductor) return a.perfect_conductor && b.perfect_conductor;
  return a.eps == b.eps && a.mu == b.mu && a.sigma == b.sigma && a.sigma_magnetic == b.sigma_magnetic &&
         std::ranges::equal(a.poles, b.poles, [](const auto& p, const auto& q) {
           return p.kind == q.kind && p.strength == q.strength && p.omega == q.omega && p.gamma == q.gamma &&
                  p.tau == q.tau;
         });
}

}  // namespace umov::fdtd
