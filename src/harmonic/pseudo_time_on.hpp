// The course of an iteration in pseudo-time: ramp, watching, stopping, and once more for what is left.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "harmonic/pseudo_time_stepper.hpp"
#include "harmonic/pseudo_time_watch.hpp"

namespace umov::harmonic {

/// What has gone wrong, most likely.
std::string pseudo_time_cause(const Problem&, const PseudoTimeStep&, const std::vector<cplx>& layered,
                              const PseudoTimeOptions&);
/// The residual's norm over that of the source of the rough planes, or of a flat cell's whole source.
double relative_residual(const Problem&, const std::vector<cplx>& layered, const std::vector<cplx>& residual);

template <class Dev, class T>
class PseudoTimeOn final : public PseudoTime {
 public:
  template <class... Args>
  explicit PseudoTimeOn(const Problem& p, const PseudoTimeRequest& request, Args&&... args)
      : dev_(std::forward<Args>(args)...), p_(p), request_(request) {}

  std::string device_name() const override { return dev_.device_name(); }

  /// Passes: the first from rest with the wave's source; each further one with what the fields so far lack
  /// (found in double), so that a start is made use of and single precision does not limit the result.
  PseudoTimeReport run(const std::vector<cplx>& layered, const PseudoTimeOptions& options,
                       Fields& fields) override {
    const auto start = std::chrono::steady_clock::now();
    const auto step = pseudo_time_step(p_, options.courant, options.steps_per_period);
    PseudoTimeStepper<Dev, T> stepper(dev_, p_, step, options.backwards, request_);
    PseudoTimeReport report;
    report.steps_per_period = step.steps;
    report.bytes_per_voxel = stepper.bytes() / (double(p_.grid.nz) * double(p_.grid.columns()));
    double scale = 0;
    for (const cplx v : layered) scale = std::max(scale, std::abs(v));
    auto& sum = fields.values;
    // a pass in single precision gives four digits, one in double all
    const double in_one_pass = sizeof(T) == sizeof(float) ? 1e-4 : 0;
    constexpr int most_passes = 6;
    for (int pass = 0; pass < most_passes; ++pass) {
      const bool first = sum.empty();
      double size = scale;
      stepper.rest();
      if (first) {
        stepper.set_sheet(sheet_current(p_, layered));
      } else {
        auto lack = equation_residual(p_, layered, fields, host_threads());
        for (cplx& v : lack) v /= cplx(0, p_.k0);
        stepper.set_currents(lack);
        size = 0;
        for (const cplx v : sum) size = std::max(size, std::abs(v));
      }
      const double reached = march_on(stepper, step, options, size, in_one_pass, layered, report);
      if (!report.diverged.empty()) break;
      const auto more = stepper.sum();
      if (first)
        sum = more;
      else
        for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += more[n];
      if (report.converged || report.interrupted || report.steps >= options.max_steps || !(reached < 0.5))
        break;
    }
    if (sum.empty()) sum.assign(stepper.edges(), 0);
    report.residual = relative_residual(p_, layered, equation_residual(p_, layered, fields, host_threads()));
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
  }

  Fields march(const std::vector<cplx>& layered, const PseudoTimeOptions& options, long steps) override {
    const auto step = pseudo_time_step(p_, options.courant, options.steps_per_period);
    PseudoTimeStepper<Dev, T> stepper(dev_, p_, step, options.backwards, request_);
    stepper.set_sheet(sheet_current(p_, layered));
    for (long n = 1; n <= steps; ++n) stepper.step(amplitude(n, options, step));
    stepper.add_to_sum(0, 1);
    return {stepper.sum()};
  }

 private:
  /// For what is found on the host: those of the backend; beside a GPU all.
  int host_threads() const {
    if constexpr (requires { dev_.threads(); }) return dev_.threads();
    if constexpr (requires { dev_.stream(); })
      return request_.threads > 0 ? request_.threads : int(std::max(1u, std::thread::hardware_concurrency()));
    return 1;
  }

