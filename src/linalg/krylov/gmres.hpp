// GMRES without restart, for any matrix: it keeps every direction, for other right-hand sides too.
#pragma once

#include <complex>
#include <utility>
#include <vector>

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

/// How many vectors of a basis one pass takes together: the vector beside them is read once for all.
inline constexpr int basis_pass = 8;

template <class T>
struct BasisDots {  // conj(w_j).v for j < count, and |v|^2
  index_t n;
  int count;
  const Complex<T>*w, *v;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const Complex<T> vi = v[i];
    for (int j = 0; j < basis_pass; ++j) {
      if (j == count) break;
      const Complex<T> d = conj(w[j * n + i]) * vi;
      s.v[2 * j] += d.re;
      s.v[2 * j + 1] += d.im;
    }
    s.v[2 * basis_pass] += norm2(vi);
  }
};

template <class T>
struct BasisAdd {  // v += sum of c_j w_j over j < count; |v|^2
  index_t n;
  int count;
  Complex<T> c[basis_pass];
  const Complex<T>* w;
  Complex<T>* v;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    Complex<T> vi = v[i];
    for (int j = 0; j < basis_pass; ++j) {
      if (j == count) break;
      vi += c[j] * w[j * n + i];
    }
    v[i] = vi;
    s.v[0] += norm2(vi);
  }
};

/// The minimal residual over all directions so far (Saad and Schultz, SIAM J. Sci. Stat. Comput. 7, 856
/// (1986)). W is an orthonormal basis on the device; directions W s_j, their images A W s_j = W h_j, made
/// orthonormal as W q_j = A W d_j, and the residual W g are kept as coefficients on the host, so that a
/// residual that was computed anew, or one of another right-hand side of the same A, is first made minimal
/// over all that is there (de Sturler's GCRO, J. Comput. Appl. Math. 67, 15 (1996)): renew(). An iteration is
/// one product, and of n directions it reads 2 n vectors (4 n where orthogonality must be repaired). x
/// follows at settle(), r only as |r|^2.
template <class Dev, class T, class Op>
class Gmres : public Vectors<Dev, T, Op> {
  using Base = Vectors<Dev, T, Op>;
  using Base::dev_, Base::n_, Base::op_, Base::r_, Base::rr_, Base::x_;
  using typename Base::A, typename Base::C, typename Base::Vector;
  using Z = std::complex<double>;
  using Column = std::vector<Z>;

 public:
  static constexpr const char* name = "gmres";
  static constexpr int products = 1;

  using Base::Base;

  void start(C* x, C* r, double rr) {
    this->begin(x, r, rr);
    size_ = 0;
    multiplied_.clear();
    images_.clear();
    made_of_.clear();
    solution_.clear();
    residual_.clear();
    take_residual();
  }

  /// Goes on, with all directions, from an r that was computed anew, x put aside.
  void renew() { take_residual(); }

