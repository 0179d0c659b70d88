// Time of a matrix-vector product and of an iteration over the time the counted bytes need.
//
//   bench_dda_product [--backend cuda] [--precision double] [--solver qmr] [--iterations 30] [--bandwidth
//   GB/s]
//                     [--json FILE] [--commit ID] [--sectors yes] [--shortest yes] [--threads N] [--ranks N]
//                     box:128 sphere:64 ...
//
// With --sectors each case is measured twice: the whole, and in the mirror sectors of its three planes, of
// which the wave excites two; a product there is that of one sector. With --shortest the grid is the shortest
// product of 2, 3, 5 and 7 on GPUs, too. With --ranks N, or under mpirun, ranks share the particle, on GPUs
// one each; UMOV_RANK_PRODUCT says which product they run. Times are those of rank 0.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "comm/communicator.hpp"
#include "comm/in_process.hpp"
#include "comm/world.hpp"
#include "dda/engine.hpp"
#include "dda/mirror/mirrored_engine.hpp"
#include "dda/scheme/gpu_lengths.hpp"
#include "dda/scheme/memory.hpp"

namespace {

using namespace umov;

struct Options {
  dda::EngineRequest engine;
  std::string solver = "qmr", json, commit;
  long iterations = 30;
  bool sectors = false, shortest = false;
  int ranks = 1;
  double bandwidth = 0;  // bytes per second; 0 = 4.3 TB/s (copy on one H200) or the host's own copy
  std::vector<std::string> cases;
};

shapes::Particle particle(const std::string& shape, int n) {
  shapes::Particle p;
  p.box = {n, n, n};
  p.spacing = {0.4, 0.4, 0.4};
  p.material.assign(p.sites(), 0);
  const double centre = 0.5 * (n - 1), r2 = 0.25 * n * n;
  std::size_t dipoles = 0, s = 0;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x, ++s) {
        const double d2 = std::pow(x - centre, 2) + std::pow(y - centre, 2) + std::pow(z - centre, 2);
        if (shape == "sphere" && d2 >= r2) continue;
        p.material[s] = 1;
        ++dipoles;
      }
  p.dipoles_per_material = {dipoles};
  return p;
}

/// Bytes per second of a copy in host memory, read and written.
double host_copy() {
  std::vector<char> a(std::size_t(1) << 28, 1), b(a.size());
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(b.data(), a.data(), a.size());
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 2.0 * double(a.size()) / s);
  }
  return best;
}

/// x read; lines written, read, written, read; tensor read; x read, y written. Slices never leave the cache.
/// Of a sector an eighth of all but the tensor.
double floor_bytes(std::size_t dipoles, int n, int g, std::size_t element, bool sector) {
  const double lines = 3.0 * g * n * n, h = g / 2 + 1, tensor = 6 * h * h * h;
  return double(element) * ((9.0 * double(dipoles) + 4 * lines) / (sector ? 8 : 1) + tensor);
}

nlohmann::json measure(const Options& o, const std::string& name, bool sectors) {
  const std::size_t colon = name.find(':');
  const std::string shape = name.substr(0, colon);
  const int n = std::stoi(name.substr(colon + 1));
  const auto p = particle(shape, n);
  const dda::Planes planes = dda::mirror_planes(p);
  auto engine = sectors ? dda::make_mirrored_engine(o.engine, planes) : dda::make_engine(o.engine);
  const bool shortest = o.shortest || engine->backend_name() != "cuda";
  const int g = sectors    ? dda::folded_grid(p.box, {0, 0, 0}, planes)[0]
                : shortest ? dda::transform_grid(p.box, {0, 0, 0})[0]
                           : dda::length_on_gpus(2 * n);
  dda::Problem problem;
  problem.particle = &p;
  problem.fft_grid = {g, g, g};
  const auto start = std::chrono::steady_clock::now();
  engine->load(problem);
  const double v = p.dipole_volume();
  const cplx alpha(0.07 * v, 0.002 * v);
  engine->set_polarizability(std::vector<CVec3>{{alpha, alpha, alpha}});
  engine->set_plane_wave({0, 0, 1}, {0, 1, 0});
  const double load = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  dda::SolveOptions solve;
  solve.solver = o.solver;
  solve.initial = dda::InitialField::zero;
  solve.epsilon = 1e-300;  // run the iterations asked for
  solve.max_iterations = 3;
  engine->solve(solve);
  solve.max_iterations = o.iterations;
  const auto report = engine->solve(solve);

  const std::size_t element = o.engine.precision == dda::Precision::single ? 8 : 16;
  const double floor = floor_bytes(p.dipoles(), n, g, element, sectors) / o.bandwidth;
  const double product = report.seconds_products / double(std::max(1l, report.products));
  const double iteration = report.seconds / double(std::max(1l, report.iterations));
  std::size_t memory = 0;
  for (const auto& m : engine->memory()) memory += m.bytes;
  if (o.engine.ranks && !o.engine.ranks->first()) return {};
  fmt::print(
      "{:12}{} grid {:4}  product {:9.4f} ms  floor {:8.4f}  ratio {:5.2f}  iteration {:9.4f} ms = {:4.2f} "
      "products  load {:6.3f} s  {:6.2f} GiB\n",
      name, sectors ? " sector" : "", g, 1e3 * product, 1e3 * floor, product / floor, 1e3 * iteration,
      iteration / product, load, double(memory) / (1 << 30));
  std::fflush(stdout);
  return {{"case", name},
          {"grid", g},
          {"sectors", report.sectors},
          {"transforms", engine->transforms()},
          {"device", engine->device_name()},
          {"ranks", o.engine.ranks ? o.engine.ranks->size() : 1},
          {"precision", element == 8 ? "single" : "double"},
          {"solver", o.solver},
          {"product_ms", 1e3 * product},
          {"floor_ms", 1e3 * floor},
          {"ratio", product / floor},
          {"iteration_ms", 1e3 * iteration},
          {"load_s", load},
          {"memory_bytes", memory}};
}

