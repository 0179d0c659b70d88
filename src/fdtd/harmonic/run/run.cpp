// The one door to time-harmonic cells: a simulation in, its outcome out.
#include "fdtd/harmonic/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/harmonic/run/solve_point.hpp"
#include "fdtd/harmonic/run/sunlit.hpp"
#include "fdtd/harmonic/run/sweep_state.hpp"
#include "front/journal.hpp"
#include "front/version.hpp"

namespace umov::fdtd::harmonic {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Run {
 public:
  Run(const Simulation& sim, const RunObserver& observer, const Sweep& sweep)
      : sim_(sim),
        sweep_(sweep),
        journal_(observer),
        media_(sim),
        plan_(plan(sim)),
        light_(sim.spectrum.empty() ? am15g() : read_sunlight(sim.spectrum)) {
    state_.settings = sweep.settings;
    if (sweep.resume) state_ = load_sweep_state(sweep.state_file, sweep.settings);
  }

  Outcome all() {
    const auto start = Clock::now();
    begin();
    try {
      for (const auto& incidence : out_.incidences)
        for (const double w : sim_.wavelengths) take(Row{w, incidence});
    } catch (...) {
      leave(start);
      throw;
    }
    finish(start);
    return std::move(out_);
  }

 private:
  void begin() {
    require_memory(plan_);
    journal_.warn(plan_.warnings);
    for (const auto& note : plan_.notes) journal_.note(note);
    out_.simulation = sim_;
    out_.version = front::version();
    const auto& g = plan_.cell.grid;
    out_.grid = g;
    out_.memory = plan_.memory;
    out_.first_plane = plan_.cell.first_plane;
    out_.top = plan_.top;
    out_.planes = plan_.planes;
    const auto [from, to] = plan_.cell.rough_planes();
    out_.rough_planes = to - from;
    out_.media.push_back("superstrate");
    for (const auto& layer : sim_.layers) out_.media.push_back(layer.name);
    out_.media.push_back("substrate");
    for (const double angle : sim_.angle.values)
      for (const double azimuth : sim_.azimuth.values) out_.incidences.push_back({angle, azimuth});
    out_.wanted_rows = out_.incidences.size() * sim_.wavelengths.size();
    if (sim_.polarization != Polarizations::p) out_.spectra.push_back({Polarization::s, {}});
    if (sim_.polarization != Polarizations::s) out_.spectra.push_back({Polarization::p, {}});
    outline_cuts();
    const auto& light = light_.wavelength;
    require_light();
    if (sim_.wavelengths.size() > 1 &&
        (sim_.wavelengths.front() < light.front() || sim_.wavelengths.back() > light.back()))
      journal_.note(fmt::format("the spectrum {} reaches from {:g} to {:g} um: beyond, it has no photons",
                                light_.name, light.front(), light.back()));
    if (journal_.observer().begun) journal_.observer().begun();
  }

  /// A spectrum without a photon at the case's wavelengths is one in another unit, or the wrong one.
  void require_light() const {
    const double first = light_.wavelength.front(), last = light_.wavelength.back(),
                 from = sim_.wavelengths.front(), to = sim_.wavelengths.back();
    if (sim_.spectrum.empty() || (from <= last && to >= first)) return;
    const bool nm = from <= last * 1e-3 && to >= first * 1e-3;
    throw BadInput(
        fmt::format("the spectrum {} reaches from {:g} to {:g} um (the case from {:g} to {:g} um); {}",
                    light_.name, first, last, from, to,
                    nm ? "if it has nm, let its first line say so: wavelength (nm), irradiance (W/m^2/nm)"
                       : "take other wavelengths or another spectrum"));
  }

  /// The interfaces along the cuts.
  void outline_cuts() {
    const auto& g = plan_.cell.grid;
    std::vector<double> depths;
    for (const auto& cut : plan_.cuts) {
      std::vector<std::vector<double>> lines(plan_.cell.interfaces.size());
      const int columns = cut.plane == CutPlane::yz ? g.ny : g.nx;
      for (int i = 0; i < columns && cut.plane != CutPlane::xy; ++i) {
        plan_.cell.interfaces_at(2, cut.plane == CutPlane::yz ? cut.index : i,
                                 cut.plane == CutPlane::yz ? i : cut.index, depths);
        for (std::size_t n = 0; n < depths.size(); ++n) lines[n].push_back(depths[n]);
      }
      out_.interfaces.push_back(std::move(lines));
    }
  }

