// Chebyshev interpolation of modes over frequency, and cross-sections that are the same.
#include "fdtd/sources/mode_band.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>

namespace umov::fdtd {
namespace {

constexpr int worth_interpolating = 20;        // frequencies
constexpr double foretold = 1e-5, met = 1e-8;  // of the largest value
constexpr double same_mode = 0.5;              // likeness of profiles from which they are one mode

/// Calls f(value) for each number of a profile.
template <class Profile, class F>
void each_value(Profile& m, const F& f) {
  using Number = std::conditional_t<std::is_const_v<Profile>, const double, double>;
  for (auto* side : {&m.electric, &m.magnetic})
    for (auto& part : *side) {
      for (auto& v : part.values) f(v);
      for (auto& z : part.lossy) f(reinterpret_cast<Number*>(&z)[0]), f(reinterpret_cast<Number*>(&z)[1]);
    }
}

std::vector<double> numbers(const ModeProfile& m) {
  std::vector<double> all;
  each_value(m, [&](double v) { all.push_back(v); });
  return all;
}

/// The product of two profiles by their lengths: near 1 or -1 for the same mode; 0 where one is of lossy
/// media.
double likeness(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return 0;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
  return ab / std::sqrt(aa * bb);
}

/// The mode at each frequency, side by side. Of errors the first in their order is thrown.
class Solver {
 public:
  Solver(const Problem& p, const ModePlane& plane, int number, const std::string& owner, const ModeWork& work)
      : problem_(p), plane_(plane), number_(number), owner_(owner), work_(work) {}

  std::vector<ModeProfile> at(const std::vector<double>& frequencies) {
    const int n = int(frequencies.size()), most = work_.threads > 0 ? work_.threads : omp_get_max_threads();
    std::vector<ModeProfile> modes(frequencies.size());
    std::vector<std::exception_ptr> failed(frequencies.size());
    planned_ += n;
#pragma omp parallel for num_threads(std::min(n, most)) schedule(dynamic) if (n > 1 && most > 1)
    for (int i = 0; i < n; ++i) try {
        ModeProfile& m = modes[std::size_t(i)];
        m = solve_mode(problem_, plane_, frequencies[std::size_t(i)], number_, {}, owner_);
        take_losses(problem_, plane_, m);
#pragma omp critical(umov_mode_progress)
        try {  // none may leave the critical region
          if (work_.progress) work_.progress(++done_, planned_);
        } catch (...) {
          failed[std::size_t(i)] = std::current_exception();
        }
      } catch (...) {
        failed[std::size_t(i)] = std::current_exception();
      }
    for (const auto& e : failed)
      if (e) std::rethrow_exception(e);
    return modes;
  }

 private:
  const Problem& problem_;
  ModePlane plane_;
  int number_;
  const std::string& owner_;
  const ModeWork& work_;
  int done_ = 0, planned_ = 0;
};

/// A polynomial in frequency through modes at Chebyshev's extrema, in barycentric form (Berrut and Trefethen
/// 2004, SIAM Rev. 46, 501, eq. 5.4).
class Polynomial {
 public:
  /// Frequencies by decreasing number; every second one where `count` - 1 is half of what there is.
  explicit Polynomial(std::vector<const ModeProfile*> nodes) : nodes_(std::move(nodes)) {
    for (const ModeProfile* m : nodes_) values_.push_back(numbers(*m));
    align();
  }
  /// Whether each node's mode is the one of the node before.
  bool one_mode() const { return one_mode_; }

  ModeProfile at(double frequency) const {
    std::vector<double> weight = weights(frequency);
    ModeProfile m = *nodes_.front();
    m.frequency = frequency;
    m.beta = 0, m.travel = 0;
    std::vector<double> sum(values_.front().size(), 0);
    for (std::size_t q = 0; q < nodes_.size(); ++q) {
      m.beta += weight[q] * nodes_[q]->beta;
      m.travel += weight[q] * nodes_[q]->travel;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight[q] * values_[q][i];
    }
    m.n_eff = m.beta / (2 * pi * frequency);
    std::size_t at = 0;
    each_value(m, [&](double& v) { v = sum[at++]; });
    normalise(m);
    return m;
  }

