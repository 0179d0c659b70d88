// First measurements: stream bandwidth, formats of sparse products, the parts of a set-up, a solve.
#include <algorithm>
#include <chrono>
#include <functional>

#include "linalg/tuned/cuda/twins.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "system.cuh"

using namespace bench;

double time_ms(Cuda& dev, int repeats, const std::function<void()>& f) {
  f();
  dev.synchronize();
  std::vector<double> t;
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  for (int r = 0; r < repeats; ++r) {
    cudaEventRecord(a, dev.stream());
    f();
    cudaEventRecord(b, dev.stream());
    cudaEventSynchronize(b);
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    t.push_back(ms);
  }
  std::sort(t.begin(), t.end());
  return t[t.size() / 2];
}
double wall_ms(Cuda& dev, const std::function<void()>& f) {
  dev.synchronize();
  const auto t = std::chrono::steady_clock::now();
  f();
  dev.synchronize();
  return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

struct Triad {
  const double *a, *b;
  double* c;
  UMOV_HD void operator()(index_t i) const { c[i] = a[i] + 2 * b[i]; }
};

template <class T>
void formats(Cuda& dev, const sparse::CsrView<T>& a, const char* what) {
  auto x = dev.allocate<T>(a.rows), y = dev.allocate<T>(a.rows), z = dev.allocate<T>(a.rows);
  auto sums = dev.allocate<double>(4);
  dev.for_each(a.rows, sparse::Convert<int, T>{a.column, x.data()});
  const sparse::Store<T> store{y.data()};
  const double bytes = double(a.entries) * (sizeof(T) + 4) + a.rows * (4 + 2.0 * sizeof(T));
  const auto say = [&](const char* name, double ms, double extra = 1) {
    std::printf("  %-8s %-14s %8.4f ms  %6.0f GB/s %s\n", what, name, ms, bytes / ms * 1e-6,
                extra == 1 ? "" : ("fill " + std::to_string(extra)).c_str());
  };
  say("simple", time_ms(dev, 20, [&] { dev.for_each(a.rows, sparse::RowThen<T, T, sparse::Store<T>>{a, x.data(), store}); }));
  say("lanes 4", time_ms(dev, 20, [&] { sparse::gpu::run_rows<4>(dev, a, (const T*)x.data(), store); }));
  say("lanes 8", time_ms(dev, 20, [&] { sparse::gpu::run_rows<8>(dev, a, (const T*)x.data(), store); }));
  say("lanes 16", time_ms(dev, 20, [&] { sparse::gpu::run_rows<16>(dev, a, (const T*)x.data(), store); }));
  say("lanes 32", time_ms(dev, 20, [&] { sparse::gpu::run_rows<32>(dev, a, (const T*)x.data(), store); }));
  say("lanes 8 + dot", time_ms(dev, 20, [&] { sparse::gpu::run_rows_sum<1, 8>(dev, a, (const T*)x.data(), sparse::StoreDot<T>{x.data(), y.data()}, sums.data()); }));
  say("staged", time_ms(dev, 20, [&] {
        sparse::gpu::staged_kernel<<<(a.rows + 127) / 128, 128, 0, dev.stream()>>>(a, (const T*)x.data(), store);
      }));
  sparse::Sell<T> sell;
  const double b_ms = time_ms(dev, 3, [&] { sell.build(dev, a); });
  say("slices", time_ms(dev, 20, [&] { sell.then(dev, (const T*)x.data(), store); }), double(sell.stored()) / a.entries);
  say("slices + dot", time_ms(dev, 20, [&] { sell.template then_sum<1>(dev, (const T*)x.data(), sparse::StoreDot<T>{x.data(), y.data()}, sums.data()); }));
  std::printf("  build slices %.3f ms, refill %.3f ms\n", b_ms, time_ms(dev, 3, [&] { sell.refill(dev, a); }));
}

struct Scalars {  // rz, pq, rr, rz before
  double v[4];
};
struct Direction {  // p = z + beta p
  const float* z;
  double* p;
  const double* s;
  UMOV_HD void operator()(index_t i) const { p[i] = double(z[i]) + (s[3] != 0 ? s[0] / s[3] : 0.0) * p[i]; }
};
struct Advance {  // x += alpha p, r -= alpha q; r r
  const double *p, *q;
  double *x, *r;
  float* rf;
  const double* s;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const double alpha = s[0] / s[1];
    x[i] += alpha * p[i];
    const double v = r[i] - alpha * q[i];
    r[i] = v;
    rf[i] = float(v);
    sums.v[0] += v * v;
  }
};
struct Product {
  const double* r;
  const float* z;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const { sums.v[0] += r[i] * double(z[i]); }
};
struct Keep {
  double* s;
  UMOV_HD void operator()(index_t) const { s[3] = s[0]; }
};
struct Begin {
  const double* b;
  double *r, *x, *p;
  float* rf;
  UMOV_HD void operator()(index_t i) const { r[i] = b[i], rf[i] = float(b[i]), x[i] = 0, p[i] = 0; }
};
struct Square {
  const double* r;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const { sums.v[0] += r[i] * r[i]; }
};

