// Set-up and solve of the rod mesh's systems on a GPU, against floors counted in bytes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>

#include "backend/cuda/cuda.hpp"
#include "eqs/tuned/cuda/quadratic_operator.hpp"
#include "eqs_system.hpp"
#include "linalg/p_multigrid.hpp"
#include "linalg/pcg.hpp"
#include "linalg/tuned/cuda/twins.hpp"

namespace {
using namespace umov;
using backend::Cuda;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point t) { return 1e3 * std::chrono::duration<double>(Clock::now() - t).count(); }
template <class F>
double wall_ms(Cuda& dev, const F& f) {
  dev.synchronize();
  const auto t = Clock::now();
  f();
  dev.synchronize();
  return since(t);
}
/// Median of repeats by device events.
template <class F>
double device_ms(Cuda& dev, int repeats, const F& f) {
  f();
  cudaEvent_t a, b;
  UMOV_CUDA_CHECK(cudaEventCreate(&a));
  UMOV_CUDA_CHECK(cudaEventCreate(&b));
  std::vector<float> t(repeats);
  for (float& ms : t) {
    cudaEventRecord(a, dev.stream());
    f();
    cudaEventRecord(b, dev.stream());
    UMOV_CUDA_CHECK(cudaEventSynchronize(b));
    cudaEventElapsedTime(&ms, a, b);
  }
  cudaEventDestroy(a), cudaEventDestroy(b);
  std::sort(t.begin(), t.end());
  return t[t.size() / 2];
}

/// What the last table says, system by system.
struct Line {
  std::string system;
  std::vector<std::pair<std::string, double>> numbers;
};
std::vector<Line> lines;
void note(const std::string& what, double value) { lines.back().numbers.emplace_back(what, value); }
double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
/// The first time and the median of more, ms.
template <class F>
double repeated_ms(Cuda& dev, int repeats, const std::string& what, const F& f) {
  note(what + "_first_ms", wall_ms(dev, f));
  std::vector<double> t(repeats);
  for (double& v : t) v = wall_ms(dev, f);
  note(what + "_ms", median(t));
  return median(t);
}
void write_json(const char* path, const std::string& device, double triad) {
  std::FILE* f = std::fopen(path, "w");
  if (!f) throw MachineFailure(std::string("cannot write ") + path);
  std::fprintf(
      f, "{\n  \"device\": \"%s\",\n  \"triad_gb_per_s\": %.0f,\n  \"what\": \"%s\",\n  \"results\": [\n",
      device.c_str(), triad,
      "bench_eqs_gpu on the rod mesh: relative residual 1e-12 from zero, preconditioner in single precision; "
      "first call, then median of five; wall times with the device idle before and after");
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::fprintf(f, "    {\n      \"system\": \"%s\"", lines[k].system.c_str());
    for (const auto& [name, value] : lines[k].numbers)
      std::fprintf(f, ",\n      \"%s\": %.10g", name.c_str(), value);
    std::fprintf(f, "\n    }%s\n", k + 1 < lines.size() ? "," : "");
  }
  std::fprintf(f, "  ]\n}\n");
  std::fclose(f);
}

struct Triad {
  const double *a, *b;
  double* c;
  UMOV_HD void operator()(index_t i) const { c[i] = a[i] + 2 * b[i]; }
};
double stream_rate(Cuda& dev) {
  const index_t n = 1 << 28;
  auto a = dev.allocate<double>(n), b = dev.allocate<double>(n), c = dev.allocate<double>(n);
  dev.fill_zero(a.data(), n), dev.fill_zero(b.data(), n);
  return 24.0 * n / device_ms(dev, 9, [&] { dev.for_each(n, Triad{a.data(), b.data(), c.data()}); }) * 1e-6;
}