  Step iterate() {
    const int from = next();
    if (from < 0) return {rr_, "no direction is left"};
    C* to = room();
    const auto sums = op_.apply(vector_at(from), to, false);
    Column h = orthonormalise(to, double(sums.yy)), s(from + 1, Z(0));
    s[from] = 1;
    multiplied_[from] = true;
    // the image, orthogonal to those before, and the direction that has it
    const double before = norm(h);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < images_.size(); ++j) {
        const Z c = dot(images_[j], h);
        subtract(c, images_[j], h);
        subtract(c, made_of_[j], s);
      }
    const double left = norm(h);
    if (!(left > 1e-14 * before)) return {rr_, "a direction's image is one of those before"};
    for (Z& z : h) z /= left;
    for (Z& z : s) z /= left;
    residual_.resize(size_);
    const Z c = dot(h, residual_);
    subtract(c, h, residual_);
    subtract(-c, s, solution_);
    images_.push_back(std::move(h));
    made_of_.push_back(std::move(s));
    rr_ = norm(residual_) * norm(residual_);
    return {rr_};
  }

  /// x += what was found since the last time.
  void settle() {
    solution_.resize(size_);
    add(solution_, x_);
    solution_.assign(size_, Z(0));
  }

  /// Vectors of the basis: one for each product and each renewal.
  int size() const { return size_; }
  static constexpr int vectors_at_once = basis_pass;

 private:
  static double norm(const Column& a) {
    double s = 0;
    for (const Z z : a) s += std::norm(z);
    return std::sqrt(s);
  }
  static Z dot(const Column& a, const Column& b) {
    Z s(0);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) s += std::conj(a[i]) * b[i];
    return s;
  }
  static void subtract(Z c, const Column& a, Column& b) {
    if (b.size() < a.size()) b.resize(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) b[i] -= c * a[i];
  }

  C* vector_at(int i) { return blocks_[i / basis_pass].data() + (i % basis_pass) * n_; }
  /// Where the next vector of the basis goes.
  C* room() {
    if (size_ == int(blocks_.size()) * basis_pass) blocks_.push_back(this->vector(basis_pass));
    return vector_at(size_);
  }
  /// Which vector of the basis is multiplied next: of those that were not, the one that has most of the
  /// residual. Without renewals there is but the newest.
  int next() const {
    int best = -1;
    for (int i = 0; i < size_; ++i)
      if (!multiplied_[i] && (best < 0 || std::norm(residual_[i]) >= std::norm(residual_[best]))) best = i;
    return best;
  }

  /// v += W c.
  double add(const Column& c, C* v) {
    double vv = 0;
    for (int b = 0; b * basis_pass < size_; ++b) {
      BasisAdd<T> f{n_, std::min(basis_pass, size_ - b * basis_pass), {}, blocks_[b].data(), v};
      for (int j = 0; j < f.count; ++j) f.c[j] = C(c[b * basis_pass + j]);
      vv = double(dev_.template map_reduce<1, A>(n_, f).v[0]);
    }
    return vv;
  }

  /// The vector at room() becomes the next of the basis: returns its parts along all of them, itself
  /// included, unless it has none beside. `vv`: |v|^2. Classical Gram-Schmidt, again where the vector lost
  /// most of its length (Daniel, Gragg, Kaufman and Stewart, Math. Comput. 30, 772 (1976)).
  Column orthonormalise(C* v, double vv) {
    constexpr double kept = 0.1, nothing = 1e-10;  // of |v|^2; float leaves 1e-14 of it
    Column parts(size_, Z(0));
    const double all = vv;
    for (int pass = 0; pass < 3; ++pass) {
      Column now(size_, Z(0));
      for (int b = 0; b * basis_pass < size_; ++b) {
        const BasisDots<T> f{n_, std::min(basis_pass, size_ - b * basis_pass), blocks_[b].data(), v};
        const auto s = dev_.template map_reduce<2 * basis_pass + 1, A>(n_, f);
        for (int j = 0; j < f.count; ++j) now[b * basis_pass + j] = Z(s.v[2 * j], s.v[2 * j + 1]);
      }
      for (int i = 0; i < size_; ++i) {
        parts[i] += now[i];
        now[i] = -now[i];
      }
      const double before = vv;
      if (size_ > 0) vv = add(now, v);
      if (!(vv > nothing * all)) return parts;
      if (vv > kept * before) break;
    }
    const double length = std::sqrt(vv);
    dev_.for_each(n_, Scaled<T>{C(T(1 / length)), v, v});
    parts.push_back(length);
    ++size_;
    multiplied_.push_back(false);
    return parts;
  }

  /// r's parts along the basis; what is beside becomes its next vector. Then the least residual over all
  /// images.
  void take_residual() {
    C* v = room();
    dev_.for_each(n_, Copy<T>{r_, v});
    const double rr = double(dev_.template map_reduce<1, A>(n_, Norm<T>{r_}).v[0]);
    residual_ = orthonormalise(v, rr);
    residual_.resize(size_);
    solution_.assign(size_, Z(0));
    for (std::size_t j = 0; j < images_.size(); ++j) {
      const Z c = dot(images_[j], residual_);
      subtract(c, images_[j], residual_);
      subtract(-c, made_of_[j], solution_);
    }
    rr_ = norm(residual_) * norm(residual_);
  }

  std::vector<Vector> blocks_;    ///< W
  int size_ = 0;                  ///< vectors of W
  std::vector<bool> multiplied_;  ///< whether A times this vector of W is known
  std::vector<Column> images_, made_of_;
  Column residual_, solution_;
};

}  // namespace umov::krylov
