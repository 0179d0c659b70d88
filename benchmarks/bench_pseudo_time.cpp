// Time of a step of pseudo-time on processors.
//
//   bench_pseudo_time [--threads N] [--double] [--versions] [--simple] [--no-layers] [--stored] [--seconds S]
//                     [--runs N] [--silicon PLANES] [--bandwidth GB/s] [--json FILE] [--commit ID] 96x96x96
//                     ...
//
// --versions: also without absorbing layers, H and then E of all planes, and the versions of
// pseudo_time_notebook.hpp (as the thesis stores it, by index, unsplit) in both layouts. The best of many
// short runs (--seconds 0.1 --runs 40) is nearest to what a loaded machine's processor does alone.
#include <fmt/format.h>

#include "backend/cpu/cpu.hpp"
#include "pseudo_time_bench.hpp"

int main(int argc, char** argv) try {
  using namespace umov;
  auto o = bench::pseudo_time_words(argc, argv);
  if (o.bandwidth == 0) o.bandwidth = 10e9;  // a core's share, assumed
  backend::Cpu dev(o.threads);
  return bench::run_cases(o, {{"threads", o.threads}}, [&](const std::string& name) {
    const auto p = bench::wavy_problem(bench::sizes_of(name), o.silicon);
    return o.single ? bench::measure<backend::Cpu, float>(dev, name, p, o)
                    : bench::measure<backend::Cpu, double>(dev, name, p, o);
  });
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