/// -K times the electrodes' potentials.
std::vector<double> right_side(const bench::RodSystem& s) {
  std::vector<double> b(s.unknowns, 0.0);
  const int width = s.nodes_of(), nodes = int(s.mesh.nodes.size());
  for (std::size_t t = 0; t < s.mesh.tets.size(); ++t) {
    double u[10], y[10], g[6];
    bool any = false;
    for (int k = 0; k < width; ++k) {
      u[k] = s.fixed[k < 4 ? s.mesh.tets[t][k] : nodes + s.edges.of_tet[t][k - 4]];
      any = any || u[k] != 0;
    }
    if (!any) continue;
    const auto gram = bench::gram(s, t);
    for (int k = 0; k < 6; ++k) g[k] = gram[k] / 20;
    if (s.order == 2) {
      eqs::quadratic_stiffness(g, u, y);
    } else {
      const double d[3] = {u[1] - u[0], u[2] - u[0], u[3] - u[0]};
      y[1] = gram[0] * d[0] + gram[3] * d[1] + gram[4] * d[2];
      y[2] = gram[3] * d[0] + gram[1] * d[1] + gram[5] * d[2];
      y[3] = gram[4] * d[0] + gram[5] * d[1] + gram[2] * d[2];
      y[0] = -(y[1] + y[2] + y[3]);
    }
    for (int k = 0; k < width; ++k)
      if (s.dofs[t * width + k] >= 0) b[s.dofs[t * width + k]] -= y[k];
  }
  return b;
}

template <class T>
Cuda::Array<T> to_device(Cuda& dev, const T* data, std::size_t n) {
  auto a = dev.allocate<T>(n);
  dev.upload(a.data(), data, n);
  return a;
}

struct Constant {
  const double* c;
  UMOV_HD double operator()(index_t e) const { return c[e]; }
};
struct Hash {
  double* x;
  UMOV_HD void operator()(index_t i) const {
    unsigned h = unsigned(i) * 2654435769u;
    h ^= h >> 15, h *= 0x85ebca6bu, h ^= h >> 13;
    x[i] = double(h) / 4294967296.0 - 0.5;
  }
};

template <class Op, class Prec>
void solve(Cuda& dev, Op& op, Prec& prec, const double* b, const char* what, int rounds = 6) {
  const index_t n = op.size();
  linalg::Pcg<Cuda, float> pcg(dev, n);
  auto x = dev.allocate<double>(n), y = dev.allocate<double>(n);
  linalg::PcgSettings settings;
  settings.from_zero = true;
  settings.check_every = 2;
  amg::SolveInfo info;
  std::vector<double> times;
  for (int k = 0; k < rounds; ++k)
    times.push_back(wall_ms(dev, [&] { info = pcg.solve(op, prec, b, x.data(), settings); }));
  const double first = times[0], ms = median({times.begin() + (rounds > 1), times.end()});
  op.then((const double*)x.data(), sparse::StoreResidual<double>{b, y.data()});
  const double rr = dev.map_reduce<1, double>(n, linalg::pcg::SquareOf{y.data()}).v[0];
  const double bb = dev.map_reduce<1, double>(n, linalg::pcg::SquareOf{b}).v[0];
  std::printf("  %s: solve %.2f ms (first %.2f), %d iterations, residual %.2e true %.2e %s\n", what, ms,
              first, info.iterations, info.residual, std::sqrt(rr / bb),
              info.converged ? "" : info.why_not.c_str());
  if (rounds < 3) return;
  note("solve_first_ms", first), note("solve_ms", ms), note("iterations", info.iterations);
  note("true_residual", std::sqrt(rr / bb));
}

void levels(const amg::SetupInfo& info) {
  for (const auto& l : info.levels) std::printf("  %d unknowns, %ld entries\n", l.unknowns, long(l.entries));
  std::printf("  operator complexity %.3f, hierarchy %.2f GB\n", info.operator_complexity, info.bytes * 1e-9);
}