 private:
  std::vector<double> weights(double f) const {
    std::vector<double> w(nodes_.size(), 0);
    double sum = 0;
    for (std::size_t q = 0; q < nodes_.size(); ++q) {
      const double off = f - nodes_[q]->frequency;
      if (off == 0) return std::fill(w.begin(), w.end(), 0), w[q] = 1, w;
      const bool end = q == 0 || q + 1 == nodes_.size();
      sum += w[q] = (q % 2 ? -1 : 1) * (end ? 0.5 : 1) / off;
    }
    for (double& x : w) x /= sum;
    return w;
  }
  /// The sign of a profile is that of its largest value, which may lie elsewhere at the next node.
  void align() {
    for (std::size_t q = 1; q < values_.size(); ++q) {
      const double alike = likeness(values_[q - 1], values_[q]);
      one_mode_ = one_mode_ && std::abs(alike) > same_mode;
      if (alike < 0)
        for (double& v : values_[q]) v = -v;
    }
  }

  std::vector<const ModeProfile*> nodes_;
  std::vector<std::vector<double>> values_;
  bool one_mode_ = true;
};

/// Largest difference by the largest value; of the propagation constant as well.
double apart(const ModeProfile& a, const ModeProfile& b) {
  const auto x = numbers(a), y = numbers(b);
  if (x.size() != y.size()) return infinity;
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(x[i] - y[i]));
    largest = std::max(largest, std::abs(y[i]));
  }
  return std::max(
      {most / largest, std::abs(a.beta - b.beta) / b.beta, std::abs(a.travel - b.travel) / b.beta});
}

double extremum(double low, double high, int i, int n) {
  if (i == 0) return high;
  return i == n ? low : (low + high) / 2 + (high - low) / 2 * std::cos(pi * i / n);
}

/// Every `step`-th of the modes.
Polynomial through(const std::vector<ModeProfile>& modes, std::size_t step) {
  std::vector<const ModeProfile*> nodes;
  for (std::size_t i = 0; i < modes.size(); i += step) nodes.push_back(&modes[i]);
  return Polynomial(std::move(nodes));
}

/// Twice as many intervals, with new modes between those that are there.
std::vector<ModeProfile> refined(Solver& solver, std::vector<ModeProfile> modes, double low, double high) {
  const int n = 2 * (int(modes.size()) - 1);
  std::vector<double> between;
  for (int i = 1; i < n; i += 2) between.push_back(extremum(low, high, i, n));
  std::vector<ModeProfile> fresh = solver.at(between), all;
  for (int i = 0; i <= n; ++i)
    all.push_back(std::move(i % 2 ? fresh[std::size_t(i / 2)] : modes[std::size_t(i / 2)]));
  return all;
}

/// Whether half of the modes foretell the rest.
bool foretells(const std::vector<ModeProfile>& modes) {
  const Polynomial half = through(modes, 2);
  if (!half.one_mode()) return false;
  for (std::size_t i = 1; i < modes.size(); i += 2)
    if (!(apart(half.at(modes[i].frequency), modes[i]) < foretold)) return false;
  return true;
}

/// The polynomial's nodes, or none where too many would be needed.
std::vector<ModeProfile> nodes_of(Solver& solver, double low, double high, std::size_t most) {
  std::vector<double> first;
  for (int i = 0; i <= 4; ++i) first.push_back(extremum(low, high, i, 4));
  std::vector<ModeProfile> modes = solver.at(first);
  while (2 * modes.size() - 1 <= most) {
    modes = refined(solver, std::move(modes), low, high);
    const Polynomial all = through(modes, 1);
    if (!all.one_mode() || !foretells(modes)) continue;
    const int middle = (int(modes.size()) - 1) | 1;
    const double between = extremum(low, high, middle, 2 * (int(modes.size()) - 1));
    if (apart(all.at(between), solver.at({between}).front()) < met) return modes;
  }
  return {};
}

bool same(const SparseOf<cplx>& a, const SparseOf<cplx>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         SparseOf<cplx>(a - b).coeffs().abs().sum() == 0;
}

bool same(const CrossSectionOf<cplx>& a, const CrossSectionOf<cplx>& b) {
  for (int s = 0; s < 2; ++s)
    if (a.t[s].low != b.t[s].low || a.t[s].high != b.t[s].high || a.t[s].periodic != b.t[s].periodic ||
        a.t[s].mirror != b.t[s].mirror || a.t[s].open != b.t[s].open)
      return false;
  return a.axis == b.axis && a.highest == b.highest && a.solid == b.solid && same(a.A, b.A) &&
         same(a.B, b.B) && same(a.N, b.N) && same(a.absent, b.absent);
}

/// Of two lobes the larger one may be another at the next frequency: the sign of the lowest is that of all,
/// as far as they are one mode.
void keep_sign(std::vector<ModeProfile>& modes) {
  std::vector<ModeProfile*> ascending;
  for (ModeProfile& m : modes) ascending.push_back(&m);
  std::ranges::sort(ascending, {}, &ModeProfile::frequency);
  for (std::size_t i = 1; i < ascending.size(); ++i)
    if (likeness(numbers(*ascending[i - 1]), numbers(*ascending[i])) < -same_mode)
      each_value(*ascending[i], [](double& v) { v = -v; });
}

