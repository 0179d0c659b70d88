// Cases of flat layers lit by a plane wave: bodies become layers, layers a stack of the transfer matrix.
#include "fdtd/observables/flat_layers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fdtd/model/extent.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

namespace {

const double unknown = std::nan("");

/// The axis across which the wave has its faces; -1 where it has some across more.
int axis_of_entrance(const TotalFieldBox& box) {
  int found = -1;
  for (int a = 0; a < 3; ++a) {
    if (!box.face[a][0] && !box.face[a][1]) continue;
    if (found >= 0) return -1;
    found = a;
  }
  return found;
}

bool plain(const materials::Material& m) {
  const auto same = [](const Vec3& v) { return v[0] == v[1] && v[1] == v[2]; };
  const Vec3 one{1, 1, 1}, none{0, 0, 0};
  return !m.perfect_conductor && same(m.eps) && same(m.sigma) && m.mu == one && m.sigma_magnetic == none;
}

/// Whether a body spans the domain along an axis.
bool spans(const BodySpec& b, const Extent& e, int a) {
  const double size = b.size ? (*b.size)[a] : 0, slack = 1e-9 * e.dx;
  if (size == 0) return true;
  if (e.periodic[a]) return size >= e.high[a] - e.low[a] - slack;
  return b.center[a] - size / 2 <= e.low[a] + slack && b.center[a] + size / 2 >= e.high[a] - slack;
}

std::optional<materials::NkTable> table_of(const Simulation& s, const std::string& name) {
  const auto spec = std::ranges::find(s.materials, name, &MaterialSpec::name);
  if (spec == s.materials.end() || spec->nk_file.empty()) return {};
  return materials::read_nk(spec->nk_file);
}

const SourceSpec* only_wave(const Simulation& s) {
  const bool one = s.sources.size() == 1 && s.sources[0].kind == SourceSpec::Kind::plane_wave;
  return one && !s.picture && s.absorbers.empty() ? &s.sources[0] : nullptr;
}

}  // namespace

FlatLayers::FlatLayers(const Simulation& s, const Problem& p, int axis)
    : wave_(s.sources[0], p), axis_(axis), near_(1.01 * p.grid.dx), unit_um_(s.unit_um) {
  for (int a = 0; a < 3; ++a)
    if (p.grid.active(a) && turns(s.walls[a][0])) lateral_ = std::hypot(lateral_, 2 * pi * s.bloch[a]);
  const TotalFieldBox& box = wave_.box();
  forward_ = wave_.setup().direction[axis] > 0;
  const auto place = [&](double node) { return p.grid.place(axis, node); };
  entrance_ = place(forward_ ? box.lo[axis] : box.hi[axis]);
  if (box.face[axis][forward_ ? 1 : 0]) exit_ = way(place(forward_ ? box.hi[axis] : box.lo[axis]));
  const double ends[] = {place(p.pml[axis][0].layers), place(p.grid.cells[axis] - p.pml[axis][1].layers)};
  low_ = std::min(way(ends[0]), way(ends[1]));
  high_ = std::max(way(ends[0]), way(ends[1]));
  layers_ = {{infinity, 0}};
}

std::optional<FlatLayers> FlatLayers::find(const Simulation& s, const Scene& scene, const Problem& p) {
  const SourceSpec* source = only_wave(s);
  if (!source) return {};
  const int axis = axis_of_entrance(plane_wave_setup(*source, p).box);
  if (axis < 0 || p.pml[axis][0].layers == 0 || p.pml[axis][1].layers == 0) return {};
  FlatLayers found(s, p, axis);
  if (!std::ranges::all_of(scene.materials(), plain)) return {};
  if (!found.set_polarization() || !found.add_bodies(s, scene)) return {};
  return found;
}

/// s and p go apart; at an angle a wave of both is not followed, since their shares change with the angle.
bool FlatLayers::set_polarization() {
  const PlaneWaveSetup& w = wave_.setup();
  Vec3 normal{0, 0, 0};
  normal[axis_] = 1;
  const Vec3 s = cross(normal, w.direction);
  if (norm(s) < 1e-9) return lateral_ == 0;  // along the normal
  share_s_ = std::pow(dot(w.polarization, s) / norm(s), 2);
  return lateral_ > 0 && (share_s_ < 1e-9 || share_s_ > 1 - 1e-9);
}

bool FlatLayers::add_bodies(const Simulation& s, const Scene& scene) {
  media_ = scene.materials();
  for (const auto& m : media_) tables_.push_back(table_of(s, m.name));
  const Extent e = extent_of(s);
  for (const BodySpec& b : s.bodies) {
    const auto material = std::ranges::find(media_, b.material, &materials::Material::name);
    if (b.shape != "box" || b.rotation != 0 || material == media_.end()) return false;
    for (int a = 0; a < dimensions(e.mode); ++a)
      if (a != axis_ && !spans(b, e, a)) return false;
    const double size = b.size ? (*b.size)[axis_] : 0, middle = way(b.center[axis_]);
    cover(size > 0 ? middle - size / 2 : -infinity, size > 0 ? middle + size / 2 : infinity,
          int(material - media_.begin()));
  }
  // A wave must have entered before it meets them, in the medium that it was made for, and leaves in it.
  if (layers_.size() == 1) return true;
  return way(entrance_) <= first() &&
         (exit_ == infinity || (last() <= exit_ && layers_.back().material == layers_.front().material));
}

