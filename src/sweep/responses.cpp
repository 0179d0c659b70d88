#include "sweep/responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::sweep {

using cases::DesignSpec;
using cases::Goal;
using cases::SurfaceChoice;

namespace {

std::vector<double> point_of(const Sweep& sweep, std::size_t k) {
  std::vector<double> point;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) point.push_back(sweep.number(i, k));
  return point;
}

}  // namespace

Box::Box(const Sweep& sweep) {
  for (const Axis& axis : sweep.axes) {
    // a hypercube's box is that of the lists, which its points do not reach
    const auto [low, high] = axis.numbers() && !axis.values.empty() ? axis.ends() : std::pair(0.0, 0.0);
    low_.push_back(low);
    high_.push_back(high);
    logarithmic_.push_back(axis.logarithmic);
  }
}

std::vector<double> Box::to_unit(const std::vector<double>& point) const {
  std::vector<double> x;
  for (std::size_t p = 0; p < point.size(); ++p) {
    if (!varies(p))
      x.push_back(0);
    else if (logarithmic_[p])
      x.push_back(2 * std::log(point[p] / low_[p]) / std::log(high_[p] / low_[p]) - 1);
    else
      x.push_back(2 * (point[p] - low_[p]) / (high_[p] - low_[p]) - 1);
  }
  return x;
}

std::vector<double> Box::from_unit(const std::vector<double>& x) const {
  std::vector<double> point;
  for (std::size_t p = 0; p < x.size(); ++p) {
    const double t = 0.5 * (x[p] + 1);
    point.push_back(logarithmic_[p] && varies(p)
                        ? low_[p] * std::pow(high_[p] / low_[p], t)
                        : above_rounding(low_[p] * (1 - t) + high_[p] * t,
                                         std::max(std::abs(low_[p]), std::abs(high_[p]))));
  }
  return point;
}

void require_columns(const std::vector<std::string>& wanted, const std::vector<Scalar>& columns,
                     const std::string& table) {
  std::vector<std::string> names;
  for (const Scalar& c : columns) names.push_back(c.name);
  for (const std::string& name : wanted) {
    if (std::count(names.begin(), names.end(), name)) continue;
    const std::string hint = did_you_mean(name, names);
    throw BadInput(fmt::format(
        "'batch.response' names '{}', which is no column of {} (it has: {}); {} go on "
        "with `resume = 'FOLDER'`",
        shortened(name), table, join(names, ", "), hint.empty() ? "correct it and" : hint + " Then"));
  }
}

namespace {

std::unique_ptr<linalg::ResponseSurface> fitted(SurfaceChoice choice, const linalg::SurfacePoints& points,
                                                const std::vector<double>& values) {
  using linalg::SurfaceKind;
  switch (choice) {
    case SurfaceChoice::automatic:
      return linalg::fit_best_surface(points, values);
    case SurfaceChoice::linear:
      return linalg::fit_surface(SurfaceKind::linear, points, values);
    case SurfaceChoice::quadratic:
      return linalg::fit_surface(SurfaceKind::quadratic, points, values);
    case SurfaceChoice::cubic:
      return linalg::fit_surface(SurfaceKind::cubic, points, values);
    case SurfaceChoice::rbf:
      return linalg::fit_surface(SurfaceKind::rbf, points, values);
    case SurfaceChoice::none:
      break;
  }
  return nullptr;
}

/// Points as they are without some coordinates, each once, with the mean of its responses.
struct Merged {
  linalg::SurfacePoints points;
  std::vector<double> values;
  double range = 0;    ///< the largest within one
  bool alone = false;  ///< one has a single response
};

Merged merged_without(const Response& r, const std::vector<char>& left_out) {
  std::map<std::vector<long>, std::vector<std::size_t>> groups;  // places to 1e-9, as levels are told apart
  auto points = r.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<long> key;
    for (std::size_t k = 0; k < left_out.size(); ++k) {
      if (left_out[k]) points[i][k] = 0;
      key.push_back(std::lround(points[i][k] * 1e9));
    }
    groups[key].push_back(i);
  }
  Merged out;
  for (const auto& [key, group] : groups) {
    double sum = 0, low = r.values[group[0]], high = low;
    for (const std::size_t i : group) {
      sum += r.values[i];
      low = std::min(low, r.values[i]), high = std::max(high, r.values[i]);
    }
    out.points.push_back(points[group[0]]);
    out.values.push_back(sum / double(group.size()));
    out.range = std::max(out.range, high - low);
    out.alone = out.alone || group.size() == 1;
  }
  return out;
}

