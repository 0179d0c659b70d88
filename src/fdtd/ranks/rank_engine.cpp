#include "fdtd/ranks/rank_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "comm/parts.hpp"
#include "core/contract.hpp"
#include "core/environment.hpp"
#include "fdtd/ranks/answers.hpp"
#include "fdtd/ranks/borders.hpp"
#include "fdtd/ranks/gathered.hpp"
#include "fdtd/ranks/part.hpp"
#include "fdtd/ranks/state_parts.hpp"
#include "fdtd/steps_of_pass.hpp"

namespace umov::fdtd::ranks {

namespace {

/// On processors a part is stepped by the same kernels as the whole would be: else bits could differ. On GPUs
/// all kernels have the same bits (kernels/rounding.hpp).
EngineRequest request_for_part(const Problem& p, EngineRequest request, const PartOptions& o) {
  const int slow = dimensions(p.grid.mode) - 1;
  request.tuned = request.tuned && (request.backend == "cuda" ? o.tuned_on_gpus
                                                              : p.walls[slow][0] == Closure::pec &&
                                                                    p.walls[slow][1] == Closure::pec);
  return request;
}

/// As many as a pass takes; the least of all ranks, whose GPUs may differ. Of every rank.
int steps_between_exchanges(const Problem& p, const EngineRequest& request, const PartOptions& o,
                            comm::Communicator& comm) {
  if (o.steps_between_exchanges > 0) return o.steps_between_exchanges;
  return comm::min(comm, steps_of_pass(p, request_for_part(p, request, o)));
}

class RankEngine final : public Engine {
 public:
  RankEngine(const Problem& p, const EngineRequest& request, const PartOptions& options,
             comm::Communicator& comm)
      : comm_(comm),
        grid_(p.grid),
        complex_(p.complex_fields),
        borders_(comm::balanced_parts(plane_costs(p), comm.size())),
        state_(p, borders_),
        digest_(digest(p)),
        recorders_(p, borders_),
        transforms_(p, borders_),
        waiting_(p.recorders.size()),
        taken_(p.recorders.size()) {
    const int steps = steps_between_exchanges(p, request, options, comm), halo = halo_planes(p, steps);
    std::vector<Slab> slabs;
    for (int r = 0; r < comm.size(); ++r)
      if (const Slab s = make_slab(p, borders_, r, halo); !s.empty()) slabs.push_back(s);
    const bool here = comm.rank() < int(slabs.size());
    joined_ = comm.split(here ? 0 : -1);
    if (!here) return;
    slab_ = slabs[std::size_t(comm.rank())];
    const Problem part = make_part(p, slab_);
    state_.set_part(part, slab_);
    const EngineRequest own = request_for_part(p, request, options);
    engine_ = options.make_engine ? options.make_engine(part, own) : fdtd::make_engine(part, own);
    Border border{steps,
                  slab_.own_begin,
                  slab_.own_end(),
                  border_messages(p, slabs, comm.rank(), state_.whole(), state_.own()),
                  [this](const comm::Queue& queue) { return joined_->open(queue); },
                  options.overlap ? *options.overlap : asked_overlap()};
    engine_->join(border);
  }

  std::string device() const override {
    return engine_ ? engine_->device() : "nothing to do (fewer planes than ranks)";
  }
  long step() const override { return step_; }
  void advance(long steps) override {
    if (engine_) engine_->advance(steps);
    step_ += steps;
  }
  std::size_t bytes() const override { return engine_ ? engine_->bytes() : 0; }
  void join(const Border&) override { UMOV_EXPECT(false, "an engine of several ranks has no border"); }

  std::vector<double> drain(int recorder) override {
    collect(recorder);
    return std::exchange(waiting_[std::size_t(recorder)], {});
  }

  std::vector<cplx> fourier(int accumulator) const override {
    const auto mine = engine_ ? engine_->fourier(accumulator) : std::vector<cplx>();
    return transforms_.put_together(accumulator, gathered(comm_, mine, transforms_.counts(accumulator)));
  }

  std::vector<cplx> fourier_stretches(int accumulator, std::span<const Stretch> wanted) const {
    const auto mine = engine_ ? engine_->fourier(accumulator) : std::vector<cplx>();
    return transforms_.dealt_out(comm_, accumulator, mine, wanted);
  }

