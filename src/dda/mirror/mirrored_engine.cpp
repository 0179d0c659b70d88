// Solves in sectors: parts of the incident field, one solve each, the polarizations together again.
#include "dda/mirror/mirrored_engine.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "dda/mirror/images.hpp"

namespace umov::dda {

std::string sector_name(const Parity& parity) {
  std::string name;
  for (int a = 0; a < 3; ++a)
    if (parity[a] != 0)
      name += std::string(name.empty() ? "" : ", ") + "xyz"[a] + (parity[a] > 0 ? " even" : " odd");
  return name;
}

namespace {

using Field = std::vector<CVec3>;

class MirroredEngine final : public Engine {
 public:
  MirroredEngine(const EngineRequest& request, const Planes& planes)
      : planes_(planes), precision_(request.precision), whole_(make_engine(request)) {
    EngineRequest same = request;
    same.backend = whole_->backend_name();
    sector_ = make_engine(same);
  }

  void load(const Problem& problem) override {
    fraction_ = take_fraction(*problem.particle, planes_);
    images_ = std::make_unique<Images>(*problem.particle, fraction_);
    dipoles_ = problem.particle->dipoles();
    Problem part = problem, fields = problem;
    part.fraction = &fraction_;
    fields.fields_only = true;
    fields.inner_float = false;
    sector_->load(part);
    whole_->load(fields);
  }

  void set_polarizability(std::span<const CVec3> alpha) override {
    alpha_.assign(alpha.begin(), alpha.end());
    whole_->set_polarizability(alpha);
  }
  void set_plane_wave(const Vec3& prop, const CVec3& e0) override { whole_->set_plane_wave(prop, e0); }
  void set_incident(std::span<const CVec3> field) override { whole_->set_incident(field); }
  void get_incident(std::span<CVec3> field) const override { whole_->get_incident(field); }
  /// While a sector is solved for: what the sectors before have given, and where this one is.
  void get_polarization(std::span<CVec3> p) const override {
    if (!so_far_) return whole_->get_polarization(p);
    Field part(images_->dipoles());
    sector_->get_polarization(part);  // not times S yet
    const double root = std::sqrt(double(fraction_.all_images()));
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto& kind = fraction_.kinds[images_->kind(i)];
      const Vec3 weights = fraction_.weights(kind);
      for (int c = 0; c < 3; ++c)
        part[i][c] *= weights[c] * root / fraction_.images(kind) * std::sqrt(alpha_[kind.material][c]);
    }
    std::copy(so_far_->begin(), so_far_->end(), p.begin());
    images_->add(part, p);
  }
  void set_polarization(std::span<const CVec3> p) override { whole_->set_polarization(p); }
  cplx extinction_sum() const override { return whole_->extinction_sum(); }
  std::vector<Vec3> polarization_norms() const override { return whole_->polarization_norms(); }
  void far_field(std::span<const Vec3> n, std::span<CVec3> sums) const override {
    whole_->far_field(n, sums);
  }
  std::string backend_name() const override { return whole_->backend_name(); }
  std::string device_name() const override { return whole_->device_name(); }
  std::string transforms() const override { return sector_->transforms(); }

  std::vector<MemoryUse> memory() const override {
    auto list = sector_->memory();
    for (const MemoryUse& use : whole_->memory()) {
      const auto same = std::find_if(list.begin(), list.end(), [&](auto& u) { return u.name == use.name; });
      if (same != list.end()) same->bytes += use.bytes;
    }
    list.push_back({"parts of the fields", dipoles_ * (sizeof(std::uint32_t) + 3 * sizeof(CVec3))});
    return list;
  }

  SolveReport solve(const SolveOptions& options) override {
    const Field incident = incident_field();
    const std::vector<Sector> sectors = excited_sectors(incident);
    if (!options.resume) remove_states(options, sectors.size());
    Field polarization(dipoles_, CVec3{});
    const SoFar so_far(so_far_, polarization);
    Progress progress(sectors);
    for (std::size_t i = 0; i < sectors.size(); ++i) {
      const SolveReport part = solve_sector(options, sectors, i, incident, progress);
      progress.take(part, i);
      if (part.status == SolveStatus::interrupted) return progress.report;
      Field p(images_->dipoles());
      sector_->get_polarization(p);
      const double root = std::sqrt(double(fraction_.all_images()));
      images_->scale(p, [&](const auto& kind) { return root / fraction_.images(kind); });
      images_->add(p, polarization);
    }
    whole_->set_polarization(polarization);
    return progress.report;
  }

