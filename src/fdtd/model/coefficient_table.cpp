// Coefficients of mixed cells rounded to levels, so that 16 bits name them all.
#include "fdtd/model/coefficient_table.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "fdtd/model/update_coefficients.hpp"

namespace umov::fdtd {
namespace {

/// Values closer than this, relative to 1, are one: rounding of fill fractions.
constexpr double resolution = 1e-10;

/// Rounds to levels evenly spaced between the least and the largest logarithm.
class Levels {
 public:
  Levels(double low, double high, int count)
      : low_(std::log(low)), step_(count > 1 ? (std::log(high) - std::log(low)) / (count - 1) : 0) {}
  double operator()(double v) const {
    return step_ > 0 ? std::exp(low_ + step_ * std::round((std::log(v) - low_) / step_)) : v;
  }

 private:
  double low_, step_;
};

/// Levels of 1/eps, and for lossy cells fewer of both: their pairs share the room.
void round_to_levels(std::vector<Effective>& values, int room) {
  double low = std::numeric_limits<double>::max(), high = 0, most_loss = 0;
  for (const auto& v : values) {
    low = std::min(low, v.inverse);
    high = std::max(high, v.inverse);
    most_loss = std::max(most_loss, v.loss);
  }
  const int losses = most_loss > 0 ? std::max(2, int(std::sqrt(room / 4.0))) : 1;
  const Levels levels(low, high, std::max(2, room / losses));
  for (auto& v : values) {
    v.inverse = levels(v.inverse);
    if (losses > 1) v.loss = most_loss / (losses - 1) * std::round(v.loss / most_loss * (losses - 1));
  }
}

/// Makes values equal that differ by less than `step`: they become the least of them. The table keeps one
/// coefficient for all of them, and which one must not depend on where in the grid it comes first: images in
/// a mirror come in another order.
template <class Value>
void unify(std::vector<Effective>& values, std::vector<std::size_t>& order, std::size_t first,
           std::size_t last, double step, Value value) {
  std::sort(order.begin() + first, order.begin() + last,
            [&](std::size_t a, std::size_t b) { return value(values[a]) < value(values[b]); });
  for (std::size_t i = first + 1; i < last; ++i) {
    const double least = value(values[order[i - 1]]);
    if (value(values[order[i]]) - least <= step) value(values[order[i]]) = least;
  }
}

void unify(std::vector<Effective>& values, double step) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  unify(
      values, order, 0, order.size(), step, [](auto& v) -> auto& { return v.inverse; });
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]].inverse == values[order[first]].inverse) ++last;
    unify(
        values, order, first, last, step, [](auto& v) -> auto& { return v.loss; });
    first = last;
  }
}

}  // namespace

std::uint16_t CoefficientTable::add(const Coefficients& c, bool plain) {
  const auto rounded = [](double v) { return std::llround(v / resolution); };
  const std::array key{rounded(c.decay), rounded(c.drive), (long long)(plain)};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (list_.size() > 65535)
    throw BadInput(
        "materials: more than 65536 different coefficients (an index has 16 bits); use fewer materials");
  list_.push_back(c);
  plain_.push_back(plain);
  return known_[key] = std::uint16_t(list_.size() - 1);
}

void CoefficientTable::add_mixed(std::vector<Effective>& values, std::vector<std::uint16_t>& indices) {
  // Far enough apart for coefficients of their own.
  unify(values, 4 * resolution * grid_.dx / grid_.dt);
  std::set<std::array<long long, 2>> distinct;
  const std::size_t left = room() > list_.size() + 16 ? room() - list_.size() : 65536 - list_.size();
  for (const auto& v : values) {
    distinct.insert({std::llround(v.inverse / resolution), std::llround(v.loss / resolution)});
    if (distinct.size() > left) break;
  }
  if (distinct.size() > left) round_to_levels(values, int(left));
  indices.clear();
  indices.reserve(values.size());
  for (const auto& v : values)
    indices.push_back(add(plain_coefficients(v.inverse, v.loss, grid_), v.loss == 0));
}

}  // namespace umov::fdtd