  /// Rises as the integral of sin^4: what it stirs beside the wave falls with the fifth power of its periods.
  static T amplitude(long n, const PseudoTimeOptions& options, const PseudoTimeStep& step) {
    const double x = double(n) / std::max(1.0, options.ramp * step.steps);
    return T(x >= 1 ? 1 : x - (8 * std::sin(2 * pi * x) - std::sin(4 * pi * x)) / (12 * pi));
  }

  /// One pass, to `size` (of the whole field) times the tolerance, or as far as one pass goes. Returns the
  /// distance over `size` that it reached; the mean field is the stepper's sum.
  double march_on(PseudoTimeStepper<Dev, T>& stepper, const PseudoTimeStep& step,
                  const PseudoTimeOptions& options, double size, double in_one_pass,
                  const std::vector<cplx>& layered, PseudoTimeReport& report) {
    const double rounding = 40 * double(std::numeric_limits<T>::epsilon());
    const long ramp = long(std::ceil(options.ramp * step.steps)), before = report.steps;
    PseudoTimeWatch watch(size, in_one_pass, ramp, step.steps, rounding);
    long n = 0;
    const auto advance_to = [&](long until) {
      while (n < until) {
        ++n;
        stepper.step(amplitude(n, options, step));
        if (n % 50 == 0 && report.diverged.empty()) report.diverged = watch.trouble(stepper.size());
        if (!report.diverged.empty()) return;
      }
    };
    const int half = step.steps / 2;
    for (bool go = true; go && before + n < options.max_steps;) {
      // the change of the mean in a period is (E(2 P) + 2 E(3 P/2) - 2 E(P/2) - E(0)) / 4
      PseudoTimeSample sample;
      stepper.add_to_sum(0, 1);
      advance_to(n + 1);
      sample.step_change = stepper.largest(-1, 1);
      advance_to(n - 1 + half);
      stepper.add_to_sum(T(-0.25), T(-0.5));
      advance_to(n + 2 * half);
      stepper.add_to_sum(1, T(0.5));
      advance_to(n + half);
      sample.period_change = stepper.largest(1, T(0.25));
      sample.size = stepper.size();
      if (report.diverged.empty()) report.diverged = watch.trouble(sample.size);
      if (!report.diverged.empty()) {
        report.diverged += " after " + std::to_string(before + n) + " steps (" +
                           pseudo_time_cause(p_, step, layered, options) + ")";
        break;
      }
      sample.step = n;
      watch.add(sample, stepper.probes(1, T(0.25)));
      const double distance = watch.distance() * sample.size / size;  // of the whole field
      report.converged = watch.decay() > 0 && distance <= options.tolerance;
      go = !report.converged && !watch.settled() && !watch.at_rounding();
      report.step_change = sample.step_change / size;
      report.period_change = sample.period_change / size;
      report.distance = std::min(1.0, distance);
      report.decay = watch.decay();
      report.steps_left =
          watch.decay() > 0 && watch.distance() < 1
              ? std::max(0.0, step.steps * watch.decay() * std::log(distance / options.tolerance))
              : -1;
      if (go && options.hook && !options.hook(before + n, report.distance)) {
        report.interrupted = true;
        go = false;
      }
    }
    stepper.add_to_sum(0, T(0.25));
    advance_to(n + half);
    stepper.add_to_sum(1, T(0.5));
    advance_to(n + half);
    stepper.add_to_sum(1, T(0.25));
    report.steps = before + n;
    return report.distance;
  }

  mutable Dev dev_;
  Problem p_;
  PseudoTimeRequest request_;
};

/// In the precision asked for; `args` make the device.
template <class Dev, class... Args>
std::unique_ptr<PseudoTime> make_pseudo_time_on(const Problem& p, const PseudoTimeRequest& request,
                                                const Args&... args) {
  if (request.single) return std::make_unique<PseudoTimeOn<Dev, float>>(p, request, args...);
  return std::make_unique<PseudoTimeOn<Dev, double>>(p, request, args...);
}

}  // namespace umov::harmonic
