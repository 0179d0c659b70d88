// The engine on one device and in one precision.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "dda/solver/block_solver.hpp"

namespace umov::dda {

/// A device that lives as long as what is made on it.
template <class Dev>
struct OwnDevice {
  template <class... Args>
  explicit OwnDevice(Args&&... args) : device(std::forward<Args>(args)...) {}
  Dev device;
};

template <class Dev, class T, template <class, class> class ConvolutionOf>
class EngineOn final : public Engine,
                       private OwnDevice<Dev>,
                       private BlockSolver<Dev, T, ConvolutionOf<Dev, T>> {
  using Solves = BlockSolver<Dev, T, ConvolutionOf<Dev, T>>;
  using Solves::convolution_, Solves::dev_, Solves::incident_, Solves::inner_, Solves::inverse_root_,
      Solves::lattice_, Solves::materials_, Solves::n_, Solves::polarization_, Solves::preconditioner_bytes_,
      Solves::preconditioning_, Solves::problem_, Solves::root_, Solves::solver_bytes_, Solves::spacing_;
  using Solves::get, Solves::put, Solves::residual_of, Solves::scale;
  using typename Solves::A, typename Solves::C, typename Solves::Operator, typename Solves::Vector;

 public:
  /// `inner`: makes the twin in float for a double engine's inner iterations; null where there is none.
  template <class... Args>
  explicit EngineOn(InnerMaker<Dev> inner, Args&&... args)
      : OwnDevice<Dev>(std::forward<Args>(args)...), Solves(this->device, inner) {}

  void load(const Problem& problem) override {
    this->load_system(problem);
    preconditioning_.reset();
    incident_ = dev_.template allocate<C>(n_);
    polarization_ = dev_.template allocate<C>(n_);
    dev_.fill_zero(polarization_.data(), n_);
    inner_.reset();
    if (problem.inner_float) this->make_inner();
  }

  void set_polarizability(std::span<const CVec3> alpha) override { this->set_roots(alpha); }

  void set_plane_wave(const Vec3& prop, const CVec3& e0) override {
    PlaneWave<T> wave{lattice_->view(), {}, {}, incident_.data()};
    for (int c = 0; c < 3; ++c) {
      wave.kn[c] = problem_.wavenumber * prop[c] * spacing_[c];
      wave.e0[c] = Complex<double>(e0[c]);
    }
    dev_.for_each(lattice_->view().words(), wave);
  }

  void set_incident(std::span<const CVec3> field) override { put(field, incident_); }
  void get_incident(std::span<CVec3> field) const override { get(incident_, field); }
  void get_polarization(std::span<CVec3> p) const override { get(polarization_, p); }
  void get_polarization_from(index_t first, std::span<CVec3> p) const override {
    this->get_from(polarization_, first, p);
  }
  void set_polarization(std::span<const CVec3> p) override { put(p, polarization_); }

  SolveReport solve(const SolveOptions& options) override {
    bool known = false;
    SolveReport report;
    krylov::for_each_solver([&](auto tag, const char*) {
      if (krylov::solver_name(options.solver).solver != krylov::name_of(tag)) return;
      known = true;
      report = this->solve_in_stages(tag, options);
    });
    if (!known) throw BadInput("unknown iterative solver '" + options.solver + "'");
    return report;
  }

  std::vector<SolveReport> solve_block(std::span<const RightSide> sides,
                                       const SolveOptions& options) override {
    if (sides.empty() || int(sides.size()) > krylov::most_columns)
      throw BadInput("blocks have 1 to " + std::to_string(krylov::most_columns) + " right-hand sides; here " +
                     std::to_string(sides.size()));
    sides_.assign(sides.begin(), sides.end());
    if (!options.resume) remove_states(options);
    const std::function<void(int)> enter = [this](int j) { put_side(j); };
    auto course = this->course_of(sides, options, enter);
    this->solve_columns(course);
    for (int j = 0; j < int(sides.size()) && !course.interrupted; ++j) {
      if (course.reports[j].status != SolveStatus::stagnated) continue;
      solve_alone(j, options, course);
      course.interrupted = course.reports[j].status == SolveStatus::interrupted;
    }
    SolveReport& first = course.reports.front();
    first.products += course.work.products;
    first.preconditionings += course.work.preconditionings;
    first.refreshes += course.work.refreshes;
    first.seconds += course.work.seconds;
    first.seconds_products += course.work.seconds_products;
    first.seconds_preconditioning += course.work.seconds_preconditioning;
    first.seconds_set_up += course.work.seconds_set_up;
    first.blocks = 1;
    for (SolveReport& report : course.reports) report.block = int(sides.size());
    first.block_iterations = course.iterations;
    return std::move(course.reports);
  }

  void set_columns(std::span<const RightSide> sides,
                   std::span<const std::vector<CVec3>> polarizations) override {
    sides_.assign(sides.begin(), sides.end());
    this->block_ = dev_.template allocate<C>(sides.size() * n_);
    for (int j = 0; j < int(sides.size()); ++j) {
      put(polarizations[j], polarization_);
      this->keep_column(j);
    }
  }

  void select(int column) override {
    put_side(column);
    this->take_column(column);
  }

  void residual(std::span<const CVec3> p, std::span<CVec3> out) override {
    Vector r = dev_.template allocate<C>(n_);
    if (p.empty()) {
      scale(root_, incident_.data(), r.data());
    } else {
      Vector x = dev_.template allocate<C>(n_), field = dev_.template allocate<C>(n_);
      put(p, field);
      scale(inverse_root_, field.data(), x.data());
      Operator op{&dev_, &*convolution_, root_.data(), n_};
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
    sum_far_fields<1>(n, {polarization_.data()}, sums);
  }

  void far_fields(std::span<const Vec3> n, std::span<const int> columns,
                  std::span<CVec3> sums) const override {
    const auto at = [&](std::size_t k) { return this->block_.data() + index_t(columns[k]) * n_; };
    for (std::size_t k = 0; k < columns.size();) {
      const std::size_t left = columns.size() - k, taken = left >= 4 ? 4 : left >= 2 ? 2 : 1;
      const auto to = sums.subspan(k * n.size(), taken * n.size());
      if (taken == 4)
        sum_far_fields<4>(n, {at(k), at(k + 1), at(k + 2), at(k + 3)}, to);
      else if (taken == 2)
        sum_far_fields<2>(n, {at(k), at(k + 1)}, to);
      else
        sum_far_fields<1>(n, {at(k)}, to);
      k += taken;
    }
  }

  std::vector<MemoryUse> memory() const override {
    auto list = convolution_ ? convolution_->memory() : std::vector<MemoryUse>{};
    list.push_back({"bit fields of the particle", lattice_->bytes()});
    list.push_back({"incident field and polarization", incident_.bytes() + polarization_.bytes()});
    if (convolution_) list.push_back({"iterative solver", solver_bytes_});
    if (preconditioner_bytes_) list.push_back({"preconditioner", preconditioner_bytes_});
    if (!inner_) return list;
    for (const MemoryUse& use : inner_->memory()) {
      const auto same = std::find_if(list.begin(), list.end(), [&](auto& u) { return u.name == use.name; });
      if (same != list.end())
        same->bytes += use.bytes;
      else if (use.bytes)
        list.push_back(use);
    }
    return list;
  }
  std::string backend_name() const override { return Dev::name; }
  std::string device_name() const override { return dev_.device_name(); }
  std::string transforms() const override { return convolution_ ? convolution_->transforms() : ""; }

 private:
  /// Into sums[column][direction]. The chunks of the sums do not depend on how many columns there are.
  template <int columns>
  void sum_far_fields(std::span<const Vec3> n, const std::array<const C*, columns>& p,
                      std::span<CVec3> sums) const {
    const LatticeView& l = lattice_->view();
    // enough sums at once to fill a GPU whether directions are few or many, and few enough to download
    const index_t batch = std::clamp<index_t>(index_t(n.size()), 1, 1024), planes = l.nx + l.ny + l.nz;
    const index_t chunks = std::clamp<index_t>(l.words() / 4, 1, (index_t(1) << 18) / batch);
    const index_t column = 3 * batch * chunks;
    auto directions = dev_.template allocate<double>(3 * batch);
    auto factors = dev_.template allocate<Complex<double>>(planes * batch);
    auto partial = dev_.template allocate<Complex<double>>(columns * column);
    // added up on the device, in two steps: by chunks they are megabytes
    const index_t run = index_t(std::ceil(std::sqrt(double(chunks)))), runs = (chunks + run - 1) / run;
    auto in_runs = dev_.template allocate<Complex<double>>(columns * runs * 3 * batch);
    auto whole = dev_.template allocate<Complex<double>>(columns * 3 * batch);
    std::vector<Complex<double>> host(columns * 3 * batch);
    for (std::size_t from = 0; from < n.size(); from += batch) {
      const index_t count = std::min<index_t>(batch, index_t(n.size() - from));
      dev_.upload(directions.data(), n[from].data(), 3 * count);
      dev_.for_each(planes * count, PhaseFactors{{l.nx, l.ny, l.nz},
                                                 count,
                                                 problem_.wavenumber,
                                                 {spacing_[0], spacing_[1], spacing_[2]},
                                                 directions.data(),
                                                 factors.data()});
      FarFieldChunk<T, columns> sum{
          l, (l.words() + chunks - 1) / chunks, count, factors.data(), {}, partial.data(), column};
      for (int j = 0; j < columns; ++j) sum.p[j] = p[j];
      dev_.for_each(count * chunks, sum);
      const index_t size = 3 * count;
      dev_.for_each(columns * runs * size,
                    SumFarFieldChunks{size, chunks, run, runs, column, partial.data(), in_runs.data()});
      dev_.for_each(columns * size,
                    SumFarFieldChunks{size, runs, runs, 1, runs * size, in_runs.data(), whole.data()});
      dev_.download(host.data(), whole.data(), columns * 3 * count);
      for (int k = 0; k < columns; ++k)
        for (index_t d = 0; d < count; ++d)
          for (int c = 0; c < 3; ++c)
            sums[k * n.size() + from + d][c] = host[3 * (k * count + d) + c].template to_std<double>();
    }
  }

  void put_side(int j) {
    const RightSide& side = sides_[j];
    if (side.field.empty())
      set_plane_wave(side.propagation, side.e0);
    else
      set_incident(side.field);
  }

  /// A column that its block has given up, from where that has left it unless zero is nearer.
  void solve_alone(int j, const SolveOptions& options, typename Solves::BlockCourse& course) {
    SolveOptions alone = options;
    alone.epsilon = course.epsilons[j];
    if (!options.checkpoint_file.empty()) {
      alone.checkpoint_file = state_file(options, j);
      alone.fingerprint += std::uint64_t(j) + 1;
      std::error_code ignored;
      alone.resume = options.resume && std::filesystem::exists(alone.checkpoint_file, ignored);
      alone.checkpoint_at_end = true;  // a run killed during the next one must not solve for this one again
    }
    select(j);
    std::vector<CVec3> start;
    if (course.residuals[j] < course.right_sides[j]) {
      start.resize(n_ / 3);
      get_polarization(start);
      alone.initial = InitialField::read;
      alone.initial_field = &start;
    }
    SolveReport report = solve(alone);
    report.notes.insert(report.notes.begin(), "the block of right-hand sides " + course.given_up +
                                                  "; one of them was solved for alone");
    report.iterations += course.iterations;
    course.reports[j] = std::move(report);
    this->keep_column(j);
  }

  /// Where a column that its block has given up is saved.
  static std::string state_file(const SolveOptions& options, int column) {
    return options.checkpoint_file + "-column" + std::to_string(column + 1);
  }
  /// States of columns that another run has left.
  static void remove_states(const SolveOptions& options) {
    std::error_code ignored;
    for (int j = 0; j < krylov::most_columns && !options.checkpoint_file.empty(); ++j)
      std::filesystem::remove(state_file(options, j), ignored);
  }

  std::vector<RightSide> sides_;
};

}  // namespace umov::dda
