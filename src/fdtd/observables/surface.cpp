// Faces of a monitor, the samples on them and their flux.
#include "fdtd/observables/surface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

/// Whether a wall is a plain one, at which a face of a closed box carries no net flux.
bool plain_wall(const Whole& w, int axis, int node) {
  if (node == w.first(axis)) return w.layers(axis, 0) == 0;
  return node == w.last(axis) && w.layers(axis, 1) == 0;
}

PlaneFace make_face(const Whole& w, const Region& e, int axis, double at, int sign) {
  // The mean of H needs a cell on each side.
  const int low = w.first(axis) + 1;
  return {axis, std::clamp(w.nearest_node(axis, at), low, std::max(low, w.last(axis) - 1)), sign, e};
}

std::vector<PlaneFace> box_faces(const MonitorSpec& m, Region e, const Whole& w) {
  const Grid& g = w.grid();
  for (int a = 0; a < dimensions(g.mode); ++a) {
    const int lo = w.nearest_node(a, e.lo[a]), hi = w.nearest_node(a, e.hi[a]);
    if (lo == hi)
      throw BadInput(
          fmt::format("{} is a box without extent along {} (its faces fall together); give it a size of "
                      "at least {:.4g} there",
                      called(m), "xyz"[a], g.edge(a, std::clamp(lo, 0, g.cells[a] - 1))));
    e.lo[a] = w.place(a, lo);
    e.hi[a] = w.place(a, hi);
  }
  std::vector<PlaneFace> faces;
  for (int a = 0; a < dimensions(g.mode); ++a)
    for (const auto& [at, sign] : {std::pair(e.lo[a], -1), std::pair(e.hi[a], +1)})
      if (!plain_wall(w, a, w.nearest_node(a, at))) faces.push_back(make_face(w, e, a, at, sign));
  return faces;
}

/// Samples of one component along a tangential axis: first index and the length that each stands for, that of
/// its cell inside [lo, hi] (halves at ends on nodes). The node on a conducting high wall is left out, where
/// the tangential E vanishes.
struct Run {
  int first = 0;
  std::vector<double> weight;
};

Run run_along(const Whole& w, Component c, int axis, double lo, double hi) {
  const Grid& g = w.grid();
  if (!g.active(axis)) return {0, {1.0}};
  const double offset = g.offset(c, axis);
  const bool keeps_end = offset == 0 && w.closure(axis, 1) != Closure::pec;
  const int last = w.last(axis) - (keeps_end ? 0 : 1);
  Run run;
  for (int i = w.first(axis); i <= last; ++i) {
    const double x = w.place(axis, i + offset);
    const double from = g.graded(axis) ? w.place(axis, i + offset - 0.5) : x - g.dx / 2;
    const double to = g.graded(axis) ? w.place(axis, i + offset + 0.5) : x + g.dx / 2;
    const double weight = std::min(hi, to) - std::max(lo, from);
    if (weight <= 1e-9 * (to - from)) continue;
    if (run.weight.empty()) run.first = i;
    run.weight.push_back(weight);
  }
  return run;
}

Patch make_patch(const PlaneFace& face, Component e, Component h, double orientation, const Whole& whole,
                 Transforms& transforms) {
  Patch patch;
  patch.face = face;
  patch.electric = e;
  patch.magnetic = h;
  patch.orientation = orientation * face.sign;
  for (int a = 0; a < 3; ++a) {
    Run run{face.node, {1.0}};
    if (a != face.axis) run = run_along(whole, e, a, face.extent.lo[a], face.extent.hi[a]);
    patch.first[a] = run.first;
    patch.count[a] = int(run.weight.size());
    patch.weight[a] = std::move(run.weight);
  }
  const auto add = [&](Component c, int shift) {
    std::size_t start = 0, number = 0;
    for (int k = 0; k < patch.count[2]; ++k)
      for (int j = 0; j < patch.count[1]; ++j)
        for (int i = 0; i < patch.count[0]; ++i) {
          Int3 cell{patch.first[0] + i, patch.first[1] + j, patch.first[2] + k};
          cell[face.axis] += shift;
          const std::size_t at = transforms.add(c, whole, cell);
          if (number++ == 0) start = at;
        }
    return start;
  };
  patch.e = add(e, 0);
  patch.below = add(h, -1);
  patch.above = add(h, 0);
  return patch;
}

}  // namespace

