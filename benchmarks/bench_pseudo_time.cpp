// Time of a step of pseudo-time on processors over the time that its counted bytes need.
//
//   bench_pseudo_time [--threads N] [--double] [--no-layers] [--stored] [--bandwidth GB/s] [--json FILE]
//   [--commit ID]
//                     96x96x96 ...
//
// The cell: vacuum over silicon over silver, both interfaces wavy, 16 absorbing planes at either end.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "backend/cpu/cpu.hpp"
#include "fdtd/harmonic/cell.hpp"
#include "fdtd/harmonic/pseudo_time_stepper.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd::harmonic;

struct Options {
  int threads = 1;
  bool layers = true, single = true;
  Coefficients coefficients = Coefficients::by_index;
  double bandwidth = 10e9;
  std::string json, commit;
  std::vector<std::string> cases;
};

Problem problem_of(const Int3& n, bool layers) {
  constexpr double d = 0.01;
  LayeredCell cell;
  auto& g = cell.grid;
  g.nx = n[0], g.ny = n[1], g.nz = n[2];
  g.spacing = {d, d, d};
  g.absorbing = {16, 16};
  g.source = 20;
  cell.first_plane = n[2] / 3;
  cell.interfaces = {{0, {}}, {d * (n[2] / 3), {}}};
  for (auto& interface : cell.interfaces)
    for (int j = 0; j < 2 * n[1]; ++j)
      for (int i = 0; i < 2 * n[0]; ++i)
        interface.height.push_back(3 * d * std::sin(pi * i / n[0]) * std::cos(pi * j / n[1]));
  Problem p = make_problem(cell, {1, cplx(17, 1), cplx(-10, 0.3)}, 0.5, {1, 0});
  if (!layers) p.grid.absorbing = {0, 0};
  return p;
}

template <class T>
nlohmann::json measure(const std::string& name, const Options& o) {
  Int3 n{1, 1, 1};
  char by = 0;
  std::istringstream(name) >> n[0] >> by >> n[1] >> by >> n[2];
  const Problem p = problem_of(n, o.layers);
  backend::Cpu dev(o.threads);
  PseudoTimeStepper<backend::Cpu, T> stepper(dev, p, pseudo_time_step(p, 0.99), true, o.coefficients, false);
  std::vector<cplx> sheet(6, 1);
  stepper.set_sheet(sheet);
  const auto seconds_of = [&](long steps) {
    const auto start = std::chrono::steady_clock::now();
    for (long s = 0; s < steps; ++s) stepper.step(1);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  seconds_of(4);
  const long steps = std::clamp(long(4 * 0.5 / seconds_of(4)), 4L, 10000L);
  std::vector<double> times;
  for (int m = 0; m < 5; ++m) times.push_back(seconds_of(steps));
  std::sort(times.begin(), times.end());
  const double voxels = double(n[0]) * n[1] * n[2], step = times[2] / double(steps),
               best = times[0] / double(steps);
  // six complex fields, read and written once in a sweep: 96 bytes in single
  const double bytes = 24.0 * sizeof(T), floor = voxels * bytes / o.bandwidth;
  fmt::print("{:14} {} {:8.2f} M voxel-steps/s (best {:.2f})  measured / floor {:5.2f}  {:.1f} B a voxel\n",
             name, sizeof(T) == 4 ? "float" : "double", 1e-6 * voxels / step, 1e-6 * voxels / best,
             step / floor, stepper.bytes() / voxels);
  return {{"case", name},
          {"steps", steps},
          {"threads", o.threads},
          {"precision", sizeof(T) == 4 ? "single" : "double"},
          {"layers", o.layers},
          {"stored", o.coefficients == Coefficients::stored},
          {"million_voxel_steps_per_second", 1e-6 * voxels / step},
          {"best", 1e-6 * voxels / best},
          {"measured_over_floor", step / floor},
          {"bytes_per_voxel", stepper.bytes() / voxels}};
}

Options options_of(int argc, char** argv) {
  Options o;
  const auto value = [&](int& n) { return std::string(n + 1 < argc ? argv[++n] : ""); };
  for (int n = 1; n < argc; ++n) {
    const std::string a = argv[n];
    if (a == "--threads")
      o.threads = std::stoi(value(n));
    else if (a == "--double")
      o.single = false;
    else if (a == "--no-layers")
      o.layers = false;
    else if (a == "--stored")
      o.coefficients = Coefficients::stored;
    else if (a == "--bandwidth")
      o.bandwidth = 1e9 * std::stod(value(n));
    else if (a == "--json")
      o.json = value(n);
    else if (a == "--commit")
      o.commit = value(n);
    else
      o.cases.push_back(a);
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options o = options_of(argc, argv);
  nlohmann::json all = {{"commit", o.commit}, {"results", nlohmann::json::array()}};
  for (const std::string& name : o.cases)
    all["results"].push_back(o.single ? measure<float>(name, o) : measure<double>(name, o));
  if (!o.json.empty()) std::ofstream(o.json) << all.dump(2) << '\n';
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
