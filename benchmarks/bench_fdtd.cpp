// Time of a step of the time domain over the time its counted bytes need, with what a run has in it.
//
//   bench_fdtd [--backend cuda] [--threads N] [--simple] [--bare] [--steps N] [--bandwidth GB/s] [--json
//   FILE]
//              [--commit ID] tm:8192x4096 te:512x256 full:512x512x512 ...
//
// Every case has 10 absorbing layers on all sides, a driven cell, a recorder, a dispersive body of one pole
// (a sphere or disc of a fourth of the least extent) and a Fourier monitor of one frequency (a plane, in 2D a
// line).
// --bare leaves out all but the layers, --no-layers these too. full:512x512x512@2 shares the grid between two
// ranks of this process, each with a GPU of its own (as far as there are) or its share of the threads; @2t
// gives ranks on GPUs the tuned kernels. Cases of one grid that follow each other share its making.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "backend/gpus.hpp"
#include "comm/collect.hpp"
#include "comm/in_process.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/pml_profile.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "options.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;

struct Options : bench::Common {
  EngineRequest engine;
  bool bare = false, layers = true;
  long steps = 0;  ///< 0: about a second
};

/// A grid's words, and the ranks that share it.
struct Shared {
  std::string grid;
  int ranks = 1;
  ranks::PartOptions parts;

  explicit Shared(const std::string& name) : grid(name.substr(0, name.find('@'))) {
    if (grid.size() == name.size()) return;
    ranks = std::max(1, std::stoi(name.substr(grid.size() + 1)));
    parts.tuned_on_gpus = name.ends_with('t');
  }
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

struct Measured {
  long steps = 0;
  double step = 0;   ///< s
  double bytes = 0;  ///< of all devices
  std::string device;
  double waited = 0;  ///< share of the time in communication
};

/// Every rank takes the same steps; the first one's clock counts.
Measured measure_on(const Problem& p, const EngineRequest& request, const ranks::PartOptions& parts,
                    long wanted, comm::Communicator& comm) {
  const auto engine = ranks::make_engine(p, request, comm, parts);
  const auto seconds = [&](long steps) {
    comm.barrier();
    return comm::all_gather(comm, seconds_of(*engine, steps)).front();
  };
  seconds(32);
  Measured m;
  m.steps = wanted ? wanted : std::clamp(long(32 * 0.3 / seconds(32)), 32L, 100000L) / 32 * 32;
  const double before = comm.traffic().seconds;
  std::vector<double> times;
  for (int n = 0; n < 3; ++n) times.push_back(seconds(m.steps));
  m.waited = (comm.traffic().seconds - before) / (times[0] + times[1] + times[2]);
  std::sort(times.begin(), times.end());
  m.step = times[1] / double(m.steps);
  m.bytes = comm::sum(comm, double(engine->bytes()));
  m.device = engine->device();
  return m;
}

Measured measure_case(const Problem& p, const Options& o, const Shared& by) {
  EngineRequest request = o.engine;
  if (by.ranks > 1 && request.threads == 0) request.threads = std::max(1, omp_get_max_threads() / by.ranks);
  const auto gpus = request.backend == "cuda" ? backend::usable_gpus() : std::vector<int>();
  Measured first;
  comm::run_in_process(by.ranks, [&](comm::Communicator& comm) {
    EngineRequest own = request;
    if (by.ranks > 1 && !gpus.empty()) own.device = gpus[std::size_t(comm.rank()) % gpus.size()];
    const Measured m = measure_on(p, own, by.parts, o.steps, comm);
    if (comm.first()) first = m;
  });
  return first;
}

nlohmann::json measure(const std::string& name, const Options& o) {
  const Shared by(name);
  static std::pair<std::string, Problem> last;
  if (last.first != by.grid) last = {by.grid, problem_of(by.grid, o)};
  const Problem& p = last.second;
  const Measured m = measure_case(p, o, by);
  const long steps = m.steps;
  const double cells = double(p.grid.cell_count()), step = m.step;
  const double floor = cells * bytes_per_cell(p) / o.bandwidth / by.ranks;
  fmt::print(
      "{:22} {:9} steps {:10.4f} us a step {:8.2f} Gcell-steps/s  measured / floor of one step a pass {:5.2f}"
      "  {:.1f} B a cell{}\n",
      name, steps, 1e6 * step, 1e-9 * cells / step, step / floor, m.bytes / cells,
      by.ranks == 1
          ? std::string()
          : fmt::format("  {} ranks, {:.1f} % in communication, {}", by.ranks, 100 * m.waited, m.device));
  std::fflush(stdout);
  return {{"case", name},
          {"steps", steps},
          {"microseconds_per_step", 1e6 * step},
          {"gigacell_steps_per_second", 1e-9 * cells / step},
          {"measured_over_floor", step / floor},
          {"bytes_per_cell", m.bytes / cells},
          {"ranks", by.ranks},
          {"share_in_communication", m.waited},
          {"tuned", o.engine.tuned},
          {"tuned_parts", by.parts.tuned_on_gpus},
          {"layers", o.layers},
          {"bare", o.bare},
          {"device", m.device}};
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
