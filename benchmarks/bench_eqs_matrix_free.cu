// Products of second order on a GPU with and without the matrix: time, bytes, floor.
//   bench_eqs_matrix_free rod.msh|CELLS [--refine N] [--forms assembled,matrix-free] [--curves layer,all]
//
// The mesh has volumes air, rod, layer, housing and surfaces low, high. A number instead of a file is a cube
// of CELLS x CELLS x CELLS cells of six elements each, CELLS a multiple of eight, made here: 128 are 12.6
// million. The floor is bytes that must move over the card's measured copy rate: for a matrix its entries and
// columns, for elements their numbers and places, for K(u) u the mesh; and the vectors once each.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "core/timer.hpp"
#include "eqs/solve/system.hpp"
#include "eqs/tuned/cuda/fast_elements.hpp"
#include "linalg/tuned/cuda/twins.hpp"

namespace {
using namespace umov;
using backend::Cuda;

struct Options {
  std::string mesh, forms = "assembled,matrix-free", curves = "layer,all";
  int refine = 0;
};

/// Cells of the cube, 0 where the mesh is a file.
int cells_of(const std::string& mesh) {
  return mesh.find_first_not_of("0123456789") == mesh.npos ? std::atoi(mesh.c_str()) : 0;
}

eqs::Simulation rod(const Options& o, bool all, eqs::OperatorForm form) {
  eqs::Simulation s;
  const int cells = cells_of(o.mesh);
  if (cells) {
    auto& g = s.mesh.geometry.emplace();
    g.kind = "layers";
    g.width = 0.1;
    g.elements_across = cells;
    for (const auto& [name, eighths] : {std::pair{"air", 4}, {"rod", 2}, {"layer", 1}, {"housing", 1}}) {
      mesh::Geometry::Layer layer;
      layer.region = name, layer.thickness = 0.0125 * eighths, layer.elements = cells / 8 * eighths;
      g.layers.push_back(layer);
    }
  } else {
    s.mesh.file = o.mesh;
  }
  s.mesh.refine = o.refine;
  s.mesh.order = 2;
  s.linear.form = form;
  for (const std::string name : {"air", "rod", "layer", "housing"}) {
    eqs::MaterialSpec m;
    m.name = name;
    m.permittivity.value = name == "air" ? 1 : name == "layer" ? 12 : 4;
    if (all || name == "layer") {
      m.conductivity.kind = eqs::CurveSpec::Kind::named;
      m.conductivity.named = "microvaristor";
    }
    s.materials.push_back(m);
  }
  eqs::ElectrodeSpec low, high;
  low.name = cells ? "top" : "low", low.kind = eqs::ElectrodeSpec::Kind::ground;
  high.name = cells ? "bottom" : "high", high.waveform.kind = eqs::WaveformSpec::Kind::constant,
  high.waveform.amplitude = 1e5;
  s.electrodes = {low, high};
  return s;
}

template <class T>
struct Ramp {
  T* u;
  UMOV_HD void operator()(index_t i) const { u[i] = T(1e5) * T(i % 1000) / 1000; }
};

/// Milliseconds, the median of nine.
template <class F>
double timed(Cuda& dev, const F& f) {
  cudaEvent_t begin, end;
  UMOV_CUDA_CHECK(cudaEventCreate(&begin));
  UMOV_CUDA_CHECK(cudaEventCreate(&end));
  std::vector<float> ms(9);
  f();
  for (float& t : ms) {
    UMOV_CUDA_CHECK(cudaEventRecord(begin, dev.stream()));
    f();
    UMOV_CUDA_CHECK(cudaEventRecord(end, dev.stream()));
    UMOV_CUDA_CHECK(cudaEventSynchronize(end));
    UMOV_CUDA_CHECK(cudaEventElapsedTime(&t, begin, end));
  }
  std::sort(ms.begin(), ms.end());
  return ms[4];
}

/// Bytes per second of a copy.
double copy_rate(Cuda& dev) {
  const std::size_t n = std::size_t(1) << 27;
  auto a = dev.allocate<double>(n), b = dev.allocate<double>(n);
  const double ms = timed(dev, [&] {
    UMOV_CUDA_CHECK(
        cudaMemcpyAsync(a.data(), b.data(), n * sizeof(double), cudaMemcpyDeviceToDevice, dev.stream()));
  });
  return 2.0 * double(n * sizeof(double)) / (ms / 1e3);
}

void report(const char* what, double ms, double bytes, double rate) {
  const double floor = bytes / rate * 1e3;
  std::printf("  %-34s %8.3f ms, floor %8.3f ms, measured / floor %.2f\n", what, ms, floor, ms / floor);
}

template <class T, template <class, class> class Form>
void product(const char* what, Cuda& dev, const eqs::MatrixSet<Cuda>& set, int n, double bytes, double rate) {
  Form<Cuda, T> form;
  form.take(dev, set, true);
  auto x = dev.allocate<T>(n), y = dev.allocate<T>(n);
  dev.for_each(n, Ramp<T>{x.data()});
  report(what, timed(dev, [&] { form.apply(x.data(), y.data()); }), bytes + 2.0 * n * sizeof(T), rate);
}

void measure(const Options& o, bool all, eqs::OperatorForm kind) {
  const Stopwatch host;
  const eqs::Problem p = eqs::make_problem(rod(o, all, kind));
  const double model = host.seconds();
  Cuda dev(Cuda::pooled_on(0));
  const double rate = copy_rate(dev);
  const Stopwatch setting_up;
  eqs::System<Cuda> system(dev, p);
  const double setup = setting_up.seconds();
  system.set_fixed({0, 1e5});
  auto u = system.vector(), q = system.vector(), i = system.vector(), size = system.vector();
  dev.for_each(p.unknowns, Ramp<double>{u.data()});
  system.assemble(u.data(), {1, 1e-4});
  const double elements = double(p.mesh.tets.size()), curved = double(system.nonlinear_elements()),
               n = p.unknowns, vertices = double(p.mesh.nodes.size());
  std::printf("%s: %.0f elements, %.0f with a curve, %.0f unknowns, %.2f GB, copies at %.0f GB/s\n",
              system.matrices().elements.order ? "matrix-free" : "assembled", elements, curved, n,
              double(system.bytes()) / 1e9, rate / 1e9);
  std::printf("  host: mesh and model %.2f s, system %.2f s\n", model, setup);
  const auto set = system.matrices();
  if (set.elements.order == 0) {
    const double entries = double(set.a.entries);
    product<double, eqs::AssembledForm>("Newton's product, double", dev, set, p.unknowns, entries * 12, rate);
    product<float, eqs::AssembledForm>("Newton's product, float", dev, set, p.unknowns, entries * 8, rate);
  } else {
    const double numbers = 6 * elements + 18 * curved;
    product<double, eqs::ElementForm>("Newton's product, double", dev, set, p.unknowns,
                                      numbers * 8 + elements * 20, rate);
    product<float, eqs::ElementForm>("Newton's product, float", dev, set, p.unknowns,
                                     numbers * 4 + elements * 20, rate);
    eqs::ElementProducts<Cuda, double> simple;
    simple.take(dev, set.elements);
    report("the same in two passes, double",
           timed(dev, [&] { simple.then(u.data(), sparse::Store<double>{q.data()}); }),
           elements * (44 + 160 + 40 + 4) + curved * 192 + vertices * 24 + 16 * n, rate);
  }
  const eqs::Evaluation out{q.data(), i.data(), size.data(), {0, 1}};
  report("K(u) u", timed(dev, [&] { system.conduct(u.data(), out); }),
         elements * (16 + 4 + 20) + vertices * 24 + 16 * n, rate);
  report("charge, conduction and sizes", timed(dev, [&] { system.evaluate(u.data(), out); }),
         elements * (16 + 4 + 20) + vertices * 24 + 32 * n, rate);
}

}  // namespace

int main(int count, char** words) {
  Options o;
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    std::string* text = word == "--forms" ? &o.forms : word == "--curves" ? &o.curves : nullptr;
    if (text && k + 1 < count)
      *text = words[++k];
    else if (word == "--refine" && k + 1 < count)
      o.refine = std::atoi(words[++k]);
    else
      o.mesh = word;
  }
  const int cells = cells_of(o.mesh);
  if (o.mesh.empty() || cells % 8 || o.mesh.starts_with("--"))
    return std::puts("usage: bench_eqs_matrix_free rod.msh|CELLS [--refine N] [--forms ...] [--curves ...]"),
           2;
  for (const bool all : {false, true})
    for (const auto form : {eqs::OperatorForm::assembled, eqs::OperatorForm::matrix_free}) {
      const bool assembled = form == eqs::OperatorForm::assembled;
      if (o.curves.find(all ? "all" : "layer") != std::string::npos &&
          o.forms.find(assembled ? "assembled" : "matrix-free") != std::string::npos)
        measure(o, all, form);
    }
  return 0;
}
