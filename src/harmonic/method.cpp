// How a cell's fields are found: by the exact inverse of its layers, by pseudo-time, or by the one and then
// the other.
#include "harmonic/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "harmonic/absorbing_ends.hpp"

namespace umov::harmonic {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string time_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.2g} s", seconds);
  return seconds < 3600 ? fmt::format("{:.2g} min", seconds / 60) : fmt::format("{:.2g} h", seconds / 3600);
}

PseudoTimeRequest pseudo_time_request(const EngineRequest& r) {
  PseudoTimeRequest out;
  out.backend = r.backend;
  out.threads = r.threads;
  out.device = r.device;
  out.single = chosen(r.precision, r.backend) == Precision::single;
  return out;
}

}  // namespace

MemoryNeed estimated_memory(Method method, const Problem& p, const EngineRequest& request) {
  return method == Method::pseudo_time ? pseudo_time_memory(p, pseudo_time_request(request))
                                       : estimated_memory(p, request);
}

namespace {

class EngineBy final : public Engine {
 public:
  EngineBy(MethodOptions how, const Problem& p, const EngineRequest& request)
      : how_(std::move(how)), problem_(p), request_(request) {
    prepare();
  }

  std::string device_name() const override { return device_; }

  std::string iteration() const override { return layered_ ? layered_->iteration() : ""; }

  void change(const Problem& p) override {
    problem_ = p;
    pseudo_time_.reset();
    ended_.reset();
    if (layered_) layered_->change(p);
    prepare();
  }

  SolveReport solve(const std::vector<cplx>& layered, const SolveOptions& options, Fields& fields) override {
    if (how_.method == Method::pseudo_time) {
      fields.values.clear();
      fields.squares.clear();
      return march(layered, options, fields, {});
    }
    if (how_.method == Method::layered) return layered_->solve(layered, options, fields);
    prepare();
    StallWatch watch;
    bool stalled = false, stopped = false;
    SolveOptions watched = options;
    watched.hook = [&](long iteration, double residual) {
      stalled = stalled || watch.stalled(residual);
      stopped = stopped || (options.hook && !options.hook(iteration, residual));
      return !stalled && !stopped;
    };
    SolveReport report = layered_->solve(layered, watched, fields);
    report.interrupted = stopped;
    if (report.converged || stopped) return report;
    say(fmt::format(
        "the layered cell's inverse {} at a residual of {:.1e} after {} iterations: pseudo-time goes "
        "on from there ({})",
        stalled ? "stalls" : "ends", report.residual, report.iterations, cost(layered)));
    if (!std::isfinite(report.residual) || report.residual >= 1) fields.values.clear();  // worse than none
    return march(layered, options, fields, report);
  }

 private:
  /// What a solve begins with.
  void prepare() {
    if (how_.method != Method::pseudo_time && !layered_) {
      layered_ = make_engine(problem_, request_);
      device_ = layered_->device_name();
    }
    if (how_.method == Method::pseudo_time) prepare_pseudo_time();
  }
  /// Of a cell with open ends, that cell between ends that absorb.
  void prepare_pseudo_time() {
    if (pseudo_time_) return;
    if (how_.method == Method::automatic) layered_.reset();  // its memory is needed
    if (problem_.open(false) || problem_.open(true)) ended_.emplace(problem_);
    pseudo_time_ = make_pseudo_time(ended_ ? ended_->problem() : problem_, pseudo_time_request(request_));
    device_ = pseudo_time_->device_name();
  }

  void say(const std::string& text) const {
    if (how_.say) how_.say(text);
  }

