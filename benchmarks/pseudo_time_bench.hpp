// Time of a step of pseudo-time on one device over the time that its counted bytes need: the program's own
// step, and the versions of pseudo_time_notebook.hpp.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "harmonic/cell.hpp"
#include "harmonic/pseudo_time_stepper.hpp"
#include "options.hpp"
#include "pseudo_time_notebook.hpp"

namespace umov::bench {

using namespace harmonic;

struct PseudoTimeWords : Common {
  bool layers = true, single = true, versions = false, simple = false;
  Coefficients coefficients = Coefficients::by_index;
  double seconds = 0.25;  ///< of a run
  int runs = 5;
  int silicon = 32;  ///< planes, at most a third of all: the rough planes are these and some ten
};

inline PseudoTimeWords pseudo_time_words(int argc, char** argv) {
  PseudoTimeWords o;
  o.threads = 1;
  read_options(argc, argv, o, [&](const std::string& word, const auto& next) {
    if (word == "--double")
      o.single = false;
    else if (word == "--no-layers")
      o.layers = false;
    else if (word == "--stored")
      o.coefficients = Coefficients::stored;
    else if (word == "--versions")
      o.versions = true;
    else if (word == "--simple")
      o.simple = true;
    else if (word == "--seconds")
      o.seconds = std::stod(next());
    else if (word == "--runs")
      o.runs = std::stoi(next());
    else if (word == "--silicon")
      o.silicon = std::stoi(next());
    else
      return false;
    return true;
  });
  return o;
}

/// Vacuum over silicon over silver, both interfaces wavy, 16 absorbing planes at either end.
inline Problem wavy_problem(const Int3& n, int silicon) {
  constexpr double d = 0.01;
  LayeredCell cell;
  auto& g = cell.grid;
  g.nx = n[0], g.ny = n[1], g.nz = n[2];
  g.spacing = {d, d, d};
  g.absorbing = {16, 16};
  g.source = 20;
  cell.first_plane = n[2] / 3;
  cell.interfaces = {{0, {}}, {d * std::min(silicon, n[2] / 3), {}}};
  for (auto& interface : cell.interfaces)
    for (int j = 0; j < 2 * n[1]; ++j)
      for (int i = 0; i < 2 * n[0]; ++i)
        interface.height.push_back(3 * d * std::sin(pi * i / n[0]) * std::cos(pi * j / n[1]));
  return make_problem(cell, {1, cplx(17, 1), cplx(-10, 0.3)}, 0.5, {1, 0});
}

inline nlohmann::json report(const std::string& name, const std::string& version,
                             const std::string& precision, const Int3& n, const StepTime& t, double bytes,
                             const PseudoTimeWords& o) {
  const double voxels = double(n[0]) * n[1] * n[2], floor = voxels * bytes / o.bandwidth;
  std::printf(
      "%-12s %-28s %-6s %10.2f M voxel-steps/s (best %.2f, by processor time %.2f)  %5.0f B a step  "
      "measured / floor %5.2f\n",
      name.c_str(), version.c_str(), precision.c_str(), 1e-6 * voxels / t.median, 1e-6 * voxels / t.best,
      1e-6 * voxels / t.processor, bytes, t.median / floor);
  std::fflush(stdout);
  return {{"case", name},
          {"version", version},
          {"precision", precision},
          {"steps", t.steps},
          {"million_voxel_steps_per_second", 1e-6 * voxels / t.median},
          {"best", 1e-6 * voxels / t.best},
          {"best_by_processor_time", 1e-6 * voxels / t.processor},
          {"bytes_per_voxel_step", bytes},
          {"measured_over_floor", t.median / floor}};
}

/// The program's step, tuned or H and then E.
template <class Dev, class T>
nlohmann::json measure_step(Dev& dev, const std::string& name, Problem p, bool tuned, bool layers,
                            const PseudoTimeWords& o) {
  const Int3 n = sizes_of(name);
  if (!layers) p.grid.absorbing = {0, 0};
  PseudoTimeRequest request;
  request.coefficients = o.coefficients;
  request.tuned = tuned;
  request.poison = false;
  PseudoTimeStepper<Dev, T> stepper(dev, p, pseudo_time_step(p, 0.99), true, request);
  stepper.set_sheet(std::vector<cplx>(6, 1));
  const auto time = time_steps(
      [&](long steps) {
        for (long s = 0; s < steps; ++s) stepper.step(1);
        dev.synchronize();
      },
      o.seconds, o.runs);
  // fields once in a pass (twice H or E in two), memory of the absorbing planes, coefficients of rough planes
  const bool one = tuned && (stepper.in_one_pass() || std::string(Dev::name) == "cpu");
  const double c = 2 * sizeof(T), share = double(p.grid.absorbing[0] + p.grid.absorbing[1]) / n[2],
               rough = double(p.rough_planes()) / n[2];
  const double bytes = (one ? 12 : 18) * c + 8 * c * share +
                       rough * (o.coefficients == Coefficients::stored ? 6 * c : 12 + 6 * c);
  auto out = report(name,
                    std::string(tuned ? "program" : "program, H then E") + (layers ? "" : ", no layers") +
                        (o.coefficients == Coefficients::stored ? ", stored" : ""),
                    sizeof(T) == 4 ? "float" : "double", n, time, bytes, o);
  out["bytes_per_voxel"] = stepper.bytes() / (double(n[0]) * n[1] * n[2]);
  return out;
}

template <class Dev, class T, bool Split, bool Stored, bool Together>
nlohmann::json measure_version(Dev& dev, const std::string& name, const PseudoTimeWords& o) {
  using Version = Notebook<Dev, T, Split, Stored, Together>;
  const Int3 n = sizes_of(name);
  double check = 0;
  {
    Version small(dev, {24, 10, 9});
    for (int s = 0; s < 8; ++s) small.step();
    check = small.check();
  }
  Version version(dev, n);
  const auto time = time_steps(
      [&](long steps) {
        for (long s = 0; s < steps; ++s) version.step();
        dev.synchronize();
      },
      o.seconds, o.runs);
  auto out = report(name,
                    std::string(Split ? "split, " : "unsplit, ") + (Stored ? "stored, " : "by index, ") +
                        (Together ? "AoS" : "SoA"),
                    sizeof(T) == 4 ? "float" : "double", n, time, Version::bytes_per_step, o);
  out["check"] = check;
  return out;
}

/// All versions of a size; throws where one has other fields than the first.
template <class Dev, class T>
nlohmann::json measure_versions(Dev& dev, const std::string& name, const PseudoTimeWords& o) {
  nlohmann::json all = {measure_version<Dev, T, true, true, false>(dev, name, o),
                        measure_version<Dev, T, true, true, true>(dev, name, o),
                        measure_version<Dev, T, true, false, false>(dev, name, o),
                        measure_version<Dev, T, true, false, true>(dev, name, o),
                        measure_version<Dev, T, false, false, false>(dev, name, o),
                        measure_version<Dev, T, false, false, true>(dev, name, o)};
  const double first = all[0]["check"];
  for (const auto& one : all)
    if (!(std::abs(double(one["check"]) - first) <= 1e-3 * std::abs(first)))
      throw std::runtime_error("version '" + std::string(one["version"]) +
                               "' has other fields than the first");
  return all;
}

template <class Dev, class T>
nlohmann::json measure(Dev& dev, const std::string& name, const Problem& p, const PseudoTimeWords& o) {
  nlohmann::json out = nlohmann::json::array();
  out.push_back(measure_step<Dev, T>(dev, name, p, !o.simple, o.layers, o));
  if (!o.versions) return out;
  out.push_back(measure_step<Dev, T>(dev, name, p, !o.simple, false, o));
  if (!o.simple) out.push_back(measure_step<Dev, T>(dev, name, p, false, o.layers, o));
  for (const auto& one : measure_versions<Dev, T>(dev, name, o)) out.push_back(one);
  return out;
}

}  // namespace umov::bench
