// The iteration in pseudo-time on one device: fields, coefficients, and the order of a step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "harmonic/kernels/pseudo_time.hpp"
#include "harmonic/pseudo_time.hpp"
#include "harmonic/pseudo_time_coefficients.hpp"
#include "harmonic/pseudo_time_media.hpp"
#include "harmonic/pseudo_time_pass.hpp"
#include "harmonic/sweep_planes.hpp"

namespace umov::harmonic {

/// Six unsplit components everywhere; in the absorbing planes four more remember derivatives along z.
template <class Dev, class T>
class PseudoTimeStepper {
  using C = Complex<T>;
  template <class X>
  using Array = typename Dev::template Array<X>;

 public:
  PseudoTimeStepper(Dev& dev, const Problem& p, const PseudoTimeStep& step, bool backwards,
                    const PseudoTimeRequest& request)
      : dev_(dev), p_(p), step_(step), fused_(request.tuned) {
    const auto& g = p.grid;
    f_.grid = PaddedGrid::make(g.nx, g.ny, g.nz, int(64 / sizeof(C)));
    memory_ = dev.template allocate<C>(6 * f_.grid.size());
    for (int c = 0; c < 3; ++c) {
      f_.e[c] = memory_.data() + c * f_.grid.size();
      f_.h[c] = f_.e[c] + 3 * f_.grid.size();
    }
    const index_t memory = index_t(4) * (g.absorbing[0] + g.absorbing[1]) * g.columns();
    psi_ = dev.template allocate<C>(memory);
    const T nan = std::numeric_limits<T>::quiet_NaN();
    dev.for_each(index_t(memory_.size()), FillAll<T>{memory_.data(), request.poison ? C(nan, nan) : C(0, 0)});
    media_.emplace(dev, p, step, backwards, request.coefficients, psi_.data());
    place_regions();
    place_wraps();
    in_one_pass_ = fused_ && pass_.begin(dev, columns(), request.poison);
    rest();
  }

  /// Fields and memory at 0.
  void rest() {
    const auto& g = f_.grid;
    dev_.for_each_box({0, 0, -1}, {g.nx, g.ny, g.nz + 1}, FieldsAtRest<T>{f_});
    dev_.fill_zero(psi_.data(), psi_.size());
    wrap(dev_, 0, g.nz, false);
    if (in_one_pass_) pass_.rest();
  }

  /// The plane where the wave enters becomes the source: `current` as of sheet_current.
  void set_sheet(const std::vector<cplx>& current) {
    std::vector<C> gain;
    const int first = p_.grid.source - 1;
    for (int c = 0; c < 3; ++c)
      for (int row = 0; row < 2; ++row)
        gain.push_back(C(-media_->step_of(c, first + row, 0).s * current[2 * c + row]));
    sheet_ = put(gain);
    spread_ = {};
    steady_ = {};
  }
  /// Currents in every plane, [3][nz][ny][nx] without the Bloch factor, become the source.
  void set_currents(const std::vector<cplx>& current) {
    std::vector<C> gain(current.size());
    const auto phases = bloch_phases(p_);
    const index_t columns = p_.grid.columns();
    for (index_t plane = 0; plane < 3 * p_.grid.nz; ++plane) {
      const int c = int(plane / p_.grid.nz), k = int(plane % p_.grid.nz);
      const bool rough = k >= p_.rough_begin && k < p_.rough_end;
      cplx s = media_->step_of(c, k, 0).s;
      for (index_t n = 0; n < columns; ++n) {
        if (rough) s = media_->step_of(c, k, n).s;
        gain[plane * columns + n] = C(-s * current[plane * columns + n] * phases[n]);
      }
    }
    spread_ = put(gain);
    sheet_ = {};
    steady_ = {};
  }

  /// One step with the source at `amplitude`.
  void step(T amplitude) {
    if (in_one_pass_) {
      auto whole = columns();
      whole.amplitude = amplitude;
      return pass_.run(f_, whole);
    }
    if constexpr (requires { dev_.threads(); })
      if (fused_) return sweep_planes(*this, dev_.threads(), amplitude);
    const auto parts = [&] {
      step_h(dev_, 0, f_.grid.nz);
      step_e(dev_, 0, f_.grid.nz, amplitude);
    };
    if (amplitude == T(1))
      steady_.run(dev_, parts);  // the same launches from step to step
    else
      parts();
  }
  /// Whether a step is one pass over the fields.
  bool in_one_pass() const { return in_one_pass_; }

