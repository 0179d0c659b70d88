// The engine on one device, in one precision and with one stepper: owns the state and everything beside the
// steps themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/bytes.hpp"
#include "core/contract.hpp"
#include "core/text.hpp"
#include "fdtd/border_pass.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/fingerprint.hpp"
#include "fdtd/kernels/box_mean.hpp"
#include "fdtd/passes.hpp"

namespace umov::fdtd {

/// A stepper that may have the planes which others copy ready before the rest (see SimpleStepper).
template <class Stepper, class Dev, class T, class F>
concept BordersFirst = requires(Stepper& s, State<Dev, T, F>& state, Passes<Dev, T, F>& p,
                                const Border& border, long n, const BorderCalls& calls) {
  s.join(state, border);
  { s.has_borders_first(n) } -> std::convertible_to<bool>;
  s.advance(state, p, n, n, calls);
};

template <class Dev, class T, class F, template <class, class, class> class Stepper>
class EngineOn final : public Engine, public TransformProducts {
 public:
  template <class... Args>
  explicit EngineOn(const Problem& p, Args&&... device)
      : dev_(std::forward<Args>(device)...),
        state_(dev_, p),
        passes_(state_, p),
        stepper_(state_, passes_, p),
        header_(p, Dev::name, sizeof(F)),
        complex_(p.complex_fields) {
    std::copy(std::begin(p.cut_edges), std::end(p.cut_edges), cut_.begin());
    seams_ = !p.seams.empty();
  }

  std::string device() const override {
    const std::string how = stepper_.variant();
    return dev_.device_name() + (how.empty() ? "" : ", " + how) + hidden_travel();
  }
  long step() const override { return step_; }
  std::size_t bytes() const override {
    return state_.bytes() + passes_.bytes() + stepper_.bytes() + (border_ ? border_->bytes() : 0);
  }
  void join(const Border& border) override {
    border_.emplace(state_, border);
    if constexpr (borders_first) stepper_.join(state_, border);
  }

  void advance(long steps) override {
    // parts exchange after the same steps, however many of them their lists have room for
    const long between = border_ ? border_->steps() : std::numeric_limits<long>::max();
    long since = 0;
    while (steps > 0) {
      long chunk = std::min(steps, passes_.longest());
      if (chunk > between) chunk = chunk / between * between;
      passes_.prepare(step_, chunk);
      for (long done = 0; done < chunk;) {
        const long few = std::min(between - since, chunk - done);
        const bool exchanges = border_ && (since + few == between || (done + few == chunk && chunk == steps));
        if (exchanges)
          advance_and_exchange(step_ + done, few);
        else
          stepper_.advance(state_, passes_, step_ + done, few);
        done += few;
        since = exchanges ? 0 : since + few;
      }
      step_ += chunk;
      steps -= chunk;
      passes_.collect();
    }
    dev_.synchronize();
  }

  std::vector<double> drain(int recorder) override {
    return std::exchange(passes_.samples.waiting().at(recorder), {});
  }
  std::vector<cplx> fourier(int accumulator) const override {
    return passes_.samples.transforms.sums(accumulator);
  }

  std::vector<double> product_sum(const ProductSum& products) const override {
    return passes_.samples.transforms.product_sum(products);
  }
  std::vector<std::vector<cplx>> lateral_sums(const LateralSums& sums) const override {
    return passes_.samples.transforms.lateral_sums(sums);
  }

  FieldWatch watch() const override {
    stepper_.flush(state_);
    const Layout& l = state_.layout;
    const int slow = dimensions(state_.grid.mode) - 1;
    Int3 from{0, 0, 0}, size = state_.grid.cells;
    if (border_) from[slow] = border_->own().own_begin, size[slow] = border_->own().own_end - from[slow];
    const bool block = border_ && border_->own().last_row > 0;
    if (block) from[1] = border_->own().first_row, size[1] = border_->own().last_row - from[1];
    SumSquares<F> squares{field_pointers(state_), size[0], size[1], l.at(from), l.pitch, l.plane};
    for (int a = 0; a < 3; ++a)
      if (const double* edges = state_.edges(a)) squares.edge[a] = edges + from[a];
    const index_t cells = index_t(size[0]) * size[1] * size[2];
    FieldWatch watch;
    double electric = 0, magnetic = 0;
    if (comm::queue_of(dev_).of_host() && slow > 0) {
      watch.rows = sums_of_rows(squares, index_t(size[1]) * size[2]);
      watch.planes = sums_of_planes(watch.rows, size[slow]);
      for (std::size_t k = 0; k < watch.planes.size(); k += 2)
        electric += watch.planes[k], magnetic += watch.planes[k + 1];
      if (!block) watch.rows.clear();
    } else {
      const auto sums = dev_.template map_reduce<2, double>(cells, squares);
      electric = sums.v[0], magnetic = sums.v[1];
    }
    const double volume = std::pow(state_.grid.dx, dimensions(state_.grid.mode)) / 2;
    watch.electric_energy = electric * volume;
    watch.magnetic_energy = magnetic * volume;
    watch.max_abs =
        std::sqrt(comm::queue_of(dev_).of_host() ? largest_of_rows(squares, index_t(size[1]) * size[2])
                                                 : dev_.map_max(cells, LargestSquare<F>{squares}));
    return watch;
  }