  void residual(std::span<const CVec3> p, std::span<CVec3> r) override {
    const Field incident = incident_field();
    std::fill(r.begin(), r.end(), CVec3{});
    for (const Parity& parity : sectors_of(planes_)) {
      enter(parity, incident);
      Field x, part(images_->dipoles());
      if (!p.empty()) x = start_of(p);
      sector_->residual(x, part);
      images_->scale(part, [&](const auto& kind) { return 1 / std::sqrt(double(fraction_.images(kind))); });
      images_->add(part, r);
    }
  }

 private:
  /// Shows the polarizations of the sectors so far as long as it lives.
  struct SoFar {
    SoFar(const Field*& place, const Field& field) : place(place) { place = &field; }
    ~SoFar() { place = nullptr; }
    SoFar(const SoFar&) = delete;
    SoFar& operator=(const SoFar&) = delete;
    const Field*& place;
  };
  struct Sector {
    Parity parity;
    double norm2;  ///< of its right-hand side
  };

  /// The report of the whole as its sectors come in: their residuals are orthogonal, so that squares add up;
  /// a sector not yet solved for has that of x = 0.
  struct Progress {
    explicit Progress(const std::vector<Sector>& sectors) : sectors(sectors), squares(sectors.size()) {
      for (std::size_t i = 0; i < sectors.size(); ++i) whole += squares[i] = sectors[i].norm2;
    }
    /// Relative residual of the whole when sector i has this one.
    double residual(std::size_t i, double of_sector) const {
      double sum = of_sector * of_sector * sectors[i].norm2;
      for (std::size_t j = 0; j < squares.size(); ++j)
        if (j != i) sum += squares[j];
      return std::sqrt(sum / whole);
    }
    void take(const SolveReport& part, std::size_t i) {
      const double of_sector = part.true_residual >= 0 ? part.true_residual : part.residual;
      // where a later sector begins, the one before has ended
      for (std::size_t k = i == 0 ? 0 : 1; k < part.history.size(); ++k)
        report.history.push_back(residual(i, part.history[k]));
      if (i == 0) {
        report.start = part.start;
        report.initial_residual = residual(0, part.initial_residual);
        report.status = SolveStatus::converged;
        report.sectors = int(sectors.size());
      }
      report.residual = residual(i, part.residual);
      report.true_residual = part.true_residual >= 0 ? residual(i, of_sector) : -1;
      squares[i] = of_sector * of_sector * sectors[i].norm2;
      report.iterations += part.iterations;
      report.products += part.products;
      report.preconditionings += part.preconditionings;
      report.refreshes += part.refreshes;
      report.seconds += part.seconds;
      report.seconds_products += part.seconds_products;
      report.seconds_preconditioning += part.seconds_preconditioning;
      report.seconds_set_up += part.seconds_set_up;
      report.preconditioner = part.preconditioner;
      for (const auto& note : part.notes)
        report.notes.push_back("sector " + sector_name(sectors[i].parity) + ": " + note);
      if (part.status == SolveStatus::converged) return;
      report.status = part.status;
      report.diagnosis = part.diagnosis;
    }

    const std::vector<Sector>& sectors;
    std::vector<double> squares;  ///< of the sectors' residuals
    double whole = 0;
    SolveReport report;
  };

  Field incident_field() const {
    Field field(dipoles_);
    whole_->get_incident(field);
    return field;
  }

