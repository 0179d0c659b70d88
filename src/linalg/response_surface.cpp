#include "linalg/response_surface.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace umov::linalg {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// All products of coordinates up to a degree; each coordinate to less than its number of different values.
std::vector<std::vector<int>> products(std::size_t d, int degree, const std::vector<int>& levels) {
  std::vector<std::vector<int>> out{std::vector<int>(d, 0)};
  std::size_t first = 0;  // of the degree before
  for (int g = 1; g <= degree; ++g) {
    const std::size_t end = out.size();
    for (std::size_t t = first; t < end; ++t)
      for (std::size_t k = 0; k < d; ++k) {
        // each product once: factors ascend
        if (std::any_of(out[t].begin() + long(k) + 1, out[t].end(), [](int e) { return e > 0; })) continue;
        if (out[t][k] + 1 >= levels[k]) continue;
        auto next = out[t];
        ++next[k];
        out.push_back(std::move(next));
      }
    first = end;
  }
  return out;
}

double product(const std::vector<int>& exponents, const std::vector<double>& x) {
  double value = 1;
  for (std::size_t k = 0; k < x.size(); ++k)
    for (int e = 0; e < exponents[k]; ++e) value *= x[k];
  return value;
}

std::vector<int> levels_of(const SurfacePoints& points) {
  std::vector<int> levels;
  for (std::size_t k = 0; k < points.front().size(); ++k) {
    std::vector<double> values;
    for (const auto& x : points) values.push_back(x[k]);
    std::sort(values.begin(), values.end());
    int count = 1;
    for (std::size_t i = 1; i < values.size(); ++i) count += values[i] - values[i - 1] > 1e-9;
    levels.push_back(count);
  }
  return levels;
}

SurfaceQuality quality_of(const std::vector<double>& y, const Vector& residual, const Vector& left_out) {
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / double(y.size());
  double all = 0;
  for (const double v : y) all += (v - mean) * (v - mean);
  SurfaceQuality q;
  q.cv_error = std::sqrt(left_out.squaredNorm() / double(y.size()));
  q.cv_largest = left_out.cwiseAbs().maxCoeff();
  // a response that does not change, but for rounding, is told exactly
  constexpr double rounding = 1e-12;
  double most = 0;
  for (const double v : y) most = std::max(most, std::abs(v));
  const bool changes = all > double(y.size()) * (rounding * most) * (rounding * most);
  q.r_squared = changes ? 1 - residual.squaredNorm() / all : 1;
  q.cv_r_squared = changes ? 1 - left_out.squaredNorm() / all : 1;
  return q;
}

class Polynomial final : public ResponseSurface {
 public:
  double operator()(const std::vector<double>& x) const override {
    double sum = 0;
    for (std::size_t t = 0; t < exponents.size(); ++t) sum += coefficients[t] * product(exponents[t], x);
    return sum;
  }
};

std::unique_ptr<ResponseSurface> fit_polynomial(SurfaceKind kind, int degree, const SurfacePoints& points,
                                                const std::vector<double>& y) {
  auto out = std::make_unique<Polynomial>();
  out->kind = kind;
  out->exponents = products(points.front().size(), degree, levels_of(points));
  const long n = long(points.size()), terms = long(out->exponents.size());
  if (n <= terms) return nullptr;
  Matrix a(n, terms);
  for (long i = 0; i < n; ++i)
    for (long t = 0; t < terms; ++t) a(i, t) = product(out->exponents[t], points[i]);
  Eigen::ColPivHouseholderQR<Matrix> qr(a);
  qr.setThreshold(1e-9);
  if (qr.rank() < terms) return nullptr;
  const Vector b = Eigen::Map<const Vector>(y.data(), n), c = qr.solve(b), residual = b - a * c;
  const Matrix q = qr.householderQ() * Matrix::Identity(n, terms);
  Vector left_out(n);
  for (long i = 0; i < n; ++i) {
    const double freedom = 1 - q.row(i).squaredNorm();  // 1 less the leverage
    if (freedom < 1e-9) return nullptr;  // a point that alone decides a term cannot be left out
    left_out[i] = residual[i] / freedom;
  }
  out->coefficients.assign(c.data(), c.data() + terms);
  out->terms = int(terms);
  out->quality = quality_of(y, residual, left_out);
  return out;
}

double cubed_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum * std::sqrt(sum);
}

/// A coordinate of one value has no part in it.
class RadialBasis final : public ResponseSurface {
 public:
  double operator()(const std::vector<double>& whole) const override {
    const auto x = part(whole);
    double sum = weights[long(points.size())];
    for (std::size_t i = 0; i < points.size(); ++i) sum += weights[long(i)] * cubed_distance(x, points[i]);
    for (std::size_t k = 0; k < x.size(); ++k) sum += weights[long(points.size() + 1 + k)] * x[k];
    return sum;
  }
  std::vector<double> part(const std::vector<double>& whole) const {
    std::vector<double> x;
    for (const std::size_t k : used) x.push_back(whole[k]);
    return x;
  }
  std::vector<std::size_t> used;  ///< coordinates
  SurfacePoints points;           ///< in these
  Vector weights;
};

