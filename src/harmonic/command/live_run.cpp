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

constexpr auto between_reports = 100ms, between_curves = 200ms, between_tables = 500ms;
/// Tables may take one part in so many of a run's time.
constexpr double share = 50;
/// Fields of more cuts are left to the results: a viewer chooses among names.
constexpr std::size_t most_fields = 64;

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

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
  ids_["solver/residual"] = shelf.add(residual_info(), view::stored_curve({{}, {}}));
  view::CaseInfo info;
  info.name = "harmonic";
  info.family = "fdtd";
  info.state = "running";
  info.folder = outline.simulation.output_dir;
  info.text = outline.simulation.command_line;
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
  const auto now = Clock::now();
  if (!at_once && now - drawn_ < between_curves) return;
  drawn_ = now;
  view_.hub().update(ids_.at("solver/residual"), view::stored_curve({iterations_, residuals_}),
                     (long long)iterations_.size());
}

void LiveRun::take(const FinishedRow& row) {
  show_residual(true);
  const auto place = std::find(order_.begin(), order_.end(), row.row);
  if (place == order_.end()) return;
  for (const FieldCut& cut : row.cuts)
    for (auto& [info, maker] : cut_fields(so_far_, cut))
      if (ids_.size() < most_fields && !ids_.contains(info.name)) {
        const std::string name = info.name;
        ids_[name] = view_.hub().extend(std::move(info), std::move(maker));
      }
  rows_.insert_or_assign(std::size_t(place - order_.begin()), FinishedRow{row.row, row.points, {}});
  const auto now = Clock::now();
  if (rows_.size() < 2) return;  // one row is numbers, not a curve
  if (shown_once_ && (now - tables_ < between_tables || seconds_since(tables_) < share * table_seconds_))
    return;
  so_far_.rows.clear();
  for (auto& spectrum : so_far_.spectra) spectrum.points.clear();
  for (const auto& [number, finished] : rows_) {
    so_far_.rows.push_back(finished.row);
    for (std::size_t s = 0; s < so_far_.spectra.size(); ++s)
      so_far_.spectra[s].points.push_back(finished.points.at(s));
  }
  show_tables(so_far_);
  shown_once_ = true;
  tables_ = Clock::now();
  table_seconds_ = std::chrono::duration<double>(tables_ - now).count();
}

void LiveRun::show_tables(const Outcome& o) {
  view::Shelf shelf;
  view::add_tables(shelf, to_result(o));
  for (auto& info : shelf.catalogue.arrays) {
    // Lists over nothing are axes of what else there is.
    if (!info.columns.empty() && info.columns.front().name == "row" && info.shape.front() > 1) continue;
    auto maker = shelf.makers.at(info.id);
    const std::string name = info.name;
    const auto known = ids_.find(name);
    if (known != ids_.end())
      view_.hub().update(known->second, std::move(maker), info.shape.empty() ? -1 : info.shape.front());
    else
      ids_[name] = view_.hub().extend(std::move(info), std::move(maker));
  }
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

Exit run_viewed(command::LiveView& view, const LiveRun& live, const std::function<Exit()>& run) {
  view.hub().begin_run();
  try {
    return view.through(run);
  } catch (const run::Interrupted& e) {
    if (live.stopped()) view.ended(view::State::finished, e.what());
    throw;
  }
}

}  // namespace umov::harmonic