  /// The parts of a step over planes [begin, end), on any device: H, and E of these planes with what lies
  /// beyond their edges afterwards. For sweep_planes.
  template <class D>
  void step_h(const D& dev, int begin, int end) const {
    const auto m = magnetic_step(step_);
    const auto& d = p_.grid.spacing;
    const T rx = T(1 / d[0]), ry = T(1 / d[1]), rz = T(1 / d[2]);
    each_region(begin, end, [&](const Region& r, int from, int to) {
      if (r.absorbing)
        over(dev, from, to, StepH<T, true>{f_, C(m.t), C(m.s), rx, ry, rz, media_->ends(r.begin, r.slot, 1)});
      else
        over(dev, from, to, StepH<T, false>{f_, C(m.t), C(m.s), rx, ry, rz, {}});
    });
    wrap(dev, begin, end, true);
  }
  template <class D>
  void step_e(const D& dev, int begin, int end, T amplitude) const {
    each_region(begin, end, [&](const Region& r, int from, int to) { step_e(dev, r, from, to); });
    add_source(dev, begin, end, amplitude);
    wrap(dev, begin, end, false);
  }
  int planes() const { return f_.grid.nz; }

  index_t edges() const { return 3 * index_t(p_.grid.nz) * p_.grid.columns(); }
  double size() const { return std::sqrt(dev_.map_max(edges(), SquareE<T>{f_})); }
  /// The sum of fields at several steps becomes weight times itself plus own times E.
  void add_to_sum(T weight, T own) {
    if (sum_.size() == 0) {
      sum_ = dev_.template allocate<C>(edges());
      dev_.fill_zero(sum_.data(), edges());
    }
    dev_.for_each(edges(), AddToSum<T>{f_, sum_.data(), weight, own});
  }
  /// Largest |weight sum + own E|.
  double largest(T weight, T own) const {
    return std::sqrt(dev_.map_max(edges(), SquareOfSum<T>{f_, sum_.data(), weight, own}));
  }

  /// weight sum + own E of about a thousand edges.
  std::vector<cplx> probes(T weight, T own) const {
    const index_t stride = std::max<index_t>(1, edges() / 1021), n = edges() / stride;
    Array<C> out = dev_.template allocate<C>(n);
    dev_.for_each(n, Probe<T>{f_, sum_.data(), weight, own, stride, out.data()});
    std::vector<C> host(n);
    dev_.download(host.data(), out.data(), host.size());
    std::vector<cplx> values;
    for (const C& v : host) values.push_back(v.template to_std<double>());
    return values;
  }

  /// The sum [3][nz][ny][nx] without the Bloch factor.
  std::vector<cplx> sum() const {
    std::vector<C> host(edges());
    dev_.download(host.data(), sum_.data(), host.size());
    std::vector<cplx> e(host.size());
    const auto phases = bloch_phases(p_);
    for (std::size_t n = 0; n < e.size(); ++n)
      e[n] = host[n].template to_std<double>() * std::conj(phases[n % phases.size()]);
    return e;
  }

  /// Of fields, memory of the absorbing planes and coefficients.
  double bytes() const { return double(memory_.bytes() + psi_.bytes()) + media_->bytes() + pass_.bytes(); }

 private:
  struct Region {
    int begin, end, slot;
    bool absorbing, rough;
  };

  /// A step as a pass over columns sees it, but for what changes from step to step.
  ColumnStep<T> columns() const {
    ColumnStep<T> out{};
    out.grid = f_.grid;
    out.phase_x = wrap_[0];
    out.phase_y = wrap_[1];
    out.psi_in = psi_.data();
    media_->describe(out);
    out.gain = sheet_.data();
    out.column_x = phases_[0].data();
    out.column_y = phases_[1].data();
    out.spread = spread_.data();
    return out;
  }