  FieldWatch watch() const override {
    const FieldWatch mine = engine_ ? engine_->watch() : FieldWatch{};
    const auto all = comm::all_gather(comm_, std::array{mine.electric_energy, mine.magnetic_energy,
                                                        mine.max_abs, double(mine.planes.size())});
    FieldWatch watch;
    std::vector<double> sums;
    std::vector<std::size_t> counts;
    for (const auto& [electric, magnetic, most, planes] : all) {
      sums.push_back(electric), sums.push_back(magnetic);
      counts.push_back(std::size_t(planes));
      if (std::isfinite(watch.max_abs) && !(most <= watch.max_abs)) watch.max_abs = most;
    }
    watch.planes = gathered(comm_, mine.planes, counts);
    const double volume = std::pow(grid_.dx, dimensions(grid_.mode)) / 2;
    if (watch.planes.empty()) {
      comm::sum_by_rank(sums.data(), comm_.size(), 2);
      watch.electric_energy = sums[0], watch.magnetic_energy = sums[1];
      return watch;
    }
    double electric = 0, magnetic = 0;
    for (std::size_t k = 0; k + 1 < watch.planes.size(); k += 2)
      electric += watch.planes[k], magnetic += watch.planes[k + 1];
    watch.electric_energy = electric * volume;
    watch.magnetic_energy = magnetic * volume;
    return watch;
  }

  FieldBlock field(Component c, const Int3& lo, const Int3& hi) const override {
    FieldBlock block{{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}, {}, {}};
    const int slow = dimensions(grid_.mode) - 1;
    const std::size_t plane = std::size_t(block.size[0]) * block.size[1] * block.size[2] / block.size[slow];
    FieldBlock mine;
    std::vector<std::size_t> counts;
    for (int r = 0; r < comm_.size(); ++r) {
      const auto [from, to] = stretch(borders_, r, lo[slow], hi[slow]);
      counts.push_back(std::size_t(to - from) * plane);
      if (r != comm_.rank() || from == to) continue;
      Int3 own_lo = lo, own_hi = hi;
      own_lo[slow] = own_place(slab_, from);
      own_hi[slow] = own_place(slab_, to);
      mine = engine_->field(c, own_lo, own_hi);
    }
    block.real = gathered(comm_, mine.real, counts);
    if (complex_) block.imag = gathered(comm_, mine.imag, counts);
    return block;
  }

  std::vector<float> sample(const FieldSample& s) const override {
    return sample_by_planes(s, dimensions(grid_.mode) - 1, comm_, borders_, [&](FieldSample part) {
      const int slow = dimensions(grid_.mode) - 1;
      part.lo[slow] = own_place(slab_, part.lo[slow]);
      part.hi[slow] = own_place(slab_, part.hi[slow]);
      return engine_->sample(part);
    });
  }

  void set_field(Component c, const Int3& lo, const FieldBlock& block) override {
    if (!engine_) return;
    const int slow = dimensions(grid_.mode) - 1;
    const std::size_t plane = block.real.size() / std::size_t(block.size[slow]);
    for (int l = -1; l <= slab_.count(); ++l) {
      const int g = slab_.at(l) - lo[slow];
      if (slab_.at(l) == Slab::ghost || g < 0 || g >= block.size[slow]) continue;
      FieldBlock one{block.size, {}, {}};
      one.size[slow] = 1;
      const auto cut = [&](const std::vector<double>& from) {
        if (from.empty()) return std::vector<double>();
        const auto first = from.begin() + std::ptrdiff_t(plane) * g;
        return std::vector<double>(first, first + std::ptrdiff_t(plane));
      };
      one.real = cut(block.real);
      one.imag = cut(block.imag);
      Int3 at = lo;
      at[slow] = l;
      engine_->set_field(c, at, one);
    }
  }

  std::vector<std::byte> save() const override;
  void restore(const std::vector<std::byte>&) override;

 private:
  /// Brings the samples since the last call to all ranks, in the order of one rank's.
  void collect(int recorder) const {
    const auto r = std::size_t(recorder);
    const int interval = recorders_.interval(recorder);
    const long samples = step_ / interval - taken_[r] / interval;
    taken_[r] = step_;
    const auto mine = engine_ ? engine_->drain(recorder) : std::vector<double>();
    if (samples == 0) return;
    const auto counts = recorders_.counts(recorder, samples * (complex_ ? 2 : 1));
    const auto sums =
        recorders_.put_together(recorder, samples, complex_ ? 2 : 1, gathered(comm_, mine, counts));
    waiting_[r].insert(waiting_[r].end(), sums.begin(), sums.end());
  }