void first_order(Cuda& dev, const bench::RodSystem& s, bool sweep, bool once) {
  const auto host = bench::assemble_first(s);
  const auto a = sparse::upload<double>(dev, host);
  const auto b = to_device(dev, right_side(s).data(), s.unknowns);
  std::printf("first order: %d unknowns, %ld entries\n", a.rows, long(a.entries()));
  sparse::RowsOperator<Cuda, double> op(dev, a.view());
  if (once) {
    amg::Hierarchy<Cuda, float> h(dev, {});
    h.setup(a.view());
    UMOV_CUDA_CHECK(cudaDeviceSynchronize());
    std::printf("=== second\n");
    h.setup(a.view());
    h.refresh(a.view(), amg::Refresh::galerkin);
    solve(dev, op, h, b.data(), "once", 1);
    return;
  }
  if (sweep) {
    for (double theta : {0.0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08})
      for (int degree : {1, 2, 3})
        for (double ratio : {4.0, 6.0, 10.0, 15.0, 20.0}) {
          if (degree == 1 && ratio != 4) continue;
          amg::Options o;
          o.strength = theta, o.degree = degree, o.eigenvalue_ratio = ratio;
          if (degree == 1) o.smoother = amg::Smoother::jacobi;
          amg::Hierarchy<Cuda, float> h(dev, o);
          h.setup(a.view());
          const double t = wall_ms(dev, [&] { h.setup(a.view()); });
          char name[100];
          std::snprintf(name, sizeof name, "theta %.2f degree %d ratio %2.0f setup %6.2f C %.3f levels %zu",
                        theta, degree, ratio, t, h.info().operator_complexity, h.info().levels.size());
          solve(dev, op, h, b.data(), name, 2);
        }
    return;
  }
  amg::Hierarchy<Cuda, float> h(dev, {});
  note("unknowns", a.rows), note("entries", double(a.entries()));
  const index_t before = index_t(dev.pool_bytes()) - index_t(a.bytes() + b.bytes());
  const double setup = repeated_ms(dev, 5, "setup", [&] { h.setup(a.view()); });
  const double refresh =
      repeated_ms(dev, 5, "galerkin_again", [&] { h.refresh(a.view(), amg::Refresh::galerkin); });
  std::printf("  set-up %.2f ms, Galerkin again %.2f ms\n", setup, refresh);
  note("operator_complexity", h.info().operator_complexity);
  levels(h.info());
  solve(dev, op, h, b.data(), "first order");
  note("memory_gb", (dev.pool_bytes() - before) * 1e-9 + a.rows * 32e-9);  // with x, r, p, q of the iteration
  auto r = dev.allocate<float>(a.rows), z = dev.allocate<float>(a.rows);
  dev.for_each(a.rows, sparse::Convert<double, float>{b.data(), r.data()});
  Cuda::Sequence cycle;
  std::printf("  cycle %.4f ms\n",
              device_ms(dev, 9, [&] { cycle.run(dev, [&] { h.apply(r.data(), z.data()); }); }));
  auto x = dev.allocate<double>(a.rows), y = dev.allocate<double>(a.rows), d = dev.allocate<double>(4);
  dev.for_each(a.rows, Hash{x.data()});
  std::printf("  product %.4f ms, with dot %.4f ms, floor %.4f\n",
              device_ms(dev, 9, [&] { op.apply(x.data(), y.data()); }),
              device_ms(dev, 9, [&] { op.apply_dot(x.data(), y.data(), d.data()); }),
              (a.entries() * 12.0 + a.rows * 20.0) / 4.2e9);
}

