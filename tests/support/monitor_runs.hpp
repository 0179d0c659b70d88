// Whole cases with monitors, run on the serial engine in double precision without files.
#pragma once

#include <algorithm>
#include <cmath>

#include "fdtd/observables/monitors.hpp"
#include "support/fdtd_cases.hpp"

namespace umov::test {

struct MonitoredRun {
  fdtd::Problem problem;
  std::unique_ptr<fdtd::Scene> scene;
  std::unique_ptr<fdtd::Monitors> monitors;
  std::unique_ptr<fdtd::Engine> engine;

  explicit MonitoredRun(const fdtd::Simulation& sim, bool reference = false,
                        fdtd::Precision precision = fdtd::Precision::double_) {
    scene = fdtd::make_scene(sim, reference);
    problem.grid = fdtd::make_grid(sim, *scene);
    problem.precision = precision;
    fdtd::paint(sim, *scene, problem);
    fdtd::set_walls(sim, problem);
    fdtd::add_sources(sim, *scene, problem);
    monitors = std::make_unique<fdtd::Monitors>(sim, *scene, problem);
    fdtd::EngineRequest request;
    request.backend = "serial";
    engine = fdtd::make_engine(problem, request);
  }
  void until(double time) {
    while (double(engine->step()) * problem.grid.dt < time) {
      engine->advance(20);
      monitors->drain(*engine);
    }
  }
  fdtd::Outcome outcome(const fdtd::ReferenceFields* reference = nullptr) const {
    fdtd::Outcome out;
    monitors->collect(*engine, reference, out);
    return out;
  }
};

inline fdtd::Outcome run_monitored(const fdtd::Simulation& sim, double time) {
  MonitoredRun run(sim);
  run.until(time);
  return run.outcome();
}

inline fdtd::SourceSpec pulse(fdtd::Component c, const Vec3& at, double frequency, double width = 0.3) {
  fdtd::SourceSpec s;
  s.name = "pulse";
  s.component = c;
  s.center = at;
  s.waveform.kind = fdtd::Waveform::Kind::gaussian;
  s.waveform.frequency = frequency;
  s.waveform.width = width;
  return s;
}

inline fdtd::MonitorSpec monitor(fdtd::MonitorSpec::Kind kind, const Vec3& center, const Vec3& size,
                                 std::vector<double> frequencies = {}) {
  fdtd::MonitorSpec m;
  m.kind = kind;
  m.name = "monitor";
  m.center = center;
  m.size = size;
  m.frequencies = std::move(frequencies);
  return m;
}

/// Along x alone: a slab of permittivity `eps` from `at` - `thickness` / 2 on, lit by a source of Ez.
inline fdtd::Simulation slab_case(double size, double resolution, double eps, double at, double thickness,
                                  const fdtd::SourceSpec& source) {
  fdtd::Simulation s;
  s.size = {size, 0, 0};
  s.resolution = resolution;
  s.materials = {constant("slab", eps)};
  s.bodies = {body("box", "slab", {at, 0, 0})};
  s.bodies[0].size = Vec3{thickness, 0, 0};
  s.sources = {source};
  return s;
}

/// `count` of them from `from` to `to`.
inline std::vector<double> even_frequencies(double from, double to, int count) {
  std::vector<double> f;
  for (int i = 0; i < count; ++i) f.push_back(from + (to - from) * i / (count - 1));
  return f;
}

/// The largest magnitude in a list of numbers, real or complex.
template <class T>
double largest(const std::vector<T>& v) {
  double size = 0;
  for (const T& x : v) size = std::max(size, double(std::abs(x)));
  return size;
}

}  // namespace umov::test
