// The course of a dipole run: particle, problem, device.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.hpp"
#include "dda/memory.hpp"
#include "dda/observables/radiation_force.hpp"
#include "dda/polarizability.hpp"
#include "dda/run/course.hpp"
#include "dda/sources/beams.hpp"

namespace umov::dda {

namespace {

/// k d above which the radiative reaction that static polarizabilities lack, (2/3) (k d)^3 beside 4 pi/3,
/// shows.
constexpr double static_limit = 0.1;
/// 1/(k w0) up to which Gaussian beams are expanded with an error of a per cent in the fifth order (Barton
/// and Alexander 1989, J. Appl. Phys. 66, 2800).
constexpr double widest_expansion = 0.2;

}  // namespace

Outcome DdaRun::plan() {
  prepare();
  check_inputs();
  return std::move(out_);
}

Outcome DdaRun::run() {
  prepare();
  require_memory(out_);
  prepare_checkpoints();
  check_inputs();
  start_engine();
  if (observer_.begun) observer_.begun();
  if (sim_.orientation.average)
    average();
  else
    single_orientation();
  if (all_) warn_of_integrals();
  for (const auto& p : out_.polarizations)
    if (!p.finite()) {
      out_.converged = false;
      warn(fmt::format("the result of polarization {} is not a number ({}", p.name(), where_not_finite()));
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
  require_materials();
  k_ = 2 * pi / sim_.wavelength;
  check_case();
  problem_.particle = &out_.particle;
  problem_.wavenumber = k_;
  problem_.interaction = sim_.interaction;
  problem_.interaction_arguments = sim_.interaction_arguments;
  problem_.fft_grid = out_.fft_grid = transform_grid(out_.particle.box, sim_.fft_grid);
  problem_.tensor_on_host = sim_.tensor_on_host;
  orient(sim_.orientation);
  check_beam();
  // "auto" without a card means the cpu; with one the two estimates differ by little.
  out_.memory = estimate_memory(problem_, sim_.solver.name, sim_.precision,
                                sim_.backend == "auto" ? "cpu" : sim_.backend, sim_.threads);
  directions_needed();
}

/// What may bring NaN or infinity into this run, and what to do about it.
std::string DdaRun::where_not_finite() const {
  if (sim_.checkpoint.resume)
    return "the checkpoint it was continued from may hold NaN or infinity); run the case anew";
  if (sim_.solver.initial == InitialField::read)
    return "the start field may be too large for the precision); start from another one";
  return "lengths or refractive indices leave the range of the precision, or the solver diverged); give "
         "lengths "
         "nearer to 1 um, compute in double, or with another solver";
}

void DdaRun::check_inputs() {
  if (sim_.m.size() < std::size_t(out_.particle.materials)) return;  // a prognosis
  load_angles();
  if (sim_.orientation.average) load_orientation_angles(sim_.orientation.average_file);
  const InitialField initial = sim_.solver.initial;
  for (const char label : {'Y', 'X'}) {
    if (label == 'X' && one_solve_) break;
    polarizability(sim_, out_.particle.spacing, k_, frame_.propagation, frame_.polarization(label));
    if (sim_.beam.kind != BeamKind::plane) sources::incident_field(sim_, out_.particle, frame_, label);
    if (initial == InitialField::wkb || initial == InitialField::read) start_polarization(label);
  }
  SolveOptions unused;
  if (sim_.checkpoint.resume) checkpoint_options('Y', unused);
}

void DdaRun::require_materials() {
  const auto domains = std::size_t(out_.particle.materials), given = sim_.m.size();
  // ADDA's prognosis needs no refractive indices: those of the materials left out change nothing it prints.
  if (sim_.dry_run && sim_.front == Front::adda && given < domains) {
    warn(fmt::format("the particle has {} materials but {} refractive indices are given; a run will want all",
                     domains, given));
    return;
  }
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
  const double kd =
      k_ * std::max({out_.particle.spacing[0], out_.particle.spacing[1], out_.particle.spacing[2]});
  const auto pol = sim_.polarizability;
  if (kd > static_limit &&
      (pol == Polarizability::cm || pol == Polarizability::nloc || pol == Polarizability::nloc_av))
    warn(fmt::format(
        "the polarizability {} is static, it has no radiative reaction (k d = {:.3g}; from {:g} on Cabs is "
        "too "
        "small, even negative, and Cext is not Cabs + Csca); use a finer grid, or another polarizability",
        pol == Polarizability::cm     ? "cm"
        : pol == Polarizability::nloc ? "nloc"
                                      : "nloc_av",
        kd, static_limit));
  const double coarse = largest * kd;
  if (coarse > 1)
    warn(fmt::format(
        "the dipoles are too large for a wave in the particle: |m| k d = {:.3g} (1 is the usual limit, "
        "some 10 dipoles per wavelength inside are better); use a finer grid",
        coarse));
}

void DdaRun::check_beam() {
  const Beam& beam = sim_.beam;
  const bool gaussian =
      beam.kind == BeamKind::lminus || beam.kind == BeamKind::davis3 || beam.kind == BeamKind::barton5;
  if (gaussian && k_ * beam.width * widest_expansion < 1)
    warn(
        fmt::format("the beam is narrower than its expansion describes: 1/(k w0) = {:.3g} ({:g} is the usual "
                    "limit, where the "
                    "fields of barton5 are off by a per cent and those of lower orders by more); use a wider "
                    "beam, or a field from a file",
                    1 / (k_ * beam.width), widest_expansion));
  if (beam.kind != BeamKind::dipole || sim_.orientation.average) return;
  const auto& p = out_.particle;
  const double edge = std::max({p.spacing[0], p.spacing[1], p.spacing[2]});
  double nearest = INFINITY;
  for (const Vec3& r : dipole_positions(p)) nearest = std::min(nearest, norm(r - frame_.beam_center));
  if (nearest > 0 && nearest < edge)
    warn(fmt::format(
        "the exciting dipole is {:.3g} um from the nearest dipole of the particle (less than their distance, "
        "{:.3g} um: the field there is that of the lattice, not of the material); move it away or use a "
        "finer grid",
        nearest, edge));
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

void require_memory(const Outcome& plan) {
  if (plan.simulation.backend == "cuda") return;  // the card is asked when it is opened
  const std::size_t needed = total_bytes(plan.memory), there = available_memory();
  if (there > 0 && needed > there)
    throw BadInput(
        fmt::format("the run needs {:.1f} GB of memory but {:.1f} GB are available; use a coarser grid, "
                    "single precision (--ftype float) or a solver with fewer vectors (bicg)",
                    1e-9 * double(needed), 1e-9 * double(there)));
}

Outcome run(const Simulation& sim, const front::Observer& observer) { return DdaRun(sim, observer).run(); }

Outcome plan(const Simulation& sim) { return DdaRun(sim, {}).plan(); }

}  // namespace umov::dda