void second_order(Cuda& dev, const bench::RodSystem& s, bool sweep) {
  const auto host = bench::assemble_first(s);
  const auto a1 = sparse::upload<double>(dev, host);
  const auto b = to_device(dev, right_side(s).data(), s.unknowns);
  const int elements = int(s.mesh.tets.size());
  std::vector<double> eps(elements);
  for (int e = 0; e < elements; ++e) eps[e] = bench::permittivity(s, e);
  const auto dofs = to_device(dev, s.dofs.data(), s.dofs.size());
  const auto tet = to_device(dev, s.mesh.tets[0].data(), 4 * s.mesh.tets.size());
  const auto x = to_device(dev, s.mesh.nodes[0].data(), 3 * s.mesh.nodes.size());
  const auto c = to_device(dev, eps.data(), eps.size());
  const auto parents = to_device(dev, s.parents.data(), s.parents.size());
  std::printf("second order: %d unknowns, %d elements; vertices %d unknowns\n", s.unknowns, elements,
              s.vertices);
  using Op = eqs::gpu::QuadraticOperator<double>;
  using Single = eqs::gpu::QuadraticOperator<float>;
  const index_t before = index_t(dev.pool_bytes());
  if (sweep) {
    const eqs::gpu::Patches patches(dev, dofs.data(), elements, s.unknowns);
    Op op(dev, patches);
    Single single(dev, patches);
    op.set(tet.data(), x.data(), Constant{c.data()});
    single.set(tet.data(), x.data(), Constant{c.data()});
    auto inverse = dev.allocate<float>(s.unknowns);
    single.inverse_diagonal(inverse.data());
    for (double theta : {0.0, 0.01, 0.02, 0.03, 0.04})
      for (int degree : {2, 3})
        for (double ratio : {6.0, 10.0, 15.0, 20.0}) {
          amg::Options o;
          o.strength = theta, o.degree = degree, o.eigenvalue_ratio = ratio;
          amg::Hierarchy<Cuda, float> h(dev, o);
          linalg::PMultigrid<Cuda, float, Single> pm(dev, o);
          h.setup(a1.view());
          pm.setup(single, inverse.data(), s.vertices, parents.data(), h);
          char name[100];
          std::snprintf(name, sizeof name, "theta %.2f degree %d ratio %2.0f C %.3f", theta, degree, ratio,
                        h.info().operator_complexity);
          solve(dev, op, pm, b.data(), name, 1);
        }
    return;
  }
  note("unknowns", s.unknowns), note("elements", elements);
  {
    std::unique_ptr<eqs::gpu::Patches> patches;
    std::printf("  patches %.2f ms\n", repeated_ms(dev, 5, "patches", [&] {
                  patches = std::make_unique<eqs::gpu::Patches>(dev, dofs.data(), elements, s.unknowns);
                }));
    Op op(dev, *patches);
    Single single(dev, *patches);
    auto inverse = dev.allocate<float>(s.unknowns);
    amg::Hierarchy<Cuda, float> h(dev, {});
    linalg::PMultigrid<Cuda, float, Single> pm(dev, {});
    const auto coefficients = [&] {
      op.set(tet.data(), x.data(), Constant{c.data()});
      single.set(tet.data(), x.data(), Constant{c.data()});
      single.inverse_diagonal(inverse.data());
    };
    const double t = repeated_ms(dev, 5, "setup", [&] {
      coefficients();
      h.setup(a1.view());
      pm.setup(single, inverse.data(), s.vertices, parents.data(), h);
    });
    const double again = repeated_ms(dev, 5, "galerkin_again", [&] {
      coefficients();
      h.refresh(a1.view(), amg::Refresh::galerkin);
      pm.refresh(inverse.data());
    });
    std::printf("  set-up %.2f ms, again %.2f ms; shared unknowns %d, parts %d, patches %d\n", t, again,
                patches->view().shared, patches->parts(), patches->view().patches);
    levels(h.info());
    solve(dev, op, pm, b.data(), "second order");
    note("memory_gb",
         (dev.pool_bytes() - before) * 1e-9 + s.unknowns * 40e-9);  // with those of the iteration
    auto u = dev.allocate<double>(s.unknowns), y = dev.allocate<double>(s.unknowns),
         d = dev.allocate<double>(4);
    auto uf = dev.allocate<float>(s.unknowns), yf = dev.allocate<float>(s.unknowns);
    dev.for_each(s.unknowns, Hash{u.data()});
    dev.for_each(s.unknowns, sparse::Convert<double, float>{u.data(), uf.data()});
    std::printf("  product double %.4f ms, with dot %.4f ms, single %.4f ms\n",
                device_ms(dev, 9, [&] { op.apply(u.data(), y.data()); }),
                device_ms(dev, 9, [&] { op.apply_dot(u.data(), y.data(), d.data()); }),
                device_ms(dev, 9, [&] { single.apply(uf.data(), yf.data()); }));
    // against the host
    std::vector<double> hu(s.unknowns), hy(s.unknowns), want(s.unknowns, 0.0);
    std::vector<float> hyf(s.unknowns);
    op.apply(u.data(), y.data());
    dev.download(hu.data(), u.data(), s.unknowns);
    dev.download(hy.data(), y.data(), s.unknowns);
    dev.download(hyf.data(), yf.data(), s.unknowns);
    for (int e = 0; e < elements; ++e) {
      double v[10], w[10], g[6];
      const auto gram = bench::gram(s, e);
      for (int k = 0; k < 6; ++k) g[k] = gram[k] / 20;
      for (int k = 0; k < 10; ++k) v[k] = s.dofs[10 * e + k] < 0 ? 0 : hu[s.dofs[10 * e + k]];
      eqs::quadratic_stiffness(g, v, w);
      for (int k = 0; k < 10; ++k)
        if (s.dofs[10 * e + k] >= 0) want[s.dofs[10 * e + k]] += w[k];
    }
    double dd = 0, df = 0, norm = 0, du = 0;
    for (int i = 0; i < s.unknowns; ++i) {
      dd += (hy[i] - want[i]) * (hy[i] - want[i]), df += (hyf[i] - want[i]) * (hyf[i] - want[i]);
      norm += want[i] * want[i], du += want[i] * hu[i];
    }
    double dot = 0;
    op.apply_dot(u.data(), y.data(), d.data());
    dev.download(&dot, d.data(), 1);
    std::printf("  against the host: double %.2e, single %.2e, dot %.2e\n", std::sqrt(dd / norm),
                std::sqrt(df / norm), std::abs(dot / du - 1));
    auto z = dev.allocate<float>(s.unknowns);
    Cuda::Sequence cycle, coarse;
    std::printf("  cycle %.4f ms, of it first order %.4f ms\n",
                device_ms(dev, 9, [&] { cycle.run(dev, [&] { pm.apply(uf.data(), z.data()); }); }),
                device_ms(dev, 9, [&] { coarse.run(dev, [&] { h.apply(uf.data(), z.data()); }); }));
    std::printf("  memory: operators %.2f GB, patches %.2f GB, p-multigrid %.2f GB\n",
                (op.bytes() + single.bytes()) * 1e-9, patches->bytes() * 1e-9, pm.bytes() * 1e-9);
  }
}

}  // namespace

