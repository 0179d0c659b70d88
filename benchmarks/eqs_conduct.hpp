// Assembly against assembly with product (Richter 2019, section 7.4) on the model of a case, for one device.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "core/timer.hpp"
#include "eqs/solve/system.hpp"

namespace umov::bench {

/// The model of a case with its matrix; `words` as those of `umov eqs`. Throws BadInput.
eqs::Problem problem_of(const std::vector<std::string>& words);

/// A potential that rises and falls from node to node by up to a kilovolt: curves switch in some elements.
struct Uneven {
  double* u;
  UMOV_HD void operator()(index_t i) const { u[i] = double(i * 7919 % 1000); }
};

/// Seconds, the median of seven after one that is not counted.
template <class Device, class F>
double median_seconds(Device& dev, const F& f) {
  std::vector<double> all(8);
  for (double& t : all) {
    dev.synchronize();
    const Stopwatch watch;
    f();
    dev.synchronize();
    t = watch.seconds();
  }
  std::sort(all.begin() + 1, all.end());
  return all[4];
}

/// Prints one line of JSON: elements, unknowns, seconds of Newton's matrix K(u), of K(u) u without a matrix.
template <class Device>
void measure_conduct(Device& dev, const std::vector<std::string>& words) {
  const eqs::Problem p = problem_of(words);
  eqs::System<Device> system(dev, p);
  system.set_fixed(std::vector<double>(p.electrodes.size(), 0.0));
  auto u = system.vector(), q = system.vector(), i = system.vector(), size = system.vector();
  dev.for_each(p.unknowns, Uneven{u.data()});
  double current = 1e-4;
  const double assembly = median_seconds(dev, [&] { system.assemble(u.data(), {1, current *= 1.01}); });
  const eqs::Evaluation out{q.data(), i.data(), size.data(), {0, 1}};
  const double product = median_seconds(dev, [&] { system.conduct(u.data(), out); });
  std::printf(
      "{\"device\": \"%s\", \"order\": %d, \"elements\": %zu, \"curved\": %lld, \"unknowns\": %d, "
      "\"assembly\": %.4g, "
      "\"assembly_with_product\": %.4g}\n",
      dev.device_name().c_str(), p.order, p.mesh.tets.size(),
      static_cast<long long>(system.nonlinear_elements()), p.unknowns, assembly, product);
}

}  // namespace umov::bench
