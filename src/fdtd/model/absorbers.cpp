// Absorbers in space: how deep in one a place lies, and how strong it is.
#include "fdtd/model/absorbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/images.hpp"

namespace umov::fdtd {
namespace {

constexpr double levels_per_cell = 8;
/// A ray takes steps of at least this, in cells; where it leaves a body is interpolated within one.
constexpr double least_step = 0.05;

bool stores_or_conducts(const materials::Material& m) {
  const Vec3 none{0, 0, 0};
  return !m.perfect_conductor && (m.dispersive() || m.sigma != none || m.sigma_magnetic != none);
}

/// Of unit length; nothing where the case gives none.
std::optional<Vec3> direction_of(const AbsorberSpec& spec, int dimensions) {
  if (!spec.direction) return {};
  Vec3 d = *spec.direction;
  for (int a = dimensions; a < 3; ++a)
    if (d[a] != 0)
      throw BadInput(
          fmt::format("its direction has a component along {} (the domain has no extent there); "
                      "set it to 0",
                      "xyz"[a]));
  const double length = norm(d);
  if (!(length > 0) || !std::isfinite(length))
    throw BadInput(
        "its direction is no direction (a vector of finite length is); give one, as [1, 0], or leave it out "
        "for an absorber that becomes stronger inward");
  return (1 / length) * d;
}

void require_front(const shapes::Body& body, const Vec3& direction) {
  const auto bounds = body.bounds();
  for (int a = 0; a < 3; ++a)
    if (std::fabs(direction[a]) > 1e-12 && bounds.low[a] < -shapes::unbounded / 100)
      throw BadInput(
          fmt::format("it has no front along its direction (it runs through the whole domain along {}); give "
                      "its extent there",
                      "xyz"[a]));
}

void check_numbers(const AbsorberSpec& spec) {
  if (!(spec.transmission > 0 && spec.transmission < 1))
    throw BadInput(
        fmt::format("its transmission is {:g} (a share of the power, above 0 and below 1); give 1e-6, say",
                    spec.transmission));
}

/// What of an absorber is wrong, behind its label.
template <class Make>
void labelled(const std::string& label, const Make& make) {
  try {
    make();
  } catch (const BadInput& e) {
    throw BadInput(label + ": " + e.what());
  }
}

}  // namespace

std::string memory_problem(const std::string& medium, const Vec3& place) {
  return fmt::format(
      "it lies over '{}' near ({:.4g}, {:.4g}, {:.4g}) (a dispersive or conducting medium: sigma and sigma* "
      "match constant permittivities and permeabilities alone); keep the two apart, or let such a body end "
      "in "
      "the layers of a wall",
      medium, place[0], place[1], place[2]);
}

void check_absorber(const Simulation& s, std::size_t number) {
  const AbsorberSpec& spec = s.absorbers[number];
  const std::string label = absorber_label(s, number);
  const auto pieces =
      spec.shape == "mesh" ? std::vector<std::unique_ptr<shapes::Body>>() : make_pieces(s, spec, label);
  labelled(label, [&] {
    check_numbers(spec);
    const auto direction = direction_of(spec, s.picture ? 3 : s.size[2] > 0 ? 3 : s.size[1] > 0 ? 2 : 1);
    for (const auto& piece : pieces)
      if (direction) require_front(*piece, *direction);
  });
}

Absorber::Absorber(const Simulation& s, std::size_t number, const Scene& scene, const Grid& grid)
    : spec_(s.absorbers[number]),
      label_(absorber_label(s, number)),
      grid_(grid),
      bodies_(make_images(s, spec_, label_, extent_of(s))) {
  labelled(label_, [&] {
    check_numbers(spec_);
    if (const auto direction = direction_of(spec_, dimensions(grid.mode))) {
      direction_ = *direction;
      for (const auto& body : bodies_) require_front(*body, direction_);
    }
    set_cells();
    scan(scene);
  });
}

void Absorber::set_cells() {
  Vec3 low = shapes::Bounds{}.high, high = shapes::Bounds{}.low;
  for (const auto& body : bodies_) {
    const auto bounds = body->bounds();
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], bounds.low[a]);
      high[a] = std::max(high[a], bounds.high[a]);
    }
  }
  for (int a = 0; a < 3; ++a) {
    if (!grid_.active(a)) continue;
    const auto cell = [&](double x) {
      return int(std::clamp(std::floor(grid_.index(a, x)), -1.0, grid_.cells[a] + 1.0));
    };
    low_[a] = std::max(0, cell(low[a]));
    high_[a] = std::min(grid_.cells[a], cell(high[a]));
  }
}

