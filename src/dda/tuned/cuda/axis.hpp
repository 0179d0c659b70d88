// One axis of the transform: its length as a product of short radices, and the tables the kernels need.
#pragma once

#include <cmath>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "dda/tuned/cuda/choice.hpp"

namespace umov::dda::tuned {

inline constexpr int most_passes = 8;

/// x / d for x and d below 2^16, by one multiplication.
struct FastDivide {
  unsigned divisor = 1, magic = 0;
  FastDivide() = default;
  explicit FastDivide(unsigned d) : divisor(d), magic(d > 1 ? unsigned(((1ull << 32) + d - 1) / d) : 0) {}
  __device__ unsigned operator()(unsigned x) const { return divisor == 1 ? x : __umulhi(x, magic); }
};

/// What a kernel sees of an axis. The forward transform runs in place by decimation in frequency (Gentleman
/// and Sande 1966): pass s splits blocks of radix * span points; its butterfly b = block * span + k takes the
/// points block * radix * span + k + q span. The frequency at point p ends up digit-reversed. The inverse
/// transform runs the same passes backwards.
template <class T>
struct AxisTables {
  const Complex<T>* roots;     // [n] exp(-2 pi i j / n)
  const int* first_frequency;  // [n / last radix] frequency of point 0 of each butterfly of the last pass
};

/// An axis of any length: radices known at run time.
template <class T>
struct AxisView : AxisTables<T> {
  static constexpr int threads = 256, blocks = 2, team = threads, lanes = 0, swizzle = 0, halves_from = 16;
  static constexpr bool fixed = false;
  bool general;  ///< no kernel that knows the radices beforehand is wanted (known_axes.hpp)
  bool halves;   ///< blocks of half of the lines are wanted where there is a choice
  int length, count;
  int radices[most_passes], spans[most_passes], steps[most_passes];
  FastDivide by_span[most_passes], by_butterflies[most_passes];
  UMOV_HD int n() const { return length; }
  UMOV_HD int passes() const { return count; }
  UMOV_HD int radix(int p) const { return radices[p]; }
  UMOV_HD int span(int p) const { return spans[p]; }
  UMOV_HD int step(int p) const { return steps[p]; }
  __device__ int over_span(int p, int x) const { return int(by_span[p](unsigned(x))); }
  __device__ int over_butterflies(int p, int x) const { return int(by_butterflies[p](unsigned(x))); }
};

/// An axis whose radices the compiler knows: everything about it is a constant in the kernel. Threads of a
/// block and blocks a multiprocessor should hold (which sets the registers a thread may use) belong to the
/// radices.
template <class T, int Threads, int Blocks, int... R>
struct FixedAxis : AxisTables<T> {
  static constexpr int threads = Threads, blocks = Blocks, team = Threads, lanes = 0, swizzle = 0,
                       halves_from = 16;
  static constexpr bool fixed = true;
  UMOV_HD static constexpr int n() { return (R * ... * 1); }
  UMOV_HD static constexpr int passes() { return int(sizeof...(R)); }
  UMOV_HD static constexpr int radix(int p) {
    constexpr int all[] = {R...};
    return all[p];
  }
  UMOV_HD static constexpr int step(int p) {
    int product = 1;
    for (int s = 0; s < p; ++s) product *= radix(s);
    return product;
  }
  UMOV_HD static constexpr int span(int p) { return n() / (step(p) * radix(p)); }
  UMOV_HD static constexpr int over_span(int p, int x) { return unsigned(x) / unsigned(span(p)); }
  UMOV_HD static constexpr int over_butterflies(int p, int x) {
    return unsigned(x) / unsigned(n() / radix(p));
  }
};

/// The same for blocks that work in teams of `Team` threads: what the first pass leaves are radix(0)
/// transforms of their own, and a team goes through those it has without waiting for others. `Lanes`: lines a
/// block takes that lie side by side (0: known at run time). First radices from 10 on are taken in
/// halves.
template <class T, int Threads, int Blocks, int Team, int Lanes, int... R>
struct TeamAxis : FixedAxis<T, Threads, Blocks, R...> {
  static constexpr int team = Team, lanes = Lanes, halves_from = 10;
  static constexpr int bytes = Lanes * int(2 * sizeof(T));
  static constexpr bool odd = FixedAxis<T, Threads, Blocks, R...>::radix(int(sizeof...(R)) - 1) % 2;
  static constexpr int swizzle = odd || bytes == 0 || bytes >= 128 ? 0 : (128 / bytes - 1) & 3;
  static_assert(Threads % Team == 0 && (Team == 32 || Threads / Team < 16));
};

/// Which radix may run first (it alone sees the zero padding), inside and last.
inline bool radix_allowed(int r, int n, bool first, bool last) {
  if (first && last) return false;
  if (first)
    return n % 2 == 0 ? (r == 2 || r == 4 || r == 6 || r == 8 || r == 10 || r == 16) : r % 2 == 1 && r <= 7;
  if (last) return r == 2 || r == 3 || r == 4 || r == 5 || r == 7;
  return r == 2 || r == 3 || r == 4 || r == 5 || r == 6 || r == 7 || r == 8 || r == 10 || r == 16;
}

/// Fewest passes first: each costs a trip through shared memory. Then the passes with little work in
/// registers.
inline void choose_radices(int rest, int n, std::vector<int>& chosen, std::vector<int>& best,
                           double& best_cost) {
  const bool first = chosen.empty();
  if (rest == 1 && chosen.size() >= 2) {
    double cost = 10.0 * double(chosen.size());
    for (const int r : chosen) cost += r == 16 ? 3 : r == 10 ? 2 : r == 7 ? 1 : r == 2 ? 1 : 0;
    cost += chosen.back() == 4 ? 0 : chosen.back() == 3 ? 0.5 : chosen.back() == 5 ? 1.5 : 3;
    if (cost < best_cost) {
      best_cost = cost;
      best = chosen;
    }
    return;
  }
  if (int(chosen.size()) == most_passes) return;
  for (const int r : {1, 2, 3, 4, 5, 6, 7, 8, 10, 16}) {
    if (rest % r || (r == 1 && !first)) continue;
    const bool last = rest == r && !first;
    if (!radix_allowed(r, n, first, last)) continue;
    if (r == 1 && n > 1) continue;
    chosen.push_back(r);
    choose_radices(rest / r, n, chosen, best, best_cost);
    chosen.pop_back();
  }
}

/// Empty when the length has a prime factor above 7.
inline std::vector<int> radices_of(int n) {
  // Lengths that are one radix take an empty second pass.
  if (n <= 8 || n == 10 || n == 16)
    if (n == 1 || radix_allowed(n, n, true, false)) return {n, 1};
  std::vector<int> chosen, best;
  double cost = 1e30;
  choose_radices(n, n, chosen, best, cost);
  return best;
}

/// Owner of an axis' tables on the device.
template <class T>
class Axis {
 public:
  Axis(backend::Cuda& dev, int n, const std::vector<int>& radix, Plans plans = Plans::all) {
    view_.general = !plan_chosen(n, plans);
    view_.halves = in_halves(n, sizeof(Complex<T>), plans);
    view_.length = n;
    view_.count = int(radix.size());
    int block = n;
    for (int s = 0; s < view_.count; ++s) {
      view_.radices[s] = radix[s];
      view_.steps[s] = n / block;
      block /= radix[s];
      view_.spans[s] = block;
      view_.by_span[s] = FastDivide(block);
      view_.by_butterflies[s] = FastDivide(n / radix[s]);
    }
    std::vector<Complex<T>> roots;
    for (int j = 0; j < n; ++j) {
      const long double a = -2 * 3.14159265358979323846264338327950288L * j / n;
      roots.push_back({T(std::cos(a)), T(std::sin(a))});
    }
    const int last = radix.back();
    std::vector<int> first(n / last);
    for (int b = 0; b < n / last; ++b) first[b] = frequency(b * last);
    for (int p = 0; p < n; ++p) points_of_.push_back(0);
    for (int p = 0; p < n; ++p) points_of_[frequency(p)] = p;
    roots_ = dev.allocate<Complex<T>>(roots.size());
    first_ = dev.allocate<int>(first.size());
    dev.upload(roots_.data(), roots.data(), roots.size());
    dev.upload(first_.data(), first.data(), first.size());
    view_.roots = roots_.data();
    view_.first_frequency = first_.data();
  }
  const AxisView<T>& view() const { return view_; }
  /// Point at which each frequency ends up.
  const std::vector<int>& points_of() const { return points_of_; }

 private:
  int frequency(int p) const {
    int k = 0, weight = 1;
    for (int s = 0; s < view_.count; ++s) {
      k += p / view_.spans[s] * weight;
      p %= view_.spans[s];
      weight *= view_.radices[s];
    }
    return k;
  }
  AxisView<T> view_{};
  std::vector<int> points_of_;
  backend::CudaArray<Complex<T>> roots_;
  backend::CudaArray<int> first_;
};

}  // namespace umov::dda::tuned
