// The coefficients of pseudo-time on one device: of layers, absorbing planes and rough planes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harmonic/kernels/pseudo_time.hpp"
#include "harmonic/kernels/pseudo_time_columns.hpp"
#include "harmonic/pseudo_time.hpp"
#include "harmonic/pseudo_time_coefficients.hpp"

namespace umov::harmonic {

/// One pair of t and s per plane outside rough planes, an index or a pair per edge within.
template <class Dev, class T>
class PseudoTimeMedia {
  using C = Complex<T>;
  template <class X>
  using Array = typename Dev::template Array<X>;

 public:
  /// `psi`: memory of the absorbing planes, [4][planes][ny][nx], those of E first.
  PseudoTimeMedia(Dev& dev, const Problem& p, const PseudoTimeStep& step, bool backwards,
                  Coefficients coefficients, C* psi)
      : dev_(dev), p_(p), step_(step), backwards_(backwards) {
    place_layers();
    place_stretch(psi);
    if (p.rough_planes() > 0) place_rough(coefficients);
  }

  /// Of edge (c, k, column).
  HalfStep step_of(int c, int k, index_t column) const {
    return electric_step(edge_permittivity(p_, c, k, column), p_.k0, step_, backwards_);
  }

  const LayerCoefficients<T>& layers() const { return layers_; }

  /// The absorbing planes from `begin` on, whose memory starts in `slot`; of H with `half`.
  AbsorbingPlanes<T> ends(int begin, int slot, int half) const {
    AbsorbingPlanes<T> e = ends_[half];
    e.first = begin;
    e.slot = slot;
    return e;
  }

  /// f of the coefficients of the rough planes, of whichever kind they are.
  template <class F>
  void with_rough(const F& f) const {
    const int nx = p_.grid.nx, ny = p_.grid.ny, first = p_.rough_begin, planes = p_.rough_planes();
    if (index8_.size() > 0)
      f(IndexedCoefficients<T, std::uint8_t>{nx, ny, first, planes, index8_.data(), rough_t_, rough_s_});
    else if (index32_.size() > 0)
      f(IndexedCoefficients<T, std::uint32_t>{nx, ny, first, planes, index32_.data(), rough_t_, rough_s_});
    else
      f(StoredCoefficients<T>{nx, ny, first, planes, rough_t_, rough_s_});
  }

  /// What a pass by columns reads of them, and the numbers of the grid.
  void describe(ColumnStep<T>& out) const {
    const auto m = magnetic_step(step_);
    const auto& g = p_.grid;
    out.t = C(m.t);
    out.s = C(m.s);
    out.rx = T(1 / g.spacing[0]);
    out.ry = T(1 / g.spacing[1]);
    out.rz = T(1 / g.spacing[2]);
    out.low_end = g.absorbing[0];
    out.high_begin = g.nz - g.absorbing[1];
    out.slots = index_t(g.absorbing[0] + g.absorbing[1]) * g.columns();
    out.sheet = g.source - 1;
    out.layers = layers_;
    for (int half = 0; half < 2; ++half) out.ends[half] = ends_[half];
    out.rough_begin = p_.rough_begin;
    out.rough_end = p_.rough_end;
    out.index8 = index8_.data();
    out.index32 = index32_.data();
    out.rough_t = rough_t_;
    out.rough_s = rough_s_;
  }

  double bytes() const {
    double sum = double(index8_.bytes() + index32_.bytes());
    for (const auto& a : kept_) sum += double(a.bytes());
    for (const auto& a : share_) sum += double(a.bytes());
    return sum;
  }

 private:
  const C* keep_array(const std::vector<cplx>& values) {
    std::vector<C> host;
    for (const cplx v : values) host.push_back(C(v));
    kept_.push_back(dev_.template allocate<C>(host.size()));
    dev_.upload(kept_.back().data(), host.data(), host.size());
    return kept_.back().data();
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
  }

  void place_stretch(C* memory) {
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
      C* psi = memory + 2 * half * slots;
      ends_[half] = {0, 0, share_[half].data(), keep_array(keep), keep_array(feed), psi, psi + slots};
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

  Dev& dev_;
  const Problem& p_;
  PseudoTimeStep step_;
  bool backwards_;
  std::array<Array<T>, 2> share_;
  Array<std::uint8_t> index8_;
  Array<std::uint32_t> index32_;
  std::vector<Array<C>> kept_;
  LayerCoefficients<T> layers_{};
  AbsorbingPlanes<T> ends_[2];
  const C *rough_t_ = nullptr, *rough_s_ = nullptr;
};

}  // namespace umov::harmonic
