// The iteration in pseudo-time on one device: fields, coefficients, and the order of a step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fdtd/harmonic/kernels/pseudo_time.hpp"
#include "fdtd/harmonic/pseudo_time.hpp"
#include "fdtd/harmonic/pseudo_time_coefficients.hpp"

namespace umov::fdtd::harmonic {

/// Six unsplit components everywhere; in the absorbing planes four more remember derivatives along z.
template <class Dev, class T>
class PseudoTimeStepper {
  using C = Complex<T>;
  template <class X>
  using Array = typename Dev::template Array<X>;

 public:
  PseudoTimeStepper(Dev& dev, const Problem& p, const PseudoTimeStep& step, bool backwards,
                    Coefficients coefficients, bool poison)
      : dev_(dev), p_(p), step_(step), backwards_(backwards) {
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
    dev.for_each(index_t(memory_.size()), FillAll<T>{memory_.data(), poison ? C(nan, nan) : C(0, 0)});
    rest();
    place_layers();
    place_stretch();
    if (p.rough_planes() > 0) place_rough(coefficients);
    place_wraps();
  }

  /// Fields and memory at 0.
  void rest() {
    const auto& g = f_.grid;
    dev_.for_each_box({0, 0, -1}, {g.nx, g.ny, g.nz + 1}, FieldsAtRest<T>{f_});
    dev_.fill_zero(psi_.data(), psi_.size());
  }

  /// The plane where the wave enters becomes the source: `current` as of sheet_current.
  void set_sheet(const std::vector<cplx>& current) {
    std::vector<C> gain;
    const int first = p_.grid.source - 1;
    for (int c = 0; c < 3; ++c)
      for (int row = 0; row < 2; ++row)
        gain.push_back(C(-step_of(c, first + row, 0).s * current[2 * c + row]));
    sheet_ = put(gain);
    spread_ = {};
  }
  /// Currents in every plane, [3][nz][ny][nx] without the Bloch factor, become the source.
  void set_currents(const std::vector<cplx>& current) {
    std::vector<C> gain(current.size());
    const index_t columns = p_.grid.columns();
    for (std::size_t n = 0; n < current.size(); ++n) {
      const index_t plane = index_t(n) / columns, column = index_t(n) % columns;
      gain[n] = C(-step_of(int(plane / p_.grid.nz), int(plane % p_.grid.nz), column).s * current[n] *
                  bloch(column));
    }
    spread_ = put(gain);
    sheet_ = {};
  }

  /// One step with the source at `amplitude`.
  void step(T amplitude) {
    const auto& g = f_.grid;
    dev_.for_each_box({0, 0, 0}, {g.ny, g.nz, 1}, WrapX<T>{f_, false, wrap_[0]});
    dev_.for_each_box({0, 0, 0}, {g.nx, g.nz, 1}, WrapY<T>{f_, false, wrap_[1]});
    for (const Region& r : regions_) step_h(r);
    dev_.for_each_box({0, 0, 0}, {g.ny, g.nz, 1}, WrapX<T>{f_, true, wrap_[2]});
    dev_.for_each_box({0, 0, 0}, {g.nx, g.nz, 1}, WrapY<T>{f_, true, wrap_[3]});
    for (const Region& r : regions_) step_e(r);
    if (amplitude == T(0)) return;
    if (sheet_.size() > 0)
      dev_.for_each_box({0, 0, 0}, {g.nx, g.ny, 2},
                        AddSheet<T>{f_, p_.grid.source - 1, amplitude, sheet_.data(), phases_[0].data(),
                                    phases_[1].data()});
    if (spread_.size() > 0)
      dev_.for_each_box({0, 0, 0}, {g.nx, g.ny, g.nz}, AddSource<T>{f_, 0, g.nz, amplitude, spread_.data()});
  }

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
    for (std::size_t n = 0; n < e.size(); ++n)
      e[n] = host[n].template to_std<double>() / bloch(index_t(n) % p_.grid.columns());
    return e;
  }

  /// Of fields, memory of the absorbing planes and coefficients.
  double bytes() const {
    double sum = double(memory_.bytes() + psi_.bytes() + index8_.bytes() + index32_.bytes());
    for (const auto& a : kept_) sum += double(a.bytes());
    return sum;
  }

 private:
  struct Region {
    int begin, end, slot;
    bool absorbing, rough;
  };

  Array<C> put(const std::vector<C>& host) const {
    Array<C> out = dev_.template allocate<C>(host.size());
    dev_.upload(out.data(), host.data(), host.size());
    return out;
  }
  const C* keep_array(const std::vector<cplx>& values) {
    std::vector<C> host;
    for (const cplx v : values) host.push_back(C(v));
    kept_.push_back(put(host));
    return kept_.back().data();
  }

  HalfStep step_of(int c, int k, index_t column) const {
    return electric_step(edge_permittivity(p_, c, k, column), p_.k0, step_, backwards_);
  }
  /// exp(i K x) of a column.
  cplx bloch(index_t column) const {
    const auto& g = p_.grid;
    return std::polar(1.0, p_.bloch[0] * g.spacing[0] * double(column % g.nx) +
                               p_.bloch[1] * g.spacing[1] * double(column / g.nx));
  }

