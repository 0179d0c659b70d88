// Looks at a run in time: frames, curves, pauses, new models.
#include "fdtd/command/live_run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "comm/world.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "fdtd/command/kept_fields.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/run/march.hpp"
#include "shapes/picture.hpp"
#include "view/reduce.hpp"

namespace umov::fdtd {

namespace fs = std::filesystem;

namespace {

using namespace std::chrono_literals;
using command::seconds_since;

constexpr auto between_reports = 100ms;
constexpr auto absence = 3s;  ///< of a page that reloads
constexpr std::size_t most_means = 16;

}  // namespace

Simulation LiveRun::with_model(const Simulation& sim, const std::string& path) {
  Simulation out = sim;
  out.picture->files = {path};
  return out;
}

void LiveRun::begin(const Prepared& p, const March& m) {
  dt_ = p.grid.dt;
  started_ = Clock::now();
  means_.clear();
  curves_.clear();
  curve_pace_ = {};
  kept_ = false;
  engine_ = m.engine.get();
  asked_.reset();
  if (p.comm->size() > 1) {
    looked_at(*p.comm, true);
    engine_ = &asked_.emplace(*m.engine, *p.comm);
  }
  std::vector<std::string> commands{"pause", "resume", "step", "stop"};
  if (!p.machine.output_dir.empty()) commands.push_back("save");
  // Processes of mpirun do not begin anew.
  if (given_.picture && given_.picture->files.size() == 1 && !comm::world()) {
    offer_picture(p);
    commands.insert(commands.end(), {"model", "paint"});
  }
  view_.hub().allow(std::move(commands));
  // Last, so that whoever sees the arrays knows the picture and what may be ordered.
  view::Shelf shelf = live_shelf(p, m, fields_);
  view_.hub().publish(std::move(shelf.catalogue), std::move(shelf.makers));
  view_.tell([&](view::Progress& s) {
    s.state = view::State::running;
    s.text.clear();  // a run before this one had an end
    s.fraction = -1;
    s.time_unit = fdtd_unit::time;
    s.step = m.engine->step();
    s.limit = p.stop.limit;
    s.fixed = p.stop.fixed;
  });
}

/// That of this run, which may be another one than the case's own: strokes go into what is seen.
void LiveRun::offer_picture(const Prepared& p) {
  const auto picture = shapes::read_picture(p.sim.picture->files.front());
  const Extent extent = extent_of(p.sim);
  view::PictureInfo info;
  info.origin = extent.low;
  for (int a = 0; a < 2; ++a)
    info.spacing[a] = (extent.high[a] - extent.low[a]) / (a == 0 ? picture.width : picture.height);
  view_.hub().offer_picture({picture.width, picture.height, picture.rgba}, info, title_);
}

long LiveRun::next(long step) const { return asked_ ? next_ : next_here(step); }

/// Whether a step lies between two that are looked at. Those of a paused run are seen one by one.
bool LiveRun::between(long step) const {
  return interval_ > 0 && step % interval_ != 0 && !view_.hub().paused();
}

long LiveRun::next_here(long step) const {
  const long next = view_.hub().next_look(step);
  constexpr long far = std::numeric_limits<long>::max() / 2;  // nobody looks
  return between(next) && next < far ? (next / interval_ + 1) * interval_ : next;
}

MarchWatcher::Answer LiveRun::look(const Prepared& p, const March& m) {
  const Answer answer = look_here(p, m);
  if (asked_) {
    next_ = next_here(m.engine->step());
    tell(*p.comm, {.kind = kind_of(answer), .next = next_});
  }
  return answer;
}

MarchWatcher::Answer LiveRun::look_here(const Prepared& p, const March& m) {
  view::Hub& hub = view_.hub();
  const long step = m.engine->step();
  if (between(step)) return Answer::go_on;  // a march stops for other reasons, too
  // While the run is held, curves and state are those of the step it is held at, whoever comes.
  bool shown = false;
  const auto stopped = [&] {
    // The hub tells viewers of errors; that another rank has failed is none of theirs.
    if (lost_) std::rethrow_exception(lost_);
    if (!shown && hub.watched()) {
      refresh_curves(p, m, true);
      say(where(m, p), view::State::paused);
      shown = true;
    }
    return comm::stop_wanted();
  };
  for (;;) {
    if (hub.watched()) {
      seen_ = Clock::now();
      refresh_curves(p, m);
    }
    const auto verdict = hub.pass(
        step, double(step) * dt_, [&](const view::Request& r) { return sample(r); }, stopped);
    if (lost_) std::rethrow_exception(lost_);
    if (verdict == view::Hub::Verdict::stop) return Answer::stop;
    if (verdict == view::Hub::Verdict::go_on) return hub.take_save() ? Answer::save : Answer::go_on;
    if (const auto model = new_model()) throw *model;  // else a pause goes on as it was
  }
}

view::Data LiveRun::sample(const view::Request& r) try {
  if (std::size_t(r.array) >= fields_.size())
    throw BadInput("this curve has no samples yet; it comes by itself");
  view::Data d;
  auto values = sample_field(*engine_, fields_[std::size_t(r.array)], r);
  if (fields_[std::size_t(r.array)].kind == LiveField::Kind::rms) add_to_mean(r, engine_->step(), values);
  d.parts.push_back({view::shape_of(r), std::move(values)});
  return d;
} catch (const comm::OtherRankFailed&) {
  lost_ = std::current_exception();
  throw;
}

void LiveRun::add_to_mean(const view::Request& r, long step, std::vector<float>& values) {
  auto found =
      std::find_if(means_.begin(), means_.end(), [&](const Mean& mean) { return mean.request == r; });
  if (found == means_.end()) {
    if (means_.size() >= most_means) means_.erase(means_.begin());
    means_.push_back({r, std::vector<double>(values.size(), 0.0)});
    found = means_.end() - 1;
  }
  if (found->step != step) {
    for (std::size_t i = 0; i < values.size(); ++i) found->sum[i] += double(values[i]);
    found->step = step;
    ++found->frames;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = float(std::sqrt(found->sum[i] / double(found->frames)));
}

void LiveRun::refresh_curves(const Prepared& p, const March& m, bool at_once) {
  if (!at_once && !curve_pace_.due()) return;
  if (p.sim.monitors.empty() || (p.sim.normalize && m.phase == Phase::reference)) return;
  curve_pace_.make([&] {
    try {
      curves_.show(monitor_curves(p, m, *engine_));
    } catch (const comm::OtherRankFailed&) {
      throw;
    } catch (const Error&) {
      // Some monitors say nothing before they have seen a wave; the next time they may.
    }
  });
}

void LiveRun::end(const Prepared& p, const March& m) {
  const double step = double(m.engine->step()), time = step * dt_;
  say(where(m, p), view_.hub().progress().state);
  if (view_.hub().watched() || Clock::now() - seen_ < absence) {
    refresh_curves(p, m, true);
    if (!std::exchange(kept_, true)) {
      std::vector<view::Maker> makers = kept_fields(p, m, *engine_, fields_);
      view::Maker magnitude;  // the one of the same field goes before its mean
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (fields_[i].kind == LiveField::Kind::magnitude) magnitude = makers[i];
        view_.hub().update(int(i), makers[i] ? std::move(makers[i]) : kept_mean(step, time, magnitude));
      }
    }
  }
  if (asked_) tell(*p.comm, {});
}

/// The running means as they were last. Where none was asked for it begins with the last frame, as it does in
/// a run: the mean of that one alone.
view::Maker LiveRun::kept_mean(double step, double time, view::Maker magnitude) const {
  return
      [means = means_, step, time, magnitude = std::move(magnitude)](const view::Request& r) -> view::Data {
        for (const Mean& mean : means)
          if (mean.request == r) {
            view::Data d;
            d.step = step;
            d.time = time;
            std::vector<float> values;
            for (const double s : mean.sum) values.push_back(float(std::sqrt(s / double(mean.frames))));
            d.parts.push_back({view::shape_of(r), std::move(values)});
            return d;
          }
        return magnitude(r);
      };
}

void LiveRun::report(const StepReport& r) {
  const auto now = Clock::now();
  if (now - reported_ < between_reports) return;
  say(r, view::State::running);
}

void LiveRun::say(const StepReport& r, view::State state) {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - reported_).count();
  const double rate = r.step > reported_step_ ? double(r.step - reported_step_) / seconds : 0;
  reported_ = now;
  reported_step_ = r.step;
  view_.tell([&](view::Progress& p) {
    p.state = state;
    p.step = r.step;
    p.limit = r.limit;
    p.fixed = r.fixed;
    p.measure = r.measure;
    p.time = double(r.step) * dt_;
    p.seconds = seconds_since(started_);
    // A look at rest tells nothing of how fast the run goes.
    if (state == view::State::running) p.rate = p.rate > 0 && rate > 0 ? 0.7 * p.rate + 0.3 * rate : rate;
  });
}

std::optional<Restart> LiveRun::new_model() const {
  const auto model = view_.hub().take_model();
  if (!model) return std::nullopt;
  // The case is planned as a whole before the run that goes on is given up.
  const fs::path path = fs::temp_directory_path() / ("umov-view-" + view_.id() + ".png");
  const auto tidy = [&] {
    std::error_code ignored;
    fs::remove(path, ignored);
  };
  try {
    write_file(path.string(), model->png);
    plan(with_model(given_, path.string()));
    tidy();
    return Restart{model->png, fs::path(model->name).stem().string()};
  } catch (const Error& e) {
    tidy();
    view_.hub().log("warning", std::string("the new model is not taken: ") + e.what());
    return std::nullopt;
  }
}

}  // namespace umov::fdtd
