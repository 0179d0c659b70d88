// The course of a dipole run: particle, problem, a solve per incident polarization, observables.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "core/memory.hpp"
#include "dda/memory.hpp"
#include "dda/observables/cross_sections.hpp"
#include "dda/observables/orientation_average.hpp"
#include "dda/observables/phi_integration.hpp"
#include "dda/observables/radiation_force.hpp"
#include "dda/observables/scattering.hpp"
#include "dda/polarizability.hpp"
#include "run/run.hpp"
#include "sources/beams.hpp"

namespace umov::run {

using namespace dda;

namespace {

class DdaRun {
 public:
  DdaRun(const Simulation& sim, const Observer& observer) : sim_(sim), observer_(observer) {
    out_.simulation = sim;
    out_.version = UMOV_VERSION;
  }

  Outcome plan() {
    prepare();
    return std::move(out_);
  }

  Outcome run() {
    prepare();
    require_memory();
    start_engine();
    if (sim_.orientation.average)
      average();
    else
      single_orientation();
    out_.memory = engine_->memory();
    time("total", begin_);
    return std::move(out_);
  }

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void stage(const std::string& text) const {
    if (observer_.stage) observer_.stage(text);
  }
  void time(const std::string& name, double since) {
    for (auto& t : out_.timings)
      if (t.name == name) {
        t.seconds += now() - since;
        return;
      }
    out_.timings.push_back({name, now() - since});
  }

