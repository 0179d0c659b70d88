// Times of the parts of an iteration of time-harmonic cells on a GPU over the times their counted bytes need:
// Fourier transforms, tridiagonal systems, tiles and their factors, one application as a whole.
//
//   bench_harmonic_parts [--double] [--tile N] [--overlap N] [--bandwidth GB/s] [--json FILE] NXxNYxPLANES
//   ...
//
// A slab of so many rough planes between 100 planes of glass and 100 of silver, a third of whose edges are
// silver.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "backend/cuda/cuda.hpp"
#include "harmonic/tuned/cuda/twins.hpp"
// after the twins
#include "harmonic/gradient_correction.hpp"
#include "harmonic/scattering_operator.hpp"

namespace {

using namespace umov;
using namespace umov::harmonic;

struct Options {
  bool wide = false;
  TileShape tiles;
  double bandwidth = 4.3e12;  ///< copy on one H200, bytes per second
  std::string json;
  std::vector<std::string> cases;
};

Problem slab(int nx, int ny, int planes) {
  Problem p;
  const double d = 0.005, wavelength = 0.7;
  p.grid = {nx, ny, planes + 200, {d, d, d}, {60, 60}, 64};
  p.k0 = 2 * pi / wavelength;
  const cplx glass = 2.31, silver(-19.98, 0.608);
  set_absorbing_layers(p, glass, silver);
  p.rough_begin = 100;
  p.rough_end = 100 + planes;
  p.metal_is_rough = true;
  p.media = {glass, silver};
  p.tangential.assign(p.grid.nz, glass);
  std::fill(p.tangential.begin() + p.rough_end, p.tangential.end(), silver);
  std::fill(p.tangential.begin() + p.rough_begin, p.tangential.begin() + p.rough_end,
            (2.0 * glass + silver) / 3.0);
  p.normal = p.tangential;
  p.permittivity.resize(p.rough_edges());
  std::uint32_t state = 1;
  for (auto& e : p.permittivity) {
    state = state * 1664525u + 1013904223u;
    e = state >> 16 < 21845 ? silver : glass;
  }
  return p;
}

template <class F>
double median_seconds(backend::Cuda& dev, const F& f) {
  std::vector<double> times;
  for (int n = 0; n < 9; ++n) {
    dev.synchronize();
    const auto start = std::chrono::steady_clock::now();
    f();
    dev.synchronize();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class T>
nlohmann::json measure(const std::string& name, const Options& o) {
  int nx = 0, ny = 0, planes = 0;
  if (std::sscanf(name.c_str(), "%dx%dx%d", &nx, &ny, &planes) != 3) throw BadInput("a case is NXxNYxPLANES");
  backend::Cuda dev(backend::Cuda::pooled_on(0));
  const Problem p = slab(nx, ny, planes);
  const auto wide = RoughSlab<backend::Cuda, double>::of(dev, p);
  const RoughSlab<backend::Cuda, T> own(dev, p, wide);
  const index_t n = p.rough_edges();
  auto x = dev.allocate<Complex<T>>(n), y = dev.allocate<Complex<T>>(n);
  dev.fill_zero(x.data(), n);
  dev.fill_zero(y.data(), n);
  auto out = nlohmann::json::array();
  const double nodes = double(n) / 3, c = sizeof(Complex<T>), vector = 3 * c;
  const auto row = [&](const char* part, double seconds, double bytes) {
    const double floor = bytes * nodes / o.bandwidth;
    std::printf("%-18s %-16s %10.4f ms %8.0f B a node  measured / floor %.2f\n", name.c_str(), part,
                1e3 * seconds, bytes, seconds / floor);
    std::fflush(stdout);
    out.push_back({{"case", name},
                   {"part", part},
                   {"milliseconds", 1e3 * seconds},
                   {"bytes_per_node", bytes},
                   {"measured_over_floor", seconds / floor}});
  };
  {
    LateralTransform<backend::Cuda, T> transform(dev, nx, ny, 3 * planes);
    row("transforms",
        median_seconds(dev,
                       [&] {
                         transform.run(x.data(), -1);
                         transform.run(x.data(), +1);
                       }),
        4.0 * ((nx > 1) + (ny > 1)) * vector);
  }
  double inverse = 0;
  {
    LayeredInverse<backend::Cuda, T> layered(dev, p, p.rough_begin, p.rough_end);
    inverse = median_seconds(dev, [&] { layered.apply(x.data()); });
    row("layered inverse", inverse, 4.0 * ((nx > 1) + (ny > 1)) * vector + 4 * vector + 6 * c);
    row("tridiagonals", std::max(0.0, inverse - out[0]["milliseconds"].get<double>() / 1e3),
        4 * vector + 6 * c);
  }
  const TileShape shape = o.tiles.own > 0 ? o.tiles : default_tiles(p.grid);
  const auto cut = cut_into_tiles(own.view(), shape);
  const double seen = double(cut.tiles()) * cut.band() / double(p.grid.columns());
  {
    TileSolver<backend::Cuda, T> tiles(dev, own.view(), shape, own.keps());
    row("tiles", median_seconds(dev, [&] { tiles.solve(x.data(), y.data()); }),
        c * (2.0 * seen * cut.band() + 5 * seen + 1));
    row("factors of tiles", median_seconds(dev, [&] { tiles.factor(); }), c * seen * cut.band());
  }
  {
    CorrectedOperator<backend::Cuda, T> op(dev, p, own, shape);
    row("with tiles", median_seconds(dev, [&] { op.apply(x.data(), y.data(), false); }),
        4.0 * ((nx > 1) + (ny > 1)) * vector + 4 * vector + 6 * c +
            2 * c * (2.0 * seen * cut.band() + 5 * seen + 1) + 2 * (vector + 2 * c) + 10 * vector + 2 * c);
  }
  {
    ScatteringOperator<backend::Cuda, T> op(dev, p, own, shape);
    row("without tiles", median_seconds(dev, [&] { op.apply(x.data(), y.data(), false); }),
        4.0 * ((nx > 1) + (ny > 1)) * vector + 4 * vector + 6 * c + 6 * vector);
  }
  return out;
}

Options options_of(int argc, char** argv) {
  Options o;
  for (int n = 1; n < argc; ++n) {
    const std::string a = argv[n];
    const auto value = [&] { return std::string(n + 1 < argc ? argv[++n] : ""); };
    if (a == "--double")
      o.wide = true;
    else if (a == "--tile")
      o.tiles.own = std::stoi(value());
    else if (a == "--overlap")
      o.tiles.overlap = std::stoi(value());
    else if (a == "--bandwidth")
      o.bandwidth = 1e9 * std::stod(value());
    else if (a == "--json")
      o.json = value();
    else
      o.cases.push_back(a);
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options o = options_of(argc, argv);
  auto all = nlohmann::json::array();
  for (const auto& name : o.cases) all.push_back(o.wide ? measure<double>(name, o) : measure<float>(name, o));
  if (!o.json.empty()) std::ofstream(o.json) << all.dump(2) << '\n';
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
