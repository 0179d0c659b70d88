// The engine on one device and in one precision: owns the vectors, the operator and the solution.
#pragma once

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "dda/checkpoint.hpp"
#include "dda/engine.hpp"
#include "dda/kernels/fields.hpp"
#include "dda/lattice.hpp"
#include "linalg/krylov/drive.hpp"
#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

/// Seconds since some fixed moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The operator that Krylov solvers see: (I - S G S), with its products counted and timed.
template <class Dev, class T, class Conv>
struct DipoleOperator {
  Dev* dev;
  Conv* convolution;
  const Complex<T>* root;
  long products = 0;
  double seconds = 0;

  auto apply(const Complex<T>* x, Complex<T>* y, bool adjoint) {
    const double start = now();
    const auto sums = convolution->apply(root, x, y, adjoint);
    seconds += now() - start;
    ++products;
    return sums;
  }
};

template <class Dev, class T, template <class, class> class ConvolutionOf>
class EngineOn final : public Engine {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Conv = ConvolutionOf<Dev, T>;
  using Operator = DipoleOperator<Dev, T, Conv>;
  using Vector = typename Dev::template Array<C>;

 public:
  template <class... Args>
  explicit EngineOn(Args&&... args) : dev_(std::forward<Args>(args)...) {}

  void load(const Problem& problem) override {
    const PackedLattice packed(*problem.particle);
    k_ = problem.wavenumber;
    spacing_ = problem.particle->spacing;
    materials_ = problem.particle->materials;
    lattice_.emplace(dev_, packed);
    n_ = 3 * packed.dipoles;
    convolution_.emplace(dev_, problem, lattice_->view());
    incident_ = dev_.template allocate<C>(n_);
    polarization_ = dev_.template allocate<C>(n_);
    dev_.fill_zero(polarization_.data(), n_);
    root_ = dev_.template allocate<C>(3 * materials_);
    inverse_root_ = dev_.template allocate<C>(3 * materials_);
    fingerprint_ = {double(packed.box[0]),
                    double(packed.box[1]),
                    double(packed.box[2]),
                    double(packed.dipoles),
                    k_,
                    spacing_[0],
                    spacing_[1],
                    spacing_[2]};
  }

  void set_polarizability(std::span<const CVec3> alpha) override {
    std::vector<C> root, inverse;
    alpha_.assign(alpha.begin(), alpha.end());
    for (const auto& a : alpha)
      for (int c = 0; c < 3; ++c) {
        const std::complex<long double> s = std::sqrt(std::complex<long double>(a[c]));
        root.push_back(C(s));
        inverse.push_back(C(1.0L / s));
      }
    root.resize(3 * materials_);
    inverse.resize(3 * materials_);
    dev_.upload(root_.data(), root.data(), root.size());
    dev_.upload(inverse_root_.data(), inverse.data(), inverse.size());
  }

  void set_plane_wave(const Vec3& prop, const CVec3& e0) override {
    PlaneWave<T> wave{lattice_->view(), {}, {}, incident_.data()};
    for (int c = 0; c < 3; ++c) {
      wave.kn[c] = k_ * prop[c] * spacing_[c];
      wave.e0[c] = Complex<double>(e0[c]);
    }
    dev_.for_each(lattice_->view().words(), wave);
  }

  void set_incident(std::span<const CVec3> field) override { put(field, incident_); }
  void get_incident(std::span<CVec3> field) const override { get(incident_, field); }
  void get_polarization(std::span<CVec3> p) const override { get(polarization_, p); }
  void set_polarization(std::span<const CVec3> p) override { put(p, polarization_); }

  SolveReport solve(const SolveOptions& options) override {
    SolveReport report;
    bool known = false;
    krylov::for_each_solver([&](auto tag, const char*) {
      using Solver = typename decltype(tag)::template type<Dev, T, Operator>;
      if (options.solver != Solver::name) return;
      known = true;
      report = solve_with<Solver>(options);
    });
    if (!known) throw BadInput("unknown iterative solver '" + options.solver + "'");
    return report;
  }