  FieldBlock field(Component c, const Int3& lo, const Int3& hi) const override {
    FieldBlock block{{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}, {}, {}};
    check_block(c, lo, block.size);
    stepper_.flush(state_);
    const std::size_t n = std::size_t(block.size[0]) * block.size[1] * block.size[2];
    auto own = dev_.template allocate<F>(n);
    move_block(c, lo, block.size, own.data(), false);
    std::vector<F> host(n);
    dev_.download(host.data(), own.data(), n);
    for (const F& v : host) {
      const auto wide = widen(v);
      block.real.push_back(wide.re);
      if (complex_) block.imag.push_back(wide.im);
    }
    visit_cut(c, lo, block.size, [&](std::size_t n, double free) {
      block.real[n] /= free;
      if (complex_) block.imag[n] /= free;
    });
    return block;
  }

  std::vector<float> sample(const FieldSample& s) const override {
    stepper_.flush(state_);
    const Layout& l = state_.layout;
    BoxMean<F> mean{{}, 0, nullptr, {}, {s.size[0], s.size[1]}, l.base, l.pitch, l.plane, s.squares};
    const auto fields = field_pointers(state_);
    for (int c = 0; c < components; ++c)
      if (fields.of[c] && (s.components >> c & 1)) mean.fields[mean.count++] = fields.of[c];
    std::size_t n = 1;
    std::vector<int> edges;
    for (int a = 0; a < 3; ++a) {
      UMOV_EXPECT(s.size[a] >= 1 && s.edge(a, 0) >= 0 && s.edge(a, s.size[a]) <= state_.grid.cells[a] &&
                      std::max(s.size[a], s.of[a]) <= s.hi[a] - s.lo[a],
                  "a sample of the fields reaches beyond the grid, or has boxes without a cell");
      for (std::int64_t i = 0; i <= s.size[a]; ++i) edges.push_back(s.edge(a, i));
      n *= std::size_t(s.size[a]);
    }
    std::vector<float> host(n);
    const auto write = [&](float* out, const int* first) {
      mean.out = out;
      for (int a = 0; a < 3; first += s.size[a] + 1, ++a) mean.edges[a] = first;
    };
    if constexpr (requires { stepper_.box_means(mean, s.size); }) {
      write(host.data(), edges.data());
      stepper_.box_means(mean, s.size);
    } else {
      auto own = dev_.template allocate<float>(n);
      auto own_edges = dev_.template allocate<int>(edges.size());
      dev_.upload(own_edges.data(), edges.data(), edges.size());
      write(own.data(), own_edges.data());
      dev_.for_each_box({0, 0, 0}, s.size, mean);
      dev_.download(host.data(), own.data(), n);
    }
    return host;
  }

  void set_field(Component c, const Int3& lo, const FieldBlock& block) override {
    check_block(c, lo, block.size);
    const std::size_t n = std::size_t(block.size[0]) * block.size[1] * block.size[2];
    UMOV_EXPECT(block.real.size() == n && (block.imag.empty() || block.imag.size() == n),
                "a block of field values has another number of values than cells");
    stepper_.flush(state_);
    std::vector<F> host;
    for (std::size_t i = 0; i < n; ++i)
      host.push_back(to_field<F>({block.real[i], block.imag.empty() ? 0 : block.imag[i]}));
    visit_cut(c, lo, block.size, [&](std::size_t at, double free) { host[at] = host[at] * F(T(free)); });
    auto own = dev_.template allocate<F>(n);
    dev_.upload(own.data(), host.data(), n);
    move_block(c, lo, block.size, own.data(), true);
    passes_.sweeps.ghosts(state_, field_of(c));
    dev_.synchronize();
    stepper_.reload(state_);
  }

  std::vector<std::byte> save() const override {
    stepper_.flush(state_);
    passes_.samples.transforms.flush();
    MemoryWriter out;
    out(header_);
    out(step_);
    visit_changing([&](auto& array) { out.elements(dev_, array); });
    for (const auto& samples : passes_.samples.waiting()) out(samples);
    return out.take();
  }

  void restore(const std::vector<std::byte>& bytes) override {
    MemoryReader in(bytes);
    Header found;
    in(found);
    header_.check(found);
    if (in.left() < saved_bytes_at_least()) in.damaged();
    in(step_);
    visit_changing([&](auto& array) { in.elements(dev_, array); });
    for (auto& samples : passes_.samples.waiting()) in(samples);
    in.finish();
    passes_.samples.transforms.forget();
    fill_seams();
    stepper_.reload(state_);
  }

 private:
  static constexpr bool borders_first = BordersFirst<Stepper<Dev, T, F>, Dev, T, F>;