  void place_layers() {
    const auto& g = p_.grid;
    for (int normal = 0; normal < 2; ++normal) {
      std::vector<cplx> t, s;
      for (int k = 0; k < g.nz; ++k) {
        const auto h = electric_step((normal ? p_.normal : p_.tangential)[k], p_.k0, step_, backwards_);
        t.push_back(h.t);
        s.push_back(h.s);
      }
      layers_.t[normal] = keep_array(t);
      layers_.s[normal] = keep_array(s);
    }
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

  void place_stretch() {
    const auto& g = p_.grid;
    const double rz = 1 / g.spacing[2];
    const index_t slots = index_t(g.absorbing[0] + g.absorbing[1]) * g.columns();
    for (int half = 0; half < 2; ++half) {
      std::vector<T> share;
      std::vector<cplx> keep, feed;
      for (const cplx s : half ? p_.stretch_half : p_.stretch) {
        const auto step = stretch_step(s, p_.k0, step_);
        share.push_back(T(step.share * rz));
        keep.push_back(step.keep);
        feed.push_back(step.feed * rz);
      }
      share_[half] = dev_.template allocate<T>(share.size());
      dev_.upload(share_[half].data(), share.data(), share.size());
      C* psi = psi_.data() + 2 * half * slots;
      ends_[half] = {0, 0, 0, share_[half].data(), keep_array(keep), keep_array(feed), psi, psi + slots};
    }
  }

  struct Hash {
    std::size_t operator()(const cplx& v) const {
      const double parts[2] = {v.real(), v.imag()};
      return std::hash<std::string_view>()({reinterpret_cast<const char*>(parts), sizeof parts});
    }
  };

  void place_rough(Coefficients coefficients) {
    std::vector<std::uint32_t> index;
    std::vector<cplx> t, s;
    std::unordered_map<cplx, std::uint32_t, Hash> known;
    if (coefficients == Coefficients::stored) {
      for (const cplx eps : p_.permittivity) {
        const auto h = electric_step(eps, p_.k0, step_, backwards_);
        t.push_back(h.t);
        s.push_back(h.s);
      }
    } else {
      for (const cplx eps : p_.permittivity) {
        const auto [at, fresh] = known.try_emplace(eps, std::uint32_t(t.size()));
        index.push_back(at->second);
        if (!fresh) continue;
        const auto h = electric_step(eps, p_.k0, step_, backwards_);
        t.push_back(h.t);
        s.push_back(h.s);
      }
      if (t.size() <= 256) {
        const std::vector<std::uint8_t> narrow(index.begin(), index.end());
        index8_ = dev_.template allocate<std::uint8_t>(narrow.size());
        dev_.upload(index8_.data(), narrow.data(), narrow.size());
      } else {
        index32_ = dev_.template allocate<std::uint32_t>(index.size());
        dev_.upload(index32_.data(), index.data(), index.size());
      }
    }
    rough_t_ = keep_array(t);
    rough_s_ = keep_array(s);
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

  AbsorbingPlanes<T> ends(const Region& r, int half) const {
    AbsorbingPlanes<T> e = ends_[half];
    e.first = r.begin;
    e.planes = r.end - r.begin;
    e.slot = r.slot;
    return e;
  }

  template <class F>
  void over(const Region& r, const F& f) const {
    dev_.for_each_box({0, 0, r.begin}, {f_.grid.nx, f_.grid.ny, r.end}, f);
  }

  void step_h(const Region& r) const {
    const auto m = magnetic_step(step_);
    const auto& d = p_.grid.spacing;
    if (r.absorbing)
      over(r, StepH<T, true>{f_, C(m.t), C(m.s), T(1 / d[0]), T(1 / d[1]), T(1 / d[2]), ends(r, 1)});
    else
      over(r, StepH<T, false>{f_, C(m.t), C(m.s), T(1 / d[0]), T(1 / d[1]), T(1 / d[2]), {}});
  }

  template <class Media>
  void step_e_with(const Region& r, const Media& media) const {
    const auto& d = p_.grid.spacing;
    over(r, StepE<T, Media, false>{f_, media, T(1 / d[0]), T(1 / d[1]), T(1 / d[2]), {}});
  }

  void step_e(const Region& r) const {
    const auto& d = p_.grid.spacing;
    const int nx = p_.grid.nx, ny = p_.grid.ny, first = p_.rough_begin, planes = p_.rough_planes();
    if (r.absorbing)
      return over(r, StepE<T, LayerCoefficients<T>, true>{f_, layers_, T(1 / d[0]), T(1 / d[1]), T(1 / d[2]),
                                                          ends(r, 0)});
    if (!r.rough) return step_e_with(r, layers_);
    if (index8_.size() > 0)
      return step_e_with(
          r, IndexedCoefficients<T, std::uint8_t>{nx, ny, first, planes, index8_.data(), rough_t_, rough_s_});
    if (index32_.size() > 0)
      return step_e_with(r, IndexedCoefficients<T, std::uint32_t>{nx, ny, first, planes, index32_.data(),
                                                                  rough_t_, rough_s_});
    step_e_with(r, StoredCoefficients<T>{nx, ny, first, planes, rough_t_, rough_s_});
  }

  Dev& dev_;
  const Problem& p_;
  PseudoTimeStep step_;
  bool backwards_;
  StaggeredFields<T> f_;
  Array<C> memory_, psi_, sum_, sheet_, spread_;
  std::array<Array<C>, 2> phases_;
  std::array<Array<T>, 2> share_;
  Array<std::uint8_t> index8_;
  Array<std::uint32_t> index32_;
  std::vector<Array<C>> kept_;
  LayerCoefficients<T> layers_{};
  AbsorbingPlanes<T> ends_[2];
  const C *rough_t_ = nullptr, *rough_s_ = nullptr;
  C wrap_[4];
  std::vector<Region> regions_;
};

}  // namespace umov::fdtd::harmonic
