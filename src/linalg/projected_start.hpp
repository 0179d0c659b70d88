// Starts for many systems with one matrix: the best combination of earlier solutions.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/complex.hpp"
#include "linalg/pcg_passes.hpp"
#include "linalg/small_basis.hpp"

namespace umov::linalg {

/// Of which solutions the space is made.
struct StartSpace {
  int solutions = 10;   ///< at most 31
  bool renewed = true;  ///< the last ones; else the first ones, for good
  /// Directions whose share in these solutions is at most this of the largest, in the energy norm, are
  /// rounding or what the solver's tolerance leaves, and dropped.
  double drop = 1e-12;
  int directions = 0;  ///< kept of a space that grows no more, the most important ones; 0: all
};

namespace start {

inline constexpr int most = 32;     ///< directions
inline constexpr int at_once = 16;  ///< products of vectors in one pass

/// v_first . b, v_(first + 1) . b, ...; bytes per unknown: 8 (at_once + 1).
struct Dots {
  const double *v, *b;
  index_t n;
  int first, count;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const double value = b[i];
    for (int k = 0; k < at_once; ++k)
      if (first + k < count) sums.v[k] += v[(first + k) * n + i] * value;
  }
};
/// x = keep x + sum of c_k v_k
struct Combine {
  const double *v, *c;
  index_t n;
  int count;
  double keep;
  double* x;
  UMOV_HD void operator()(index_t i) const {
    double value = keep == 0 ? 0 : keep * x[i];
    for (int k = 0; k < count; ++k) value += c[k] * v[k * n + i];
    x[i] = value;
  }
};
struct Append {
  const double* from;
  double scale;
  double* to;
  UMOV_HD void operator()(index_t i) const { to[i] = scale * from[i]; }
};
/// V = V T in place, T [before][after] by columns.
struct Turn {
  double* v;
  const double* t;
  index_t n;
  int before, after;
  UMOV_HD void operator()(index_t i) const {
    double row[most];
    for (int k = 0; k < before; ++k) row[k] = v[k * n + i];
    for (int l = 0; l < after; ++l) {
      double value = 0;
      for (int k = 0; k < before; ++k) value += row[k] * t[l * before + k];
      v[l * n + i] = value;
    }
  }
};

}  // namespace start

/// Keeps the space of some solutions of A x = b (A symmetric positive definite, x of n elements) as vectors V
/// that are orthonormal in the product of A, and gives starts V V^T b: of all combinations the nearest to the
/// solution in the energy norm. With the last solutions this is the subspace projection extrapolation of
/// Clemens, Wilke, Schuhmann and Weiland 2004 (IEEE Trans. Magn. 40, 553); with more of them and directions
/// dropped, a proper orthogonal decomposition in the energy norm. `product(x, y)` leaves A x in y. All sums
/// have one order; memory: solutions + 2 vectors.
template <class Device>
class ProjectedStart {
  using Vector = typename Device::template Array<double>;

 public:
  ProjectedStart(Device& dev, index_t n, const StartSpace& space)
      : dev_(dev),
        n_(n),
        space_(space),
        basis_(dev.template allocate<double>(std::size_t(n) * capacity())),
        rest_(dev.template allocate<double>(n)),
        product_(dev.template allocate<double>(n)),
        small_(dev.template allocate<double>(start::most * start::most)) {}

  int directions() const { return r_.rows; }
  /// Solutions that the space is made of.
  int solutions() const { return r_.columns; }

  /// A solution, for the starts to come; one between two starts.
  void remember(const double* x) {
    if (!space_.renewed && solutions() >= space_.solutions) return;
    dev_.for_each(n_, start::Append{x, 1, rest_.data()});
    waiting_ = true;
  }

  /// x = V V^T b; 0 as long as nothing is known. Two products where a solution has joined.
  template <class Product>
  void guess(const double* b, double* x, const Product& product) {
    if (waiting_) join(product);
    waiting_ = false;
    if (directions() == 0) return dev_.fill_zero(x, n_);
    combine(dots(b), 0, x);
  }

  /// The matrix has changed: as many products as there are directions.
  template <class Product>
  void renew(const Product& product) {
    const int m = directions();
    if (m == 0) return;
    SmallMatrix gram(m, m);
    for (int j = 0; j < m; ++j) {
      product(vector(j), product_.data());
      const auto column = dots(product_.data(), j + 1);
      for (int i = 0; i <= j; ++i) gram(i, j) = gram(j, i) = column[i];
    }
    // eigenvalues of a Gram matrix are off by rounding of the largest
    turn(orthonormal_again(gram, r_, std::max(space_.drop, 1e-13)));
  }

