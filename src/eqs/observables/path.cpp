// The field along a polyline.
#include "eqs/observables/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/kernels/ellipse.hpp"

namespace umov::eqs {

Path::Path(const LineSpec& spec, const Problem& problem, const mesh::Locator& locator) {
  frame_.name = spec.name;
  std::vector<double> reach{0};  // length up to each corner
  for (std::size_t k = 1; k < spec.points.size(); ++k)
    reach.push_back(reach.back() + norm(spec.points[k] - spec.points[k - 1]));
  for (int i = 0; i < spec.samples; ++i) {
    const double s = reach.back() * i / (spec.samples - 1);
    const auto next = std::upper_bound(reach.begin() + 1, reach.end() - 1, s);
    const auto k = std::size_t(next - reach.begin());
    const double length = reach[k] - reach[k - 1];
    const Vec3 direction = (1 / length) * (spec.points[k] - spec.points[k - 1]);
    const Vec3 at = spec.points[k - 1] + (s - reach[k - 1]) * direction;
    frame_.length.push_back(s);
    frame_.at.push_back(at);
    frame_.direction.push_back(direction);
    places_.push_back(locator.find(at));
    frame_.material.push_back(places_.back() ? problem.material[places_.back()->tet] : -1);
  }
  if (std::none_of(places_.begin(), places_.end(), [](const auto& p) { return p.has_value(); }))
    throw BadInput("line '" + spec.name +
                   "' lies outside the mesh (lengths of a case are in metres); correct its points");
}

std::string Path::outside() const {
  const auto inside = [](const auto& place) { return place.has_value(); };
  const auto before = std::find_if(places_.begin(), places_.end(), inside) - places_.begin();
  const auto after = std::find_if(places_.rbegin(), places_.rend(), inside) - places_.rbegin();
  if (before + after == 0) return "";
  std::vector<std::string> ends;
  if (before > 0)
    ends.push_back(
        fmt::format("the first {}, up to {:.4g} m", before, frame_.length[std::size_t(before) - 1]));
  if (after > 0)
    ends.push_back(
        fmt::format("the last {}, from {:.4g} m", after, frame_.length[places_.size() - std::size_t(after)]));
  return fmt::format(
      "line '{}' begins or ends outside the mesh (of its {} samples {} have no values); correct its points "
      "if "
      "that is not meant",
      frame_.name, places_.size(), join(ends, " and "));
}

void Path::sample(const Sampler& sampler, const double* u, const double* imaginary, LineResult& r) const {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i]) {
      for (auto* list : {&r.potential, &r.tangential, &r.normal, &r.magnitude}) list->push_back(nan);
      continue;
    }
    const auto& t = frame_.direction[i];
    r.potential.push_back(float(sampler.potential(u, *places_[i])));
    const Vec3 e = sampler.field(u, *places_[i]);
    const double along = dot(e, t);
    if (!imaginary) {
      r.tangential.push_back(float(along));
      r.normal.push_back(float(norm(e - along * t)));
      r.magnitude.push_back(float(norm(e)));
      continue;
    }
    const Vec3 f = sampler.field(imaginary, *places_[i]);
    const double other = dot(f, t);
    r.tangential.push_back(float(std::hypot(along, other)));
    r.normal.push_back(float(peak_of(e - along * t, f - other * t)));
    r.magnitude.push_back(float(peak_of(e, f)));
  }
}

}  // namespace umov::eqs
