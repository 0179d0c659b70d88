// Seconds to paint bodies of many corners on a grid, and to sample their permittivity.
//
//   bench_fdtd_bodies [--threads N] [--json FILE] [--commit ID] crossing:640x640x40 globe:256x256x256 ...
//
// crossing: two guides in the shape of an S and a crossing with rounded arms, prisms of 400 corners each,
// over a substrate; globe: a sphere of 36,672 triangles, read from a file that the program writes beside the
// others of the system's. The grid is 6.4 units wide, the other extents follow from its cells.
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "fdtd/scene.hpp"
#include "options.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;

constexpr double wide = 6.4;
constexpr int corners = 400;

/// From (-3.2, y) to (3.2, y + rise), 0.4 across.
BodySpec guide(double y, double rise) {
  BodySpec b;
  const auto middle = [&](double x) { return y + rise / 2 * (1 + std::tanh(1.5 * x)); };
  for (int i = 0; i < corners; ++i) {
    const int along = i < corners / 2 ? i : corners - 1 - i;
    const double x = wide * (along / (corners / 2 - 1.0) - 0.5);
    b.vertices.push_back({x, middle(x) + (i < corners / 2 ? -0.2 : 0.2), 0});
  }
  return b;
}

/// Four arms whose width goes down from 0.9 in the middle to 0.4.
BodySpec crossing() {
  BodySpec b;
  for (int arm = 0; arm < 4; ++arm) {
    const double c = std::cos(pi / 2 * arm), s = std::sin(pi / 2 * arm);
    for (int i = 0; i < corners / 4; ++i) {
      const int along = i < corners / 8 ? i : corners / 4 - 1 - i;
      const double x = 0.5 + (wide / 2 - 0.5) * along / (corners / 8 - 1.0);
      const double y = (i < corners / 8 ? -1 : 1) * (0.2 + 0.25 * std::exp(-2 * (x - 0.5)));
      b.vertices.push_back({c * x - s * y, s * x + c * y, 0});
    }
  }
  return b;
}

/// Text of a sphere of radius 1 by latitude and longitude.
void write_globe(const std::string& path) {
  constexpr int rings = 96, around = 2 * rings;
  const auto at = [](int r, int i) {
    const double t = pi * r / rings, p = 2 * pi * (i % around) / around;
    return r == 0 || r == rings ? Vec3{0, 0, r == 0 ? 1.0 : -1.0}
                                : Vec3{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
  };
  std::ofstream out(path);
  const auto facet = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const Vec3& v : {a, b, c}) out << fmt::format("vertex {} {} {}\n", v[0], v[1], v[2]);
    out << "endloop\nendfacet\n";
  };
  out << "solid globe\n";
  for (int r = 0; r < rings; ++r)
    for (int i = 0; i < around; ++i) {
      if (r < rings - 1) facet(at(r, i), at(r + 1, i), at(r + 1, i + 1));
      if (r > 0) facet(at(r, i), at(r + 1, i + 1), at(r, i + 1));
    }
  out << "endsolid globe\n";
}

Simulation model(const std::string& shape, const Int3& cells) {
  Simulation s;
  s.resolution = cells[0] / wide;
  for (int a = 0; a < 3; ++a) s.size[a] = cells[a] / s.resolution;
  MaterialSpec core;
  core.name = "core";
  core.constants.eps = {12, 12, 12};
  s.materials = {core};
  if (shape == "globe") {
    BodySpec b;
    b.shape = "mesh";
    b.file = (std::filesystem::temp_directory_path() / "umov_bench_globe.stl").string();
    b.scale = 1.6;
    write_globe(b.file);
    s.bodies = {b};
  } else {
    s.bodies = {guide(-2.2, 0.8), crossing(), guide(1.6, 0.6)};
    for (auto& b : s.bodies) b.shape = "prism", b.height = 0.22;
  }
  for (auto& b : s.bodies) b.material = "core";
  return s;
}

nlohmann::json measure(const std::string& name) {
  const Simulation s =
      model(name.substr(0, name.find(':')), bench::sizes_of(name.substr(name.find(':') + 1)));
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto since = [&](auto start) { return std::chrono::duration<double>(now() - start).count(); };
  const std::clock_t own = std::clock();
  auto start = now();
  const auto scene = make_scene(s);
  Problem p;
  p.grid = make_grid(s, *scene);
  set_walls(s, p);
  const double reading = since(start);
  start = now();
  paint(s, *scene, p);
  const double painting = since(start);
  const double processor = double(std::clock() - own) / CLOCKS_PER_SEC;
  start = now();
  const FieldBlock eps = sample_permittivity(*scene, p.grid, 1);
  const double sampling = since(start);
  double sum = 0;
  for (const double e : eps.real) sum += e;
  fmt::print(
      "{}: {:.1f} million cells, scene {:.2f} s, painting {:.2f} s ({:.2f} s of processors), samples "
      "{:.2f} s, mean permittivity {:.9f}\n",
      name, 1e-6 * double(p.grid.cell_count()), reading, painting, processor, sampling,
      sum / double(eps.real.size()));
  return {{"case", name},
          {"scene_s", reading},
          {"paint_s", painting},
          {"processor_s", processor},
          {"samples_s", sampling}};
}

}  // namespace

int main(int argc, char** argv) try {
  umov::bench::Common o;
  umov::bench::read_options(argc, argv, o, [](const std::string&, const auto&) { return false; });
  if (o.threads > 0) omp_set_num_threads(o.threads);
  return umov::bench::run_cases(o, {{"benchmark", "fdtd_bodies"}, {"threads", omp_get_max_threads()}},
                                measure);
} catch (const std::exception& e) {
  fmt::print(stderr, "bench_fdtd_bodies: {}\n", e.what());
  return 1;
}