/// The same modes `nodes` further along the axis.
std::vector<ModeProfile> moved(std::vector<ModeProfile> modes, index_t by) {
  for (ModeProfile& m : modes)
    for (auto* side : {&m.electric, &m.magnetic})
      for (auto& part : *side)
        for (index_t& cell : part.cells) cell += by;
  return modes;
}

}  // namespace

std::vector<ModeProfile> solve_modes(const Problem& p, const ModePlane& plane,
                                     const std::vector<double>& frequencies, int number,
                                     const std::string& owner, const ModeWork& work) {
  Solver solver(p, plane, number, owner, work);
  const auto [low, high] = std::minmax_element(frequencies.begin(), frequencies.end());
  std::vector<ModeProfile> nodes, modes;
  if (int(frequencies.size()) >= worth_interpolating && *low != *high)
    nodes = nodes_of(solver, *low, *high, frequencies.size() / 2);
  if (nodes.empty()) {
    modes = solver.at(frequencies);
  } else {
    const Polynomial all = through(nodes, 1);
    for (const double f : frequencies) modes.push_back(all.at(f));
  }
  keep_sign(modes);
  return modes;
}

namespace {

bool same(const Grid& a, const Grid& b) {
  return a.mode == b.mode && a.cells == b.cells && a.dx == b.dx && a.dt == b.dt && a.lines == b.lines;
}

/// Modes of a plane and what they were solved for.
struct Remembered {
  std::vector<double> numbers;
  Grid grid;
  ModePlane plane;
  std::vector<CrossSectionOf<cplx>> cuts;  ///< at the lowest and the highest frequency
  std::vector<ModeProfile> modes;

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const ModeProfile& m : modes)
      for (const auto* side : {&m.electric, &m.magnetic})
        for (const auto& part : *side)
          sum +=
              part.cells.size() * (sizeof(index_t) + 2 * sizeof(double)) + part.lossy.size() * sizeof(cplx);
    for (const auto& cut : cuts)
      for (const auto* matrix : {&cut.A, &cut.B, &cut.N, &cut.absent})
        sum += std::size_t(matrix->nonZeros()) * (sizeof(cplx) + sizeof(int));
    return sum;
  }
};

/// The last planes of a process.
class Memory {
 public:
  static Memory& of_process() {
    static Memory memory;
    return memory;
  }
  std::shared_ptr<const Remembered> find(const Remembered& r) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find_if(list_, [&](const auto& k) {
      return k->numbers == r.numbers && k->plane.axis == r.plane.axis && same(k->grid, r.grid) &&
             same(k->cuts[0], r.cuts[0]) && same(k->cuts[1], r.cuts[1]);
    });
    return known == list_.end() ? nullptr : *known;
  }
  void add(std::shared_ptr<const Remembered> r) {
    const std::lock_guard lock(mutex_);
    list_.push_front(std::move(r));
    std::size_t sum = 0;
    const auto beyond =
        std::ranges::find_if(list_, [&](const auto& k) { return (sum += k->bytes()) > most; });
    list_.erase(beyond, list_.end());
  }

 private:
  static constexpr std::size_t most = std::size_t(128) << 20;
  std::mutex mutex_;
  std::list<std::shared_ptr<const Remembered>> list_;  ///< the latest first
};

}  // namespace

std::vector<ModeProfile> remembered_modes(const Problem& p, const ModePlane& plane,
                                          const std::vector<double>& numbers, double low, double high,
                                          const std::function<std::vector<ModeProfile>()>& solve) {
  auto now = std::make_shared<Remembered>(Remembered{numbers, p.grid, plane, {}, {}});
  for (const double f : {low, high}) now->cuts.emplace_back(p, plane, 2 * pi * f);
  const int axis = plane.axis;
  if (const auto known = Memory::of_process().find(*now))
    return moved(known->modes, Layout(p.grid).stride(axis) * (plane.lo[axis] - known->plane.lo[axis]));
  now->modes = solve();
  Memory::of_process().add(now);
  return now->modes;
}

std::vector<ModeProfile> SolvedModes::get(const Problem& p, const ModePlane& plane,
                                          const std::vector<double>& frequencies, int number,
                                          const std::string& owner) const {
  const auto [low, high] = std::minmax_element(frequencies.begin(), frequencies.end());
  std::vector<double> numbers = frequencies;
  numbers.push_back(number);
  return remembered_modes(p, plane, numbers, *low, *high,
                          [&] { return solve_modes(p, plane, frequencies, number, owner, work_); });
}

}  // namespace umov::fdtd