  /// What pseudo-time will take, by the time of its first steps.
  std::string cost(const std::vector<cplx>& layered) {
    prepare_pseudo_time();
    const auto field = ended_ ? ended_->extended(layered) : layered;
    const auto seconds = [&](long steps) {
      const auto start = Clock::now();
      pseudo_time_->march(field, {}, steps);
      return since(start);
    };
    // more of them until they take longer than the clock's grain
    constexpr long few = 2;
    const double start_up = seconds(few);
    double step = 0;
    for (long more = 4 * few; more <= 64 * few; more *= 4) {
      const double taken = seconds(more);
      step = std::max(0.0, taken - start_up) / double(more - few);
      if (taken > 0.1) break;
    }
    // measured: 6e3 steps on small dielectric cells, 2e3 to 3e4 on cells of silicon and silver
    return fmt::format(
        "{:.2g} s a step: {} to {} for the 2000 to 30000 steps that it mostly takes{}", step,
        time_text(2000 * step), time_text(30000 * step),
        how_.limit > 0 ? ", ended after " + time_text(how_.limit) + ": `harmonic.pseudo_time_limit`" : "");
  }

  SolveReport march(const std::vector<cplx>& layered, const SolveOptions& options, Fields& fields,
                    const SolveReport& before) {
    if (how_.method == Method::automatic) layered_.reset();
    prepare_pseudo_time();
    PseudoTimeOptions own;
    own.tolerance = options.tolerance;
    own.max_steps = how_.max_steps;
    const double limit = how_.method == Method::automatic ? how_.limit : 0;
    const auto start = Clock::now();
    Forecast forecast;
    bool over = false;
    own.hook = [&](long step, double distance) {
      if (options.hook && !options.hook(before.iterations + step, distance)) return false;
      forecast.add(since(start), distance);
      // from a quarter of the limit on, one that would take twice as long is not waited for
      const double left = forecast.left(options.tolerance);
      over = limit > 0 && (since(start) > limit || (since(start) > limit / 4 && left > 2 * limit));
      return !over;
    };
    if (ended_) fields = ended_->extended(layered, fields);
    const auto r = pseudo_time_->run(ended_ ? ended_->extended(layered) : layered, own, fields);
    if (ended_) fields = ended_->cut(fields);
    const double left = forecast.left(options.tolerance);
    const std::string ended =
        over
            ? fmt::format(
                  "pseudo-time was ended after {} (pseudo_time_limit is {:g} s{}): ", time_text(since(start)),
                  limit, left > 0 ? ", it would take about " + time_text(left) + " more" : "")
            : "";
    say(ended + r.text());
    SolveReport out;
    out.iterations = before.iterations + r.steps;
    out.residual = r.residual;
    out.converged = r.converged;
    out.single = pseudo_time_request(request_).single;
    out.interrupted = r.interrupted && !over;
    if (ended_) out.sent_back = end_reflection(ended_->problem());
    if (!r.converged) out.trouble = ended + r.text();
    out.seconds = before.seconds + r.seconds;
    return out;
  }

  MethodOptions how_;
  Problem problem_;
  EngineRequest request_;
  std::string device_;
  std::unique_ptr<Engine> layered_;
  std::unique_ptr<PseudoTime> pseudo_time_;
  std::optional<AbsorbingEnds> ended_;
};

}  // namespace

std::unique_ptr<Engine> make_engine_by(const MethodOptions& how, const Problem& p,
                                       const EngineRequest& request) {
  return std::make_unique<EngineBy>(how, p, request);
}

void Forecast::add(double seconds, double distance) { told_.push_back({seconds, distance}); }

double Forecast::left(double tolerance) const {
  constexpr std::size_t fewest = 20;
  if (told_.size() < fewest || told_.back().distance <= tolerance) return -1;
  const Told &from = told_[told_.size() / 2], &to = told_.back();
  const double fallen = std::log(from.distance / to.distance);
  if (!(fallen > 0)) return -1;
  return (to.seconds - from.seconds) * std::log(to.distance / tolerance) / fallen;
}

bool StallWatch::stalled(double residual) {
  constexpr std::size_t fewest = 400;
  least_.push_back(least_.empty() ? residual : std::min(residual, least_.back()));
  return least_.size() >= fewest && least_.back() > 0.5 * least_[least_.size() / 2];
}

}  // namespace umov::harmonic