Options parse(int argc, char** argv) {
  Options o;
  o.engine.backend = "auto";
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (key.rfind("--", 0) != 0) {
      o.cases.push_back(key);
      continue;
    }
    const std::string value = i + 1 < argc ? argv[++i] : "";
    if (key == "--backend") o.engine.backend = value;
    if (key == "--precision")
      o.engine.precision = value == "single" ? dda::Precision::single : dda::Precision::double_;
    if (key == "--solver") o.solver = value;
    if (key == "--iterations") o.iterations = std::stol(value);
    if (key == "--bandwidth") o.bandwidth = 1e9 * std::stod(value);
    if (key == "--json") o.json = value;
    if (key == "--commit") o.commit = value;
    if (key == "--sectors") o.sectors = value == "yes";
    if (key == "--shortest") o.shortest = value == "yes";
    if (key == "--threads") o.engine.threads = std::stoi(value);
    if (key == "--ranks") o.ranks = std::stoi(value);
    if (key == "--simple") o.engine.simple_kernels = value == "yes";
  }
  if (o.cases.empty())
    o.cases = {"box:64", "box:96", "box:128", "box:150", "sphere:64", "sphere:96", "sphere:128"};
  return o;
}

/// All cases, on this rank where there are several: it takes the GPU of its number on the machine.
void measure_all(Options o, comm::Communicator* ranks, int place) {
  if (ranks && ranks->size() > 1) {
    o.engine.ranks = ranks;
    if (o.engine.backend == "cuda") o.engine.device = place;
  }
  const bool talks = !ranks || ranks->first();
  const std::string backend = dda::make_engine(o.engine)->backend_name();
  if (o.bandwidth == 0) o.bandwidth = backend == "cuda" ? 4.3e12 : host_copy();
  nlohmann::json all = {{"commit", o.commit}, {"backend", backend}, {"bandwidth_GB_s", 1e-9 * o.bandwidth}};
  for (const auto& name : o.cases) {
    const comm::Traffic before = ranks ? ranks->traffic() : comm::Traffic{};
    all["results"].push_back(measure(o, name, false));
    if (o.sectors) all["results"].push_back(measure(o, name, true));
    if (talks && o.engine.ranks)
      fmt::print("{:12} {} ranks ({}): {:.3f} GB sent, {:.3f} s waited by rank 0\n", "", ranks->size(),
                 ranks->kind(), 1e-9 * (ranks->traffic().bytes - before.bytes),
                 ranks->traffic().seconds - before.seconds);
  }
  if (talks && !o.json.empty()) std::ofstream(o.json) << all.dump(1) << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  const Options o = parse(argc, argv);
  if (comm::World* world = comm::world()) {
    measure_all(o, world, world->local_rank());
    world->end(0, false, [] {});
    world->leave();
  } else if (o.ranks > 1) {
    comm::run_in_process(o.ranks, [&](comm::Communicator& comm) { measure_all(o, &comm, comm.rank()); });
  } else {
    measure_all(o, nullptr, 0);
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