/// Its deepest cell and the least index of its media. Deepest are middles of cells, half a cell short.
void Absorber::scan(const Scene& scene) {
  double deepest = 0, least = INFINITY;
  for (int k = low_[2]; k <= high_[2]; ++k)
    for (int j = low_[1]; j <= high_[1]; ++j)
      for (int i = low_[0]; i <= high_[0]; ++i) {
        const Int3 cell{i, j, k};
        Vec3 middle = grid_.origin;
        for (int a = 0; a < 3; ++a)
          if (grid_.active(a)) middle[a] = grid_.place(a, cell[a] + 0.5);
        const double d = depth(middle);
        if (d <= 0) continue;
        deepest = std::max(deepest, d);
        const auto& m = scene.materials()[std::size_t(scene.material_at(middle))];
        if (stores_or_conducts(m)) throw BadInput(memory_problem(m.name, middle));
        if (m.perfect_conductor) continue;
        for (int a = 0; a < 3; ++a) least = std::min(least, std::sqrt(m.eps[a] * m.mu[(a + 1) % 3]));
      }
  if (deepest == 0)
    throw BadInput(
        "it holds no cell of the grid (it lies outside the domain, or is thinner than a cell); move or "
        "enlarge it");
  depth_ = deepest + grid_.dx / 2;
  thickness_ = spec_.thickness > 0 ? spec_.thickness : depth_;
  index_ = std::isfinite(least) ? least : 1;
  strength_ = -std::log(spec_.transmission) / 2 * (spec_.order + 1) / (thickness_ * index_);
}

bool Absorber::inside(const Vec3& p, double below) const {
  return std::ranges::any_of(bodies_, [&](const auto& body) { return body->probe(p).distance < -below; });
}

double Absorber::depth(const Vec3& p) const {
  const bool inward = direction_ == Vec3{0, 0, 0};
  double most = 0;
  for (const auto& body : bodies_)
    most = std::max(most, inward ? -body->probe(p).distance : depth_along(*body, p));
  return most;
}

/// How far back a ray against the direction leaves the body: steps that hold no surface, then a short one.
double Absorber::depth_along(const shapes::Body& body, const Vec3& p) const {
  double gone = 0;
  for (double here = -body.probe(p).distance; here > 0;) {
    const double step = std::max(here, least_step * grid_.dx);
    const double next = -body.probe(p - (gone + step) * direction_).distance;
    if (next <= 0) return gone + step * here / (here - next);
    gone += step;
    here = next;
  }
  return 0;
}

double Absorber::rate(const Vec3& p) const {
  // The mean over half a cell along the direction: what lies on the back has half of what is before it.
  const Vec3 quarter = (0.25 * grid_.dx) * direction_;
  return (rate_at(p - quarter) + rate_at(p + quarter)) / 2;
}

double Absorber::rate_at(const Vec3& p) const {
  const double level = grid_.dx / levels_per_cell;
  const double d = level * std::round(depth(p) / level);
  return d > 0 ? strength_ * std::pow(std::min(1.0, d / thickness_), spec_.order) : 0;
}

double Absorber::left() const {
  return std::pow(spec_.transmission, std::pow(std::min(1.0, depth_ / thickness_), spec_.order + 1));
}

std::string Absorber::text() const {
  std::string way = "inward";
  if (direction_ != Vec3{0, 0, 0}) {
    way = "along (";
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      way += fmt::format("{}{:.4g}", a ? ", " : "", direction_[a]);
    way += ")";
  }
  return fmt::format(
      "{}: absorbs {} over {:.4g} ({:.3g} cells), order {:g}, sigma / eps up to {:.4g} c / unit: of the "
      "power "
      "of a wave straight through at most {:.2g} is left, by media of index {:.4g} or more",
      label_, way, thickness_, thickness_ / grid_.dx, spec_.order, strength_, left(), index_);
}

std::vector<Absorber> make_absorbers(const Simulation& s, const Scene& scene, const Grid& grid) {
  std::vector<Absorber> all;
  for (std::size_t n = 0; n < s.absorbers.size(); ++n) all.emplace_back(s, n, scene, grid);
  return all;
}

}  // namespace umov::fdtd