  /// Everything that needs no device: checks, particle, frames, grid, memory.
  void prepare() {
    warnings_ = check_formulation(sim_);
    const double start = now();
    stage("particle");
    out_.particle = shapes::make_particle(sim_.shape);
    time("particle", start);
    require_materials();
    k_ = 2 * pi / sim_.wavelength;
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

  void require_materials() const {
    const auto domains = std::size_t(out_.particle.materials), given = sim_.m.size();
    if (given < domains)
      throw BadInput(fmt::format("the particle has {} materials but {} refractive ind{} given (option m); give one "
                                 "per material", domains, given, given == 1 ? "ex is" : "ices are"));
    if (given > domains)
      throw BadInput(fmt::format("{} refractive indices are given (option m) but the particle has {} material{}; "
                                 "leave out the rest", given, domains, domains == 1 ? "" : "s"));
  }

  void require_memory() const {
    if (sim_.backend == "cuda") return;  // the card is asked when it is opened
    const std::size_t needed = total_bytes(out_.memory), there = available_memory();
    if (there > 0 && needed > there)
      throw BadInput(fmt::format("the run needs {:.1f} GB of memory but {:.1f} GB are available; use a coarser grid, "
                                 "single precision (--ftype float) or a solver with fewer vectors (bicg)",
                                 1e-9 * double(needed), 1e-9 * double(there)));
  }

  void start_engine() {
    stage("interaction tensor");
    const double start = now();
    engine_ = make_engine({sim_.backend, sim_.device, sim_.threads, sim_.precision, sim_.blocking_sync});
    engine_->load(problem_);
    out_.device = engine_->device_name();
    out_.backend = engine_->backend_name();
    time("interaction tensor", start);
  }

  void orient(const Orientation& orientation) {
    frame_ = make_beam_frame(sim_.propagation, orientation);
    const auto lab = laboratory_frame(sim_);
    incident_ = particle_frame(lab, rotation_to_particle(orientation.alpha, orientation.beta, orientation.gamma));
    out_.propagation = lab.propagation;
    out_.propagation_particle = incident_.propagation;
    symmetry_ = scattering_symmetry(out_.particle.symmetry, frame_, incident_.beam_center, sim_.m, sim_.symmetry);
  }

  void directions_needed() {
    const Outputs& o = sim_.outputs;
    matrices_ = o.mueller || o.amplitude || o.efield;
    grid_wanted_ = matrices_ && (o.store_scat_grid || o.phi_integr);
    const bool plane = matrices_ && (o.yz || o.scat_plane || !grid_wanted_);
    if (plane) plane_ = o.scat_plane ? Plane::scat : Plane::yz;
    one_solve_ = symmetry_.rotation_z && !grid_wanted_ && !sim_.orientation.average;
    out_.symmetry_used = one_solve_;
  }

  // --- one orientation ---

  void single_orientation() {
    const int labels = one_solve_ ? 1 : 2;
    observe();
    for (int i = 0; i < labels; ++i) solve_and_observe("YX"[i]);
    if (one_solve_) amplitudes_[1] = turned_;
    tabulate();
  }

  void observe() {
    const Outputs& o = sim_.outputs;
    if (plane_) {
      const int intervals = o.ntheta ? o.ntheta : default_theta_intervals(out_.particle.sites());
      const Vec3 in_plane = *plane_ == Plane::yz ? frame_.pol_y : frame_.plane_x;
      plane_directions_ = observe_plane(frame_, *plane_, intervals, needs_full_circle(symmetry_, in_plane));
    }
    if (grid_wanted_) {
      grid_ = load_scattering_grid(o.scat_grid_file, o.phi_integr != 0);
      grid_directions_ = observe_grid(frame_, *grid_);
    }
    if (o.csca || o.vec || o.asym) {
      all_ = load_all_directions(o.alldir_file);
      out_.angle_notes.push_back(describe(*all_));
    }
    if (grid_) out_.angle_notes.push_back(describe(*grid_));
  }

  void solve_and_observe(char label) {
    const int which = label == 'Y' ? 0 : 1;
    PolarizationResult result = solve(label);
    const auto sums = far_field();
    double start = now();
    stage(fmt::format("scattered field, {} polarization", label));
    if (plane_) {
      amplitudes_[which].plane = observed_amplitudes(sums, scale(), frame_, plane_directions_);
      if (one_solve_) turned_.plane = observed_amplitudes(sums, scale(), frame_, plane_directions_, true);
    }
    if (grid_wanted_) amplitudes_[which].grid = observed_amplitudes(sums, scale(), frame_, grid_directions_);
    time("scattered field", start);
    start = now();
    cross_sections(label, sums, result);
    time("cross sections", start);
    keep_fields(result);
    out_.polarizations.push_back(std::move(result));
  }

  PolarizationResult solve(char label) {
    PolarizationResult result;
    result.label = label;
    const auto lab = laboratory_frame(sim_);
    result.inc_pol = lab.polarization(label);
    result.alpha = polarizability(sim_, out_.particle.spacing, k_, incident_.propagation, incident_.polarization(label));
    engine_->set_polarizability(result.alpha);
    double start = now();
    set_incident(label);
    time("incident field", start);
    stage(fmt::format("solve, {} polarization", label));
    start = now();
    result.solve = engine_->solve(solve_options(label));
    time("solve", start);
    if (result.solve.status == SolveStatus::interrupted) interrupted(label);
    if (result.solve.status != SolveStatus::converged) out_.converged = false;
    return result;
  }

  void set_incident(char label) {
    const Vec3& center = incident_.beam_center;
    if (sim_.beam.kind == BeamKind::plane && norm(center) == 0) {
      const Vec3& e = incident_.polarization(label);
      engine_->set_plane_wave(incident_.propagation, {e[0], e[1], e[2]});
    } else {
      engine_->set_incident(sources::incident_field(sim_, out_.particle, incident_, label));
    }
  }

  SolveOptions solve_options(char label) {
    SolveOptions o;
    o.solver = sim_.solver.name;
    o.epsilon = sim_.solver.epsilon;
    o.max_iterations = sim_.solver.max_iterations;
    o.initial = sim_.solver.initial;
    o.recalculate_residual = sim_.solver.recalculate_residual;
    if (o.initial == InitialField::wkb || o.initial == InitialField::read) {
      start_ = start_polarization(label);
      o.initial_field = &start_;
    }
    if (observer_.iteration)
      o.hook = [this, label](long iteration, double residual) {
        return observer_.iteration(label, iteration, residual, sim_.solver.epsilon);
      };
    const Checkpointing& c = sim_.checkpoint;
    if (c.kind != CheckpointKind::none || c.resume) {
      o.checkpoint_file = checkpoint_file(label);
      if (c.kind != CheckpointKind::none) o.checkpoint_interval = c.interval;
      o.resume = c.resume && std::filesystem::exists(o.checkpoint_file);
      if (c.resume && !o.resume && label == 'Y')
        throw BadInput(fmt::format("no checkpoint to continue from ({} is missing)", o.checkpoint_file));
      // The first polarization is kept too: a run killed during the second must not solve it again.
      o.checkpoint_at_end = c.kind == CheckpointKind::always || (c.kind != CheckpointKind::none && !one_solve_);
    }
    return o;
  }

  std::string checkpoint_file(char label) const {
    return (std::filesystem::path(sim_.checkpoint.directory) / fmt::format("checkpoint-{}", label)).string();
  }

  [[noreturn]] void interrupted(char label) const {
    if (sim_.checkpoint.kind == CheckpointKind::none)
      throw Interrupted("interrupted; no checkpoint was asked for, nothing is kept");
    throw Interrupted(fmt::format("interrupted; the state is in {}, continue with --resume {}", checkpoint_file(label),
                                  sim_.checkpoint.directory));
  }

  /// V chi E per dipole for a start field E inside the particle.
  std::vector<CVec3> start_polarization(char label) const {
    const bool x = label == 'X' && !sim_.solver.initial_file_x.empty();
    auto field = sim_.solver.initial == InitialField::wkb
                     ? sources::wkb_field(sim_, out_.particle, incident_, label)
                     : sources::read_field(x ? sim_.solver.initial_file_x : sim_.solver.initial_file_y,
                                           out_.particle.dipoles());
    for_each_dipole([&](std::size_t i, int material) {
      for (int c = 0; c < 3; ++c) field[i][c] *= susceptibility(material, c);
    });
    return field;
  }

  /// V (m^2 - 1)/(4 pi): polarization of a dipole per unit internal field (um^3).
  cplx susceptibility(int material, int c) const {
    const cplx m = sim_.m[material][c];
    return out_.particle.dipole_volume() * (m * m - 1.0) / (4 * pi);
  }

  template <class F>
  void for_each_dipole(const F& f) const {
    std::size_t i = 0;
    for (const int m : out_.particle.material)
      if (m) f(i++, m - 1);
  }

  FarFieldSums far_field() const {
    return [this](std::span<const Vec3> n, std::span<CVec3> sums) { engine_->far_field(n, sums); };
  }
  FarFieldScale scale() const { return {k_, sim_.formula, out_.particle.spacing}; }

  void cross_sections(char label, const FarFieldSums& sums, PolarizationResult& result) {
    stage(fmt::format("cross sections, {} polarization", label));
    const Outputs& o = sim_.outputs;
    extinction_and_absorption(label, sums, result.alpha, result.cross);
    if (all_) {
      auto integrals = integrate_scattering(sums, scale(), frame_, *all_, o.csca, o.vec || o.asym, label);
      result.cross.csca = integrals.csca;
      result.cross.csca_g = integrals.csca_g;
      result.integration_logs = std::move(integrals.logs);
    }
    if (o.cpr || o.store_force) forces(result);
    if (sim_.beam.kind == BeamKind::dipole) {
      std::vector<CVec3> p(out_.particle.dipoles()), e(p.size());
      engine_->get_polarization(p);
      engine_->get_incident(e);
      result.cross.decay = decay_rates(k_, p, e, result.cross.cabs);
    }
  }

  void extinction_and_absorption(char label, const FarFieldSums& sums, const std::vector<CVec3>& alpha,
                                 CrossSections& cross) {
    const Vec3& prop = incident_.propagation;
    if (sources::extinction_from_incident_field(sim_)) {
      cross.cext = extinction_from_sum(scale(), prop, engine_->extinction_sum());
    } else {
      CVec3 forward;
      sums(std::span(&prop, 1), std::span(&forward, 1));
      cross.cext = extinction_forward(scale(), prop, incident_.polarization(label), forward);
    }
    const auto multipliers = cabs_multiplier(sim_, alpha, out_.particle.spacing, k_);
    cross.cabs = absorption(k_, multipliers, engine_->polarization_norms());
  }

  void forces(PolarizationResult& result) {
    const std::size_t n = out_.particle.dipoles();
    std::vector<CVec3> p(n), e(n);
    engine_->get_polarization(p);
    engine_->get_incident(e);
    auto f = radiation_forces(dipole_positions(out_.particle), p, e, k_, incident_.propagation);
    set_force_cross_sections(f, frame_, result.cross);
    if (sim_.outputs.store_force) result.force = std::move(f.per_dipole);
  }

  void keep_fields(PolarizationResult& result) const {
    const Outputs& o = sim_.outputs;
    const std::size_t n = out_.particle.dipoles();
    if (o.store_beam) {
      result.incident.resize(n);
      engine_->get_incident(result.incident);
    }
    if (!o.store_dip_pol && !o.store_int_field && !o.hdf5 && !o.pictures) return;
    result.polarization.resize(n);
    engine_->get_polarization(result.polarization);
    result.internal_field = result.polarization;
    for_each_dipole([&](std::size_t i, int material) {
      for (int c = 0; c < 3; ++c) result.internal_field[i][c] /= susceptibility(material, c);
    });
  }

  void tabulate() {
    if (plane_) out_.plane = scattering_rows(frame_, plane_directions_, amplitudes_[0].plane, amplitudes_[1].plane);
    if (!grid_wanted_) return;
    out_.grid = scattering_rows(frame_, grid_directions_, amplitudes_[0].grid, amplitudes_[1].grid);
    if (sim_.outputs.phi_integr)
      out_.phi_integrals = integrate_over_phi(sim_.outputs.phi_integr, *grid_, out_.grid);
  }

  // --- average over orientations ---

  void average() {
    AverageRequest request;
    request.angles = load_orientation_angles(sim_.orientation.average_file);
    request.plane = plane_.value_or(Plane::yz);
    if (matrices_)
      request.theta_intervals =
          sim_.outputs.ntheta ? sim_.outputs.ntheta : default_theta_intervals(out_.particle.sites());
    out_.angle_notes.push_back(describe(request.angles));
    const auto averaged = average_over_orientations(request, [&](double beta, double gamma) {
      orient({0, beta, gamma, false, ""});
      OrientedScattering s;
      s.frame = frame_;
      s.y = oriented('Y', request);
      s.x = oriented('X', request);
      return s;
    });
    PolarizationResult mean;
    mean.label = ' ';
    mean.cross.cext = averaged.cext;
    mean.cross.cabs = averaged.cabs;
    out_.polarizations = {mean};
    out_.orientation_log = averaged.log.text;
    for (std::size_t i = 0; i < averaged.theta.size(); ++i) {
      ScatteringRow row;
      row.theta = averaged.theta[i];
      row.mueller = averaged.mueller[i];
      out_.plane.push_back(row);
    }
  }

  OrientedPolarization oriented(char label, const AverageRequest& request) {
    const auto result = solve(label);
    const auto sums = far_field();
    CrossSections cross;
    extinction_and_absorption(label, sums, result.alpha, cross);
    OrientedPolarization o{cross.cext, cross.cabs, {}};
    if (request.theta_intervals) o.amplitudes = amplitudes_for_alphas(sums, scale(), frame_, request);
    return o;
  }

  struct Amplitudes {
    std::vector<CVec3> plane, grid;
  };

  const Simulation& sim_;
  const Observer& observer_;
  Outcome out_;
  Problem problem_;
  std::unique_ptr<Engine> engine_;
  double k_ = 1, begin_ = now();
  BeamFrame frame_;
  IncidentFrame incident_;
  shapes::Symmetry symmetry_;
  bool matrices_ = false, grid_wanted_ = false, one_solve_ = false;
  std::optional<Plane> plane_;
  std::vector<Observation> plane_directions_, grid_directions_;
  std::optional<ScatteringGrid> grid_;
  std::optional<AllDirections> all_;
  Amplitudes amplitudes_[2], turned_;
  std::vector<CVec3> start_;
  std::vector<std::string> warnings_;
};

}  // namespace

Outcome run_dda(const Simulation& sim, const Observer& observer) { return DdaRun(sim, observer).run(); }

Outcome plan_dda(const Simulation& sim) { return DdaRun(sim, {}).plan(); }

}  // namespace umov::run
