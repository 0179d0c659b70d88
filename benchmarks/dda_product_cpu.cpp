// Time of one matrix-vector product on the processor: the tuned against the generic one, part by part.
//
//   bench_dda_product_cpu [--threads 1] [--precision single|double|long] [--seconds 2] [--generic]
//                         [--ranks 2] sphere:64 box:96
//
// Per case: the median over products of wall time and the mean of processor time (user + system of the whole
// process, which other programs on the machine disturb least), and the memory of the product. With --ranks
// the same of so many ranks of this process that share the particle, with --threads each: tuned and, with
// --generic, plain.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "comm/in_process.hpp"
#include "dda/ranks/product.hpp"
#include "dda/scheme/convolution.hpp"
#include "dda/scheme/memory.hpp"
#include "dda/tuned/cpu/product.hpp"
#include "dda/tuned/cpu/rank_lanes.hpp"

namespace {

using namespace umov;

struct Options {
  int threads = 1, ranks = 1;
  double seconds = 2;
  bool generic = false;
  std::string precision = "double";
  std::vector<std::string> cases;
};

double wall() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double processor() {
  rusage r{};
  getrusage(RUSAGE_SELF, &r);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(r.ru_utime) + seconds(r.ru_stime);
}

/// A filled box, or the sites within n/2 of its centre.
shapes::Particle particle(const std::string& shape, int n) {
  shapes::Particle p;
  p.box = {n, n, n};
  p.spacing = {2 * pi / 15, 2 * pi / 15, 2 * pi / 15};
  std::size_t dipoles = 0;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const Vec3 r = p.position(x, y, z);
        const double d2 = (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / (p.spacing[0] * p.spacing[0]);
        const bool in = shape == "box" || d2 <= 0.25 * n * n;
        p.material.push_back(in);
        dipoles += in;
      }
  p.dipoles_per_material = {dipoles};
  return p;
}

/// Times products on this rank, or on the only one. `say`: whether it prints.
template <class Conv, class T, class Dev>
void time_product(const Options& o, const std::string& name, const char* variant, Dev& dev,
                  const dda::Problem& problem, const shapes::Particle& part, bool say) {
  using C = Complex<T>;
  const dda::PackedLattice packed(part);
  dda::DeviceLattice<Dev> lattice(dev, packed);
  double begin = wall();
  Conv product(dev, problem, lattice.view());
  const double load = wall() - begin;
  const std::size_t n = 3 * part.dipoles();
  std::vector<C> x(n), y(n), root(3, C(T(0.3), T(0.02)));
  for (std::size_t i = 0; i < n; ++i) x[i] = C(T(std::sin(0.37 * double(i))), T(std::cos(1.3 * double(i))));
  begin = wall();
  product.apply(root.data(), x.data(), y.data(), false);
  // all ranks do as many
  int runs = std::max(5, int(o.seconds / (wall() - begin)));
  if constexpr (requires { dev.ranks(); }) runs = comm::max(dev.ranks(), runs);
  std::vector<double> times;
  const double cpu = processor();
  for (int i = 0; i < runs; ++i) {
    begin = wall();
    product.apply(root.data(), x.data(), y.data(), false);
    times.push_back(wall() - begin);
  }
  const double busy = (processor() - cpu) / double(times.size());
  std::sort(times.begin(), times.end());
  const double bytes = double(dda::total_bytes(product.memory()));
  if (!say) return;
  fmt::print(
      "{:10} {:12} grid {:3}  wall {:9.3f} ms (least {:9.3f})  processor {:9.3f} ms  load {:6.2f} s  {:5.1f} "
      "B/site\n",
      name, variant, problem.fft_grid[0], 1e3 * times[times.size() / 2], 1e3 * times[0], 1e3 * busy, load,
      bytes / double(part.sites()));
  std::fflush(stdout);
}

template <class Conv, class T>
void measure(const Options& o, const std::string& name, const shapes::Particle& p) {
  backend::Cpu dev(o.threads);
  dda::Problem problem;
  problem.particle = &p;
  problem.fft_grid = dda::transform_grid(p.box, {0, 0, 0});
  time_product<Conv, T>(o, name, Conv::variant, dev, problem, p, true);
}

template <template <class, class> class ProductOf, class T>
void measure_on_ranks(const Options& o, const std::string& name, const char* variant,
                      const shapes::Particle& p) {
  comm::run_in_process(o.ranks, [&](comm::Communicator& comm) {
    using Dev = comm::OnRanks<backend::Cpu>;
    Dev dev(comm, o.threads);
    const dda::ParticleSlab slab = dda::take_slab(p, comm.rank(), o.ranks);
    dda::Problem problem;
    problem.particle = &p;
    problem.slab = &slab;
    problem.fft_grid = dda::transform_grid(p.box, {0, 0, 0});
    time_product<ProductOf<Dev, T>, T>(o, name, variant, dev, problem, slab.particle, comm.first());
  });
}

template <class T>
void measure(const Options& o) {
  for (const auto& name : o.cases) {
    const std::size_t colon = name.find(':');
    const auto p = particle(name.substr(0, colon), std::stoi(name.substr(colon + 1)));
    if constexpr (sizeof(T) <= sizeof(double))
      if (o.ranks > 1) {
        measure_on_ranks<dda::cpu::RankLanes, T>(o, name, "lanes, ranks", p);
        if (o.generic) measure_on_ranks<dda::SimpleProduct, T>(o, name, "plain, ranks", p);
        continue;
      }
    measure<dda::CpuConvolution<backend::Cpu, T>, T>(o, name, p);
    if (o.generic) measure<dda::Convolution<backend::Cpu, T>, T>(o, name, p);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    if (key == "--threads")
      o.threads = std::stoi(argv[++i]);
    else if (key == "--ranks")
      o.ranks = std::stoi(argv[++i]);
    else if (key == "--precision")
      o.precision = argv[++i];
    else if (key == "--seconds")
      o.seconds = std::stod(argv[++i]);
    else if (key == "--generic")
      o.generic = true;
    else
      o.cases.push_back(key);
  }
  if (o.cases.empty()) o.cases = {"sphere:32", "sphere:64", "sphere:96", "sphere:128"};
  if (o.precision == "single")
    measure<float>(o);
  else if (o.precision == "long")
    measure<long double>(o);
  else
    measure<double>(o);
}
