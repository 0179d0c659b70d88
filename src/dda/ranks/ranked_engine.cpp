#include "dda/ranks/ranked_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comm/collect.hpp"

namespace umov::dda {

namespace {

class RankedEngine final : public Engine {
 public:
  RankedEngine(std::unique_ptr<Engine> own, comm::Communicator& ranks)
      : ranks_(ranks), own_(std::move(own)) {}

  void load(const Problem& problem) override {
    if (problem.fraction)
      throw BadInput(
          "mirror sectors cannot be solved on several ranks (each has a slab of the particle); give "
          "`solver.sectors = 'off'`");
    if (problem.tensor_on_host)
      throw BadInput(
          "the interaction tensor of several ranks stays on their devices (each has a part); leave "
          "`machine.tensor_on_host` out");
    const shapes::Particle& whole = *problem.particle;
    slab_ = take_slab(whole, ranks_.rank(), ranks_.size());
    Problem part = problem;
    part.slab = &slab_;
    step_ = problem.wavenumber * whole.spacing[2];
    // of the slab's middle from that of the particle, in planes
    shift_ = double(slab_.first_plane()) + 0.5 * (slab_.particle.box[2] - 1) - 0.5 * (whole.box[2] - 1);
    own_->load(part);
  }

  void set_polarizability(std::span<const CVec3> alpha) override { own_->set_polarizability(alpha); }
  void set_plane_wave(const Vec3& prop, const CVec3& e0) override {
    own_->set_plane_wave(prop, at_middle(prop, e0));
  }
  void set_incident(std::span<const CVec3> field) override { own_->set_incident(part(field)); }

  SolveReport solve(const SolveOptions& options) override {
    require_shadows(options.solver);
    SolveOptions own = of_whole(options);
    std::vector<CVec3> start;
    if (options.initial_field) {
      const auto mine = part(*options.initial_field);
      start.assign(mine.begin(), mine.end());
      own.initial_field = &start;
    }
    return own_->solve(own);
  }

  std::vector<SolveReport> solve_block(std::span<const RightSide> sides,
                                       const SolveOptions& options) override {
    return own_->solve_block(parts(sides), of_whole(options));
  }
  void set_columns(std::span<const RightSide> sides,
                   std::span<const std::vector<CVec3>> polarizations) override {
    std::vector<std::vector<CVec3>> mine;
    for (const auto& p : polarizations) mine.push_back(taken(p));
    own_->set_columns(parts(sides), mine);
  }
  void select(int column) override { own_->select(column); }

  void residual(std::span<const CVec3> p, std::span<CVec3> r) override {
    std::vector<CVec3> mine(std::size_t(slab_.own_dipoles()));
    // the product is one of all ranks, and no polarizations mean that there is none
    for (int r = 0; r < ranks_.size() && !p.empty(); ++r)
      if (slab_.dipoles[std::size_t(r)] == slab_.dipoles[std::size_t(r) + 1])
        throw BadInput("residuals need dipoles on every rank; use fewer ranks");
    own_->residual(p.empty() ? p : part(p), mine);
    collect(mine, r);
  }

  void get_incident(std::span<CVec3> field) const override {
    std::vector<CVec3> mine(std::size_t(slab_.own_dipoles()));
    own_->get_incident(mine);
    collect(mine, field);
  }
  void get_polarization(std::span<CVec3> p) const override {
    std::vector<CVec3> mine(std::size_t(slab_.own_dipoles()));
    own_->get_polarization(mine);
    collect(mine, p);
  }
  void get_polarization_from(index_t first, std::span<CVec3> p) const override {
    own_->get_polarization_from(first - slab_.first_dipole(), p);
  }
  void set_polarization(std::span<const CVec3> p) override { own_->set_polarization(part(p)); }

  cplx extinction_sum() const override { return own_->extinction_sum(); }
  std::vector<Vec3> polarization_norms() const override { return own_->polarization_norms(); }

  void far_field(std::span<const Vec3> n, std::span<CVec3> sums) const override {
    own_->far_field(n, sums);
    sum_over_ranks(n, sums);
  }
  void far_fields(std::span<const Vec3> n, std::span<const int> columns,
                  std::span<CVec3> sums) const override {
    own_->far_fields(n, columns, sums);
    for (std::size_t k = 0; k < columns.size(); ++k) sum_over_ranks(n, sums.subspan(k * n.size(), n.size()));
  }

