// The choice between implicit and stabilised explicit steps.
#include "eqs/time/method_choice.hpp"

#include <algorithm>
#include <cmath>

namespace umov::eqs {

namespace {

/// Of a step by the other method over that by the one at hand, below which methods change.
constexpr double worth_a_change = 0.8;
/// A first stabilised step of more stages is not tried.
constexpr int many_stages = 50;
constexpr int least_stay = 2;
/// Below it errors of rkc add up to so many tolerances that a run by it is warned of (check_stabilised.cpp).
constexpr double tightest = 1e-5 * (1 - 1e-9);

/// Errors of rkc add up to tolerance^(2/3), those of sdirk3 to the tolerance: how many times more of the
/// former's steps make them alike, which they are at 1e-3.
double for_the_same_error(double tolerance) {
  return tolerance > 0 ? std::max(1.0, std::pow(1e-3 / tolerance, 1.0 / 6)) : 1;
}

}  // namespace

double work_of(const Effort& e) {
  // in iterations: a Newton step assembles and renews the smoothers, a stage evaluates the fluxes twice
  constexpr double newton = 4, stage = 1.5, refresh = 8, setup = 25;
  return e.linear + newton * e.newton + stage * e.stages + refresh * e.refreshes + setup * e.setups;
}

double MethodChoice::length(double dt, double most) {
  const double c = known().error_constant;
  if (tolerance_ == 0) return dt;
  return c > 0 ? std::min(0.9 * std::cbrt(tolerance_ / c), most) : most;
}

/// From the last step of one method and the first of the other after it. Not while the run begins: errors are
/// relative to the largest norm so far, which grows from nothing there.
void MethodChoice::learn_ratio() {
  if (implicit_.steps + stabilised_.steps < 10) return;
  if (!(implicit_.error_constant > 0) || !(stabilised_.error_constant > 0)) return;
  const double seen = std::cbrt(implicit_.error_constant / stabilised_.error_constant);
  ratio_ = std::clamp(std::sqrt(ratio_ * seen), 0.2, 2.0);
}

void MethodChoice::change() {
  method_ = method_ == Method::implicit_steps ? Method::stabilised_steps : Method::implicit_steps;
  since_change_ = 0;
}

void MethodChoice::choose(double dt, double most, const std::function<int(double)>& stages) {
  const bool repeated = work_ > 0 || forced_;
  forced_ = false;
  if (repeated) return;
  if (tolerance_ > 0 && tolerance_ < tightest) {
    method_ = Method::implicit_steps;
    return;
  }
  if (implicit_.steps == 0 || stabilised_.steps == 0) {
    const bool try_stabilised = stabilised_.steps == 0 && stages(dt) <= many_stages;
    method_ = try_stabilised ? Method::stabilised_steps : Method::implicit_steps;
    return;
  }
  if (since_change_ < least_stay) return;
  const bool is_implicit = method_ == Method::implicit_steps;
  // a step at hand that is short, as after failed tries of the other method or before a stop, grows again
  const double own = length(dt, most), scale = tolerance_ == 0 ? 1 : ratio_;
  const double implicit_dt = is_implicit ? own : std::min(own / scale, most);
  const double stabilised_dt = is_implicit ? std::min(own * scale, most) : own;
  const double implicit_rate = implicit_.work / implicit_dt;
  const double stabilised_rate =
      for_the_same_error(tolerance_) * stages(stabilised_dt) * stabilised_.work / stabilised_dt;
  if (is_implicit ? stabilised_rate < worth_a_change * implicit_rate
                  : implicit_rate < worth_a_change * stabilised_rate)
    change();
}

void MethodChoice::tried(const StepTry& t) {
  Effort e = t.effort;
  e.setups = method_ == Method::stabilised_steps ? 0 : e.setups;  // once for all steps
  work_ += work_of(e);
  stages_ = t.stages;
  if (t.effort.converged) return;
  change();
  forced_ = true;
  work_ = 0;
}

void MethodChoice::accepted(double dt, double error) {
  Known& k = known();
  const auto blend = [&](double& old, double now) { old = k.steps == 0 ? now : 0.8 * old + 0.2 * now; };
  blend(k.work, method_ == Method::stabilised_steps ? work_ / std::max(stages_, 1) : work_);
  k.error_constant = error / (dt * dt * dt);
  if (since_change_ == 0) learn_ratio();
  ++k.steps;
  ++since_change_;
  work_ = 0;
}

}  // namespace umov::eqs
