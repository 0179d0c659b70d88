// Newton's matrix of second-order elements on a GPU: the time of System::assemble, all elements with a curve
// or those of one layer.
//   bench_eqs_assembly rod.msh [refine]      a mesh with volumes air, rod, layer, housing and surfaces low,
//   high
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "eqs/solve/system.hpp"

namespace {
using namespace umov;

eqs::Simulation rod(const std::string& file, int refine, bool all) {
  eqs::Simulation s;
  s.mesh.file = file;
  s.mesh.refine = refine;
  s.mesh.order = 2;
  s.linear.form = eqs::OperatorForm::assembled;
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
  low.name = "low", low.kind = eqs::ElectrodeSpec::Kind::ground;
  high.name = "high", high.waveform.kind = eqs::WaveformSpec::Kind::constant, high.waveform.amplitude = 1e5;
  s.electrodes = {low, high};
  return s;
}

struct Ramp {
  double* u;
  UMOV_HD void operator()(index_t i) const { u[i] = 1e5 * double(i % 1000) / 1000; }
};

void measure(const std::string& file, int refine, bool all) {
  const eqs::Problem p = eqs::make_problem(rod(file, refine, all));
  backend::Cuda dev(backend::Cuda::pooled_on(0));
  eqs::System<backend::Cuda> system(dev, p);
  system.set_fixed({0, 1e5});
  auto u = system.vector();
  dev.for_each(p.unknowns, Ramp{u.data()});
  cudaEvent_t begin, end;
  UMOV_CUDA_CHECK(cudaEventCreate(&begin));
  UMOV_CUDA_CHECK(cudaEventCreate(&end));
  const auto timed = [&](double current, double other) {
    std::vector<float> ms(5);
    for (float& t : ms) {
      system.assemble(u.data(), {1, other});
      UMOV_CUDA_CHECK(cudaEventRecord(begin, dev.stream()));
      system.assemble(u.data(), {1, current});
      UMOV_CUDA_CHECK(cudaEventRecord(end, dev.stream()));
      UMOV_CUDA_CHECK(cudaEventSynchronize(end));
      UMOV_CUDA_CHECK(cudaEventElapsedTime(&t, begin, end));
    }
    std::sort(ms.begin(), ms.end());
    return ms[2];
  };
  const float same = timed(1e-4, 1e-4), other = timed(1e-4, 2e-4);
  std::printf(
      "%zu elements, %lld with a curve, %d unknowns, %lld entries: %.2f ms, with another time step %.2f ms, "
      "%.2f GB\n",
      p.mesh.tets.size(), static_cast<long long>(system.nonlinear_elements()), p.unknowns,
      static_cast<long long>(system.matrices().a.entries), same, other, double(system.bytes()) / 1e9);
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return std::puts("usage: bench_eqs_assembly rod.msh [refine]"), 2;
  const int refine = count > 2 ? std::atoi(words[2]) : 0;
  for (const bool all : {false, true}) measure(words[1], refine, all);
  return 0;
}