  /// Takes steps, and brings the copies of others' planes.
  void advance_and_exchange(long first, long steps) {
    if constexpr (borders_first)
      if (stepper_.has_borders_first(steps)) {
        const BorderCalls calls{[this] { border_->start(changing_arrays()); },
                                [this] { border_->finish(changing_arrays()); }};
        stepper_.advance(state_, passes_, first, steps, calls);
        return fill_seams();
      }
    stepper_.advance(state_, passes_, first, steps);
    stepper_.flush(state_);
    const auto arrays = changing_arrays();
    border_->start(arrays);
    border_->finish(arrays);
    fill_seams();
    stepper_.reload(state_);
  }
  std::vector<F*> changing_arrays() const {
    std::vector<F*> arrays;
    visit_changing([&](auto& array) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*array.data())>, F>)
        arrays.push_back(array.data());
    });
    return arrays;
  }
  /// For the log: how much of the time that copies travelled was spent on steps.
  std::string hidden_travel() const {
    const comm::Travel t = border_ ? border_->travel() : comm::Travel{};
    if (t.travelled <= 0) return "";
    const int hidden = int(std::lround(100 * std::clamp(1 - t.waited / t.travelled, 0.0, 1.0)));
    return ", copies travelled " + format_time(t.travelled) + ", " + std::to_string(hidden) +
           " % of it behind steps";
  }
  /// [row][E, H] of so many rows.
  std::vector<double> sums_of_rows(const SumSquares<F>& squares, index_t rows) const {
    auto own = dev_.template allocate<double>(std::size_t(2 * rows));
    dev_.for_each(rows, SumRow<F>{squares, own.data()});
    std::vector<double> host(std::size_t(2 * rows));
    dev_.download(host.data(), own.data(), host.size());
    return host;
  }
  double largest_of_rows(const SumSquares<F>& squares, index_t rows) const {
    auto own = dev_.template allocate<std::uint64_t>(std::size_t(rows));
    dev_.for_each(rows, LargestOfRow<F>{squares, own.data()});
    std::vector<std::uint64_t> host(std::size_t(rows), 0);
    dev_.download(host.data(), own.data(), host.size());
    return backend::from_ordered_bits(*std::max_element(host.begin(), host.end()));
  }
  void fill_seams() const {
    if (!seams_) return;
    passes_.sweeps.ghosts(state_, Field::H);
    passes_.sweeps.ghosts(state_, Field::E);
  }
  template <class Visit>
  void visit_changing(const Visit& f) const {
    state_.visit_changing(f);
    passes_.visit_changing(f);
  }
  std::size_t saved_bytes_at_least() const {
    std::size_t sum = sizeof(step_);
    visit_changing([&](auto& array) { sum += array.bytes(); });
    return sum;
  }

  void check_block(Component c, const Int3& lo, const Int3& size) const {
    UMOV_EXPECT(has_component(state_.grid.mode, c), "a field component that this run does not have");
    for (int a = 0; a < 3; ++a) {
      const int ghost = state_.grid.active(a) ? 1 : 0;
      UMOV_EXPECT(size[a] >= 1 && lo[a] >= -ghost && lo[a] + size[a] <= state_.grid.cells[a] + ghost,
                  "a block of field values reaches beyond the grid");
    }
  }
  /// Calls f(place in the block, free fraction) for edges that conductors cut.
  template <class Visit>
  void visit_cut(Component c, const Int3& lo, const Int3& size, const Visit& f) const {
    if (!is_electric(c) || cut_[c].cells.empty()) return;
    const auto& cells = cut_[c].cells;
    for (int k = 0; k < size[2]; ++k)
      for (int j = 0; j < size[1]; ++j) {
        const index_t row = state_.layout.at(lo[0], lo[1] + j, lo[2] + k);
        auto at = std::lower_bound(cells.begin(), cells.end(), row);
        for (; at != cells.end() && *at < row + size[0]; ++at)
          f(std::size_t(*at - row) + std::size_t(size[0]) * (j + std::size_t(size[1]) * k),
            cut_[c].free[std::size_t(at - cells.begin())]);
      }
  }
  void move_block(Component c, const Int3& lo, const Int3& size, F* own, bool into_field) const {
    const Layout& l = state_.layout;
    dev_.for_each_box({0, 0, 0}, size,
                      BlockView<F>{state_.field(c),
                                   own,
                                   {lo[0], lo[1], lo[2]},
                                   size[0],
                                   size[1],
                                   l.base,
                                   l.pitch,
                                   l.plane,
                                   into_field});
  }

  // reading may bring what a stepper holds elsewhere into the state
  mutable Dev dev_;
  mutable State<Dev, T, F> state_;
  mutable Passes<Dev, T, F> passes_;
  mutable Stepper<Dev, T, F> stepper_;
  Header header_;
  std::optional<BorderPass<Dev, T, F>> border_;
  bool complex_, seams_ = false;
  std::array<CutEdges, 3> cut_;  ///< where the state holds less than E
  long step_ = 0;
};

}  // namespace umov::fdtd
