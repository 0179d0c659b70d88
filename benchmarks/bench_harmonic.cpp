// Time of whole solutions of time-harmonic cells, and of an iteration over the time its counted bytes need.
//
//   bench_harmonic [--backend cuda] [--precision float|double] [--cell UM] [--rms UM] [--height UM]
//   [--correlation UM]
//                  [--wavelength UM] [--count N] [--step UM] [--both] [--tolerance X] [--most N] [--tile N]
//                  [--solver auto|gmres|idr]
//                  [--overlap N] [--bandwidth GB/s] [--json FILE] [--commit ID] silicon:400x400 silver:64x64
//                  ...
//
// silicon: glass / ZnO:Al / a-Si:H 0.3 um / ZnO:Al 80 nm / silver, both faces of the silicon rough,
// conformal, the silver flat; silver: all three faces rough. The front contact is as thick as it takes for
// 600 planes
// (--planes N). --height is from the lowest to the highest point, in place of --rms. n and k at 0.7 um, the
// same at all wavelengths.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "harmonic/budget.hpp"
#include "harmonic/engine.hpp"
#include "harmonic/texture.hpp"
#include "harmonic/tile_solver.hpp"

namespace {

using namespace umov;
using namespace umov::harmonic;

struct Options {
  EngineRequest engine;
  double cell = 0.005, rms = 0.05, height = 0, correlation = 0.15, wavelength = 0.7, step = 0.005;
  double tolerance = 1e-4, bandwidth = 4.3e12;  ///< copy on one H200, bytes per second
  int count = 1, planes = 600;
  long most = 1000;
  bool both = false;
  std::string json, commit;
  std::vector<std::string> cases;
};

const std::vector<cplx> indices{1.52, {1.75, 0.0048}, {4.09, 0.0145}, {1.75, 0.0048}, {0.068, 4.47}};

LayeredCell cell_of(const std::string& name, const Options& o) {
  const bool silver = name.substr(0, name.find(':')) == "silver";
  int nx = 0, ny = 1;
  std::sscanf(name.substr(name.find(':') + 1).c_str(), "%dx%d", &nx, &ny);
  TextureSpec t;
  t.rms = o.rms;
  t.correlation_length = o.correlation;
  auto map = height_map(t, nx, ny, nx * o.cell, ny > 1 ? ny * o.cell : 0);
  const auto [low, high] = std::minmax_element(map.begin(), map.end());
  if (const double range = *high - *low; o.height > 0)
    for (double& h : map) h *= o.height / range;
  const double rise = -*std::min_element(map.begin(), map.end()),
               fall = silver ? *std::max_element(map.begin(), map.end()) : 0;
  const auto make = [&](double front) {
    return LayeredCell::make({0, front, front + 0.3, front + 0.38}, {o.cell, o.cell, o.cell}, nx, ny,
                             o.wavelength / 1.52, o.wavelength / 4.47, 0, fall);
  };
  auto cell = make(rise + 0.02);
  cell = make(rise + 0.02 + std::max(0, o.planes - cell.grid.nz) * o.cell);
  for (int i = 1; i < (silver ? 4 : 3); ++i) cell.interfaces[i].height = map;
  return cell;
}

/// Bytes per node of the rough planes and application: Fourier transforms, tridiagonal systems, tiles, all.
struct Floor {
  double transforms, tridiagonals, tiles, all;
};
Floor bytes_per_node(const Problem& p, const EngineRequest& request, long iterations) {
  const double c = request.precision == Precision::single ? 8 : 16, vector = 3 * c;
  const int axes = (p.grid.nx > 1) + (p.grid.ny > 1);
  // every axis reads and writes, there and back; b and E twice each; pivots twice, Q written and read, in
  // double
  Floor f{4.0 * axes * vector, 4 * vector + 6 * 16, 0, 0};
  // IDR(8): 2 s^2 + 11 s + 5 vectors of 9 products; GMRES: each direction twice
  const bool gmres = choose_solver(p, request).solver == KrylovSolver::gmres;
  f.all = f.transforms + f.tridiagonals + (gmres ? double(iterations) : 221.0 / 9) * vector;
  if (!p.metal_is_rough) {
    f.all += 6 * vector;
    return f;
  }
  SlabView<float> s{};
  s.nx = p.grid.nx;
  s.ny = p.grid.ny;
  s.planes = p.rough_planes();
  const auto tiles = cut_into_tiles(
      s, request.tile > 0 ? TileShape{request.tile, request.tile_overlap} : default_tiles(p.grid));
  const double seen = double(tiles.tiles()) * tiles.band() / double(p.grid.columns());
  // every inverse is read downwards and upwards, before and after the layered cell's inverse; u, links and z
  f.tiles = 2 * c * (2.0 * seen * tiles.band() + 5 * seen + 1);
  f.all += f.tiles + 2 * (vector + 2 * c) + 3 * vector + c + 3 * vector + 4 * vector + c;
  return f;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

nlohmann::json measure(const std::string& name, const Options& o) {
  const LayeredCell cell = cell_of(name, o);
  std::vector<cplx> media;
  for (const cplx n : indices) media.push_back(n * n);
  std::unique_ptr<Engine> engine;
  auto solutions = nlohmann::json::array();
  Fields fields;
  for (int w = 0; w < o.count; ++w) {
    const double wavelength = o.wavelength + w * o.step;
    auto start = std::chrono::steady_clock::now();
    const Problem p = make_problem(cell, media, wavelength, {0, 0});
    const double set_up = since(start);
    start = std::chrono::steady_clock::now();
    if (engine)
      engine->change(p);
    else
      engine = make_engine(p, o.engine);
    const double change = since(start);
    if (w == 0) {
      const MemoryNeed need = estimated_memory(p, o.engine);
      fmt::print("{}: {} x {} x {}, {} rough planes, memory {} on the device, {} beside it\n", name,
                 p.grid.nx, p.grid.ny, p.grid.nz, p.rough_planes(), format_bytes(need.device),
                 format_bytes(need.host));
    }
    for (const auto polarization : {Polarization::p, Polarization::s}) {
      if (polarization == Polarization::s && !o.both) continue;
      IncidentWave wave;
      start = std::chrono::steady_clock::now();
      const auto layered = layered_field(p, polarization, wave);
      SolveOptions options;
      options.tolerance = o.tolerance;
      options.max_iterations = o.most;
      options.series = int(polarization);
      const double flat = since(start);
      const auto report = engine->solve(layered, options, fields);
      start = std::chrono::steady_clock::now();
      const Budget budget = power_budget(cell, p, fields, wave);
      const double counting = since(start);
      const Floor bytes = bytes_per_node(p, o.engine, report.iterations);
      const double nodes = double(p.rough_planes()) * double(p.grid.columns()),
                   each = report.iterating / double(std::max(1L, report.iterations)),
                   floor = bytes.all * nodes / o.bandwidth;
      fmt::print(
          "  {:.4f} um {}: {} iterations, residual {:.1e}{}, {:.3f} s, of which {:.3f} s iterating: {:.3f} "
          "ms "
          "each, measured / floor {:.2f} ({:.0f} B a node); set-up {:.2f}, {:.2f} s, flat {:.2f} s, powers "
          "{:.2f} s; sum {:.6f}\n",
          wavelength, polarization == Polarization::p ? 'p' : 's', report.iterations, report.residual,
          report.fell_back ? " (went on in double)" : "", report.seconds, report.iterating, 1e3 * each,
          each / floor, bytes.all, set_up, change, flat, counting, budget.sum());
      std::fflush(stdout);
      solutions.push_back({{"wavelength", wavelength},
                           {"polarization", polarization == Polarization::p ? "p" : "s"},
                           {"iterations", report.iterations},
                           {"residual", report.residual},
                           {"converged", report.converged},
                           {"single", report.single},
                           {"seconds", report.seconds},
                           {"seconds_iterating", report.iterating},
                           {"seconds_set_up", set_up},
                           {"seconds_engine", change},
                           {"seconds_powers", counting},
                           {"milliseconds_per_iteration", 1e3 * each},
                           {"measured_over_floor", each / floor},
                           {"bytes_per_node", bytes.all},
                           {"sum", budget.sum()}});
    }
  }
  return {{"case", name},
          {"device", engine->device_name()},
          {"planes", cell.grid.nz},
          {"cell", o.cell},
          {"rms", o.rms},
          {"height", o.height},
          {"tile", o.engine.tile},
          {"overlap", o.engine.tile_overlap},
          {"tolerance", o.tolerance},
          {"solutions", solutions}};
}

Options options_of(int argc, char** argv) {
  Options o;
  o.engine.backend = "cuda";
  o.engine.precision = Precision::single;
  for (int n = 1; n < argc; ++n) {
    const std::string a = argv[n];
    if (a[0] != '-') {
      o.cases.push_back(a);
      continue;
    }
    if (a == "--both") {
      o.both = true;
      continue;
    }
    const std::string v = n + 1 < argc ? argv[++n] : "";
    if (a == "--backend")
      o.engine.backend = v;
    else if (a == "--threads")
      o.engine.threads = std::stoi(v);
    else if (a == "--device")
      o.engine.device = std::stoi(v);
    else if (a == "--precision")
      o.engine.precision = v == "double" ? Precision::double_ : Precision::single;
    else if (a == "--solver")
      o.engine.solver = v == "gmres" ? KrylovSolver::gmres
                        : v == "idr" ? KrylovSolver::idr
                                     : KrylovSolver::automatic;
    else if (a == "--tile")
      o.engine.tile = std::stoi(v);
    else if (a == "--overlap")
      o.engine.tile_overlap = std::stoi(v);
    else if (a == "--cell")
      o.cell = std::stod(v);
    else if (a == "--rms")
      o.rms = std::stod(v);
    else if (a == "--height")
      o.height = std::stod(v);
    else if (a == "--correlation")
      o.correlation = std::stod(v);
    else if (a == "--wavelength")
      o.wavelength = std::stod(v);
    else if (a == "--step")
      o.step = std::stod(v);
    else if (a == "--count")
      o.count = std::stoi(v);
    else if (a == "--planes")
      o.planes = std::stoi(v);
    else if (a == "--tolerance")
      o.tolerance = std::stod(v);
    else if (a == "--most")
      o.most = std::stol(v);
    else if (a == "--bandwidth")
      o.bandwidth = 1e9 * std::stod(v);
    else if (a == "--json")
      o.json = v;
    else if (a == "--commit")
      o.commit = v;
    else
      throw std::runtime_error("unknown option " + a);
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options o = options_of(argc, argv);
  nlohmann::json all = {{"commit", o.commit}, {"results", nlohmann::json::array()}};
  for (const std::string& name : o.cases) all["results"].push_back(measure(name, o));
  if (!o.json.empty()) std::ofstream(o.json) << all.dump(2) << '\n';
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
