// Time of a step of the time domain over the time its counted bytes need, with what a run has in it.
//
//   bench_fdtd [--backend cuda] [--threads N] [--simple] [--bare] [--steps N] [--bandwidth GB/s] [--json
//   FILE]
//              [--commit ID] tm:8192x4096 te:512x256 full:512x512x512 ...
//
// Every case has 10 absorbing layers on all sides, a driven cell, a recorder, a dispersive body of one pole
// (a sphere or disc of a fourth of the least extent) and a Fourier monitor of one frequency (a plane, in 2D a
// line).
// --bare leaves out all but the layers, --no-layers these too.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "fdtd/engine.hpp"
#include "fdtd/pml_profile.hpp"
#include "options.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;

struct Options : bench::Common {
  EngineRequest engine;
  bool bare = false, layers = true;
  long steps = 0;  ///< 0: about a second
};

Grid grid_of(const std::string& name) {
  const std::string mode = name.substr(0, name.find(':'));
  std::istringstream sizes(name.substr(name.find(':') + 1));
  Grid g;
  g.mode = mode == "full" ? Mode::full : mode == "te" ? Mode::te : Mode::tm;
  std::string n;
  for (int a = 0; a < dimensions(g.mode) && std::getline(sizes, n, 'x'); ++a) g.cells[a] = std::stoi(n);
  g.dt = 0.9 / std::sqrt(double(dimensions(g.mode)));
  return g;
}

/// Calls f(component, layout index, position from the centre in cells) for all electric cells.
template <class F>
void each_electric(const Problem& p, const F& f) {
  const Layout layout(p.grid);
  const Int3 n = p.grid.cells;
  for (int c = Ex; c <= Ez; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    for (int k = 0; k < n[2]; ++k)
      for (int j = 0; j < n[1]; ++j)
        for (int i = 0; i < n[0]; ++i)
          f(Component(c), layout.at(i, j, k), Vec3{i - 0.5 * n[0], j - 0.5 * n[1], k - 0.5 * n[2]});
  }
}

/// A body of another material, one pole, and a plane across the middle of the last axis.
void add_contents(Problem& p) {
  const Int3 n = p.grid.cells;
  const int last = dimensions(p.grid.mode) - 1, plane = n[last] / 2 - n[last] / 8;
  const double radius = *std::min_element(n.begin(), n.begin() + last + 1) / 8.0;
  const Layout layout(p.grid);
  p.coefficients.push_back({0.99, p.grid.dt / 2.25});
  std::array<DispersiveGroup, 3> body;
  std::array<FourierAccumulator, 3> monitor;
  each_electric(p, [&](Component c, index_t cell, const Vec3& at) {
    if (at[last] + 0.5 * n[last] == plane) monitor[c].cells.push_back(cell);
    if (norm(last == 1 ? Vec3{at[0], at[1], 0} : at) >= radius) return;
    body[c].cells.push_back(cell);
    p.material[c].resize(layout.size);
    p.material[c][cell] = 1;
  });
  for (int c = Ex; c <= Ez; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    body[c].component = monitor[c].component = Component(c);
    body[c].poles = {{false, 0.99, 0.01, 0.001, p.grid.dt / 2}};
    monitor[c].frequencies = {0.05};
    monitor[c].interval = 5;  // four samples a period
    p.dispersive.push_back(body[c]);
    p.fouriers.push_back(monitor[c]);
  }
  const Component c = p.grid.mode == Mode::te ? Ex : Ez;
  const index_t middle = layout.at(n[0] / 4, n[1] / 2, n[2] / 2),
                other = layout.at(n[0] / 4 + 2, n[1] / 2, n[2] / 2);
  p.tables = {{1, [](long first, long steps, double* v) {
                 for (long s = 0; s < steps; ++s) v[s] = std::sin(0.3 * double(first + s));
               }}};
  SourceGroup source;
  source.component = c;
  source.cells = {middle}, source.columns = {0}, source.weights = {1};
  p.sources = {source};
  Recorder recorder;
  recorder.component = c;
  recorder.cells = {other}, recorder.weights = {1}, recorder.first = {0, 1};
  p.recorders = {recorder};
}

Problem problem_of(const std::string& name, const Options& o) {
  Problem p;
  p.grid = grid_of(name);
  p.coefficients = {{1, p.grid.dt}};
  for (int a = 0; a < dimensions(p.grid.mode); ++a)
    for (auto& side : p.pml[a])
      if (o.layers) side = make_pml(PmlSettings{}, p.grid.dx, p.grid.dt, 1.0);
  if (!o.bare) add_contents(p);
  return p;
}

/// Bytes that one step of one cell must move if every field is read and written once.
double bytes_per_cell(const Problem& p) {
  double bytes = 0;
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c)) bytes += 8 + (p.material[c].empty() ? 0 : 1);
  return bytes;
}

double seconds_of(Engine& e, long steps) {
  const auto start = std::chrono::steady_clock::now();
  e.advance(steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

nlohmann::json measure(const std::string& name, const Options& o) {
  const Problem p = problem_of(name, o);
  const auto engine = make_engine(p, o.engine);
  seconds_of(*engine, 32);
  const long steps =
      o.steps ? o.steps : std::clamp(long(32 * 0.3 / seconds_of(*engine, 32)), 32L, 100000L) / 32 * 32;
  std::vector<double> times;
  for (int n = 0; n < 3; ++n) times.push_back(seconds_of(*engine, steps));
  std::sort(times.begin(), times.end());
  const double cells = double(p.grid.cell_count()), step = times[1] / double(steps);
  const double floor = cells * bytes_per_cell(p) / o.bandwidth;
  fmt::print(
      "{:22} {:9} steps {:10.4f} us a step {:8.2f} Gcell-steps/s  measured / floor of one step a pass {:5.2f}"
      "  {:.1f} B a cell\n",
      name, steps, 1e6 * step, 1e-9 * cells / step, step / floor, double(engine->bytes()) / cells);
  std::fflush(stdout);
  return {{"case", name},
          {"steps", steps},
          {"microseconds_per_step", 1e6 * step},
          {"gigacell_steps_per_second", 1e-9 * cells / step},
          {"measured_over_floor", step / floor},
          {"bytes_per_cell", double(engine->bytes()) / cells},
          {"tuned", o.engine.tuned},
          {"layers", o.layers},
          {"bare", o.bare},
          {"device", engine->device()}};
}

Options options_of(int argc, char** argv) {
  Options o;
  o.engine.backend = "cuda";
  o.bandwidth = 4.3e12;  // copy on one H200
  bench::read_options(argc, argv, o, [&](const std::string& word, const auto& next) {
    if (word == "--backend")
      o.engine.backend = next();
    else if (word == "--simple")
      o.engine.tuned = false;
    else if (word == "--bare")
      o.bare = true;
    else if (word == "--no-layers")
      o.bare = true, o.layers = false;
    else if (word == "--steps")
      o.steps = std::stol(next());
    else
      return false;
    return true;
  });
  o.engine.threads = o.threads;
  return o;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options o = options_of(argc, argv);
  return bench::run_cases(o, {{"precision", "single"}},
                          [&](const std::string& name) { return measure(name, o); });
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
