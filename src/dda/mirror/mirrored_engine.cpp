// Solves in sectors: parts of the incident field, one solve each, the polarizations together again.
#include "dda/mirror/mirrored_engine.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "dda/mirror/images.hpp"
#include "dda/mirror/sector_progress.hpp"

namespace umov::dda {

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
  void get_polarization_from(index_t first, std::span<CVec3> p) const override {
    if (!so_far_) return whole_->get_polarization_from(first, p);
    Field all(dipoles_);
    get_polarization(all);
    std::copy_n(all.begin() + first, p.size(), p.begin());
  }
  void set_polarization(std::span<const CVec3> p) override { whole_->set_polarization(p); }
  cplx extinction_sum() const override { return whole_->extinction_sum(); }
  std::vector<Vec3> polarization_norms() const override { return whole_->polarization_norms(); }
  void far_field(std::span<const Vec3> n, std::span<CVec3> sums) const override {
    whole_->far_field(n, sums);
  }
  void far_fields(std::span<const Vec3> n, std::span<const int> columns,
                  std::span<CVec3> sums) const override {
    whole_->far_fields(n, columns, sums);
  }
  void select(int column) override { whole_->select(column); }
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
    SectorProgress progress(sectors);
    for (std::size_t i = 0; i < sectors.size(); ++i) {
      const SolveReport part = solve_sector(options, sectors, i, incident, progress);
      progress.take(part, i);
      if (part.status == SolveStatus::interrupted) return progress.report;
      add_sector(polarization);
    }
    whole_->set_polarization(polarization);
    return progress.report;
  }

  /// The sectors one after the other, in each the columns that excite it as one block: of waves that are
  /// images of each other the parts are the same but for a sign, and solved for once.
  std::vector<SolveReport> solve_block(std::span<const RightSide> sides,
                                       const SolveOptions& options) override {
    std::vector<Field> incident, polarizations(sides.size(), Field(dipoles_, CVec3{}));
    std::vector<std::vector<Sector>> sectors;
    for (const RightSide& side : sides) {
      if (side.field.empty())
        set_plane_wave(side.propagation, side.e0);
      else
        set_incident(side.field);
      incident.push_back(incident_field());
      sectors.push_back(excited_sectors(incident.back()));
    }
    std::vector<SectorProgress> progress(sectors.begin(), sectors.end());
    const auto reports = [&] {
      std::vector<SolveReport> list;
      for (const SectorProgress& one : progress) list.push_back(one.report);
      return list;
    };
    std::vector<Excited> all;
    for (const Parity& parity : sectors_of(planes_))
      if (Excited one = excited_by(sectors, parity); !one.columns.empty()) all.push_back(std::move(one));
    if (!options.resume) remove_states(options, all.size());
    for (std::size_t s = 0; s < all.size(); ++s) {
      const auto parts = solve_sector_of_block(options, sides, all, s, incident, progress);
      bool interrupted = false;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto [column, place] = all[s].columns[k];
        progress[column].take(parts[k], place);
        interrupted = interrupted || parts[k].status == SolveStatus::interrupted;
      }
      if (interrupted) return reports();
      for (std::size_t k = 0; k < parts.size(); ++k) {
        sector_->select(int(k));
        add_sector(polarizations[all[s].columns[k].first]);
      }
    }
    whole_->set_columns(sides, polarizations);
    return reports();
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

  /// A sector with the columns of a block that excite it, each with the sector's place among its own.
  struct Excited {
    Parity parity;
    std::vector<std::pair<std::size_t, std::size_t>> columns;
  };
  static Excited excited_by(const std::vector<std::vector<Sector>>& sectors, const Parity& parity) {
    Excited out{parity, {}};
    for (std::size_t j = 0; j < sectors.size(); ++j)
      for (std::size_t i = 0; i < sectors[j].size(); ++i)
        if (sectors[j][i].parity == parity) out.columns.push_back({j, i});
    return out;
  }

  /// The polarizations that the sector's engine holds, added to those of the whole.
  void add_sector(Field& polarization) {
    Field p(images_->dipoles());
    sector_->get_polarization(p);
    const double root = std::sqrt(double(fraction_.all_images()));
    images_->scale(p, [&](const auto& kind) { return root / fraction_.images(kind); });
    images_->add(p, polarization);
  }

  Field incident_field() const {
    Field field(dipoles_);
    whole_->get_incident(field);
    return field;
  }

  /// The fraction in another sector, with the incident field's part of it.
  void enter(const Parity& parity, const Field& incident) {
    fraction_.parity = parity;
    sector_->set_polarizability(alpha_);
    sector_->set_incident(part_of(incident));
  }
  /// The incident field's part of the sector that the fraction is at, as its engine takes it.
  Field part_of(const Field& incident) const {
    Field part = images_->part(incident);
    const double root = std::sqrt(double(fraction_.all_images()));
    images_->scale(part, [&](const auto&) { return root; });
    return part;
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
  std::vector<Sector> excited_sectors(const Field& incident) const {
    const double rounding = precision_ == Precision::single ? double(std::numeric_limits<float>::epsilon())
                                                            : std::numeric_limits<double>::epsilon();
    std::vector<Vec3> weights;
    for (const auto& kind : fraction_.kinds) {
      weights.emplace_back();
      for (int c = 0; c < 3; ++c)
        weights.back()[c] = fraction_.images(kind) * std::abs(alpha_[kind.material][c]);
    }
    const auto parities = sectors_of(planes_);
    const auto norms = images_->norms(incident, parities, weights);  // of S E_inc
    std::vector<Sector> all;
    double whole = 0;
    for (std::size_t s = 0; s < parities.size(); ++s) {
      all.push_back({parities[s], norms[s]});
      whole += norms[s];
    }
    const double least = 100 * rounding * rounding * whole;  // ten roundings of the field
    std::vector<Sector> excited;
    for (const Sector& s : all)
      if (!(s.norm2 <= least)) excited.push_back(s);
    if (excited.empty()) excited.push_back(all.front());
    return excited;
  }

  /// Its share of the tolerance: with all sectors at epsilon |b|/sqrt(sectors) the whole is at epsilon |b|.
  static double share(const SectorProgress& whole, std::size_t i, double epsilon) {
    const double part = std::sqrt(whole.whole / (double(whole.sectors.size()) * whole.sectors[i].norm2));
    return std::min(1.0, epsilon * (part > 0 && std::isfinite(part) ? part : 1));
  }

  /// Sector i.
  SolveReport solve_sector(const SolveOptions& whole, const std::vector<Sector>& sectors, std::size_t i,
                           const Field& incident, const SectorProgress& progress) {
    enter(sectors[i].parity, incident);
    SolveOptions options = options_of_sector(whole, sectors[i].parity, i, sectors.size());
    options.epsilon = share(progress, i, whole.epsilon);
    const long done = progress.report.iterations;
    if (whole.hook)
      options.hook = [&, done](long iteration, double residual) {
        return whole.hook(done + iteration, progress.residual(i, residual));
      };
    Field start;
    if (whole.initial_field) {
      start = start_of(*whole.initial_field);
      options.initial_field = &start;
    }
    return sector_->solve(options);
  }

  /// Sector s of a block.
  std::vector<SolveReport> solve_sector_of_block(const SolveOptions& whole, std::span<const RightSide> sides,
                                                 const std::vector<Excited>& sectors, std::size_t s,
                                                 const std::vector<Field>& incident,
                                                 const std::vector<SectorProgress>& progress) {
    const Excited& sector = sectors[s];
    fraction_.parity = sector.parity;
    sector_->set_polarizability(alpha_);
    std::vector<RightSide> parts;
    for (const auto& [column, place] : sector.columns) {
      RightSide part;
      part.field = part_of(incident[column]);
      const double asked = sides[column].epsilon > 0 ? sides[column].epsilon : whole.epsilon;
      part.epsilon = share(progress[column], place, asked);
      parts.push_back(std::move(part));
    }
    SolveOptions options = options_of_sector(whole, sector.parity, s, sectors.size());
    long done = 0;
    for (const SectorProgress& one : progress) done = std::max(done, one.report.iterations);
    if (whole.hook)
      options.hook = [&, done](long iteration, double residual) {
        double largest = 0;
        for (const auto& [column, place] : sector.columns)
          largest = std::max(largest, progress[column].residual(place, residual));
        return whole.hook(done + iteration, largest);
      };
    return sector_->solve_block(parts, options);
  }

  /// The options of a solve in sector i of `count`, but for its tolerance and what it starts from.
  SolveOptions options_of_sector(const SolveOptions& whole, const Parity& parity, std::size_t i,
                                 std::size_t count) const {
    SolveOptions options = whole;
    // the limit is that of the whole, for each sector: by default one iteration per unknown of the particle
    if (whole.max_iterations < 0) options.max_iterations = 3 * long(dipoles_);
    if (whole.checkpoint_file.empty()) return options;
    options.checkpoint_file = state_file(whole, i);
    options.part = sector_name(parity);
    std::error_code ignored;
    options.resume = whole.resume && std::filesystem::exists(options.checkpoint_file, ignored);
    // a run killed during the next sector must not solve this one again
    options.checkpoint_at_end = whole.checkpoint_at_end || i + 1 < count;
    return options;
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
