// Step control.
#include "eqs/time/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/integrators/stage_count.hpp"
#include "eqs/integrators/tableau.hpp"

namespace umov::eqs {

namespace {

/// Of a step, for the tolerance of a run.
double step_tolerance(const TimeSpec& t) {
  constexpr double alike = 1e-3;
  return t.scheme == Scheme::implicit_euler ? t.tolerance * std::min(1.0, t.tolerance / alike) : t.tolerance;
}

}  // namespace

StepControl::StepControl(const TimeSpec& t, double end, std::vector<double> stops, double from,
                         const std::vector<StepLimit>& limits)
    : fixed_(t.step > 0),
      ahead_(is_stabilised(t.scheme)),
      keeps_(!fixed_ && ahead_ && t.spectral_radius == SpectralRadius::richter),
      own_smallest_(t.min_step > 0),
      tolerance_(step_tolerance(t)),
      asked_(t.tolerance),
      end_(end),
      stops_(std::move(stops)) {
  const auto need = [](bool ok, const std::string& message) {
    if (!ok) throw BadInput(message);
  };
  for (const double v : {t.step, t.first_step, t.min_step, t.max_step})
    need(std::isfinite(v) && v >= 0, "a time step of " + shortest(v) + " s is no length of time");
  need(std::isfinite(end) && end > from, "the run ends at " + shortest(end) + " s, not after its start at " +
                                             shortest(from) + " s; give time.end or time.periods");
  need(fixed_ || (tolerance_ > 0 && tolerance_ < 1), "the time tolerance must lie between 0 and 1");
  const double length = end - from;
  smallest_ = t.min_step > 0 ? t.min_step : 1e-9 * length;
  largest_ = t.max_step > 0 ? t.max_step : length / 10;
  if (!fixed_) set_limits(limits);
  // room below the shortest step that a waveform asks for
  for (const Limit& l : limits_)
    if (t.min_step == 0) smallest_ = std::min(smallest_, 1e-3 * l.step);
  step_ = fixed_ ? t.step : t.first_step > 0 ? t.first_step : length / 1000;
  if (!fixed_) step_ = std::min(step_, largest_);
  need(smallest_ <= step_,
       "the smallest step " + shortest(smallest_) + " s is longer than the first, " + shortest(step_) + " s");
  nominal_ = step_;
  const Tableau scheme = tableau(t.scheme);
  order_ = std::min(scheme.order, scheme.embedded_order) + 1;
  stops_.push_back(end);
  std::erase_if(stops_, [&](double v) { return !(v > from) || v > end; });
  std::sort(stops_.begin(), stops_.end());
  // stops nearer than a step can be are one stop
  std::vector<double> kept;
  for (const double v : stops_)
    if (kept.empty() || v - kept.back() > 1e-12 * std::abs(end)) kept.push_back(v);
  if (!kept.empty()) kept.back() = end;
  stops_ = std::move(kept);
}

void StepControl::set_limits(const std::vector<StepLimit>& limits) {
  std::vector<std::pair<double, double>> begins, ends;  // time, step
  for (const StepLimit& l : limits) {
    begins.emplace_back(l.from, l.step);
    ends.emplace_back(l.to, l.step);
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  std::multiset<double> open;
  const auto note = [&](double time) {
    if (!limits_.empty() && limits_.back().from == time) limits_.pop_back();
    limits_.push_back({time, open.empty() ? INFINITY : *open.begin()});
  };
  for (std::size_t b = 0, e = 0; e < ends.size();) {
    const bool opens = b < begins.size() && begins[b].first <= ends[e].first;
    if (opens)
      open.insert(begins[b].second);
    else
      open.erase(open.find(ends[e].second));
    note(opens ? begins[b++].first : ends[e++].first);
  }
}

void StepControl::allow_for(double rate) {
  if (own_smallest_ || !(rate > 0)) return;
  smallest_ = std::min(smallest_, std::max(1e-6 / rate, 1e-15 * end_));
}

double StepControl::allowed(double time) const {
  const auto after = std::upper_bound(limits_.begin(), limits_.end(), time + 1e-12 * std::abs(end_),
                                      [](double t, const Limit& l) { return t < l.from; });
  return after == limits_.begin() ? step_ : std::min(step_, std::prev(after)->step);
}

double StepControl::longest(double time) const {
  const auto after = std::upper_bound(limits_.begin(), limits_.end(), time + 1e-12 * std::abs(end_),
                                      [](double t, const Limit& l) { return t < l.from; });
  return after == limits_.begin() ? largest_ : std::min(largest_, std::prev(after)->step);
}

bool StepControl::can_take(double time, double longest) {
  constexpr double most_steps = 1e6;
  if (longest >= std::min(step_, std::max(smallest_, end_ / most_steps)) * (1 - 1e-9)) return true;
  why_ = "the fastest decay of charges at t = " + shortest(time) + " s allows a stabilised step of " +
         shortest(longest) + " s with max_stages, the run has " + shortest(end_) +
         " s; take scheme = \"sdirk3\" or \"auto\", make a good conductor an electrode, or raise max_stages";
  return false;
}

double StepControl::growth(double dt, double e) const {
  if (ahead_) {
    const double first = 0.8 / std::cbrt(e);
    const double ahead = step_before_ > 0 ? first * dt / step_before_ * std::cbrt(before_ / e) : first;
    return std::clamp(ahead, 0.1, after_rejection_ ? 1.0 : 10.0);
  }
  const double k = order_;
  const double factor =
      0.9 * std::pow(e, -0.7 / k) * (before_ > 0 ? std::pow(before_, 0.4 / k) : std::pow(e, -0.3 / k));
  return std::clamp(factor, 0.2, after_rejection_ ? 1.0 : 5.0);
}

double StepControl::next(double time) const {
  const double step = allowed(time);
  const auto stop = std::upper_bound(stops_.begin(), stops_.end(), time + 1e-13 * std::abs(end_));
  if (stop == stops_.end()) return step;
  const double left = *stop - time;
  const auto mark = std::upper_bound(grid_.begin(), grid_.end(), time + 1e-13 * std::abs(end_));
  if (mark != grid_.end() && !after_rejection_) return std::min(*mark, *stop) - time;
  if (left <= step * (1 + 1e-9)) return left;
  // fixed steps run on; controlled ones avoid a splinter before the stop
  return !fixed_ && left < 1.5 * step ? left / 2 : step;
}

double StepControl::after(double time, double dt) const {
  const double t = time + dt;
  const auto stop = std::lower_bound(stops_.begin(), stops_.end(), t - 1e-12 * std::abs(end_));
  return stop != stops_.end() && std::abs(*stop - t) <= 1e-12 * std::abs(end_) ? *stop : t;
}

StepControl::Verdict StepControl::judge(double time, double dt, double error, bool converged,
                                        const std::string& why_not) {
  if (keeps_) return keep(time, dt, error, converged, why_not);
  const bool good = converged && std::isfinite(error) && (fixed_ || error <= tolerance_);
  if (good) {
    if (fixed_) {
      step_ = std::min(nominal_, 2 * step_);
      return Verdict::accept;
    }
    const double e = std::max(error / tolerance_, 1e-8), factor = growth(dt, e);
    // a step that a stop cut short says little about longer ones: it takes none away while its error is small
    const double step = allowed(time);
    const bool cut = dt < 0.99 * step;
    step_ = cut && error <= 0.5 * tolerance_ ? std::max(dt * factor, step) : dt * factor;
    step_ = std::clamp(step_, smallest_, largest_);
    before_ = e;
    step_before_ = dt;
    after_rejection_ = false;
    return Verdict::accept;
  }
  const double k = order_;
  double factor = 0.25;
  if (converged && std::isfinite(error))
    factor = std::clamp((ahead_ ? 0.8 : 0.9) * std::pow(error / tolerance_, -1 / k), 0.1, 0.9);
  after_rejection_ = true;
  return shorten(time, dt * factor, Verdict::repeat, reason(dt, error, converged, why_not));
}

std::string StepControl::reason(double dt, double error, bool converged, const std::string& why_not) const {
  if (!converged) return why_not;
  // of first order a step may err by less than a run
  const std::string of_step =
      tolerance_ < asked_ ? " (which allows a step of first order " + shortest(tolerance_) + ")" : "";
  return "the estimated error of a step of " + shortest(dt) + " s is still " + shortest(error) +
         ", the tolerance " + shortest(asked_) + of_step;
}

StepControl::Verdict StepControl::shorten(double time, double step, Verdict verdict, const std::string& why) {
  step_ = step;
  if (step_ >= smallest_) return verdict;
  why_ = "the time step at t = " + shortest(time) + " s fell to " + shortest(step_) +
         " s, below the smallest (" + shortest(smallest_) + " s): " + why +
         "; allow a smaller min_step or a larger tolerance, or look at the material's curve";
  return Verdict::give_up;
}

StepControl::Verdict StepControl::keep(double time, double dt, double error, bool converged,
                                       const std::string& why_not) {
  if (converged && error <= error_range.most * tolerance_) {
    // what a stop cut short says nothing of longer ones
    const bool cut = dt < 0.99 * allowed(time);
    calm_ = std::min(calm_ + 1, calm_steps);
    if (error < error_range.least * tolerance_ && !cut && calm_ == calm_steps)
      step_ = std::min(2 * step_, largest_);
    rejections_ = 0;
    return Verdict::accept;
  }
  calm_ = 0;
  if (++rejections_ % 2) return Verdict::repeat;
  return shorten(time, dt / 2, Verdict::back, reason(dt, error, converged, why_not));
}

}  // namespace umov::eqs
