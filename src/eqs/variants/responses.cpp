#include "eqs/variants/responses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::eqs {

BatchBox::BatchBox(const Batch& batch) {
  for (std::size_t p = 0; p < batch.parameters.size(); ++p) {
    double low = batch.variants.front()[p], high = low;
    // a hypercube's box is that of the lists, which its points do not reach
    if (batch.spec.design == Design::latin_hypercube)
      for (const double x : batch.parameters[p].values) low = std::min(low, x), high = std::max(high, x);
    for (const auto& v : batch.variants) low = std::min(low, v[p]), high = std::max(high, v[p]);
    low_.push_back(low);
    high_.push_back(high);
    logarithmic_.push_back(batch.parameters[p].logarithmic);
  }
}

std::vector<double> BatchBox::to_unit(const std::vector<double>& variant) const {
  std::vector<double> x;
  for (std::size_t p = 0; p < variant.size(); ++p) {
    if (!varies(p))
      x.push_back(0);
    else if (logarithmic_[p])
      x.push_back(2 * std::log(variant[p] / low_[p]) / std::log(high_[p] / low_[p]) - 1);
    else
      x.push_back(2 * (variant[p] - low_[p]) / (high_[p] - low_[p]) - 1);
  }
  return x;
}

std::vector<double> BatchBox::from_unit(const std::vector<double>& x) const {
  std::vector<double> variant;
  for (std::size_t p = 0; p < x.size(); ++p) {
    const double t = 0.5 * (x[p] + 1);
    variant.push_back(logarithmic_[p] && varies(p)
                          ? low_[p] * std::pow(high_[p] / low_[p], t)
                          : above_rounding(low_[p] * (1 - t) + high_[p] * t,
                                           std::max(std::abs(low_[p]), std::abs(high_[p]))));
  }
  return variant;
}

std::vector<std::size_t> response_columns(const BatchOutcome& o) {
  std::vector<std::string> names;
  for (const auto& c : o.columns) names.push_back(c.name);
  std::vector<std::size_t> out;
  for (const std::string& wanted : o.batch.spec.response) {
    const auto at = std::find(names.begin(), names.end(), wanted);
    if (at == names.end()) {
      const std::string hint = did_you_mean(wanted, names);
      throw BadInput(fmt::format(
          "'batch.response' names '{}', which is no column of variants.csv (it has: {}); {} go on "
          "with `resume = 'FOLDER'`",
          shortened(wanted), join(names, ", "), hint.empty() ? "correct it and" : hint + " Then"));
    }
    out.push_back(std::size_t(at - names.begin()));
  }
  if (o.batch.spec.response.empty())
    for (std::size_t c = 0; c < names.size(); ++c)
      if (is_response(o.batch.spec, names[c])) out.push_back(c);
  return out;
}

bool is_response(const BatchSpec& spec, const std::string& column) {
  return spec.response.empty()
             ? column.ends_with(" peak")
             : std::find(spec.response.begin(), spec.response.end(), column) != spec.response.end();
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

/// Of what size the responses' differences are, relative to the largest response.
double spread(const Response& r) {
  const auto [low, high] = std::minmax_element(r.values.begin(), r.values.end());
  return r.scale > 0 ? (*high - *low) / r.scale : 0;
}

/// Whether controlled steps hold a response to no more than this.
double left_by_steps(const Simulation& s) {
  return s.analysis == Analysis::transient && s.time.step == 0 ? s.time.tolerance : 0;
}

/// Part of a response that says nothing: solves leave up to 20 times their tolerance.
double left_by_solves(const Simulation& s) {
  const bool bent = std::ranges::any_of(s.materials, [](const MaterialSpec& m) {
    return m.permittivity.nonlinear() || m.conductivity.nonlinear();
  });
  return 20 * (bent ? std::max(s.newton.tolerance, s.linear.tolerance) : s.linear.tolerance);
}

}  // namespace

std::vector<Response> fit_responses(const BatchOutcome& o) {
  std::vector<Response> out;
  if (o.batch.spec.surface == SurfaceChoice::none || o.columns.empty()) return out;
  const BatchBox box(o.batch);
  const bool largest = o.batch.spec.goal == Goal::maximum;
  double nothing = 0, steps = 0;
  for (const Simulation& s : o.batch.cases) {
    nothing = std::max(nothing, left_by_solves(s));
    steps = std::max(steps, left_by_steps(s));
  }
  for (const std::size_t column : response_columns(o)) {
    Response r;
    r.column = column;
    for (std::size_t k = 0; k < o.rows.size(); ++k) {
      const double y = o.rows[k].values[column];
      if (!o.rows[k].converged || !std::isfinite(y)) continue;
      if (r.values.empty() || (largest ? y > r.values[r.best] : y < r.values[r.best]))
        r.best = r.values.size();
      r.points.push_back(box.to_unit(o.batch.variants[k]));
      r.variant.push_back(k);
      r.values.push_back(y);
      r.scale = std::max(r.scale, std::abs(y));
    }
    r.surface = fitted(o.batch.spec.surface, r, nothing * r.scale);
    if (!r.surface) {
      r.why_not = fmt::format("{} variants do not determine it", r.values.size());
    } else if (const auto& q = r.surface->quality; q.cv_r_squared < 0) {
      r.why_not = fmt::format(
          "of {} variants left out in turn it foretells less than their mean does, R2 {:.2g}; take more "
          "variants, fewer parameters or another surface",
          r.values.size(), q.cv_r_squared);
      r.surface.reset();
    } else if (const double range = spread(r);
               range <= std::max(nothing, 1e-12) || (range <= steps && q.cv_r_squared < 0.9)) {
      r.why_not = fmt::format(
          "it depends on nothing that is varied: all {} variants have {:.5g} within {:.1g} of it, no more "
          "than {} "
          "leave",
          r.values.size(), r.values.front(), range,
          range <= std::max(nothing, 1e-12) ? "solves" : "steps of this time.tolerance");
      r.surface.reset();
    } else {
      const auto found = linalg::optimum(*r.surface, r.points, largest);
      r.optimum = box.from_unit(found.x);
      r.predicted = above_rounding(found.value, r.scale);
      for (std::size_t p = 0; p < o.batch.parameters.size(); ++p) {
        const double range = above_rounding(linalg::importance(*r.surface, r.points, p), r.scale);
        r.importance.push_back(range > nothing * r.scale ? range : 0);
      }
    }
    out.push_back(std::move(r));
  }
  return out;
}

}  // namespace umov::eqs