  /// A row of the tables: taken over, or computed and kept.
  void take(const Row& row) {
    const FinishedRow* known = state_.find(row);
    if (known && known->converged()) {
      ++out_.taken_over;
      return add(*known);
    }
    if (sweep_.stop && sweep_.stop()) throw front::Interrupted(stop_text());
    const auto start = Clock::now();
    FinishedRow finished{row, {}, {}};
    PointSolver solver(sim_, plan_, media_, row, {engine_, fields_, [this](const std::string& text) {
                                                    journal_.note(solving_ + ": " + text);
                                                  }});
    double sent_back = 0;
    for (const auto& spectrum : out_.spectra) {
      const char name = spectrum.polarization == Polarization::s ? 's' : 'p';
      solving_ = stage_text(row, name);
      journal_.stage(solving_);
      note_iteration(solver.iteration());
      const bool went_on = solver.solve(spectrum.polarization, [&](long iteration, double residual) {
        const auto& watch = journal_.observer().iteration;
        return !watch || watch(name, iteration, residual);
      });
      if (!went_on) throw front::Interrupted(stop_text());
      if (solver.fell_back())
        journal_.note(solving_ + ": single precision led no further, the iteration went on in double");
      if (solver.room_full())
        journal_.note(solving_ + ": memory holds no more directions of gmres, idr went on");
      if (trouble_.empty()) trouble_ = solver.trouble();
      sent_back = std::max(sent_back, solver.sent_back());
      finished.points.push_back(solver.point());
      if (!wants_fields(sim_, row.wavelength)) continue;
      for (auto& cut : solver.cuts()) finished.cuts.push_back(std::move(cut));
      if (sweep_.fields) sweep_.fields(solver.fields(out_));
    }
    note_ends(row, sent_back);
    out_.device = solver.device();
    out_.backend = plan_.request.backend;
    computing_ += since(start);
    ++computed_;
    if (known)
      state_.rows[std::size_t(known - state_.rows.data())] = finished;
    else
      state_.rows.push_back(finished);
    add(finished);
    keep(false);
  }

  /// How much absorbing ends of the cell send back.
  void note_ends(const Row& row, double back) {
    if (back > sent_back_) {
      sent_back_ = back;
      least_absorbed_ = fmt::format("{:g} um, {:g} degrees", row.wavelength, row.incidence.angle);
    }
    // at 8e-3 the powers of a dielectric grating missed those of coupled waves by 2e-3
    if (back > 3e-3) ++rows_near_grazing_;
  }

  /// Powers that cannot be: absorbing ends sent waves back, or the iteration left too much.
  static bool possible(const Budget& b) {
    constexpr double slack = 2e-3;  // of the grid and the iteration
    if (b.reflection > 1 + slack || b.transmission < -slack || std::abs(b.sum() - 1) > 0.05) return false;
    return std::none_of(b.absorption.begin(), b.absorption.end(), [&](double a) { return a < -slack; });
  }

  void add(const FinishedRow& finished) {
    out_.rows.push_back(finished.row);
    for (std::size_t p = 0; p < out_.spectra.size(); ++p) {
      out_.spectra[p].points.push_back(finished.points.at(p));
      const auto& point = finished.points[p];
      const bool can_be = possible(point.budget);
      if ((point.converged && can_be) || !out_.converged) continue;
      out_.converged = false;
      const char name = out_.spectra[p].polarization == Polarization::s ? 's' : 'p';
      if (point.converged) {
        out_.why_not = fmt::format(
            "at {:g} um, {:g} degrees, polarization {}: impossible powers (R = {:.4f}, T = {:.4f}, sum "
            "{:.4f}); {}",
            finished.row.wavelength, finished.row.incidence.angle, name, point.budget.reflection,
            point.budget.transmission, point.budget.sum(),
            plan_.cell.grid.absorbing[0] > 0 || rows_near_grazing_ > 0
                ? "waves near grazing come back from the ends of the cell: see 'Grazing waves' in "
                  "docs/guide/harmonic.md"
                : "lower --eps");
        continue;
      }
      const std::string how =
          trouble_.empty()
              ? fmt::format(
                    "the residual is {:.1e} after {} iterations (the goal is {:.1e}); raise "
                    "max_iterations, or see 'What is hard'",
                    point.residual, point.iterations, sim_.tolerance)
              : fmt::format("{} (the goal is {:.1e}); see 'Pseudo-time'", trouble_, sim_.tolerance);
      out_.why_not = fmt::format("at {:g} um, polarization {}: {} in docs/guide/harmonic.md",
                                 finished.row.wavelength, name, how);
    }
    out_.cuts.insert(out_.cuts.end(), finished.cuts.begin(), finished.cuts.end());
  }