  /// The fraction in another sector, with the incident field's part of it; returns the square of the norm of
  /// S E_inc in it.
  double enter(const Parity& parity, const Field& incident) {
    fraction_.parity = parity;
    Field part = images_->part(incident);
    const double root = std::sqrt(double(fraction_.all_images()));
    double norm2 = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto& kind = fraction_.kinds[images_->kind(i)];
      for (int c = 0; c < 3; ++c) {
        norm2 += fraction_.images(kind) * std::abs(alpha_[kind.material][c]) * std::norm(part[i][c]);
        part[i][c] *= root;
      }
    }
    sector_->set_polarizability(alpha_);
    sector_->set_incident(part);
    return norm2;
  }

  /// A polarization of the whole as the sector's engine takes it.
  Field start_of(std::span<const CVec3> p) const {
    Field part = images_->part(p);
    const double root = std::sqrt(double(fraction_.all_images()));
    images_->scale(part, [&](const auto& kind) { return fraction_.images(kind) / root; });
    return part;
  }

  /// The sectors of which the incident field has a part beyond rounding; one at least, to say what is wrong
  /// with a field that has none.
  std::vector<Sector> excited_sectors(const Field& incident) {
    const double rounding = precision_ == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                            : std::numeric_limits<double>::epsilon();
    std::vector<Sector> all;
    double whole = 0;
    for (const Parity& parity : sectors_of(planes_)) {
      all.push_back({parity, enter(parity, incident)});
      whole += all.back().norm2;
    }
    const double least = 100 * rounding * rounding * whole;  // ten roundings of the field
    std::vector<Sector> excited;
    for (const Sector& s : all)
      if (!(s.norm2 <= least)) excited.push_back(s);
    if (excited.empty()) excited.push_back(all.front());
    return excited;
  }

  /// Sector i to its share of the tolerance: with all at epsilon |b|/sqrt(sectors) the whole is at epsilon
  /// |b|.
  SolveReport solve_sector(const SolveOptions& whole, const std::vector<Sector>& sectors, std::size_t i,
                           const Field& incident, const Progress& progress) {
    enter(sectors[i].parity, incident);
    SolveOptions options = whole;
    const double share = std::sqrt(progress.whole / (double(sectors.size()) * sectors[i].norm2));
    options.epsilon = std::min(1.0, whole.epsilon * (share > 0 && std::isfinite(share) ? share : 1));
    const long done = progress.report.iterations;
    // the limit is that of the whole, for each sector: by default one iteration per unknown of the particle
    if (whole.max_iterations < 0) options.max_iterations = 3 * long(dipoles_);
    if (whole.hook)
      options.hook = [&, done](long iteration, double residual) {
        return whole.hook(done + iteration, progress.residual(i, residual));
      };
    Field start;
    if (whole.initial_field) {
      start = start_of(*whole.initial_field);
      options.initial_field = &start;
    }
    if (!whole.checkpoint_file.empty()) {
      options.checkpoint_file = state_file(whole, i);
      options.part = sector_name(sectors[i].parity);
      std::error_code ignored;
      options.resume = whole.resume && std::filesystem::exists(options.checkpoint_file, ignored);
      // a run killed during the next sector must not solve this one again
      options.checkpoint_at_end = whole.checkpoint_at_end || i + 1 < sectors.size();
    }
    return sector_->solve(options);
  }

  static std::string state_file(const SolveOptions& options, std::size_t sector) {
    return options.checkpoint_file + (sector == 0 ? "" : "-" + std::to_string(sector + 1));
  }
  /// States of the later sectors that another run has left.
  static void remove_states(const SolveOptions& options, std::size_t sectors) {
    std::error_code ignored;
    for (std::size_t i = 1; i < sectors && !options.checkpoint_file.empty(); ++i)
      std::filesystem::remove(state_file(options, i), ignored);
  }

  Planes planes_;
  Precision precision_;
  std::unique_ptr<Engine> whole_, sector_;
  MirrorFraction fraction_;
  std::unique_ptr<Images> images_;
  std::vector<CVec3> alpha_;
  std::size_t dipoles_ = 0;
  const Field* so_far_ = nullptr;
};

}  // namespace

std::unique_ptr<Engine> make_mirrored_engine(const EngineRequest& request, const Planes& planes) {
  return std::make_unique<MirroredEngine>(request, planes);
}

}  // namespace umov::dda