/// [JSON=file] bench_eqs_gpu rod.eqm SYSTEM ...; systems p1, p1r, p2, p2r. Before a system: "sweep" over
/// strength and smoother; "once", for a profiler. rod.eqm: see eqs_system.hpp.
int main(int argc, char** argv) try {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Cuda dev(Cuda::Options{.pooled = true});
  bool sweep = false, once = false;
  const double triad = std::getenv("NO_TRIAD") ? 0 : stream_rate(dev);
  std::printf("%s, triad %.0f GB/s\n", dev.device_name().c_str(), triad);
  for (int k = 2; k < argc; ++k) {
    const std::string what = argv[k];
    if (what == "sweep") {
      sweep = true;
      continue;
    }
    if (what == "once") {
      once = true;
      continue;
    }
    const auto t = Clock::now();
    auto mesh = mesh::read_eqm(argv[1]);
    if (what.size() > 2) mesh = mesh::refine(mesh);
    mesh::sort_by_place(mesh);
    lines.push_back({what, {}});
    const auto s = bench::number_rod(std::move(mesh), what[1] - '0');
    std::printf("%s: mesh on the host in %.1f s\n", what.c_str(), since(t) * 1e-3);
    if (s.order == 1)
      first_order(dev, s, sweep, once);
    else
      second_order(dev, s, sweep);
    std::fflush(stdout);
    sweep = once = false;
  }
  if (const char* path = std::getenv("JSON")) write_json(path, dev.device_name(), triad);
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