  void residual(std::span<const CVec3> p, std::span<CVec3> out) override {
    Vector r = dev_.template allocate<C>(n_);
    if (p.empty()) {
      scale(root_, incident_.data(), r.data());
    } else {
      Vector x = dev_.template allocate<C>(n_), field = dev_.template allocate<C>(n_);
      put(p, field);
      scale(inverse_root_, field.data(), x.data());
      Operator op{&dev_, &*convolution_, root_.data()};
      residual_of(op, x.data(), r.data());
    }
    get(r, out);
  }

  cplx extinction_sum() const override {
    const auto s =
        dev_.template map_reduce<2, A>(n_, ProductWithConjugate<T>{polarization_.data(), incident_.data()});
    return {double(s.v[0]), double(s.v[1])};
  }

  std::vector<Vec3> polarization_norms() const override {
    std::vector<Vec3> sums;
    for (int m = 0; m < materials_; ++m) {
      const auto s = dev_.template map_reduce<3, A>(
          n_ / 3, NormsOfMaterial<T>{lattice_->view(), m, polarization_.data()});
      sums.push_back({double(s.v[0]), double(s.v[1]), double(s.v[2])});
    }
    return sums;
  }

  void far_field(std::span<const Vec3> n, std::span<CVec3> sums) const override {
    const LatticeView& l = lattice_->view();
    // enough sums at once to fill a GPU whether directions are few or many, and few enough to download
    const index_t batch = std::clamp<index_t>(index_t(n.size()), 1, 1024), planes = l.nx + l.ny + l.nz;
    const index_t chunks = std::clamp<index_t>(l.words() / 4, 1, (index_t(1) << 18) / batch);
    auto directions = dev_.template allocate<double>(3 * batch);
    auto factors = dev_.template allocate<Complex<double>>(planes * batch);
    auto partial = dev_.template allocate<Complex<double>>(3 * batch * chunks);
    std::vector<Complex<double>> host(3 * batch * chunks);
    for (std::size_t from = 0; from < n.size(); from += batch) {
      const index_t count = std::min<index_t>(batch, index_t(n.size() - from));
      dev_.upload(directions.data(), n[from].data(), 3 * count);
      dev_.for_each(planes * count, PhaseFactors{{l.nx, l.ny, l.nz},
                                                 count,
                                                 k_,
                                                 {spacing_[0], spacing_[1], spacing_[2]},
                                                 directions.data(),
                                                 factors.data()});
      dev_.for_each(count * chunks, FarFieldChunk<T>{l, (l.words() + chunks - 1) / chunks, count,
                                                     factors.data(), polarization_.data(), partial.data()});
      dev_.download(host.data(), partial.data(), 3 * count * chunks);
      for (index_t d = 0; d < count; ++d) sums[from + d] = {};
      for (index_t j = 0; j < chunks; ++j)
        for (index_t d = 0; d < count; ++d)
          for (int c = 0; c < 3; ++c)
            sums[from + d][c] += host[3 * (j * count + d) + c].template to_std<double>();
    }
  }

  std::vector<MemoryUse> memory() const override {
    auto list = convolution_->memory();
    list.push_back({"bit fields of the particle", lattice_->bytes()});
    list.push_back({"incident field and polarization", incident_.bytes() + polarization_.bytes()});
    list.push_back({"iterative solver", solver_bytes_});
    return list;
  }
  std::string backend_name() const override { return Dev::name; }
  std::string device_name() const override { return dev_.device_name(); }
  std::string transforms() const override { return convolution_ ? convolution_->transforms() : ""; }

 private:
  void put(std::span<const CVec3> from, Vector& to) {
    std::vector<C> soa(n_);
    const index_t dipoles = n_ / 3;
    for (index_t i = 0; i < dipoles; ++i)
      for (int c = 0; c < 3; ++c) soa[c * dipoles + i] = C(from[i][c]);
    dev_.upload(to.data(), soa.data(), n_);
  }

  void get(const Vector& from, std::span<CVec3> to) const {
    std::vector<C> soa(n_);
    dev_.download(soa.data(), from.data(), n_);
    const index_t dipoles = n_ / 3;
    for (index_t i = 0; i < dipoles; ++i)
      for (int c = 0; c < 3; ++c) to[i][c] = soa[c * dipoles + i].template to_std<double>();
  }

  void scale(const Vector& factor, const C* in, C* out) {
    dev_.for_each(n_ / 3, ScaleByMaterial<T>{lattice_->view(), factor.data(), in, out});
  }