/// Through the responses without what changes none of them by more than `noise`: between points that differ
/// in one parameter only a surface has waves of its own. Known of designs in which every variant has such
/// neighbours.
std::unique_ptr<linalg::ResponseSurface> fitted(SurfaceChoice choice, const Response& r, double noise) {
  if (r.points.empty()) return nullptr;
  std::vector<char> left_out(r.points.front().size(), 0);
  bool any = false;
  for (std::size_t k = 0; k < left_out.size(); ++k) {
    left_out[k] = 1;
    const Merged m = merged_without(r, left_out);
    if (m.alone || m.range > noise) left_out[k] = 0;
    any = any || left_out[k];
  }
  if (any) {
    const Merged m = merged_without(r, left_out);
    if (auto surface = fitted(choice, m.points, m.values)) return surface;
  }
  return fitted(choice, r.points, r.values);
}

/// The same of a hypercube, whose points have no such neighbours: without parameters that make points left
/// out foretold worse. What one of them does is less than the error of the fit.
std::unique_ptr<linalg::ResponseSurface> fitted_to_hypercube(SurfaceChoice choice, const Response& r) {
  if (r.points.empty()) return nullptr;
  auto points = r.points;
  auto best = fitted(choice, points, r.values);
  for (std::size_t k = 0; best && k < points.front().size(); ++k) {
    auto fewer = points;
    for (auto& x : fewer) x[k] = 0;
    auto without = fitted(choice, fewer, r.values);
    if (without && without->quality.cv_error < best->quality.cv_error)
      best = std::move(without), points = std::move(fewer);
  }
  return best;
}

/// Of what size the responses' differences are, relative to the largest response.
double spread(const Response& r) {
  const auto [low, high] = std::minmax_element(r.values.begin(), r.values.end());
  return r.scale > 0 ? (*high - *low) / r.scale : 0;
}

/// What keeps responses from a surface over numbers; "": nothing.
std::string refusal(const Sweep& sweep) {
  for (const Axis& axis : sweep.axes)
    if (!axis.numbers() && axis.values.size() > 1)
      return fmt::format("'{}' has values that are no numbers, and a surface is over numbers", axis.name);
  return "";
}

void take_points(Response& r, const Sweep& sweep, const Rows& rows, bool largest) {
  const Box box(sweep);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!rows[k] || rows[k]->status != Status::done) continue;
    const auto& all = rows[k]->scalars;
    const auto found = std::ranges::find(all, r.column.name, &Scalar::name);
    if (found == all.end() || !std::isfinite(found->value)) continue;
    const double y = found->value;
    if (r.values.empty() || (largest ? y > r.values[r.best] : y < r.values[r.best])) r.best = r.values.size();
    r.points.push_back(box.to_unit(point_of(sweep, k)));
    r.cases.push_back(k);
    r.values.push_back(y);
    r.scale = std::max(r.scale, std::abs(y));
  }
}

/// Why a surface that was fitted is none; "": it is one.
std::string doubt(const Response& r, const Noise& noise) {
  const auto& q = r.surface->quality;
  if (q.cv_r_squared < 0)
    return fmt::format(
        "of {} variants left out in turn it foretells less than their mean does, R2 {:.2g}; take more "
        "variants, fewer parameters or another surface",
        r.values.size(), q.cv_r_squared);
  const double range = spread(r);
  const bool by_solves = range <= std::max(noise.solves, 1e-12);
  if (!by_solves && !(range <= noise.steps && q.cv_r_squared < 0.9)) return "";
  return fmt::format(
      "it depends on nothing that is varied: all {} variants have {:.5g} within {:.1g} of it, no more than "
      "{} "
      "leave",
      r.values.size(), r.values.front(), range, by_solves ? "solves" : "steps of this time.tolerance");
}

