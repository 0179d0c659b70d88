// Time of a step of pseudo-time on a GPU, by bytes: every version in one command.
//
//   bench_pseudo_time_gpu --versions --silicon 8 --seconds 0.05 [--double] [--runs N] [--bandwidth GB/s]
//                         [--json FILE] [--commit ID] 128x128x128 256x256x256 512x512x400
//
// See bench_pseudo_time.cpp for the words. The program's pass is measured with blocks of 16 rows and of 8.
#include "harmonic/tuned/cuda/pseudo_time_columns.cuh"
// after the pass
#include "pseudo_time_bench.hpp"

namespace umov::harmonic {

/// The same device with blocks of 8 rows.
struct ShortColumns : backend::Cuda {
  using backend::Cuda::Cuda;
};
struct ShortLaunch : cuda::ColumnLaunch<float, 8> {};
template <>
class PseudoTimePass<ShortColumns, float> : public ColumnPass<ShortColumns, float, ShortLaunch> {};

}  // namespace umov::harmonic

int main(int argc, char** argv) try {
  using namespace umov;
  auto o = bench::pseudo_time_words(argc, argv);
  if (o.bandwidth == 0) o.bandwidth = 4.3e12;  // a copy on an H200
  auto options = backend::Cuda::pooled_on(0);
  options.pooled = false;
  backend::Cuda dev(options);
  harmonic::ShortColumns short_columns(options);
  return bench::run_cases(o, {{"device", dev.device_name()}}, [&](const std::string& name) {
    const auto p = bench::wavy_problem(bench::sizes_of(name), o.silicon);
    auto out = o.single ? bench::measure<backend::Cuda, float>(dev, name, p, o)
                        : bench::measure<backend::Cuda, double>(dev, name, p, o);
    if (o.single && !o.simple) {
      auto rows =
          bench::measure_step<harmonic::ShortColumns, float>(short_columns, name, p, true, o.layers, o);
      rows["version"] = std::string(rows["version"]) + ", blocks of 8 rows";
      out.push_back(rows);
    }
    return out;
  });
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