  double norm2_of(const C* v) { return double(dev_.template map_reduce<1, A>(n_, krylov::Norm<T>{v}).v[0]); }

  /// r = S E_inc - A x; returns |r|^2.
  double residual_of(Operator& op, const C* x, C* r) {
    op.apply(x, r, false);
    return double(dev_.template map_reduce<1, A>(
                          n_ / 3, ResidualOfIncident<T>{lattice_->view(), root_.data(), incident_.data(), r})
                      .v[0]);
  }

  template <class Solver>
  SolveReport solve_with(const SolveOptions& options) {
    const double begin = now();
    Operator op{&dev_, &*convolution_, root_.data()};
    Vector& x = polarization_;  // scaled to P = S x at the end
    Vector r = dev_.template allocate<C>(n_);
    Solver solver(dev_, op, n_);
    solver_bytes_ = (1 + Solver::vectors) * x.bytes();
    scale(root_, incident_.data(), r.data());
    const double bb = norm2_of(r.data());
    SolveReport report;
    if (!(bb > 0) || !std::isfinite(bb))
      throw BadInput(
          std::string("the incident field times the polarizability is ") +
          (bb == 0 ? "zero at every dipole" : "no finite number") +
          " (the field is, or lengths and refractive indices leave the range of the precision); give "
          "lengths nearer to 1 um, or compute in double");

    auto fingerprint = fingerprint_;
    fingerprint.insert(fingerprint.end(), options.fingerprint.begin(), options.fingerprint.end());
    CheckpointFile<Dev, T> checkpoint(dev_, options.checkpoint_file, fingerprint, Solver::name);
    krylov::DriveOptions drive;
    drive.epsilon = options.epsilon;
    drive.max_iterations = options.max_iterations < 0 ? long(n_) : options.max_iterations;
    long done = 0;
    solver.attach(x.data(), r.data());
    if (options.resume) {
      done = checkpoint.load(solver, x, r, report);
      if (report.status == SolveStatus::converged && report.residual <= options.epsilon) {
        scale(root_, x.data(), polarization_.data());
        return report;
      }
      if (report.status == SolveStatus::converged)
        start_from(solver, op, x.data(), r.data(), residual_of(op, x.data(), r.data()));
    } else {
      const double rr = start_vector(op, options, x.data(), r.data(), bb, report);
      report.initial_residual = std::sqrt(rr / bb);
      report.history = {report.initial_residual};
      start_from(solver, op, x.data(), r.data(), rr);
    }
    double saved = now();
    drive.hook = [&](long iteration, double residual) {
      const bool go_on = !options.hook || options.hook(iteration, residual);
      const bool due = options.checkpoint_interval > 0 && now() - saved >= options.checkpoint_interval;
      if (!checkpoint.enabled() || (go_on && !due)) return go_on;
      saved = now();
      report.status = SolveStatus::interrupted;
      report.residual = residual;
      const auto save = [&] { checkpoint.save(solver, x, r, iteration, report); };
      if (!go_on) return save(), false;
      return !(attempt(save, options) && options.stop_at_checkpoint);
    };
    double best_true = -1;
    for (int round = 0;; ++round) {
      const auto outcome = krylov::drive(solver, bb, done, drive, report.history);
      done = outcome.iterations;
      report.status = SolveStatus(outcome.status);
      report.residual = outcome.residual;
      report.diagnosis = outcome.diagnosis;
      if (report.status == SolveStatus::interrupted) break;
      if (report.status == SolveStatus::iteration_limit && !options.recalculate_residual) break;
      // What the recurrence says is checked against b - A x; rounding can separate the two.
      const double rr = residual_of(op, x.data(), r.data());
      report.true_residual = std::sqrt(rr / bb);
      const bool good = report.true_residual <= 2 * options.epsilon;
      if (good || report.status == SolveStatus::iteration_limit) break;
      const bool improves = best_true < 0 || report.true_residual < 0.5 * best_true;
      const bool broke_down = report.status == SolveStatus::broke_down;
      if (improves) best_true = report.true_residual;
      // Not from where it has diverged to: a restart there has more to undo than one from zero.
      const bool aside = broke_down && report.true_residual <= std::max(1.0, report.initial_residual);
      if (round == 8 || !(improves || aside) || report.status == SolveStatus::stagnated) {
        settle(report, options);
        break;
      }
      start_from(solver, op, x.data(), r.data(), aside ? step_aside(op, x.data(), r.data(), rr) : rr);
    }
    report.iterations = done;
    if (checkpoint.enabled() && options.checkpoint_at_end && report.status != SolveStatus::interrupted)
      attempt([&] { checkpoint.save(solver, x, r, done, report); }, options);
    scale(root_, x.data(), polarization_.data());
    report.products = op.products;
    report.seconds = now() - begin;
    report.seconds_products = op.seconds;
    return report;
  }

