// Enhanced Bi-CGSTAB(2) for any matrix.
#pragma once

#include <algorithm>

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

template <class T>
struct Bcgs2Direction {  // u0 = r0 - b u0
  Complex<T> b;
  const Complex<T>* r0;
  Complex<T>* u0;
  UMOV_HD void operator()(index_t i) const { u0[i] = r0[i] - b * u0[i]; }
};

template <class T>
struct Bcgs2First {  // x += a u0, r0 -= a u1
  Complex<T> a;
  const Complex<T>*u0, *u1;
  Complex<T>*x, *r0;
  UMOV_HD void operator()(index_t i) const {
    const Complex<T> xi = x[i] + a * u0[i], ri = r0[i] - a * u1[i];
    x[i] = xi;
    r0[i] = ri;
  }
};

template <class T>
struct Bcgs2Directions {  // u0 = r0 - b u0, u1 = r1 - b u1
  Complex<T> b;
  const Complex<T>*r0, *r1;
  Complex<T>*u0, *u1;
  UMOV_HD void operator()(index_t i) const {
    const Complex<T> a0 = r0[i] - b * u0[i], a1 = r1[i] - b * u1[i];
    u0[i] = a0;
    u1[i] = a1;
  }
};

template <class T>
struct Bcgs2Second {  // r0 -= a u1, r1 -= a u2; sums |r0|^2, |r1|^2, conj(r0).r1
  Complex<T> a;
  const Complex<T>*u1, *u2;
  Complex<T>*r0, *r1;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> p = r0[i] - a * u1[i], q = r1[i] - a * u2[i], pq = conj(p) * q;
    r0[i] = p;
    r1[i] = q;
    s.v[0] += norm2(p);
    s.v[1] += norm2(q);
    s.v[2] += pq.re;
    s.v[3] += pq.im;
  }
};

template <class T>
struct Bcgs2Update {
  // x += a u0 + y1 r0 + y2 r1; u0 -= y1 u1 + y2 u2; r0 -= y1 r1 + y2 r2; sums conj(shadow).r0 and |r0|^2
  Complex<T> a, y1, y2;
  const Complex<T>*u1, *u2, *r1, *r2, *shadow;
  Complex<T>*x, *u0, *r0;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> u = u0[i], p = r0[i], q = r1[i];
    const Complex<T> xi = x[i] + a * u + y1 * p + y2 * q;
    const Complex<T> ui = u - y1 * u1[i] - y2 * u2[i], ri = p - y1 * q - y2 * r2[i];
    const Complex<T> rho = conj(shadow[i]) * ri;
    x[i] = xi;
    u0[i] = ui;
    r0[i] = ri;
    s.v[0] += rho.re;
    s.v[1] += rho.im;
    s.v[2] += norm2(ri);
  }
};

