// The course of a dipole run with viewers: what they are told, pauses, orders, results.
#include "dda/command/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comm/world.hpp"

namespace umov::dda {

namespace {

using namespace std::chrono_literals;
using command::seconds_since;

constexpr auto between_reports = 100ms, between_cases = 500ms;
/// Of more dipoles the field is shown when it is found: a look takes 48 bytes a dipole.
constexpr std::size_t most_dipoles = std::size_t(1) << 24;

}  // namespace

LiveRun::LiveRun(command::LiveView& view, std::string title, std::string command_line)
    : view_(view),
      title_(std::move(title)),
      command_line_(std::move(command_line)),
      stop_wanted_(comm::stop_wanted),
      began_(Clock::now()) {}

void LiveRun::listen(RunObserver& o) {
  o.stage = [this, next = o.stage](const std::string& name) {
    if (next) next(name);
    view_.tell([&](view::Progress& p) {
      p.stage = where_.empty() ? name : where_ + ": " + name;
      p.seconds = seconds_since(began_);
    });
  };
  o.warning = [this, next = o.warning](const std::string& text) {
    if (next) next(text);
    view_.hub().log("warning", text);
  };
  o.iteration = [this, next = o.iteration](char label, long iteration, double residual) {
    const bool go_on = !next || next(label, iteration, residual);
    return iterate(label, iteration, residual) && go_on;
  };
  o.watcher = this;
}

void LiveRun::next(const std::string& name, std::size_t number, std::size_t count) {
  where_ = name;
  number_ = number;
  count_ = count;
  view_.tell([&](view::Progress& p) { p.stage = name; });
}

void LiveRun::begin(const Prepared& p) {
  prepared_ = &p;
  group_ = looked_at(p, true);
  solves_ = 0;
  // An average chooses its orientations as it goes.
  const bool average = p.sim.orientation.average;
  labels_ = average ? "YX" : std::string(p.labels());
  solves_known_ = average ? 0 : labels_.size();
  // Short cases of a list would give viewers a new catalogue each: some are passed over.
  const auto now = Clock::now();
  passed_over_ = count_ > 1 && number_ > 0 && now - published_ < between_cases;
  if (!passed_over_) {
    publish(p);
    published_ = now;
  }
  view_.hub().allow({"pause", "resume", "step", "stop"});
  view_.tell([&](view::Progress& s) {
    s.state = view::State::running;
    s.counts = "iteration";
    s.fixed = false;
  });
  pass();  // a run that begins paused waits here
  let_go();
}

/// Ends what the other ranks wait in.
void LiveRun::let_go() {
  if (group_) tell(*group_, LiveOrder::go_on);
}

void LiveRun::pass() {
  const auto sample = [](const view::Request&) -> view::Data {
    throw BadInput("there is nothing of this array yet; it comes by itself");
  };
  if (view_.hub().pass(steps_, 0, sample, stop_wanted_) == view::Hub::Verdict::stop) stopped_ = true;
}

void LiveRun::solving(const Prepared& p, std::span<const Incident> all, const Engine& engine) {
  const Incident& first = all.front();
  ++solves_;
  label_ = first.label;
  // A block's columns are the solver's own.
  engine_ = all.size() == 1 && p.particle.dipoles() <= most_dipoles ? &engine : nullptr;
  scaled_ = !p.sectors.used_on(engine.backend_name());
  alpha_ = first.alpha;
  goal_ = p.sim.solver.epsilon;
  worst_ = 0;
  trend_ = std::make_unique<ResidualTrend>(goal_);
  rate_ = 0;
  if (passed_over_) return;
  if (solves_ > 1) view_.hub().remark(marks_of(p, first.frame));
  Shown& s = shown_[label_];
  s.iterations.clear();
  s.residuals.clear();
  s.incident.reset();
}

bool LiveRun::iterate(char label, long iteration, double residual) {
  view::Hub& hub = view_.hub();
  ++steps_;
  worst_ = std::max(worst_, residual);
  if (trend_) trend_->add(iteration, residual);
  if (!passed_over_) {
    Shown& s = shown_.at(label);
    s.iterations.push_back(double(iteration));
    s.residuals.push_back(residual);
  }
  const auto now = Clock::now();
  if (now - told_ >= between_reports || hub.paused()) {
    const double seconds = std::chrono::duration<double>(now - told_).count();
    const double rate = steps_ > told_step_ && told_step_ > 0 ? double(steps_ - told_step_) / seconds : 0;
    rate_ = rate_ > 0 && rate > 0 ? 0.7 * rate_ + 0.3 * rate : std::max(rate_, rate);
    told_ = now;
    told_step_ = steps_;
    const auto iterations_left = trend_ ? trend_->iterations_left() : std::nullopt;
    view_.tell([&](view::Progress& p) {
      p.state = view::State::running;
      p.step = steps_;
      p.seconds = seconds_since(began_);
      p.rate = rate_;
      p.fraction = fraction(residual);
      p.left = iterations_left && rate_ > 0 ? *iterations_left / rate_ : std::nan("");
      p.measure = fmt::format("residual {:.2e} -> {:.0e}", residual, goal_);
    });
  }
  const bool held = hub.paused();
  if (held || hub.watched()) look(label, held);
  if (!held && hub.paused()) look(label, true);  // a pause shows the iteration that it is at
  pass();
  let_go();
  return !stopped_;
}

/// Of the run, where it is known how many solves there are, else of the solve.
double LiveRun::fraction(double residual) const {
  const double span = std::log(worst_) - std::log(goal_);
  const double of_solve =
      span > 0 && residual > 0 ? std::clamp((std::log(worst_) - std::log(residual)) / span, 0.0, 1.0) : 0;
  if (solves_known_ == 0 || count_ == 0) return of_solve;
  const double of_case = (double(solves_ - 1) + of_solve) / double(solves_known_);
  return (double(number_) + std::min(1.0, of_case)) / double(count_);
}

void LiveRun::show(const results::Result& r) {
  view::Shelf shelf;
  view::add_tables(shelf, r);
  const std::lock_guard hold(tables_lock_);
  for (auto& info : shelf.catalogue.arrays) {
    if (info.role == "residual") continue;  // they are there, and live
    const view::Maker maker = shelf.makers.at(info.id);
    const auto known = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const auto& t) { return t.first.name == info.name; });
    if (known != tables_.end()) {
      *known = {info, maker};
      view_.hub().update(table_ids_.at(info.name), maker, info.shape.empty() ? -1 : info.shape.front());
    } else {
      tables_.emplace_back(info, maker);
      table_ids_[info.name] = view_.hub().extend(info, maker);
    }
  }
}

}  // namespace umov::dda