template <class H>
void solve(Cuda& dev, const System& sys, H& amg) {
  const int n = sys.a.rows;
  auto r = dev.allocate<double>(n), x = dev.allocate<double>(n), p = dev.allocate<double>(n), q = dev.allocate<double>(n);
  auto rf = dev.allocate<float>(n), z = dev.allocate<float>(n);
  auto s = dev.allocate<double>(4);
  const auto a = sys.a.view();
  Cuda::Sequence iteration;
  const auto body = [&] {
    amg.apply(rf.data(), z.data());
    dev.for_each(1, Keep{s.data()});
    dev.reduce_to<1>(n, Product{r.data(), z.data()}, s.data());
    dev.for_each(n, Direction{z.data(), p.data(), s.data()});
    rows_then_sum<1>(dev, a, (const double*)p.data(), sparse::StoreDot<double>{p.data(), q.data()}, s.data() + 1);
    dev.reduce_to<1>(n, Advance{p.data(), q.data(), x.data(), r.data(), rf.data(), s.data()}, s.data() + 2);
  };
  for (int round = 0; round < 3; ++round) {
    double rr0 = 0, rr = 0;
    int it = 0;
    const double ms = wall_ms(dev, [&] {
      dev.fill_zero(s.data(), 4);
      dev.for_each(n, Begin{sys.b.data(), r.data(), x.data(), p.data(), rf.data()});
      dev.reduce_to<1>(n, Square{r.data()}, s.data() + 2);
      dev.download(&rr0, s.data() + 2, 1);
      dev.fill_zero(s.data(), 4);
      for (it = 0; it < 100;) {
        iteration.run(dev, body);
        ++it;
        if (it % 2 == 0) {
          dev.download(&rr, s.data() + 2, 1);
          if (!(rr > 1e-24 * rr0)) break;
        }
      }
    });
    auto check = dev.allocate<double>(n);
    rows_then(dev, a, (const double*)x.data(), sparse::StoreResidual<double>{sys.b.data(), check.data()});
    const double rt = dev.map_reduce<1, double>(n, Square{check.data()}).v[0];
    std::printf("  solve %.2f ms, %d iterations, |r|/|b| %.2e true %.2e\n", ms, it, std::sqrt(rr / rr0), std::sqrt(rt / rr0));
  }
  std::printf("  cycle %.4f ms as launches\n", time_ms(dev, 5, [&] { amg.apply(rf.data(), z.data()); }));
  Cuda::Sequence cycle;
  std::printf("  cycle %.4f ms as a graph\n", time_ms(dev, 10, [&] { cycle.run(dev, [&] { amg.apply(rf.data(), z.data()); }); }));
  Cuda::Sequence whole;
  std::printf("  iteration %.4f ms as a graph\n", time_ms(dev, 10, [&] { whole.run(dev, body); }));
}

