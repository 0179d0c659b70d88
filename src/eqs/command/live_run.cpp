// Looks at an electroquasistatic run: the state between steps, curves, pauses.
#include "eqs/command/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "comm/world.hpp"
#include "eqs/engine.hpp"
#include "eqs/observables/sampler.hpp"
#include "eqs/run/prepare.hpp"

namespace umov::eqs {

namespace {

using namespace std::chrono_literals;
using command::seconds_since;

constexpr auto between_states = 100ms;
constexpr std::size_t kept_bytes = std::size_t(512) << 20;

std::string iterations_text(long newton, long linear, long rejected) {
  return fmt::format("Newton {}, CG {}{}", newton, linear,
                     rejected ? fmt::format(", {} steps repeated", rejected) : "");
}

std::string measure_of(const Outcome& out) { return iterations_text(out.newton, out.linear, out.rejected); }

}  // namespace

void LiveRun::begin(const Prepared& p) {
  problem_ = &p.problem;
  started_ = Clock::now();
  instants_ = std::make_shared<view::KeptInstants>(kept_bytes);
  newest_ = -1;
  taken_ = looked_ = -1;
  view::Shelf shelf;
  const auto mesh = mesh_of(p.problem, p.sim.analysis == Analysis::harmonic ? p.schedule.period : 0);
  arrays_ = view::add_mesh(shelf, 0, "fields", mesh, shown_of(p.problem), instants_, "m", true);
  curves_.clear();
  for (auto& curve : live_curves(unsolved(p))) {
    const std::string name = curve.info.name;
    curves_.know(name, shelf.add(std::move(curve.info), std::move(curve.maker)));
  }
  view::CaseInfo info;
  info.name = "run";
  info.family = "eqs";
  info.state = "running";
  info.folder = p.machine.output_dir;
  info.text = p.machine.command_line;
  shelf.catalogue.cases.push_back(std::move(info));
  view_.hub().publish(std::move(shelf.catalogue), std::move(shelf.makers));
  std::vector<std::string> commands{"pause", "resume", "step", "stop"};
  if (!p.machine.output_dir.empty() && p.sim.analysis == Analysis::transient) commands.push_back("save");
  view_.hub().allow(std::move(commands));
  view_.tell([&](view::Progress& s) {
    s.state = view::State::running;
    s.time_unit = "s";
    s.step = 0;
    s.limit = 0;
    s.fixed = false;
  });
}

void LiveRun::begin(const Problem& p, const std::vector<double>& times, std::size_t done) {
  times_ = times;
  if (next_) next_->begin(p, times, done);
}

void LiveRun::frame(std::size_t index, const double* potential, const std::vector<float>& field) {
  if (next_) next_->frame(index, potential, field);
  const double time = times_.at(index);
  const bool all = instants_->keep(time, double(looked_ + 1), values_of(*problem_, potential, field));
  if (!all && !told_of_memory_) {
    view_.hub().log("note",
                    fmt::format("the view keeps {} MiB of fields: of the instants so far every second "
                                "one is left out (the file of the run has all)",
                                kept_bytes >> 20));
    told_of_memory_ = true;
  }
  renew(all ? std::min(newest_, time) : -std::numeric_limits<double>::infinity());
  newest_ = time;
}

void LiveRun::renew(double since) {
  view::Hub& hub = view_.hub();
  hub.renew(arrays_.surfaces, since);
  for (std::size_t q = 0; q + 1 < arrays_.fields.size(); ++q) hub.renew(arrays_.fields[q], since);
  hub.renew(arrays_.instants, -std::numeric_limits<double>::infinity(), (long long)instants_->times().size());
}

void LiveRun::take_now(const Prepared& p, const Engine& engine, const Outcome& out, bool at_once) {
  if (out.history.empty() || taken_ == out.steps) return;
  if (!at_once && !state_pace_.due()) return;
  taken_ = out.steps;
  state_pace_.make([&] {
    const double time = engine.time();
    if (time <= newest_) return;  // it is a saved one
    const auto u = engine.potential();
    instants_->set_now(time, double(out.steps),
                       values_of(p.problem, u.data(), Sampler(p.problem).element_fields(u.data())));
    renew(std::max(newest_, 0.0));
    newest_ = time;
  });
}

void LiveRun::refresh_curves(const Outcome& out, bool at_once) {
  if (!at_once && !curve_pace_.due()) return;
  curve_pace_.make([&] {
    for (auto& curve : live_curves(out))
      if (curves_.has(curve.info.name)) curves_.show(std::move(curve.info), std::move(curve.maker));
  });
}

RunWatcher::Answer LiveRun::look(const Prepared& p, const Engine& engine, const Outcome& out) {
  view::Hub& hub = view_.hub();
  looked_ = out.steps;
  if (std::exchange(inside_, false)) view_.tell([&](view::Progress& s) { s.measure = measure_of(out); });
  const double time = out.history.empty() ? 0 : out.history.back().time;
  const auto refresh = [&] {
    const bool paused = hub.paused();
    if (!hub.watched()) return;
    take_now(p, engine, out, paused);
    refresh_curves(out, paused && taken_ != out.steps);
  };
  refresh();
  long shown = -1;
  // While the run is held the state is that of the step it is held at, whoever comes.
  const auto stopped = [&] {
    if (hub.watched() && shown != out.steps) {
      take_now(p, engine, out, true);
      refresh_curves(out, true);
      view_.tell([&](view::Progress& s) {
        s.state = view::State::paused;
        s.step = out.steps;
        s.time = time;
        s.measure = measure_of(out);
      });
      shown = out.steps;
    }
    return comm::stop_wanted();
  };
  const auto none = [](const view::Request&) -> view::Data {
    throw BadInput("the run has nothing of it yet; it comes by itself");
  };
  const auto verdict = hub.pass(out.steps, time, none, stopped);
  if (hub.progress().state == view::State::paused && !hub.paused())
    view_.tell([](view::Progress& s) { s.state = view::State::running; });
  if (verdict == view::Hub::Verdict::stop) return Answer::stop;
  return hub.take_save() ? Answer::save : Answer::go_on;
}

void LiveRun::solving(const Effort& e) {
  const auto now = Clock::now();
  if (now - reported_ < between_states) return;
  reported_ = now;
  inside_ = true;
  view_.tell([&](view::Progress& p) {
    p.measure = fmt::format("Newton {}, CG {}", newton_ + e.newton, linear_ + e.linear);
    if (newton_ + linear_ > 0) p.measure += fmt::format(" (this step {}, {})", e.newton, e.linear);
    p.seconds = seconds_since(started_);
  });
}

void LiveRun::report(const TimeReport& r) {
  newton_ = r.newton;
  linear_ = r.linear;
  const auto now = Clock::now();
  if (now - reported_ < between_states) return;
  reported_ = now;
  view_.tell([&](view::Progress& p) {
    p.state = view::State::running;
    p.step = r.steps;
    p.time = r.time;
    p.fraction = r.end > 0 ? r.time / r.end : 0;
    p.measure = iterations_text(r.newton, r.linear, r.rejected);
    p.seconds = seconds_since(started_);
    p.rate = p.seconds > 0 ? double(r.steps) / p.seconds : 0;
  });
}

void LiveRun::end(const Outcome& out) {
  refresh_curves(out, true);
  view_.tell([&](view::Progress& p) {
    p.step = out.steps;
    p.time = out.history.empty() ? 0 : out.history.back().time;
    p.measure = measure_of(out);
  });
}

}  // namespace umov::eqs
