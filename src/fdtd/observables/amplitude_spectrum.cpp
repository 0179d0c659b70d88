// One real transform by FFTW, and the closed form for damped oscillations.
#include "fdtd/observables/amplitude_spectrum.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "backend/cpu/fftw.hpp"
#include "core/error.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"

namespace umov::fdtd {

AmplitudeSpectrum amplitude_spectrum(const SeriesResult& s) {
  const std::size_t n = s.value.size();
  std::size_t length = 1;
  while (length < 2 * n) length *= 2;
  std::vector<double> samples(length, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = std::max(0.0, 2 * (double(i) / double(n)) - 1);
    const double v = std::isfinite(s.value[i]) ? s.value[i] : 0;
    samples[i] = v * std::pow(std::cos(0.5 * pi * u), 2);
  }
  std::vector<cplx> transform(length / 2 + 1);
  std::unique_lock planning(backend::cpu::planner_lock());
  const fftw_plan plan = fftw_plan_dft_r2c_1d(
      int(length), samples.data(), reinterpret_cast<fftw_complex*>(transform.data()), FFTW_ESTIMATE);
  if (!plan) throw MachineFailure("no plan for a spectrum (FFTW refused it); write no pictures");
  planning.unlock();
  fftw_execute(plan);
  planning.lock();
  fftw_destroy_plan(plan);
  const double dt = (s.time.back() - s.time.front()) / double(n - 1);
  AmplitudeSpectrum out{1 / (double(length) * dt), {}};
  for (const auto& v : transform) out.magnitude.push_back(std::abs(v) * dt);
  return out;
}

double amplitude_at(const std::vector<Resonance>& modes, double f) {
  cplx sum = 0;
  for (const auto& m : modes)
    sum += 0.5 * m.amplitude * std::polar(1.0, m.phase * pi / 180) /
           cplx(pi * m.frequency / std::max(m.quality, 1e-3), -2 * pi * (f - m.frequency));
  return std::abs(sum);
}

}  // namespace umov::fdtd
