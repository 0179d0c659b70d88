// The course of a dipole run: particle, problem, device.
#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"
#include "dda/memory.hpp"
#include "dda/polarizability.hpp"
#include "dda/run/course.hpp"

namespace umov::run {

Outcome DdaRun::plan() {
  prepare();
  return std::move(out_);
}

Outcome DdaRun::run() {
  prepare();
  require_memory();
  prepare_checkpoints();
  start_engine();
  if (sim_.orientation.average)
    average();
  else
    single_orientation();
  for (const auto& p : out_.polarizations)
    if (!p.finite()) {
      out_.converged = false;
      warn(fmt::format(
          "the result of polarization {} is not a number (the solver's state holds NaN or infinity); start "
          "without a checkpoint or start field, or with another solver",
          p.name()));
    }
  out_.memory = engine_->memory();
  time("total", begin_);
  return std::move(out_);
}

void DdaRun::prepare() {
  for (const auto& text : sim_.warnings) warn(text);
  for (const auto& text : check_formulation(sim_)) warn(text);
  const double start = now();
  stage("particle");
  out_.particle = shapes::make_particle(sim_.shape);
  time("particle", start);
  for (const auto& text : out_.particle.warnings) warn(text);
  if (!sim_.dry_run) require_materials();
  k_ = 2 * pi / sim_.wavelength;
  check_case();
  problem_.particle = &out_.particle;
  problem_.wavenumber = k_;
  problem_.interaction = sim_.interaction;
  problem_.interaction_arguments = sim_.interaction_arguments;
  problem_.fft_grid = out_.fft_grid = transform_grid(out_.particle.box, sim_.fft_grid);
  problem_.tensor_on_host = sim_.tensor_on_host;
  orient(sim_.orientation);
  // "auto" without a card means the cpu; with one the two estimates differ by little.
  out_.memory = estimate_memory(problem_, sim_.solver.name, sim_.precision,
                                sim_.backend == "auto" ? "cpu" : sim_.backend, sim_.threads);
  directions_needed();
}

void DdaRun::require_materials() const {
  const auto domains = std::size_t(out_.particle.materials), given = sim_.m.size();
  if (given < domains)
    throw BadInput(
        fmt::format("the particle has {} materials but {} refractive ind{} given (option m); give one "
                    "per material",
                    domains, given, given == 1 ? "ex is" : "ices are"));
  if (given > domains)
    throw BadInput(
        fmt::format("{} refractive indices are given (option m) but the particle has {} material{}; "
                    "leave out the rest",
                    given, domains, domains == 1 ? "" : "s"));
}

void DdaRun::check_case() {
  double largest = 0;
  for (std::size_t i = 0; i < sim_.m.size(); ++i) {
    for (const cplx& m : sim_.m[i]) largest = std::max(largest, std::abs(m));
    const auto gains = [](cplx m) { return (m * m).imag() < 0; };
    const auto m = std::find_if(sim_.m[i].begin(), sim_.m[i].end(), gains);
    if (m == sim_.m[i].end()) continue;
    warn(fmt::format(
        "material {} with m = {:g}{:+g}i amplifies the light (with the time dependence exp(-i omega t) "
        "absorption is a positive imaginary part); change the sign if it should absorb",
        i + 1, m->real(), m->imag()));
  }
  const double coarse =
      largest * k_ * std::max({out_.particle.spacing[0], out_.particle.spacing[1], out_.particle.spacing[2]});
  if (coarse > 1)
    warn(fmt::format(
        "the dipoles are too large for a wave in the particle: |m| k d = {:.3g} (1 is the usual limit, "
        "some 10 dipoles per wavelength inside are better); use a finer grid",
        coarse));
}

void DdaRun::check_machine() {
  const auto unused = [&](const char* what) {
    warn(fmt::format("{} is without effect (the run is on the {} backend; only cuda reads it)", what,
                     out_.backend));
  };
  if (out_.backend == "cuda") return;
  if (sim_.tensor_on_host) unused("tensor_on_host");
  if (sim_.blocking_sync) unused("blocking_sync");
}

void DdaRun::require_memory() const {
  if (sim_.backend == "cuda") return;  // the card is asked when it is opened
  const std::size_t needed = total_bytes(out_.memory), there = available_memory();
  if (there > 0 && needed > there)
    throw BadInput(
        fmt::format("the run needs {:.1f} GB of memory but {:.1f} GB are available; use a coarser grid, "
                    "single precision (--ftype float) or a solver with fewer vectors (bicg)",
                    1e-9 * double(needed), 1e-9 * double(there)));
}

void DdaRun::start_engine() {
  stage("interaction tensor");
  const double start = now();
  engine_ = make_engine({sim_.backend, sim_.device, sim_.threads, sim_.precision, sim_.blocking_sync});
  engine_->load(problem_);
  out_.device = engine_->device_name();
  out_.backend = engine_->backend_name();
  out_.transforms = engine_->transforms();
  check_machine();
  time("interaction tensor", start);
}

void DdaRun::orient(const Orientation& orientation) {
  frame_ = make_beam_frame(sim_.propagation, orientation, sim_.beam.center);
  out_.propagation = laboratory_frame(sim_.propagation).propagation;
  out_.propagation_particle = frame_.propagation;
  // A field from a file may be anything; only the user can know that it has a symmetry.
  const auto shape = sim_.beam.kind == BeamKind::read ? shapes::Symmetry{} : out_.particle.symmetry;
  symmetry_ = scattering_symmetry(shape, frame_, sim_.m, sim_.symmetry);
}

void DdaRun::directions_needed() {
  const Outputs& o = sim_.outputs;
  matrices_ = o.mueller || o.amplitude || o.efield;
  grid_wanted_ = matrices_ && (o.store_scat_grid || o.phi_integr);
  const bool plane = matrices_ && (o.yz || o.scat_plane || !grid_wanted_);
  if (plane) plane_ = o.scat_plane ? Plane::scat : Plane::yz;
  one_solve_ = symmetry_.rotation_z && !grid_wanted_ && !sim_.orientation.average;
  out_.symmetry_used = one_solve_;
  if (one_solve_) {
    for (const auto* file : {&sim_.beam.file_x, &sim_.solver.initial_file_x})
      if (!file->empty())
        warn(fmt::format("'{}' is not read (symmetry gives the second polarization from the first)", *file));
  }
  if (!one_solve_ && sim_.beam.kind == BeamKind::read && sim_.beam.file_x.empty())
    throw BadInput(
        "one file of the incident field is given but two polarizations are needed (the particle's symmetry "
        "does not give the second); name a file for each, or enforce the symmetry");
  if (!one_solve_ && sim_.solver.initial == InitialField::read && sim_.solver.initial_file_x.empty())
    throw BadInput(
        "one file of the start field is given but two polarizations are needed (the particle's symmetry does "
        "not give the second); name a file for each");
}

Outcome run_dda(const Simulation& sim, const Observer& observer) { return DdaRun(sim, observer).run(); }

Outcome plan_dda(const Simulation& sim) { return DdaRun(sim, {}).plan(); }

}  // namespace umov::run
