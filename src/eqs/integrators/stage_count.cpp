// Stages by errors.
#include "eqs/integrators/stage_count.hpp"

#include <algorithm>
#include <cmath>

#include "eqs/integrators/stabilised_scheme.hpp"

namespace umov::eqs {

int StageCount::admissible(double stages) const {
  const int rounded = int(std::ceil(std::min(stages, double(largest_)) - 1e-9));
  if (scheme_ == Scheme::rkc) return std::max(rounded, 2);
  const int odd = rounded + (rounded % 2 == 0);
  return std::max(odd > largest_ ? odd - 2 : odd, 3);
}

int StageCount::of_step(int first) {
  if (stages_ == 0) stages_ = admissible(first);
  return stages_;
}

void StageCount::tried(double error) {
  if (error <= error_range.most) return;
  accepted_ = 0;
  if (++rejected_ % 2 == 0) {
    stages_ = before_;
    return;
  }
  before_ = stages_;
  stages_ = admissible(1.5 * stages_);
}

void StageCount::accepted() {
  rejected_ = 0;
  if (++accepted_ < calm_steps) return;
  accepted_ = 0;
  const int least = scheme_ == Scheme::rkc ? 1 : 2;
  stages_ = admissible(stages_ - std::max(least, stages_ / 10));
}

}  // namespace umov::eqs