std::unique_ptr<ResponseSurface> fit_radial_basis(const SurfacePoints& all, const std::vector<double>& y) {
  auto out = std::make_unique<RadialBasis>();
  const auto levels = levels_of(all);
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (levels[k] > 1) out->used.push_back(k);
  for (const auto& x : all) out->points.push_back(out->part(x));
  const auto& points = out->points;
  const long n = long(points.size()), d = long(out->used.size()), size = n + 1 + d;
  if (n <= d + 2 || n > 3000) return nullptr;  // the inverse below is dense
  Matrix a = Matrix::Zero(size, size);
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) a(i, j) = cubed_distance(points[i], points[j]);
    a(i, n) = a(n, i) = 1;
    for (long k = 0; k < d; ++k) a(i, n + 1 + k) = a(n + 1 + k, i) = points[i][k];
  }
  Eigen::FullPivLU<Matrix> lu(a);
  lu.setThreshold(1e-12);
  if (!lu.isInvertible()) return nullptr;
  const Matrix inverse = lu.inverse();
  Vector b = Vector::Zero(size);
  for (long i = 0; i < n; ++i) b[i] = y[i];
  out->kind = SurfaceKind::rbf;
  out->weights = inverse * b;
  out->terms = int(size);
  Vector left_out(n);
  for (long i = 0; i < n; ++i) left_out[i] = out->weights[i] / inverse(i, i);
  if (!left_out.allFinite()) return nullptr;
  out->quality = quality_of(y, Vector::Zero(n), left_out);
  return out;
}

}  // namespace

const char* surface_name(SurfaceKind kind) {
  switch (kind) {
    case SurfaceKind::linear:
      return "linear";
    case SurfaceKind::quadratic:
      return "quadratic";
    case SurfaceKind::cubic:
      return "cubic";
    case SurfaceKind::rbf:
      break;
  }
  return "rbf";
}

std::unique_ptr<ResponseSurface> fit_surface(SurfaceKind kind, const SurfacePoints& points,
                                             const std::vector<double>& y) {
  if (points.empty()) return nullptr;
  switch (kind) {
    case SurfaceKind::linear:
      return fit_polynomial(kind, 1, points, y);
    case SurfaceKind::quadratic:
      return fit_polynomial(kind, 2, points, y);
    case SurfaceKind::cubic:
      return fit_polynomial(kind, 3, points, y);
    case SurfaceKind::rbf:
      break;
  }
  return fit_radial_basis(points, y);
}

std::unique_ptr<ResponseSurface> fit_best_surface(const SurfacePoints& points, const std::vector<double>& y) {
  auto best = fit_surface(SurfaceKind::quadratic, points, y);
  if (!best) best = fit_surface(SurfaceKind::linear, points, y);
  for (const auto kind : {SurfaceKind::cubic, SurfaceKind::rbf}) {
    auto other = fit_surface(kind, points, y);
    if (other && (!best || other->quality.cv_error < 0.9 * best->quality.cv_error)) best = std::move(other);
  }
  return best;
}

namespace {

/// Halves its step where no coordinate leads further down.
SurfaceOptimum descend(const ResponseSurface& f, std::vector<double> x, double sign) {
  double value = sign * f(x);
  constexpr int most = 20000;  // looks, in a valley that no coordinate follows
  for (double step = 0.5, looks = 0; step > 1e-6 && looks < most; looks += 2 * double(x.size())) {
    bool better = false;
    for (std::size_t k = 0; k < x.size(); ++k)
      for (const double way : {-step, step}) {
        const double before = x[k];
        x[k] = std::clamp(before + way, -1.0, 1.0);
        const double here = sign * f(x);
        if (here < value) {
          value = here;
          better = true;
        } else {
          x[k] = before;
        }
      }
    if (!better) step /= 2;
  }
  return {x, sign * value};
}

}  // namespace

SurfaceOptimum optimum(const ResponseSurface& f, const SurfacePoints& points, bool largest) {
  const double sign = largest ? -1 : 1;
  const std::size_t d = points.front().size();
  SurfacePoints starts = points;
  starts.push_back(std::vector<double>(d, 0.0));
  if (d <= 8)
    for (std::size_t corner = 0; corner < std::size_t(1) << d; ++corner) {
      std::vector<double> x(d);
      for (std::size_t k = 0; k < d; ++k) x[k] = corner >> k & 1 ? 1 : -1;
      starts.push_back(std::move(x));
    }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < starts.size(); ++i) order.emplace_back(sign * f(starts[i]), i);
  std::sort(order.begin(), order.end());
  SurfaceOptimum best;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 24); ++i) {
    const auto found = descend(f, starts[order[i].second], sign);
    if (i == 0 || sign * found.value < sign * best.value) best = found;
  }
  return best;
}

double main_effect(const ResponseSurface& f, const SurfacePoints& points, std::size_t k, double t) {
  double sum = 0;
  for (auto x : points) {
    x[k] = t;
    sum += f(x);
  }
  return sum / double(points.size());
}

double importance(const ResponseSurface& f, const SurfacePoints& points, std::size_t k) {
  constexpr int samples = 20;
  double sum = 0;
  for (auto x : points) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int i = 0; i <= samples; ++i) {
      x[k] = -1 + 2.0 * i / samples;
      const double v = f(x);
      low = std::min(low, v);
      high = std::max(high, v);
    }
    sum += high - low;
  }
  return sum / double(points.size());
}

}  // namespace umov::linalg
