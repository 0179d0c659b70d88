// The one door to time-harmonic cells: a simulation in, its outcome out.
#include "fdtd/harmonic/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "fdtd/harmonic/engine.hpp"
#include "fdtd/harmonic/sunlight.hpp"
#include "front/journal.hpp"
#include "front/version.hpp"

namespace umov::fdtd::harmonic {

namespace {

class Run {
 public:
  Run(const Simulation& sim, const front::Observer& observer)
      : sim_(sim),
        journal_(observer),
        media_(sim),
        plan_(plan(sim)),
        light_(sim.spectrum.empty() ? am15g() : read_sunlight(sim.spectrum)) {}

  Outcome all() {
    const auto start = std::chrono::steady_clock::now();
    begin();
    const auto polarizations =
        sim_.polarization == Polarizations::both
            ? std::vector{Polarization::s, Polarization::p}
            : std::vector{sim_.polarization == Polarizations::s ? Polarization::s : Polarization::p};
    for (const auto p : polarizations) out_.spectra.push_back({p, {}});
    for (std::size_t w = 0; w < sim_.wavelengths.size(); ++w) wavelength(w);
    photons();
    out_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out_.warnings = journal_.warnings();
    out_.notes = journal_.notes();
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
    out_.top = g.source + 1;  // above there is no incident wave in the fields
    out_.planes = g.nz - g.absorbing[1] - out_.top;
    const auto [from, to] = plan_.cell.rough_planes();
    out_.rough_planes = to - from;
    out_.media.push_back("superstrate");
    for (const auto& layer : sim_.layers) out_.media.push_back(layer.name);
    out_.media.push_back("substrate");
    out_.interfaces.assign(plan_.cell.interfaces.size(), {});
    std::vector<double> depths;
    for (int i = 0; i < g.nx; ++i) {
      plan_.cell.interfaces_at(2, i, 0, depths);
      for (std::size_t n = 0; n < depths.size(); ++n) out_.interfaces[n].push_back(depths[n]);
    }
    if (journal_.observer().begun) journal_.observer().begun();
  }

  void wavelength(std::size_t w) {
    const double length = sim_.wavelengths[w], angle = sim_.angle * pi / 180;
    const auto media = media_.of_cell(sim_, length);
    const double along = 2 * pi / length * std::sqrt(media.front().real()) * std::sin(angle);
    const Problem problem = make_problem(plan_.cell, media, length, {along, 0});
    if (engine_)
      engine_->change(problem);
    else
      engine_ = make_engine(problem, plan_.request);
    out_.device = engine_->device_name();
    out_.backend = plan_.request.backend;
    for (auto& spectrum : out_.spectra) {
      const char name = spectrum.polarization == Polarization::s ? 's' : 'p';
      journal_.stage(fmt::format("{:g} um {}", length, name));
      IncidentWave wave;
      const auto layered = layered_field(problem, spectrum.polarization, wave);
      SolveOptions options;
      options.tolerance = sim_.tolerance;
      options.max_iterations = sim_.max_iterations;
      options.hook = [&](long iteration, double residual) {
        const auto& watch = journal_.observer().iteration;
        return !watch || watch(name, iteration, residual, sim_.tolerance);
      };
      options.series = int(spectrum.polarization);
      const auto report = engine_->solve(layered, options, fields_);
      if (report.interrupted)
        throw front::Interrupted("the run was stopped (nothing was saved); start it again");
      SpectrumPoint point{power_budget(plan_.cell, problem, fields_, wave),
                          grid_error(media, w, spectrum.polarization), report.iterations, report.residual,
                          report.converged};
      if (report.fell_back)
        journal_.note(
            fmt::format("at {:g} um, polarization {}, single precision led no further: the iteration "
                        "went on in double",
                        length, name));
      if (!report.converged && out_.converged) {
        out_.converged = false;
        out_.why_not = fmt::format(
            "at {:g} um, polarization {}, the residual is {:.1e} after {} iterations (the goal is "
            "{:.1e}); raise max_iterations, or see 'What is hard' in docs/guide/harmonic.md",
            length, name, report.residual, report.iterations, sim_.tolerance);
      }
      keep_cut(problem, fields_, wave, length, spectrum.polarization);
      spectrum.points.push_back(std::move(point));
    }
  }