  const ParticleSlab& slab() const { return slab_; }

  std::vector<MemoryUse> memory() const override { return own_->memory(); }
  std::string backend_name() const override { return own_->backend_name(); }
  std::string device_name() const override { return own_->device_name(); }
  std::string transforms() const override { return own_->transforms(); }

 private:
  std::span<const CVec3> part(std::span<const CVec3> whole) const {
    return whole.subspan(std::size_t(slab_.first_dipole()), std::size_t(slab_.own_dipoles()));
  }
  std::vector<CVec3> taken(std::span<const CVec3> whole) const {
    const auto mine = part(whole);
    return {mine.begin(), mine.end()};
  }
  /// The amplitude at the slab's middle of a plane wave whose phase is 0 at the particle's.
  CVec3 at_middle(const Vec3& prop, const CVec3& e0) const {
    const cplx phase = std::polar(1.0, step_ * prop[2] * shift_);
    return {phase * e0[0], phase * e0[1], phase * e0[2]};
  }
  std::vector<RightSide> parts(std::span<const RightSide> sides) const {
    std::vector<RightSide> mine;
    for (const RightSide& s : sides)
      mine.push_back({s.propagation, at_middle(s.propagation, s.e0),
                      s.field.empty() ? std::vector<CVec3>() : taken(s.field), s.epsilon});
    return mine;
  }
  SolveOptions of_whole(const SolveOptions& options) const {
    SolveOptions own = options;
    if (own.max_iterations < 0) own.max_iterations = 3 * long(slab_.all_dipoles());
    return own;
  }
  /// What the slabs give, about their middles.
  void sum_over_ranks(std::span<const Vec3> n, std::span<CVec3> sums) const {
    for (std::size_t i = 0; i < n.size(); ++i) {
      const cplx phase = std::polar(1.0, -step_ * n[i][2] * shift_);
      for (cplx& component : sums[i]) component *= phase;
    }
    // in stretches: every rank gets those of all
    constexpr std::size_t stretch = 4096;
    for (std::size_t i = 0; i < n.size(); i += stretch) {
      const auto some = sums.subspan(i, std::min(stretch, n.size() - i));
      comm::sum(ranks_, std::span<cplx>(some.data()->data(), 3 * some.size()));
    }
  }

  /// The slabs' values one behind another, on every rank that has room for them.
  void collect(const std::vector<CVec3>& mine, std::span<CVec3> whole) const {
    const auto room = comm::all_gather(ranks_, whole.size());
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (int r = 0; r < ranks_.size(); ++r) {
      const auto first = slab_.dipoles[std::size_t(r)], end = slab_.dipoles[std::size_t(r) + 1];
      if (room[std::size_t(r)]) outs.push_back(comm::out(r, mine.data(), mine.size()));
      if (!whole.empty()) ins.push_back(comm::in(r, whole.data() + first, std::size_t(end - first)));
    }
    ranks_.exchange(outs, ins);
  }

  /// IDR(s) takes as many shadow vectors as a rank has unknowns, s at most: all ranks must have the same.
  void require_shadows(const std::string& solver) const {
    if (!solver.starts_with("idr")) return;
    constexpr index_t most = 8;
    for (int r = 0; r < ranks_.size(); ++r) {
      const index_t dipoles = slab_.dipoles[std::size_t(r) + 1] - slab_.dipoles[std::size_t(r)];
      if (3 * dipoles >= most) continue;
      throw BadInput(
          fmt::format("the solver {} needs 8 unknowns on every rank (of {} ranks that share {} planes rank "
                      "{} has {}); use "
                      "fewer ranks, or another solver",
                      solver, ranks_.size(), slab_.planes.back(), r,
                      dipoles == 0 ? "none" : fmt::format("{}", 3 * dipoles)));
    }
  }

  comm::Communicator& ranks_;
  std::unique_ptr<Engine> own_;  ///< refers to slab_
  ParticleSlab slab_;
  double step_ = 0;  ///< k dz
  double shift_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_ranked_engine(std::unique_ptr<Engine> slab, comm::Communicator& ranks) {
  return std::make_unique<RankedEngine>(std::move(slab), ranks);
}

const ParticleSlab* slab_of(const Engine& engine) {
  const auto* ranked = dynamic_cast<const RankedEngine*>(&engine);
  return ranked ? &ranked->slab() : nullptr;
}

}  // namespace umov::dda
