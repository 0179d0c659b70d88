// An attempt where the matrix maps vectors to zero: least residuals and shortest solutions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/amg/attempt.hpp"

namespace umov::amg {

using sparse::HostCsr;
using sparse::Wide;

bool Attempt::find_null_space() {
  if (!null_sought_) {
    null_in_scaled_ = null_vectors(scaling_.matrix(), *solver_, request_.max_iterations, &all_found_);
    null_ = orthonormal(null_in_scaled_);
  }
  null_sought_ = true;
  return !null_.empty();
}

std::string Attempt::null_space() const {
  return fmt::format("the matrix is singular ({} independent vector{} found with A v = 0)", null_.size(),
                     null_.size() == 1 ? "" : "s");
}

std::vector<Wide> Attempt::orthonormal(const std::vector<std::vector<double>>& in_scaled) const {
  std::vector<Wide> out;
  for (const auto& v : in_scaled) {
    Wide w = scaling_.solution(v, 0);
    for (int twice = 0; twice < 2; ++twice) project_out(out, w);
    const long double size = sparse::norm(w);
    for (long double& x : w) x /= size;
    out.push_back(std::move(w));
  }
  return out;
}

long double Attempt::project_out(const std::vector<Wide>& vectors, Wide& b) {
  long double square = 0;
  for (const Wide& v : vectors) {
    const long double part = sparse::dot_wide(v, b);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] -= part * v[i];
    square += part * part;
  }
  return std::sqrt(square);
}

bool Attempt::solve_singular() {
  if (!find_null_space()) return false;
  Wide reached = b_;
  const long double part = project_out(null_, reached) / whole_, size = sparse::norm(reached);
  std::vector<double> x(a_.rows, 0.0);
  SolveInfo info;
  int exponent = 0;
  if (size > 1e-15L * whole_) {
    auto right = scaling_.right_side(reached, exponent);
    amg::project_out(null_in_scaled_, right);
    solver_->aim(request_.tolerance, request_.max_iterations);
    info = solver_->solve(right, x);
    s_.history = solver_->history();
    if (!(info.residual < 1e-3)) return false;
  }
  s_.x = rounded(scaling_.solution(x, exponent));
  s_.info = info;
  s_.note.clear();  // no matter of precision
  if (size > 1e-15L * whole_) correct(reached, size);
  take_shortest(inconsistent_ = part > 0.1 * request_.tolerance);
  s_.info.residual = double(relative_residual(a_, s_.x, b_, whole_));
  if (!inconsistent_) return true;
  s_.info.fail(
      Failure::inconsistent,
      fmt::format(
          "{} and the system inconsistent: {:.3g} of the length of b lies along {}, where no A x reaches; {}",
          null_space(), double(part), null_.size() == 1 ? "it" : "them",
          all_found_
              ? "x has the least residual, and is the shortest that has it"
              : "there are more such vectors, and x has not the least residual nor is it the shortest"));
  return true;
}

void Attempt::take_shortest(bool silent) {
  Wide x(s_.x.begin(), s_.x.end());
  project_out(null_, x);
  s_.x = rounded(x);
  if (silent) return;
  note_singular();
}

bool Attempt::shorten() {
  const auto before = s_.x;
  take_shortest(true);
  const double residual = double(relative_residual(a_, s_.x, b_, whole_));
  if (!(residual <= std::max(s_.info.residual, request_.tolerance))) {
    s_.x = before;
    null_.clear(), null_in_scaled_.clear();
    return false;
  }
  s_.info.residual = residual;
  note_singular();
  return true;
}

void Attempt::note_singular() {
  add_note(null_space() + (all_found_
                               ? ": of its many solutions x is the shortest"
                               : ": there are more, and x is one of many solutions, not the shortest"));
}

}  // namespace umov::amg