  Array<C> put(const std::vector<C>& host) const {
    Array<C> out = dev_.template allocate<C>(host.size());
    dev_.upload(out.data(), host.data(), host.size());
    return out;
  }
  void place_regions() {
    const auto& g = p_.grid;
    const int begin = g.absorbing[0], end = g.nz - g.absorbing[1];
    const auto add = [&](int from, int to, bool rough) {
      if (from < to) regions_.push_back({from, to, 0, false, rough});
    };
    if (begin > 0) regions_.push_back({0, begin, 0, true, false});
    if (p_.rough_planes() > 0) {
      add(begin, p_.rough_begin, false);
      add(p_.rough_begin, p_.rough_end, true);
      add(p_.rough_end, end, false);
    } else {
      add(begin, end, false);
    }
    if (end < g.nz) regions_.push_back({end, g.nz, begin, true, false});
  }

  void place_wraps() {
    const auto& g = p_.grid;
    const int cells[2] = {g.nx, g.ny};
    for (int axis = 0; axis < 2; ++axis) {
      const double along = p_.bloch[axis] * g.spacing[axis];
      const cplx ahead = cells[axis] > 1 ? std::polar(1.0, along * cells[axis]) : cplx(1, along);
      wrap_[axis] = C(ahead);
      wrap_[2 + axis] = C(std::conj(ahead));
      std::vector<C> phases;
      for (int n = 0; n < cells[axis]; ++n) phases.push_back(C(std::polar(1.0, along * n)));
      phases_[axis] = put(phases);
    }
  }

  template <class F>
  void each_region(int begin, int end, const F& f) const {
    for (const Region& r : regions_)
      if (std::max(r.begin, begin) < std::min(r.end, end))
        f(r, std::max(r.begin, begin), std::min(r.end, end));
  }

  template <class D, class F>
  void over(const D& dev, int from, int to, const F& f) const {
    dev.for_each_box({0, 0, from}, {f_.grid.nx, f_.grid.ny, to}, f);
  }

  template <class D>
  void wrap(const D& dev, int begin, int end, bool magnetic) const {
    const auto& g = f_.grid;
    dev.for_each_box({0, begin, 0}, {g.ny, end, 1}, WrapX<T>{f_, magnetic, wrap_[2 * magnetic]});
    dev.for_each_box({0, begin, 0}, {g.nx, end, 1}, WrapY<T>{f_, magnetic, wrap_[2 * magnetic + 1]});
  }

  template <class D>
  void add_source(const D& dev, int begin, int end, T amplitude) const {
    if (amplitude == T(0)) return;
    const auto& g = f_.grid;
    const int first = p_.grid.source - 1, from = std::max(begin, first), to = std::min(end, first + 2);
    if (sheet_.size() > 0 && from < to)
      dev.for_each_box(
          {0, 0, from - first}, {g.nx, g.ny, to - first},
          AddSheet<T>{f_, first, amplitude, sheet_.data(), phases_[0].data(), phases_[1].data()});
    if (spread_.size() > 0) over(dev, begin, end, AddSource<T>{f_, 0, g.nz, amplitude, spread_.data()});
  }

  template <class D, class Media>
  void step_e_with(const D& dev, int from, int to, const Media& media) const {
    const auto& d = p_.grid.spacing;
    over(dev, from, to, StepE<T, Media, false>{f_, media, T(1 / d[0]), T(1 / d[1]), T(1 / d[2]), {}});
  }

  template <class D>
  void step_e(const D& dev, const Region& r, int from, int to) const {
    const auto& d = p_.grid.spacing;
    if (r.absorbing)
      return over(dev, from, to,
                  StepE<T, LayerCoefficients<T>, true>{f_, media_->layers(), T(1 / d[0]), T(1 / d[1]),
                                                       T(1 / d[2]), media_->ends(r.begin, r.slot, 0)});
    if (!r.rough) return step_e_with(dev, from, to, media_->layers());
    media_->with_rough([&](const auto& rough) { step_e_with(dev, from, to, rough); });
  }

  Dev& dev_;
  const Problem& p_;
  PseudoTimeStep step_;
  bool fused_, in_one_pass_ = false;
  StaggeredFields<T> f_;
  Array<C> memory_, psi_, sum_, sheet_, spread_;
  std::array<Array<C>, 2> phases_;
  std::optional<PseudoTimeMedia<Dev, T>> media_;
  PseudoTimePass<Dev, T> pass_;
  typename Dev::Sequence steady_;
  C wrap_[4];
  std::vector<Region> regions_;
};

}  // namespace umov::harmonic
