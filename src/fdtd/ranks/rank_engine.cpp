#include "fdtd/ranks/rank_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/contract.hpp"
#include "core/environment.hpp"
#include "fdtd/ranks/answers.hpp"
#include "fdtd/ranks/borders.hpp"
#include "fdtd/ranks/gathered.hpp"
#include "fdtd/ranks/part.hpp"
#include "fdtd/ranks/shares_of_block.hpp"
#include "fdtd/ranks/state_parts.hpp"
#include "fdtd/steps_of_pass.hpp"

namespace umov::fdtd::ranks {

namespace {

/// On processors a part is stepped by the same kernels as the whole would be: else bits could differ. On GPUs
/// all kernels have the same bits (kernels/rounding.hpp).
EngineRequest request_for_part(EngineRequest request, const PartOptions& o) {
  request.tuned = request.tuned && (request.backend != "cuda" || o.tuned_on_gpus);
  return request;
}

/// As many as a pass takes; the least of all ranks, whose GPUs may differ. Of every rank.
int steps_between_exchanges(const Problem& p, const EngineRequest& request, const PartOptions& o,
                            comm::Communicator& comm) {
  if (o.steps_between_exchanges > 0) return o.steps_between_exchanges;
  return comm::min(comm, steps_of_pass(p, request_for_part(request, o)));
}

Cut cut_for(const Problem& p, const EngineRequest& request, const PartOptions& o, int steps, int ranks) {
  if (o.parts[0] > 0) return make_cut(p, o.parts[0], o.parts[1]);
  return choose_cut(p, ranks, o.cut, copy_costs(p, steps, request.backend == "cuda"));
}

class RankEngine final : public Engine, public TransformProducts {
 public:
  RankEngine(const Problem& p, const EngineRequest& request, const PartOptions& options,
             comm::Communicator& comm)
      : RankEngine(p, request, options, steps_between_exchanges(p, request, options, comm), comm) {}