  /// Starts the solver from x and r. A residual (all but) orthogonal to its own conjugate, as that of a plane
  /// wave in a cube of whole wavelengths, is one that no Lanczos recurrence without look-ahead can start
  /// from.
  template <class Solver>
  void start_from(Solver& solver, Operator& op, C* x, C* r, double rr) {
    const auto s = dev_.template map_reduce<3, A>(n_, krylov::BilinearAndNorm<T>{r});
    const A least = std::sqrt(A(std::numeric_limits<T>::epsilon())) * s.v[2];
    if (s.v[0] * s.v[0] + s.v[1] * s.v[1] < least * least) rr = step_aside(op, x, r, rr);
    solver.start(x, r, rr);
  }

  /// Steps of least residual along r: what A adds to it leads out of such places.
  double step_aside(Operator& op, C* x, C* r, double rr) {
    Vector q = dev_.template allocate<C>(n_);
    for (int step = 0; step < 3; ++step) {
      const auto product = op.apply(r, q.data(), false);
      if (!(product.yy > 0)) break;
      const Complex<A> alpha = (A(1) / product.yy) * conj(product.xhy);
      rr = double(dev_.template map_reduce<1, A>(n_, krylov::StepAlong<T>{C(alpha), r, q.data(), x, r}).v[0]);
    }
    return rr;
  }

  /// A save that fails must not cost the run: it is reported and tried again when the next is due.
  template <class Save>
  static bool attempt(const Save& save, const SolveOptions& options) {
    try {
      save();
      return true;
    } catch (const Error& e) {
      if (options.warn) options.warn(std::string(e.what()) + "; the run goes on without this checkpoint");
      return false;
    }
  }

  /// The recurrence ended, the true residual stays above the goal and a restart does not help.
  static void settle(SolveReport& report, const SolveOptions& options) {
    if (report.status != SolveStatus::converged) return;
    const double rounding = 100 * double(std::numeric_limits<T>::epsilon());
    if (report.true_residual <= 10 * options.epsilon && options.epsilon <= rounding) return;
    report.status = SolveStatus::stagnated;
    report.diagnosis = krylov::rounding_limit(report.true_residual, !std::is_same_v<T, float>);
  }

  /// Chooses x and leaves r = b - A x; on entry r = b. Returns |r|^2.
  double start_vector(Operator& op, const SolveOptions& options, C* x, C* r, double bb, SolveReport& report) {
    const auto zero = [&] {
      dev_.fill_zero(x, n_);
      scale(root_, incident_.data(), r);
      report.start = "x_0 = 0";
      return bb;
    };
    if (options.initial == InitialField::zero) return zero();
    if (options.initial == InitialField::wkb || options.initial == InitialField::read) {
      Vector field = dev_.template allocate<C>(n_);
      put(*options.initial_field, field);
      scale(inverse_root_, field.data(), x);
      report.start = options.initial == InitialField::wkb ? "x_0 = result of WKB" : "x_0 from file";
      return residual_of(op, x, r);
    }
    dev_.for_each(n_, krylov::Copy<T>{r, x});
    report.start = "x_0 = E_inc";
    const double rr = residual_of(op, x, r);
    if (options.initial == InitialField::automatic && rr >= bb) return zero();
    return rr;
  }

  mutable Dev dev_;
  std::optional<DeviceLattice<Dev>> lattice_;
  std::optional<Conv> convolution_;
  Vector incident_, polarization_, root_, inverse_root_;
  std::vector<CVec3> alpha_;
  Vec3 spacing_{};
  double k_ = 1;
  int materials_ = 1;
  index_t n_ = 0;
  std::size_t solver_bytes_ = 0;
  std::vector<double> fingerprint_;
};

}  // namespace umov::dda