void parts(Cuda& dev, const sparse::CsrView<float>& a) {
  const int n = a.rows;
  auto diagonal = dev.allocate<float>(n), inverse = dev.allocate<float>(n);
  dev.for_each(n, amg::InvertDiagonal<float>{a, diagonal.data(), inverse.data()});
  const auto strong = amg::make_strength(a, (const float*)diagonal.data(), 0.0);
  amg::Aggregates<Cuda> agg;
  for (int k = 0; k < 2; ++k) std::printf("  aggregate %.3f ms\n", wall_ms(dev, [&] { agg = amg::aggregate(dev, strong, 500); }));
  for (int k = 0; k < 2; ++k) std::printf("  graph %.3f ms\n", wall_ms(dev, [&] { auto g = amg::strong_graph(dev, strong, 500); }));
  sparse::Csr<Cuda, float> p, r;
  const amg::RowSmoothing<float> smoothing{strong, 0.66f, 500};
  for (int k = 0; k < 2; ++k) std::printf("  prolongation %.3f ms\n", wall_ms(dev, [&] { p = smoothed_prolongation(dev, smoothing, agg.of_node.data(), agg.count); }));
  for (int k = 0; k < 2; ++k) std::printf("  transpose %.3f ms\n", wall_ms(dev, [&] { r = transpose(dev, std::as_const(p).view()); }));
  std::printf("  n %d coarse %d, P %ld entries\n", n, agg.count, p.entries());
  sparse::Csr<Cuda, float> ap, c;
  const auto pv = std::as_const(p).view();
  for (int k = 0; k < 2; ++k) std::printf("  A P %.3f ms\n", wall_ms(dev, [&] { ap = multiply(dev, a, pv); }));
  std::printf("  A P again %.3f ms\n", wall_ms(dev, [&] { multiply_again(dev, a, pv, ap); }));
  const auto apv = std::as_const(ap).view();
  const auto rv = std::as_const(r).view();
  for (int k = 0; k < 2; ++k) std::printf("  R AP %.3f ms\n", wall_ms(dev, [&] { c = multiply(dev, rv, apv); }));
  std::printf("  R AP again %.3f ms\n", wall_ms(dev, [&] { multiply_again(dev, rv, apv, c); }));
  std::printf("  AP %ld entries, coarse %ld\n", ap.entries(), c.entries());
  auto x = dev.allocate<float>(n), xc = dev.allocate<float>(agg.count);
  dev.fill_zero(x.data(), n), dev.fill_zero(xc.data(), agg.count);
  for (int lanes : {2, 4, 8}) {
    const auto run = [&] {
      const sparse::StoreSum<float> then{x.data()};
      if (lanes == 2) sparse::gpu::run_rows<2>(dev, pv, (const float*)xc.data(), then);
      if (lanes == 4) sparse::gpu::run_rows<4>(dev, pv, (const float*)xc.data(), then);
      if (lanes == 8) sparse::gpu::run_rows<8>(dev, pv, (const float*)xc.data(), then);
    };
    std::printf("  P x lanes %d %.4f ms\n", lanes, time_ms(dev, 10, run));
  }
  std::printf("  P x simple %.4f ms\n", time_ms(dev, 10, [&] { dev.for_each(n, sparse::RowThen<float, float, sparse::StoreSum<float>>{pv, xc.data(), {x.data()}}); }));
  std::printf("  P x staged %.4f ms\n", time_ms(dev, 10, [&] { sparse::gpu::staged_kernel<<<(n + 127) / 128, 128, 0, dev.stream()>>>(pv, (const float*)xc.data(), sparse::StoreSum<float>{x.data()}); }));
  const sparse::Store<float> to{xc.data()};
  std::printf("  R x lanes 16 %.4f ms\n", time_ms(dev, 10, [&] { sparse::gpu::run_rows<16>(dev, rv, (const float*)x.data(), to); }));
  std::printf("  R x lanes 32 %.4f ms\n", time_ms(dev, 10, [&] { sparse::gpu::run_rows<32>(dev, rv, (const float*)x.data(), to); }));
  std::printf("  R x staged %.4f ms\n", time_ms(dev, 10, [&] { sparse::gpu::staged_kernel<<<(agg.count + 127) / 128, 128, 0, dev.stream()>>>(rv, (const float*)x.data(), to); }));
}

int main(int argc, char** argv) try {
  Cuda dev(Cuda::Options{.pooled = true});
  const std::string path = argv[1];
  std::printf("%s\n", dev.device_name().c_str());
  {
    const long n = 1 << 28;
    auto a = dev.allocate<double>(n), b = dev.allocate<double>(n), c = dev.allocate<double>(n);
    dev.fill_zero(a.data(), n), dev.fill_zero(b.data(), n);
    std::printf("triad %.0f GB/s\n", 24.0 * n / time_ms(dev, 10, [&] { dev.for_each(n, Triad{a.data(), b.data(), c.data()}); }) * 1e-6);
  }
  for (int k = 2; k < argc; ++k) {
    const std::string which = argv[k];
    const int order = which[1] - '0';
    const auto t0 = std::chrono::steady_clock::now();
    const Space space = make_space(path, order, which.size() > 2);
    std::printf("%s: host mesh %.1f s\n", which.c_str(), std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
    const System sys = order == 1 ? assemble<4>(dev, space) : assemble<10>(dev, space);
    const auto a = sys.a.view();
    auto single = dev.allocate<float>(a.entries);
    dev.for_each(a.entries, sparse::Convert<double, float>{a.value, single.data()});
    const sparse::CsrView<float> af{a.rows, a.columns, a.start, a.column, single.data(), a.entries};
    formats(dev, a, "double");
    formats(dev, af, "float");
    if (order == 1) parts(dev, af);
    for (int degree : {1, 2, 3}) {
      amg::Options o;
      o.degree = degree;
      amg::Hierarchy<Cuda, float> h(dev, o);
      for (int round = 0; round < 3; ++round) std::printf("  setup %.2f ms\n", wall_ms(dev, [&] { h.setup(a); }));
      for (int round = 0; round < 2; ++round) std::printf("  refresh %.2f ms\n", wall_ms(dev, [&] { h.refresh(a, amg::Refresh::galerkin); }));
      for (auto& l : h.info().levels) std::printf("    level %d unknowns %ld entries\n", l.unknowns, long(l.entries));
      std::printf("  degree %d complexity %.3f, %.2f GB\n", degree, h.info().operator_complexity, h.info().bytes * 1e-9);
      solve(dev, sys, h);
    }
    std::printf("pool %.2f GB peak %.2f GB\n", dev.pool_bytes() * 1e-9, dev.pool_peak() * 1e-9);
  }
} catch (const std::exception& e) {
  std::printf("error: %s\n", e.what());
  return 1;
}
