// Runs in the time domain for tests of physics: short ways to say what is lit, by what and what is measured.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/fdtd_cases.hpp"
#include "support/machines.hpp"

namespace umov::test {

/// A case in double precision that stops once the energy fell to `decay` of its largest.
inline fdtd::Simulation checked_case(const Vec3& size, double resolution, double decay = 1e-8) {
  fdtd::Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.precision = fdtd::Precision::double_;
  s.stop.decay = decay;
  return s;
}

inline fdtd::Waveform pulse(double frequency, double width) {
  fdtd::Waveform w;
  w.kind = fdtd::Waveform::Kind::gaussian;
  w.frequency = frequency;
  w.width = width;
  return w;
}

/// A plane wave along `phi` (degrees from +x); the faces are a box of that size, 0 = placed by the program.
inline fdtd::SourceSpec plane_wave(const fdtd::Waveform& w, double phi = 0, const Vec3& box = {0, 0, 0}) {
  fdtd::SourceSpec s;
  s.name = "wave";
  s.kind = fdtd::SourceSpec::Kind::plane_wave;
  s.waveform = w;
  s.phi = phi;
  s.size = box;
  return s;
}

inline fdtd::SourceSpec point_source(const fdtd::Waveform& w, fdtd::Component c, const Vec3& at) {
  fdtd::SourceSpec s;
  s.name = "point";
  s.waveform = w;
  s.component = c;
  s.center = at;
  return s;
}

inline fdtd::MonitorSpec monitor(fdtd::MonitorSpec::Kind kind, const std::string& name, const Vec3& center,
                                 const Vec3& size, const std::vector<double>& frequencies) {
  fdtd::MonitorSpec m;
  m.kind = kind;
  m.name = name;
  m.center = center;
  m.size = size;
  m.frequencies = frequencies;
  return m;
}

inline fdtd::MonitorSpec flux_through(const std::string& name, const Vec3& center, const Vec3& size,
                                      const std::vector<double>& frequencies, bool box = false) {
  auto m = monitor(fdtd::MonitorSpec::Kind::flux, name, center, size, frequencies);
  m.box = box;
  return m;
}

/// Layer low < x < high through the whole domain.
inline fdtd::BodySpec layer(const std::string& material, double low, double high) {
  auto b = body("box", material, {(low + high) / 2, 0, 0});
  b.size = Vec3{high - low, 0, 0};
  return b;
}

inline fdtd::BodySpec ball(const std::string& shape, const std::string& material, double radius) {
  auto b = body(shape, material, {0, 0, 0});
  b.radius = radius;
  return b;
}

/// Irradiance spectrum of an undisturbed plane wave in vacuum, in the units of FluxResult.
inline double irradiance(const fdtd::Waveform& w, double frequency) {
  return std::norm(fdtd::spectrum(w, frequency)) / 2;
}

/// Power of order by which an error falls when the cells shrink by `ratio`.
inline double order_of(double coarse_error, double fine_error, double ratio = 2) {
  return std::log(std::abs(coarse_error / fine_error)) / std::log(ratio);
}

}  // namespace umov::test