  std::string device() const override {
    return engine_ ? engine_->device() : "nothing to do (fewer parts than ranks)";
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

  std::vector<double> product_sum(const ProductSum& products) const override {
    std::vector<double> sums(transforms_.frequencies(products->front().a), 0);
    for (const TransformProduct& q : *products) {
      const auto part = product_of(q, fourier(q.a), fourier(q.b), sums.size());
      for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += part[f];
    }
    return sums;
  }

  std::vector<std::vector<cplx>> lateral_sums(const LateralSums& sums) const override {
    std::vector<std::vector<cplx>> all;
    for (const LateralSum& s : *sums) all.push_back(lateral_sum_of(s, fourier(s.a)));
    return all;
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
    const bool by_planes = std::ranges::any_of(counts, [](std::size_t n) { return n > 0; });
    if (by_planes)
      watch.planes = cut_.blocks() ? sums_of_planes(rows_of_all(mine.rows), int(cut_.planes.back()))
                                   : gathered(comm_, mine.planes, counts);
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
    const Cells cells{lo, hi}, own = share_of(cut_, comm_.rank(), cells);
    FieldBlock mine;
    if (own.count() > 0) mine = engine_->field(c, own_place(own.lo), own_place(own.hi));
    const auto counts = share_counts(cut_, comm_.size(), cells);
    const auto of_all = [&](const std::vector<double>& values) {
      return in_place(cut_, comm_.size(), cells, gathered(comm_, values, counts));
    };
    FieldBlock block{{cells.size(0), cells.size(1), cells.size(2)}, of_all(mine.real), {}};
    if (complex_) block.imag = of_all(mine.imag);
    return block;
  }

  std::vector<float> sample(const FieldSample& s) const override {
    return sample_by_ranks(s, comm_, cut_, [&](FieldSample part) {
      part.lo = own_place(part.lo);
      part.hi = own_place(part.hi);
      return engine_->sample(part);
    });
  }

  void set_field(Component c, const Int3& lo, const FieldBlock& block) override {
    if (!engine_) return;
    const Cells all{lo, {lo[0] + block.size[0], lo[1] + block.size[1], lo[2] + block.size[2]}};
    for (const CopiedRun& planes : copies_of(block_.planes, all))
      for (const CopiedRun& rows : copies_of(block_.rows, all)) {
        Cells some{{0, 0, 0}, block.size};
        Int3 at = lo;
        for (const CopiedRun* run : {&rows, &planes}) {
          if (run->axis < 0) continue;
          some.lo[run->axis] = run->first - lo[run->axis];
          some.hi[run->axis] = some.lo[run->axis] + run->count;
          at[run->axis] = run->place;
        }
        engine_->set_field(c, at,
                           {{some.size(0), some.size(1), some.size(2)},
                            cut_out(block.real, block.size, some),
                            cut_out(block.imag, block.size, some)});
      }
  }

  std::vector<std::byte> save() const override;
  void restore(const std::vector<std::byte>&) override;

 private:
  RankEngine(const Problem& p, const EngineRequest& request, const PartOptions& options, int steps,
             comm::Communicator& comm)
      : comm_(comm),
        grid_(p.grid),
        complex_(p.complex_fields),
        cut_(cut_for(p, request, options, steps, comm.size())),
        state_(p, cut_),
        digest_(digest(p)),
        recorders_(p, cut_, comm.size()),
        transforms_(p, cut_, comm.size()),
        waiting_(p.recorders.size()),
        taken_(p.recorders.size()) {
    if (options.told) options.told(cut_);
    const bool here = comm.rank() < cut_.ranks();
    joined_ = comm.split(here ? 0 : -1);
    if (!here) return;
    std::vector<Block> blocks;
    for (int r = 0; r < cut_.ranks(); ++r) blocks.push_back(make_block(p, cut_, r, steps));
    block_ = blocks[std::size_t(comm.rank())];
    const Problem part = make_part(p, block_);
    state_.set_part(part, block_);
    const EngineRequest own = request_for_part(request, options);
    engine_ = options.make_engine ? options.make_engine(part, own) : fdtd::make_engine(part, own);
    Border border{{steps, block_.planes.own_begin, block_.planes.own_end(), 0, 0},
                  border_messages(p, blocks, comm.rank(), state_.whole(), state_.own()),
                  [this](const comm::Queue& queue) { return joined_->open(queue); },
                  options.overlap ? *options.overlap : asked_overlap()};
    if (cut_.blocks()) {
      border.first_row = block_.rows.own_begin, border.last_row = block_.rows.own_end();
      // what is left of a pass while copies travel is whole planes of columns
      border.overlap = Overlap::never;
    }
    engine_->join(border);
  }

  /// By this rank's part.
  Int3 own_place(Int3 c) const {
    for (const Slab* s : {&block_.rows, &block_.planes})
      if (s->axis >= 0) c[s->axis] = ranks::own_place(*s, c[s->axis]);
    return c;
  }
  /// Sums of all rows from those of each rank's, [plane][row][2].
  std::vector<double> rows_of_all(const std::vector<double>& mine) const {
    const Cells rows{{0, 0, 0}, {1, grid_.cells[1], grid_.cells[2]}};
    return in_place(cut_, comm_.size(), rows,
                    gathered(comm_, mine, share_counts(cut_, comm_.size(), rows, 2)), 2);
  }

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
  Cut cut_;
  StateParts state_;
  std::uint64_t digest_;
  RecorderParts recorders_;
  TransformParts transforms_;
  Block block_;
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
  std::vector<std::byte> rows;
  if (engine_) {
    mine = own_state();
    rows = state_.rows(comm_.rank(), mine);
  }
  std::vector<std::size_t> counts;
  const auto all = comm::gather(comm_, std::span<const std::byte>(rows), 0, &counts);
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

int expected_steps(const Problem& p, bool on_gpus) {
  const bool in_passes = on_gpus && PartOptions{}.tuned_on_gpus && !p.complex_fields;
  return !in_passes ? 1 : p.grid.mode == Mode::full ? 2 : 8;
}

std::unique_ptr<Engine> make_engine(const Problem& p, const EngineRequest& request, comm::Communicator& comm,
                                    const PartOptions& options) {
  if (comm.size() == 1) return fdtd::make_engine(p, request);
  return std::make_unique<RankEngine>(p, request, options, comm);
}

}  // namespace umov::fdtd::ranks
