// The steps of an electroquasistatic run: solutions, what is looked at after them, checkpoints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "eqs/balance.hpp"
#include "eqs/kernels/ellipse.hpp"
#include "eqs/run/course.hpp"

namespace umov::eqs {

void EqsRun::count(const Effort& e) {
  out_.newton += e.newton;
  out_.linear += e.linear;
  out_.setups += e.setups;
  out_.refreshes += e.refreshes;
  if (!e.converged) {
    out_.converged = false;
    out_.why_not = e.why_not;
    // what is beyond it is tried to be taken away (conductors.cpp), and hinders the solver
    if (problem_->contrast > 1e5)
      out_.why_not += fmt::format(
          " (materials that one current passes conduct up to {:.0e} times differently, beside what bodies of "
          "good "
          "conductors take away); make the best conductor between worse ones an electrode of kind floating",
          problem_->contrast);
  }
}

void EqsRun::sample_points(Record& r, const std::vector<double>& potential) const {
  for (const auto& place : points_) {
    r.point_potential.push_back(sampler_->potential(potential.data(), *place));
    r.point_field.push_back(sampler_->field(potential.data(), *place));
  }
}

void EqsRun::take(Record r) {
  r.seen = engine_->observe();
  if (!r.seen.why_not.empty()) out_.converged = false, out_.why_not = r.seen.why_not;
  if (!points_.empty()) sample_points(r, engine_->potential());
  out_.history.push_back(std::move(r));
  ++out_.steps;
}

void EqsRun::save_fields(double time) {
  const auto u = engine_->potential();
  const std::size_t index = out_.saved_times.size();
  if (frames_) frames_->frame(index, u.data(), sampler_->element_fields(u.data()));
  for (std::size_t i = 0; i < paths_.size(); ++i)
    paths_[i].sample(*sampler_, u.data(), nullptr, out_.lines[i]);
  for (std::size_t i = 0; i < surfaces_.size(); ++i)
    surfaces_[i].sample(*sampler_, u.data(), nullptr, out_.surfaces[i]);
  double largest = 0;
  for (const auto& peak : out_.history.back().seen.peaks) largest = std::max(largest, peak.field);
  std::vector<CutResult> cuts;
  for (const auto& cut : cuts_) cuts.push_back(cut.sample(*sampler_, u.data(), nullptr, time));
  if (largest > peak_) {
    peak_ = largest;
    out_.cuts_at_peak = cuts;
  }
  out_.cuts_at_end = std::move(cuts);
  out_.saved_times.push_back(time);
}

void EqsRun::solve_static() {
  if (frames_) frames_->begin(*problem_, schedule_.saved, 0);
  stage("solution");
  const double start = now();
  Record r;
  r.time = schedule_.end;
  // Without a moment of its own the amplitudes are meant; periods are the length of a run in time.
  const bool moment = sim_.time.end > 0;
  r.effort = engine_->solve_static(moment ? schedule_.end : std::numeric_limits<double>::quiet_NaN());
  count(r.effort);
  take(std::move(r));
  check_currents();
  save_fields(schedule_.end);
  out_.seconds = now() - start;
}

void EqsRun::solve_harmonic() {
  if (frames_) frames_->begin(*problem_, schedule_.saved, 0);
  stage("solution");
  const double start = now();
  Record r;
  r.effort = engine_->solve_harmonic(2 * pi * common_frequency(sim_.electrodes));
  count(r.effort);
  r.seen = engine_->observe();
  if (const auto why = imbalance(r.seen, sim_.linear.tolerance); out_.converged && !why.empty())
    out_.converged = false, out_.why_not = why;
  const auto u = engine_->potential();
  const std::size_t n = u.size() / 2;
  const double* imaginary = u.data() + n;
  for (const auto& place : points_) {
    r.point_potential.push_back(
        std::hypot(sampler_->potential(u.data(), *place), sampler_->potential(imaginary, *place)));
    const Vec3 e = sampler_->field(u.data(), *place), f = sampler_->field(imaginary, *place);
    r.point_field.push_back({std::hypot(e[0], f[0]), std::hypot(e[1], f[1]), std::hypot(e[2], f[2])});
    r.point_peak.push_back(peak_of(e, f));
  }
  out_.history.push_back(std::move(r));
  ++out_.steps;
  for (std::size_t i = 0; i < paths_.size(); ++i)
    paths_[i].sample(*sampler_, u.data(), imaginary, out_.lines[i]);
  for (std::size_t i = 0; i < surfaces_.size(); ++i)
    surfaces_[i].sample(*sampler_, u.data(), imaginary, out_.surfaces[i]);
  for (const auto& cut : cuts_) out_.cuts_at_peak.push_back(cut.sample(*sampler_, u.data(), imaginary, 0));
  out_.cuts_at_end = out_.cuts_at_peak;
  out_.saved_times = {0};
  // One period, frame by frame: the imaginary part of u exp(j omega t).
  std::vector<double> instant(n);
  for (std::size_t k = 0; frames_ && k < schedule_.saved.size(); ++k) {
    const double phase = 2 * pi * double(k) / double(schedule_.saved.size());
    for (std::size_t i = 0; i < n; ++i) instant[i] = u[i] * std::sin(phase) + imaginary[i] * std::cos(phase);
    frames_->frame(k, instant.data(), sampler_->element_fields(instant.data()));
  }
  out_.seconds = now() - start;
}

void EqsRun::go() {
  control_.emplace(sim_.time, schedule_.end, schedule_.stops, 0, schedule_.limits);
  if (sim_.checkpoint.resume) {
    resume();
  } else {
    if (frames_) frames_->begin(*problem_, schedule_.saved, 0);
    stage("start");
    const double start = now();
    Record r;
    r.effort = engine_->start(0);
    count(r.effort);
    take(std::move(r));
    --out_.steps;  // the start is none
    save_fields(0);
    out_.seconds += now() - start;
  }
  stage("");
  last_save_ = now();
  report();
  while (engine_->time() < schedule_.end * (1 - 1e-12)) {
    const double start = now();
    const bool taken = step();
    out_.seconds += now() - start;
    if (!taken) break;
    report();
  }
  if (!out_.converged && checkpoints_on()) save();
  check_currents();
}

/// Currents in time are not those of what a stage's residual leaves over, but of its fluxes: their sum is
/// rounding and what the linear solver left of the electrodes' fields.
void EqsRun::check_currents() {
  if (!out_.converged || sim_.analysis == Analysis::electrostatic) return;
  const bool curves = std::any_of(problem_->materials.begin(), problem_->materials.end(),
                                  [](const Material& m) { return m.nonlinear(); });
  const bool newton = curves && sim_.analysis == Analysis::conduction;
  const auto why =
      imbalance_of_currents(out_.history, newton ? sim_.newton.tolerance : sim_.linear.tolerance);
  if (!why.empty()) out_.converged = false, out_.why_not = why;
}

bool EqsRun::step() {
  const double t = engine_->time();
  Record r;
  for (;;) {
    const double dt = control_->next(t);
    const StepTry tried = engine_->attempt(dt);
    r.effort.newton += tried.effort.newton;
    r.effort.linear += tried.effort.linear;
    r.effort.setups += tried.effort.setups;
    r.effort.refreshes += tried.effort.refreshes;
    r.step = dt;
    r.error = tried.error;
    const auto verdict = control_->judge(t, dt, tried.error, tried.effort.converged, tried.effort.why_not);
    if (verdict == StepControl::Verdict::accept) break;
    if (verdict == StepControl::Verdict::give_up) {
      out_.converged = false;
      out_.why_not = control_->why();
      count(r.effort);
      return false;
    }
    ++r.rejected;
  }
  engine_->accept();
  r.time = engine_->time();
  count(r.effort);
  out_.rejected += r.rejected;
  take(std::move(r));
  const std::size_t next = out_.saved_times.size();
  if (next < schedule_.saved.size() && engine_->time() >= schedule_.saved[next] - 1e-9 * schedule_.end)
    save_fields(schedule_.saved[next]);
  return true;
}

void EqsRun::report() {
  if (observer_.time) {
    const front::TimeReport r{engine_->time(), schedule_.end, out_.steps,
                              out_.rejected,   out_.newton,   out_.linear};
    if (!observer_.time(r)) {
      if (!checkpoints_on()) throw front::Interrupted("interrupted; there is no checkpoint, nothing is kept");
      save();
      throw front::Interrupted(
          fmt::format("interrupted at t = {:.6g} s; the state is in {}, continue with --resume {}",
                      engine_->time(), checkpoint_file(sim_.output_dir), sim_.output_dir));
    }
  }
  if (checkpoints_on() && sim_.checkpoint.interval > 0 && now() - last_save_ >= sim_.checkpoint.interval) {
    save();
    last_save_ = now();
  }
}

void EqsRun::save() {
  RunState c;
  c.engine = engine_->save();
  c.control = control_->memory();
  c.peak = peak_;
  // The outcome is lent for the time of writing: it can be large.
  c.found = std::move(out_);
  try {
    save_checkpoint(c, fingerprint_, checkpoint_file(sim_.output_dir));
  } catch (const MachineFailure& e) {
    out_ = std::move(c.found);
    warn(fmt::format("no checkpoint: {}", e.what()));
    return;
  }
  out_ = std::move(c.found);
}

void EqsRun::resume() {
  stage("checkpoint");
  auto c =
      load_checkpoint(checkpoint_file(sim_.output_dir), fingerprint_, what_differs(sim_.output_dir, sim_));
  auto& f = c.found;
  if (!fits(c, out_, cuts_, schedule_.saved.size()))
    throw BadInput(checkpoint_file(sim_.output_dir) +
                   ": the checkpoint has other lines, surfaces or cuts; run the case again");
  for (std::size_t i = 0; i < f.lines.size(); ++i) {
    auto& l = out_.lines[i];
    l.potential = std::move(f.lines[i].potential);
    l.tangential = std::move(f.lines[i].tangential);
    l.normal = std::move(f.lines[i].normal);
    l.magnitude = std::move(f.lines[i].magnitude);
  }
  for (std::size_t i = 0; i < f.surfaces.size(); ++i) {
    out_.surfaces[i].normal = std::move(f.surfaces[i].normal);
    out_.surfaces[i].tangential = std::move(f.surfaces[i].tangential);
  }
  const auto take_cuts = [&](std::vector<CutResult>& to, std::vector<CutResult>& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      to.push_back(cuts_[i].frame());
      to.back().time = from[i].time;
      to.back().potential = std::move(from[i].potential);
      to.back().field = std::move(from[i].field);
    }
  };
  take_cuts(out_.cuts_at_peak, f.cuts_at_peak);
  take_cuts(out_.cuts_at_end, f.cuts_at_end);
  out_.history = std::move(f.history);
  out_.saved_times = std::move(f.saved_times);
  out_.steps = f.steps;
  out_.rejected = f.rejected;
  out_.newton = f.newton;
  out_.linear = f.linear;
  out_.setups = f.setups;
  out_.refreshes = f.refreshes;
  out_.seconds = f.seconds;
  peak_ = c.peak;
  control_->recall(c.control);
  engine_->restore(c.engine);
  if (frames_) frames_->begin(*problem_, schedule_.saved, out_.saved_times.size());
}

}  // namespace umov::eqs