  /// The cell without its textures on this grid against the exact solution.
  double grid_error(const std::vector<cplx>& media, std::size_t w, Polarization polarization) const {
    LayeredCell flat = plan_.cell;
    FlatStack stack{media.front().real(), {}, media.back()};
    for (auto& interface : flat.interfaces) interface.height.clear();
    for (std::size_t i = 0; i < sim_.layers.size(); ++i)
      stack.layers.push_back({sim_.layers[i].thickness, media[i + 1]});
    flat.grid.nx = flat.grid.ny = 1;
    const double length = sim_.wavelengths[w], angle = sim_.angle * pi / 180;
    const double along = 2 * pi / length * std::sqrt(stack.superstrate) * std::sin(angle);
    const Problem problem = make_problem(flat, media, length, {along, 0});
    IncidentWave wave;
    const Fields fields{layered_field(problem, polarization, wave)};
    const Budget grid = power_budget(flat, problem, fields, wave);
    const FlatResponse exact = flat_response(stack, length, angle, polarization);
    double most = std::abs(grid.reflection - exact.reflection);
    most = std::max(most, std::abs(grid.transmission + grid.absorption.back() - exact.transmission));
    for (std::size_t i = 0; i < exact.absorption.size(); ++i)
      most = std::max(most, std::abs(grid.absorption[i + 1] - exact.absorption[i]));
    return most;
  }

  void keep_cut(const Problem& problem, const Fields& fields, const IncidentWave& wave, double length,
                Polarization polarization) {
    if (std::none_of(sim_.fields_at.begin(), sim_.fields_at.end(),
                     [&](double w) { return std::abs(w - length) < 1e-9 * w; }))
      return;
    const Cut cut = cut_along_x(problem, fields, wave, 0);
    const auto part = [&](const std::vector<double>& v) {
      const auto from = v.begin() + std::ptrdiff_t(out_.top) * out_.grid.nx;
      return std::vector<double>(from, from + std::ptrdiff_t(out_.planes) * out_.grid.nx);
    };
    out_.cuts.push_back({length, polarization, part(cut.intensity), part(cut.absorption)});
  }

  void photons() {
    const Sunlight& light = light_;
    out_.light = light.name;
    if (sim_.wavelengths.size() < 2) return;
    if (sim_.wavelengths.front() < light.wavelength.front() ||
        sim_.wavelengths.back() > light.wavelength.back())
      journal_.note(fmt::format("the spectrum {} reaches from {:g} to {:g} um: beyond, it has no photons",
                                light.name, light.wavelength.front(), light.wavelength.back()));
    out_.photons = photon_weights(light, sim_.wavelengths);
    out_.generation.assign(out_.planes, 0);
    out_.currents.assign(out_.media.size(), 0);
    for (std::size_t w = 0; w < out_.photons.size(); ++w) {
      out_.available_current += current_per_photon * out_.photons[w];
      for (int k = 0; k < out_.planes; ++k)
        out_.generation[k] += out_.photons[w] * out_.mean(w, [&](const SpectrumPoint& p) {
          return p.budget.density[out_.top + k];
        });
      for (std::size_t m = 0; m < out_.media.size(); ++m)
        out_.currents[m] += current_per_photon * out_.photons[w] *
                            out_.mean(w, [&](const SpectrumPoint& p) { return p.budget.absorption[m]; });
    }
  }

  Simulation sim_;
  front::Journal journal_;
  Media media_;
  Plan plan_;
  Sunlight light_;
  std::unique_ptr<Engine> engine_;
  Fields fields_;  ///< kept: touching new pages of a large cell takes longer than filling old ones
  Outcome out_;
};

}  // namespace

Outcome run(const Simulation& sim, const front::Observer& observer) { return Run(sim, observer).all(); }

}  // namespace umov::fdtd::harmonic