void find_optimum(Response& r, const Sweep& sweep, double noise, bool largest) {
  const auto found = linalg::optimum(*r.surface, r.points, largest);
  r.optimum = Box(sweep).from_unit(found.x);
  r.predicted = above_rounding(found.value, r.scale);
  for (std::size_t p = 0; p < sweep.axes.size(); ++p) {
    const double range = above_rounding(linalg::importance(*r.surface, r.points, p), r.scale);
    r.importance.push_back(range > noise * r.scale ? range : 0);
  }
}

/// Largest fields, losses and the like have one sign; a polynomial does not know.
std::string sign_remark(const Response& r) {
  const auto [least, most] = std::minmax_element(r.values.begin(), r.values.end());
  if (!(*least >= 0 && r.predicted < 0) && !(*most <= 0 && r.predicted > 0)) return "";
  return ", of the other sign than every variant: the surface does not hold there, narrow the ranges";
}

}  // namespace

bool Response::is_at(const Box& box, const Axis& axis, std::size_t p) const {
  return importance[p] > 0 || (!box.varies(p) && axis.numbers());
}

std::vector<Response> fit_responses(const Sweep& sweep, const Rows& rows, const std::vector<Scalar>& columns,
                                    const Noise& noise) {
  std::vector<Response> out;
  if (sweep.design.surface == SurfaceChoice::none) return out;
  const bool largest = sweep.design.goal == Goal::maximum;
  const std::string why_not = refusal(sweep);
  for (const Scalar& column : columns) {
    Response r;
    r.column = column;
    r.why_not = why_not;
    take_points(r, sweep, rows, largest);
    if (why_not.empty()) {
      r.surface = sweep.design.design == cases::Design::latin_hypercube
                      ? fitted_to_hypercube(sweep.design.surface, r)
                      : fitted(sweep.design.surface, r, noise.solves * r.scale);
      r.why_not =
          r.surface ? doubt(r, noise) : fmt::format("{} variants do not determine it", r.values.size());
      if (!r.why_not.empty()) r.surface.reset();
    }
    if (r.surface) find_optimum(r, sweep, noise.solves, largest);
    out.push_back(std::move(r));
  }
  return out;
}

std::string behind(const std::string& unit) { return unit.empty() || unit == "1" ? "" : " " + unit; }

std::string response_text(const Sweep& sweep, const Response& r, const std::string& noun,
                          const std::string& remark) {
  const Scalar& column = r.column;
  if (!r.surface) return fmt::format("'{}': no surface ({})\n", column.name, r.why_not);
  const auto& q = r.surface->quality;
  const Box box(sweep);
  std::vector<std::string> at, idle;
  for (std::size_t p = 0; p < sweep.axes.size(); ++p) {
    const std::string& name = sweep.axes[p].name;
    if (r.is_at(box, sweep.axes[p], p))
      at.push_back(fmt::format("{} = {:.5g}", name, r.optimum[p]));
    else if (box.varies(p))
      idle.push_back(name);
  }
  return fmt::format(
      "'{}': {} surface, R2 {:.4f} ({:.4f} of {}s left out, error {:.3g}{}); {} {:.5g} +- {:.2g}{} "
      "(of the fit{}){}{}{}; best {} {} with {:.5g}{}\n",
      column.name, linalg::surface_name(r.surface->kind), q.r_squared, q.cv_r_squared, noun, q.cv_error,
      behind(column.unit), sweep.design.goal == Goal::maximum ? "largest" : "least", r.predicted, q.cv_error,
      behind(column.unit), sign_remark(r), at.empty() ? "" : " at ", join(at, ", "),
      idle.empty() ? "" : fmt::format("; it does not depend on {}", join(idle, ", ")), noun,
      r.cases[r.best] + 1, r.values[r.best], remark);
}

}  // namespace umov::sweep
