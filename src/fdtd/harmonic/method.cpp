// How a cell's fields are found: by the exact inverse of its layers, by pseudo-time, or by the one and then
// the other.
#include "fdtd/harmonic/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace umov::fdtd::harmonic {

namespace {

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
    if (layered_) layered_->change(p);
    prepare();
  }

  SolveReport solve(const std::vector<cplx>& layered, const SolveOptions& options, Fields& fields) override {
    if (how_.method == Method::pseudo_time) {
      fields.values.clear();
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
        "on from there",
        stalled ? "stalls" : "ends", report.residual, report.iterations));
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
  void prepare_pseudo_time() {
    if (pseudo_time_) return;
    pseudo_time_ = make_pseudo_time(problem_, pseudo_time_request(request_));
    device_ = pseudo_time_->device_name();
  }

  void say(const std::string& text) const {
    if (how_.say) how_.say(text);
  }

  SolveReport march(const std::vector<cplx>& layered, const SolveOptions& options, Fields& fields,
                    const SolveReport& before) {
    if (how_.method == Method::automatic) layered_.reset();  // its memory is needed
    prepare_pseudo_time();
    PseudoTimeOptions own;
    own.tolerance = options.tolerance;
    own.max_steps = how_.max_steps;
    if (options.hook)
      own.hook = [&](long step, double distance) { return options.hook(before.iterations + step, distance); };
    const auto r = pseudo_time_->run(layered, own, fields);
    say(r.text());
    SolveReport out;
    out.iterations = before.iterations + r.steps;
    out.residual = r.residual;
    out.converged = r.converged;
    out.single = pseudo_time_request(request_).single;
    out.interrupted = r.interrupted;
    if (!r.converged) out.trouble = r.text();
    out.seconds = before.seconds + r.seconds;
    return out;
  }

  MethodOptions how_;
  Problem problem_;
  EngineRequest request_;
  std::string device_;
  std::unique_ptr<Engine> layered_;
  std::unique_ptr<PseudoTime> pseudo_time_;
};

}  // namespace

std::unique_ptr<Engine> make_engine_by(const MethodOptions& how, const Problem& p,
                                       const EngineRequest& request) {
  return std::make_unique<EngineBy>(how, p, request);
}

bool StallWatch::stalled(double residual) {
  constexpr std::size_t fewest = 400;
  least_.push_back(least_.empty() ? residual : std::min(residual, least_.back()));
  return least_.size() >= fewest && least_.back() > 0.5 * least_[least_.size() / 2];
}

}  // namespace umov::fdtd::harmonic
