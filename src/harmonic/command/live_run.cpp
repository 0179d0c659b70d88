// The course of a time-harmonic run with viewers.
#include "harmonic/command/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/signals.hpp"
#include "harmonic/command/live_arrays.hpp"
#include "harmonic/output/results.hpp"
#include "view/from_result.hpp"

namespace umov::harmonic {

namespace {

using namespace std::chrono_literals;
using command::seconds_since;

constexpr auto between_reports = 100ms;
/// Fields of more cuts are left to the results: a viewer chooses among names.
constexpr std::size_t most_fields = 64;

view::ArrayInfo residual_info() {
  view::ArrayInfo info;
  info.name = "solver/residual";
  info.label = "residual";
  info.text = "relative residual after each iteration of the solve that goes on";
  info.kind = view::Kind::scalar;
  info.role = "residual";
  info.live = true;
  info.logarithmic = true;
  info.shape = {0, 2};
  info.columns = {{"iteration", "1"}, {"residual", "1"}};
  return info;
}

}  // namespace

void LiveRun::listen(RunObserver& o) {
  view_.listen(o);
  o.stage = [this, next = o.stage](const std::string& name) {
    if (next) next(name);
    iterations_.clear();
    residuals_.clear();
  };
  o.iteration = [this, next = o.iteration](char polarization, long iteration, double residual) {
    const bool go_on = !next || next(polarization, iteration, residual);
    return iterate(iteration, residual) && go_on;
  };
}

void LiveRun::listen(Sweep& s) {
  s.begun = [this, next = s.begun](const Plan& plan, const Outcome& outline) {
    if (next) next(plan, outline);
    begin(plan, outline);
  };
  s.row = [this, next = s.row](const FinishedRow& row) {
    if (next) next(row);
    take(row);
  };
  s.stop = [this, next = s.stop] { return (next && next()) || !pass([] { return true; }); };
  s.held = [this] { return view_.hub().held(); };
  s.hold = [this](const std::function<bool()>& over) { pass([&] { return over() || interrupted(); }); };
}

void LiveRun::begin(const Plan& plan, const Outcome& outline) {
  began_ = Clock::now();
  so_far_ = outline;
  for (const auto& incidence : outline.incidences)
    for (const double w : outline.simulation.wavelengths) order_.push_back({w, incidence});
  view::Shelf shelf;
  add_layers(shelf, plan, outline);
  shown_.know("solver/residual", shelf.add(residual_info(), view::stored_curve({{}, {}})));
  view::CaseInfo info;
  info.name = "harmonic";
  info.family = "fdtd";
  info.state = "running";
  info.folder = outline.machine.output_dir;
  info.text = outline.machine.command_line;
  shelf.catalogue.cases.push_back(std::move(info));
  view_.hub().publish(std::move(shelf.catalogue), std::move(shelf.makers));
  view_.hub().allow({"pause", "resume", "step", "stop"});
  view_.tell([&](view::Progress& p) {
    p.state = view::State::running;
    p.counts = "iteration";
    p.fixed = false;
  });
}

bool LiveRun::pass(const std::function<bool()>& over) {
  const auto none = [](const view::Request&) -> view::Data {
    throw BadInput("there is nothing of this array yet; it comes by itself");
  };
  if (!stopped_ && view_.hub().pass(steps_, 0, none, over) == view::Hub::Verdict::stop) stopped_ = true;
  return !stopped_;
}

bool LiveRun::iterate(long iteration, double residual) {
  ++steps_;
  if (!iterations_.empty() && double(iteration) <= iterations_.back()) {  // begun anew, in double say
    iterations_.clear();
    residuals_.clear();
  }
  iterations_.push_back(double(iteration));
  residuals_.push_back(residual);
  const bool held = view_.hub().paused();
  if (held || Clock::now() - told_ >= between_reports) {
    told_ = Clock::now();
    view_.tell([&](view::Progress& p) {
      p.state = view::State::running;
      p.step = steps_;
      p.seconds = seconds_since(began_);
      p.rate = p.seconds > 0 ? double(steps_) / p.seconds : 0;
      p.fraction = fraction();
      p.measure = fmt::format("residual {:.2e} -> {:.0e}", residual, so_far_.simulation.tolerance);
    });
  }
  show_residual(held);
  return pass([] { return true; });  // it waits in `hold`, where it keeps nobody else from being heard
}

double LiveRun::fraction() const {
  return double(rows_.size()) / double(std::max<std::size_t>(1, order_.size()));
}

void LiveRun::show_residual(bool at_once) {
  if (!at_once && !residual_pace_.due()) return;
  residual_pace_.make([&] {
    auto info = residual_info();
    info.shape.front() = (long long)iterations_.size();
    shown_.show(std::move(info), view::stored_curve({iterations_, residuals_}));
  });
}

void LiveRun::take(const FinishedRow& row) {
  show_residual(true);
  const auto place = std::find(order_.begin(), order_.end(), row.row);
  if (place == order_.end()) return;
  for (const FieldCut& cut : row.cuts)
    for (auto& [info, maker] : cut_fields(so_far_, cut))
      if (shown_.size() < most_fields && !shown_.has(info.name))
        shown_.show(std::move(info), std::move(maker));
  rows_.insert_or_assign(std::size_t(place - order_.begin()), FinishedRow{row.row, row.points, {}});
  if (rows_.size() < 2 || !table_pace_.due()) return;  // one row is numbers, not a curve
  so_far_.rows.clear();
  for (auto& spectrum : so_far_.spectra) spectrum.points.clear();
  for (const auto& [number, finished] : rows_) {
    so_far_.rows.push_back(finished.row);
    for (std::size_t s = 0; s < so_far_.spectra.size(); ++s)
      so_far_.spectra[s].points.push_back(finished.points.at(s));
  }
  table_pace_.make([&] { show_tables(so_far_); });
}

void LiveRun::show_tables(const Outcome& o) {
  view::Shelf shelf;
  view::add_tables(shelf, to_result(o));
  // Lists over nothing are axes of what else there is.
  shown_.show(std::move(shelf), [](const view::ArrayInfo& info) {
    return info.columns.empty() || info.columns.front().name != "row" || info.shape.front() <= 1;
  });
}

void LiveRun::end(const Outcome& o) {
  show_tables(o);
  view_.tell([&](view::Progress& p) {
    double worst = 0;
    for (const auto& spectrum : o.spectra)
      for (const auto& point : spectrum.points) worst = std::max(worst, point.residual);
    p.step = steps_;
    p.fraction = 1;
    p.measure = fmt::format("largest residual {:.2e} -> {:.0e}", worst, o.simulation.tolerance);
  });
}

}  // namespace umov::harmonic
