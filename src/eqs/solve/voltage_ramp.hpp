// A nonlinear static solution by raising all voltages and charges step by step.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "eqs/solve/newton.hpp"

namespace umov::eqs {

/// Where a curve rises steeply, the linear start puts fields so far up on it that Newton's method, which
/// takes an exponential back by one power of e an iteration, needs hundreds. From a voltage at which the
/// curves are straight, each doubling takes a few. `charges` are the target, and `target` where it lies on
/// the device; both and the electrodes are left at their full values, and where it fails u is the last
/// solution times what was left. Adds to `effort`, and decides whether it converged.
template <class Device>
class VoltageRamp {
 public:
  VoltageRamp(System<Device>& system, Newton<Device>& newton, std::vector<double> charges, double* target)
      : system_(system),
        newton_(newton),
        fixed_(system.host_fixed()),
        charges_(std::move(charges)),
        target_(target),
        kept_(system.vector()) {}

  bool solve(double* u, const Weights& w, Effort& effort) {
    auto& dev = system_.device();
    const index_t n = system_.unknowns();
    constexpr double first = 0x1p-12, least_growth = 1.02;
    double part = first, growth = 2;
    set(part);
    Effort start;
    bool good = newton_.start_linear(u, target_, w, start) && newton_.solve(u, target_, w, start);
    effort.add_work(start);
    std::string why = start.why_not;
    while (good && part < 1) {
      const double next = std::min(1.0, part * growth);
      dev.for_each(n, Copy{u, kept_.data()});
      dev.for_each(n, Blend{next / part, kept_.data(), 0, kept_.data(), u});
      set(next);
      Effort here;
      good = newton_.solve(u, target_, w, here);
      effort.add_work(here);
      if (good) {
        part = next;
        continue;
      }
      why = here.why_not;
      dev.for_each(n, Copy{kept_.data(), u});
      growth = std::sqrt(growth);
      good = growth > least_growth;
    }
    set(1);
    effort.converged = good;
    effort.why_not.clear();
    if (!good) {
      dev.for_each(n, Copy{u, kept_.data()});
      dev.for_each(n, Blend{1 / part, kept_.data(), 0, kept_.data(), u});
      effort.why_not =
          why + "; beyond " + Newton<Device>::scientific(part) + " of the voltages, raised step by step";
    }
    return good;
  }

 private:
  void set(double part) {
    const auto scaled = [part](std::vector<double> v) {
      for (double& x : v) x *= part;
      return v;
    };
    system_.set_fixed(scaled(fixed_));
    const auto charges = scaled(charges_);
    system_.device().upload(target_, charges.data(), charges.size());
  }

  System<Device>& system_;
  Newton<Device>& newton_;
  std::vector<double> fixed_, charges_;
  double* target_;
  typename Device::template Array<double> kept_;
};

}  // namespace umov::eqs