  /// Writes the state where that takes little of the time since it was last written.
  void keep(bool now) {
    if (sweep_.state_file.empty()) return;
    const auto start = Clock::now();
    if (!now && since(kept_) < 20 * keeping_) return;
    save(state_, sweep_.state_file);
    kept_ = Clock::now();
    keeping_ = since(start);
  }

  void finish(Clock::time_point start) {
    if (rows_near_grazing_ > 0)
      journal_.warn(fmt::format(
          "in {} of {} rows a wave near grazing is not absorbed at the cell's ends (at most {:.1g} of its "
          "amplitude comes back: at {}); powers may be off by that and more; see 'Grazing waves' in "
          "docs/guide/harmonic.md",
          rows_near_grazing_, out_.wanted_rows, sent_back_, least_absorbed_));
    if (!out_.converged) keep(true);  // rows that did not converge can be computed again
    add_sunlight(out_, light_);
    out_.seconds = since(start);
    out_.warnings = journal_.warnings();
    out_.notes = journal_.notes();
    if (out_.taken_over > 0)
      out_.notes.push_back(fmt::format("{} of {} rows were taken over from the run before", out_.taken_over,
                                       out_.wanted_rows));
  }

  /// A run that ends early: its state, and the results so far.
  void leave(Clock::time_point start) {
    if (out_.rows.empty()) return;
    keep(true);
    out_.notes.push_back(fmt::format("stopped after {} of {} rows", out_.rows.size(), out_.wanted_rows));
    finish(start);
    if (sweep_.stopped) sweep_.stopped(out_);
  }

  /// Which Krylov solver it is, where that is not known yet.
  void note_iteration(const std::string& how) {
    if (!how.empty() && how != iteration_) journal_.note("iteration: " + how);
    iteration_ = how;
  }

  std::string stop_text() const {
    return fmt::format("interrupted; {} of {} rows are finished{}", out_.rows.size(), out_.wanted_rows,
                       out_.rows.empty() || sweep_.how_to_go_on.empty()
                           ? std::string("; start it again")
                           : ", continue with " + sweep_.how_to_go_on);
  }

  std::string stage_text(const Row& row, char polarization) const {
    std::string out = fmt::format("{:g} um {}", row.wavelength, polarization);
    if (out_.incidences.size() > 1)
      out += fmt::format(" at {:g}°, {:g}°", row.incidence.angle, row.incidence.azimuth);
    if (out_.wanted_rows > 1) out += fmt::format(", {} of {}", out_.rows.size() + 1, out_.wanted_rows);
    if (computed_ > 0)
      out += ", all in " +
             format_duration(computing_ / double(computed_) * double(out_.wanted_rows - out_.rows.size()));
    return out;
  }

  const Simulation& sim_;
  const Sweep& sweep_;
  Journal journal_;
  Media media_;
  Plan plan_;
  Sunlight light_;
  SweepState state_;
  std::unique_ptr<Engine> engine_;
  Fields fields_;  ///< kept: touching new pages of a large cell takes longer than filling old ones
  Outcome out_;
  double sent_back_ = 0;        ///< largest amplitude that an end sends back
  std::string least_absorbed_;  ///< where
  std::size_t rows_near_grazing_ = 0;
  std::string iteration_;               ///< of the last row
  std::string solving_;                 ///< the row and polarization
  std::string trouble_;                 ///< of the first solve in pseudo-time that did not converge
  double computing_ = 0, keeping_ = 0;  ///< s
  std::size_t computed_ = 0;
  Clock::time_point kept_ = Clock::now();
};

}  // namespace

Outcome run(const Simulation& sim, const RunObserver& observer, const Sweep& sweep) {
  return Run(sim, observer, sweep).all();
}

}  // namespace umov::fdtd::harmonic