  /// This rank's engine's state; only with planes.
  SavedState own_state() const {
    const auto bytes = engine_->save();
    Header header;
    UMOV_EXPECT(bytes.size() >= sizeof header, "a saved state has a header");
    std::memcpy(&header, bytes.data(), sizeof header);
    return state_.read_own(bytes, header, taken_.size());
  }
  Header whole_header(Header own) const {
    own.problem = digest_;
    return own;
  }

  comm::Communicator& comm_;
  std::unique_ptr<comm::Communicator> joined_;  ///< ranks with planes
  Grid grid_;
  bool complex_;
  std::vector<index_t> borders_;
  StateParts state_;
  std::uint64_t digest_;
  RecorderParts recorders_;
  TransformParts transforms_;
  Slab slab_;
  std::unique_ptr<Engine> engine_;
  long step_ = 0;
  mutable std::vector<std::vector<double>> waiting_;  ///< [recorder], as Engine::drain gives them
  mutable std::vector<long> taken_;                   ///< [recorder], step of the last look
};

std::vector<std::byte> RankEngine::save() const {
  for (std::size_t r = 0; r < taken_.size(); ++r) collect(int(r));
  std::vector<std::vector<cplx>> sums;
  for (std::size_t a = 0; a < transforms_.size(); ++a) sums.push_back(fourier(int(a)));
  SavedState mine;
  std::vector<std::byte> planes;
  if (engine_) {
    mine = own_state();
    planes = state_.planes(comm_.rank(), mine);
  }
  std::vector<std::size_t> counts;
  const auto all = comm::gather(comm_, std::span<const std::byte>(planes), 0, &counts);
  if (!comm_.first()) return {};
  SavedState whole{whole_header(mine.header), step_, {}, waiting_};
  state_.put_together(all, whole);
  for (std::size_t a = 0; a < sums.size(); ++a)
    transforms_.write(sums[a], whole.arrays[state_.whole().size() + a]);
  return write_state(whole);
}

void RankEngine::restore(const std::vector<std::byte>& bytes) {
  // Ranks without planes know neither the backend's name nor have anything to restore: rank 0 looks for them.
  SavedState mine;
  Header expected;
  if (engine_) {
    mine = own_state();
    expected = whole_header(mine.header);
  } else {
    UMOV_EXPECT(bytes.size() >= sizeof expected, "a saved state has a header");
    std::memcpy(&expected, bytes.data(), sizeof expected);
  }
  const SavedState whole = state_.read_whole(bytes, expected, taken_.size());
  step_ = whole.step;
  waiting_ = whole.waiting;
  std::ranges::fill(taken_, step_);
  if (!engine_) return;
  mine.step = step_;
  for (auto& w : mine.waiting) w.clear();
  state_.cut(whole, mine);
  for (std::size_t f = 0; f < transforms_.size(); ++f)
    transforms_.cut(int(f), comm_.rank(), whole.arrays[state_.whole().size() + f],
                    mine.arrays[state_.own().size() + f]);
  engine_->restore(write_state(mine));
}

}  // namespace

std::vector<cplx> fourier_stretches(const Engine& engine, int accumulator, std::span<const Stretch> wanted) {
  return dynamic_cast<const RankEngine&>(engine).fourier_stretches(accumulator, wanted);
}

Overlap asked_overlap() {
  static constexpr const char* words[] = {"always", "never"};
  const std::string word = environment_word("UMOV_FDTD_OVERLAP", "no way to step while copies travel", words);
  return word.empty() ? Overlap::where_it_pays : word == "always" ? Overlap::always : Overlap::never;
}

int expected_halo_planes(const Problem& p, bool on_gpus) {
  const bool in_passes = on_gpus && PartOptions{}.tuned_on_gpus && !p.complex_fields;
  return halo_planes(p, !in_passes ? 1 : p.grid.mode == Mode::full ? 2 : 8);
}

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request, comm::Communicator& comm,
                                    const PartOptions& options) {
  if (comm.size() == 1) return fdtd::make_engine(p, request);
  return std::make_unique<RankEngine>(p, request, options, comm);
}

}  // namespace umov::fdtd::ranks