/// Bi-CGSTAB(l) with l = 2 (Sleijpen and Fokkema 1993, ETNA 1, 11) and the convex combination of minimal and
/// orthogonal residual polynomials that keeps the Bi-CG part accurate (Fokkema 1996, Utrecht preprint 976).
/// Four products and 40 vector reads or writes an iteration; 6 vectors besides x and r.
template <class Dev, class T, class Op>
class Bcgs2 : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Z, typename Base::Vector;

 public:
  static constexpr const char* name = "bcgs2";
  static constexpr int vectors = 6, products = 4;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    rho_ = Z(A(rr), 0);
    shadow_norm2_ = A(rr);
    beta_ = Z(0, 0);
    dev_.for_each(n_, Copy<T>{r, shadow_.data()});
    dev_.fill_zero(u0_.data(), n_);
  }

  Step iterate() {
    if (lost<T>(rho_, shadow_norm2_ * A(rr_))) return {rr_, "the residual became orthogonal to its shadow"};
    // first Bi-CG step: u0 = r0 - beta u0
    dev_.for_each(n_, Bcgs2Direction<T>{C(beta_), r_, u0_.data()});
    Z alpha;
    if (!step_length(u0_.data(), u1_.data(), alpha)) return {rr_, image_left};
    dev_.for_each(n_, Bcgs2First<T>{C(alpha), u0_.data(), u1_.data(), x_, r_});
    auto product = op_.apply(r_, r1_.data(), false);

    // second, on r1 = A r0 and u1 = A u0 as well
    const Z rho = shadow_dot(r1_.data());
    if (lost<T>(rho, shadow_norm2_ * product.yy))
      return stopped("the residual's image left the shadow space");
    const Z beta = alpha * rho / rho_;
    rho_ = rho;
    dev_.for_each(n_, Bcgs2Directions<T>{C(beta), r_, r1_.data(), u0_.data(), u1_.data()});
    if (!step_length(u1_.data(), u2_.data(), alpha)) return stopped(image_left);
    const auto g =
        dev_.template map_reduce<4, A>(n_, Bcgs2Second<T>{C(alpha), u1_.data(), u2_.data(), r_, r1_.data()});
    product = op_.apply(r1_.data(), r2_.data(), false);

    const auto g20 = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{r2_.data(), r_});
    Z y1, y2;
    const bool usable = polynomial(g.v[0], g.v[1], product.yy, conj(Z(g.v[2], g.v[3])), product.xhy,
                                   {g20.v[0], g20.v[1]}, y1, y2);
    const auto s = dev_.template map_reduce<3, A>(
        n_, Bcgs2Update<T>{C(alpha), C(y1), C(y2), u1_.data(), u2_.data(), r1_.data(), r2_.data(),
                           shadow_.data(), x_, u0_.data(), r_});
    rr_ = double(s.v[2]);
    if (!usable) return {rr_, "the stabilising step stood still"};
    const Z rho_next(s.v[0], s.v[1]);
    beta_ = -(alpha * rho_next / (y2 * rho_));
    rho_ = rho_next;
    return {rr_};
  }

  template <class Archive>
  void state(Archive& archive) {
    for (auto* a : {&shadow_, &u0_}) archive.vector(*a);
    for (auto* z : {&rho_, &beta_}) archive.scalar(*z);
    archive.scalar(shadow_norm2_);
    archive.scalar(rr_);
  }

 private:
  static constexpr const char* image_left = "a search direction's image left the shadow space";

  Z shadow_dot(const C* a) {
    const auto s = dev_.template map_reduce<2, A>(n_, ShadowDot<T>{shadow_.data(), a});
    return {s.v[0], s.v[1]};
  }
  /// image = A u; alpha = rho / (shadow, image). False when that denominator is lost.
  bool step_length(const C* u, C* image, Z& alpha) {
    const A norm = op_.apply(u, image, false).yy;
    const Z sigma = shadow_dot(image);
    if (lost<T>(sigma, shadow_norm2_ * norm)) return false;
    alpha = rho_ / sigma;
    return true;
  }
  /// Breakdown inside an iteration, where x and r have moved on together since rr was known.
  Step stopped(const char* why) {
    rr_ = double(dev_.template map_reduce<1, A>(n_, Norm<T>{r_}).v[0]);
    return {rr_, why};
  }

  /// y1, y2 of the residual r0 - y1 r1 - y2 r2 from the Gram matrix g_ij = conj(r_i).r_j. With v0 = r0 - a r1
  /// and v2 = r2 - b r1 both orthogonal to r1, the minimum is v0 - gamma v2; gamma is kept from being small
  /// against |v0| / |v2|, for it divides later. False when y2 would vanish or be noise (then r0 - a r1).
  static bool polynomial(A g00, A g11, A g22, Z g10, Z g12, Z g20, Z& y1, Z& y2) {
    y1 = y2 = Z(0, 0);
    if (!(g11 > 0)) return false;
    const Z a = (1 / g11) * g10, b = (1 / g11) * g12;
    y1 = a;
    const A v0 = std::sqrt(std::max(g00 - norm2(g10) / g11, A(0)));
    const A v2 = std::sqrt(std::max(g22 - norm2(g12) / g11, A(0)));
    const A tiny = 4 * std::numeric_limits<T>::epsilon();
    if (!(v0 > tiny * std::sqrt(g00)) || !(v2 > tiny * std::sqrt(g22))) return false;
    const Z overlap = (1 / (v0 * v2)) * (g20 - a * conj(g12));
    const A cosine = abs(overlap);
    const Z direction = cosine > 0 ? (1 / cosine) * overlap : Z(1, 0);
    y2 = (std::max(cosine, A(0.7)) * v0 / v2) * direction;
    y1 = a - y2 * b;
    return true;
  }

  Vector shadow_ = this->vector(), u0_ = this->vector(), u1_ = this->vector(), u2_ = this->vector(),
         r1_ = this->vector(), r2_ = this->vector();
  Z rho_{0, 0}, beta_{0, 0};
  A shadow_norm2_ = 0;
};

}  // namespace umov::krylov