  void forget() { r_ = {}, waiting_ = false; }

  std::size_t bytes() const { return basis_.bytes() + rest_.bytes() + product_.bytes() + small_.bytes(); }

  /// To or from an archive (core/bytes.hpp): a run goes on with the same bits.
  template <class Archive>
  void state(Archive& archive) {
    archive(r_.rows);
    archive(r_.columns);
    archive(r_.value);
    archive(waiting_);
    if constexpr (requires { archive.reading; })
      if (r_.rows < 0 || r_.rows > space_.solutions || r_.columns < 0 || r_.columns > space_.solutions ||
          r_.value.size() != std::size_t(r_.rows) * std::size_t(r_.columns))
        archive.damaged();
    for (int k = 0; k < r_.rows; ++k) {
      Part part{vector(k), std::size_t(n_)};
      archive.array(dev_, part);
    }
    if (waiting_) archive.array(dev_, rest_);
  }

 private:
  struct Part {  // of the basis, as an array
    double* first;
    std::size_t n;
    double* data() const { return first; }
    std::size_t size() const { return n; }
    std::size_t bytes() const { return n * sizeof(double); }
  };

  template <class Product>
  void join(const Product& product) {
    product(rest_.data(), product_.data());
    const double energy = dot(rest_.data(), product_.data());
    if (!(energy > 0) || !std::isfinite(energy)) return;
    // orthogonal to all, twice: once leaves what rounding makes of nearly parallel vectors (Giraud, Langou,
    // Rozloznik 2005, Comput. Math. Appl. 50, 1069)
    std::vector<double> share = dots(product_.data());
    subtract(share);
    product(rest_.data(), product_.data());
    const std::vector<double> again = dots(product_.data());
    double left = dot(rest_.data(), product_.data());
    subtract(again);
    for (std::size_t k = 0; k < again.size(); ++k) share[k] += again[k], left -= again[k] * again[k];
    if (left > space_.drop * space_.drop * energy) {
      dev_.for_each(n_, start::Append{rest_.data(), 1 / std::sqrt(left), vector(directions())});
      share.push_back(std::sqrt(left));
    }
    r_ = with_column(r_, share);
    forget_surplus();
  }

  /// One place more than solutions: the newest joins before the oldest goes.
  std::size_t capacity() const { return std::size_t(std::min(space_.solutions + 1, start::most)); }
  double* vector(int k) { return basis_.data() + index_t(k) * n_; }
  double dot(const double* a, const double* b) const {
    return dev_.template map_reduce<1, double>(n_, pcg::Dot{a, b}).v[0];
  }
  std::vector<double> dots(const double* b) const { return dots(b, directions()); }
  std::vector<double> dots(const double* b, int count) const {
    std::vector<double> out;
    for (int first = 0; first < count; first += start::at_once) {
      const auto sums = dev_.template map_reduce<start::at_once, double>(
          n_, start::Dots{basis_.data(), b, n_, first, count});
      out.insert(out.end(), sums.v, sums.v + std::min(start::at_once, count - first));
    }
    return out;
  }
  void combine(const std::vector<double>& c, double keep, double* x) {
    dev_.upload(small_.data(), c.data(), c.size());
    dev_.for_each(n_, start::Combine{basis_.data(), small_.data(), n_, int(c.size()), keep, x});
  }
  void subtract(const std::vector<double>& share) {
    std::vector<double> c(share);
    for (double& v : c) v = -v;
    combine(c, 1, rest_.data());
  }
  void turn(const NewBasis& b) {
    dev_.upload(small_.data(), b.turn.value.data(), b.turn.value.size());
    dev_.for_each(n_, start::Turn{basis_.data(), small_.data(), n_, b.turn.rows, b.turn.columns});
    r_ = b.rest;
  }
  void forget_surplus() {
    if (solutions() > space_.solutions) r_ = without_first(r_);
    // a space that grows no more keeps what counts of it
    if (solutions() == space_.solutions) turn(principal_directions(r_, space_.drop, space_.directions));
  }

  Device& dev_;
  index_t n_;
  StartSpace space_;
  Vector basis_;  // V, one vector after another
  Vector rest_, product_, small_;
  SmallMatrix r_;         // the solutions are V R
  bool waiting_ = false;  // rest_ holds a solution that has not joined yet
};

}  // namespace umov::linalg