/// A body over those before it; what reaches into absorbing layers goes on.
void FlatLayers::cover(double from, double to, int material) {
  if (from <= low_) from = -infinity;
  if (to >= high_) to = infinity;
  if (from >= high_ || to <= low_ || !(to > from)) return;
  std::vector<Layer> below, above;
  double begin = -infinity;
  for (const Layer& l : layers_) {
    if (begin < from) below.push_back({std::min(l.until, from), l.material});
    if (l.until > to) above.push_back(l);
    begin = l.until;
  }
  layers_ = std::move(below);
  above.insert(above.begin(), {to, material});
  for (const Layer& l : above)  // neighbours of one material are one layer
    if (!layers_.empty() && layers_.back().material == l.material)
      layers_.back().until = l.until;
    else
      layers_.push_back(l);
}

cplx FlatLayers::permittivity(const Layer& l, double frequency) const {
  constexpr double slack = 1e-9;
  const double um = unit_um_ / frequency;
  const auto& table = tables_[std::size_t(l.material)];
  if (!table || um < table->first() * (1 - slack) || um > table->last() * (1 + slack))
    return media_[l.material].permittivity(2 * pi * frequency);
  const cplx index = table->at(um);
  return index * index;
}

std::optional<layers::FlatWaves> FlatLayers::waves_of(double frequency,
                                                      layers::Polarization polarization) const {
  const auto eps = [&](const Layer& l) { return permittivity(l, frequency); };
  layers::FlatStack stack{eps(layers_.front()).real(), {}, eps(layers_.back())};
  for (std::size_t i = 1; i + 1 < layers_.size(); ++i)
    stack.layers.push_back({layers_[i].until - layers_[i - 1].until, eps(layers_[i])});
  const double sine = lateral_ / (2 * pi * frequency * std::sqrt(std::max(stack.superstrate, 0.0)));
  bool passive = stack.substrate.imag() >= 0 && stack.superstrate > 0;
  for (const layers::FlatLayer& l : stack.layers) passive &= l.permittivity.imag() >= 0;
  if (!passive || !(sine < 1)) return {};
  return layers::FlatWaves(stack, 1 / frequency, std::asin(sine), polarization);
}

template <class Of>
double FlatLayers::mean(double frequency, const Of& of) const {
  double sum = 0;
  for (const layers::Polarization polarization : {layers::Polarization::s, layers::Polarization::p}) {
    const double share = polarization == layers::Polarization::s ? share_s_ : 1 - share_s_;
    if (share < 1e-6) continue;
    const auto waves = waves_of(frequency, polarization);
    sum += waves ? share * of(*waves) : unknown;
  }
  return sum;
}

FlatLayers::Side FlatLayers::side_of_entrance(double place) const {
  const double beyond = way(place) - way(entrance_);
  if (way(place) > exit_ - near_) return Side::beside;
  return std::abs(beyond) < near_ ? Side::beside : beyond < 0 ? Side::before : Side::inside;
}

double FlatLayers::flux(double frequency, double place) const {
  const Side side = side_of_entrance(place);
  if (side == Side::beside) return unknown;
  const double along = mean(frequency, [&](const layers::FlatWaves& w) {
    if (side == Side::before) return -w.response().reflection;
    std::size_t i = 0;
    while (layers_[i].until < way(place)) ++i;
    return w.flux(i, i == 0 ? 0 : way(place) - layers_[i - 1].until);
  });
  return forward_ ? along : -along;
}

std::array<double, 2> FlatLayers::waves(double frequency, double place) const {
  const Side side = side_of_entrance(place);
  const bool front = way(place) < first(), behind = layers_.size() == 1 || way(place) > last();
  std::array<double, 2> out{unknown, unknown};
  if (side == Side::beside || (!front && !behind)) return out;
  const double reflected =
      mean(frequency, [](const layers::FlatWaves& w) { return w.response().reflection; });
  const double passed = mean(frequency, [](const layers::FlatWaves& w) { return w.response().transmission; });
  const double along = side == Side::before ? 0 : front && layers_.size() > 1 ? 1 : passed;
  const double against = front || side == Side::before ? reflected : 0;
  return forward_ ? std::array{along, against} : std::array{against, along};
}

double FlatLayers::incident(double frequency, double until) const {
  return std::abs(wave_.flux_density(axis_, frequency, until));
}

}  // namespace umov::fdtd