std::vector<PlaneFace> faces_of(const MonitorSpec& m, const Region& e, bool box, const Whole& w) {
  if (box) return box_faces(m, e, w);
  const int dims = dimensions(w.grid().mode);
  std::vector<int> thin;
  for (int a = 0; a < dims; ++a)
    if (e.hi[a] - e.lo[a] < 1e-9 * w.grid().finest(a)) thin.push_back(a);
  if (thin.size() != 1)
    throw BadInput(fmt::format(
        "{} is no {} ({} of its sizes are 0, 1 has to be); set one size to 0, or `box`", called(m),
        dims == 3   ? "plane"
        : dims == 2 ? "line"
                    : "point",
        thin.size()));
  const int axis = thin[0];
  return {make_face(w, e, axis, e.lo[axis], m.direction < 0 ? -1 : +1)};
}

Surface::Surface(const std::vector<PlaneFace>& faces, const Whole& whole, Transforms& transforms) {
  const Mode mode = whole.grid().mode;
  for (const PlaneFace& face : faces) {
    const int b = (face.axis + 1) % 3, c = (face.axis + 2) % 3;
    for (const auto& [e, h, orientation] : {std::tuple(b, 3 + c, 1.0), std::tuple(c, 3 + b, -1.0)})
      if (has_component(mode, e) && has_component(mode, h)) {
        Patch patch = make_patch(face, Component(e), Component(h), orientation, whole, transforms);
        if (patch.size() > 0) patches_.push_back(std::move(patch));
      }
  }
}

template <class Of>
double Surface::sum(const Patch& p, const TransformValues& v, std::size_t f, const Of& of) {
  double sum = 0;
  std::size_t point = 0;
  for (int k = 0; k < p.count[2]; ++k)
    for (int j = 0; j < p.count[1]; ++j)
      for (int i = 0; i < p.count[0]; ++i, ++point) {
        const double area = p.weight[0][i] * p.weight[1][j] * p.weight[2][k];
        const cplx e = v.at(p.electric, f, p.e + point), h = mean_magnetic(p, v, f, point);
        sum += area * of(0.5 * e * std::conj(h));
      }
  return sum;
}

double Surface::flux(const Patch& p, const TransformValues& v, std::size_t f) const {
  return p.orientation * sum(p, v, f, [](const cplx& eh) { return eh.real(); });
}

std::vector<double> Surface::flux(const TransformValues& v, std::size_t frequencies) const {
  std::vector<double> sums(frequencies, 0);
  for (std::size_t f = 0; f < frequencies; ++f)
    for (const Patch& p : patches_) sums[f] += flux(p, v, f);
  return sums;
}

void Surface::prepare_products(const Transforms& transforms) {
  std::vector<TransformProduct> products;
  for (const Patch& p : patches_) {
    TransformProduct product{transforms.accumulator(p.electric), transforms.accumulator(p.magnetic), {}};
    std::size_t point = 0;
    for (int k = 0; k < p.count[2]; ++k)
      for (int j = 0; j < p.count[1]; ++j)
        for (int i = 0; i < p.count[0]; ++i, ++point) {
          const double area = p.weight[0][i] * p.weight[1][j] * p.weight[2][k];
          const auto e = transforms.use(p.electric, p.e + point);
          for (const std::size_t first : {p.below, p.above}) {
            const auto h = transforms.use(p.magnetic, first + point);
            const cplx weight = 0.25 * p.orientation * area * e.factor * std::conj(h.factor);
            if (weight != 0.0)
              product.terms.push_back({index_t(e.stored), index_t(h.stored), Complex<double>(weight)});
          }
        }
    if (!product.terms.empty()) products.push_back(std::move(product));
  }
  if (!products.empty())
    products_ = std::make_shared<const std::vector<TransformProduct>>(std::move(products));
}

std::vector<double> Surface::flux(const Engine& engine, std::size_t frequencies) const {
  if (!products_) return std::vector<double>(frequencies, 0);
  return dynamic_cast<const TransformProducts&>(engine).product_sum(products_);
}

std::vector<double> Surface::gross_flux(const TransformValues& v, std::size_t frequencies) const {
  std::vector<double> sums(frequencies, 0);
  for (std::size_t f = 0; f < frequencies; ++f)
    for (std::size_t i = 0; i < patches_.size();) {
      const PlaneFace& face = patches_[i].face;  // its patches follow each other
      double through = 0;
      for (; i < patches_.size() && patches_[i].face.axis == face.axis && patches_[i].face.node == face.node;
           ++i)
        through += flux(patches_[i], v, f);
      sums[f] += std::abs(through);
    }
  return sums;
}

std::vector<double> Surface::apparent_flux(const TransformValues& v, std::size_t frequencies) const {
  std::vector<double> sums(frequencies, 0);
  for (std::size_t f = 0; f < frequencies; ++f)
    for (const Patch& p : patches_) sums[f] += sum(p, v, f, [](const cplx& eh) { return std::abs(eh); });
  return sums;
}

}  // namespace umov::fdtd
