// Gram-Schmidt process on the products of earlier solutions, and the start that they give.
#include "dda/run/neighbours.hpp"

#include <cmath>

namespace umov::dda {

namespace {

using Field = std::vector<CVec3>;

/// sum of conj(a) b
cplx dot_product(const Field& a, const Field& b) {
  cplx sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 3; ++c) sum += std::conj(a[i][c]) * b[i][c];
  return sum;
}

double norm_of(const Field& a) { return std::sqrt(dot_product(a, a).real()); }

void add(Field& to, cplx factor, const Field& what) {
  for (std::size_t i = 0; i < to.size(); ++i)
    for (int c = 0; c < 3; ++c) to[i][c] += factor * what[i][c];
}

void scale(Field& a, double factor) {
  for (CVec3& v : a)
    for (cplx& c : v) c *= factor;
}

/// Beyond this start residual the products that found it are not worth their while.
constexpr double worst_start = 0.9;
/// What is left of a product beside the others, below which rounding decides about it.
constexpr double least_part = 1e-9;

}  // namespace

void Neighbours::meet(const shapes::Particle& p) {
  if (p.box != box_ || p.material != material_) forget();
  box_ = p.box;
  material_ = p.material;
  dipoles_ = p.dipoles();
}

// With b = S E_inc and w_j = A S^-1 P_j = b - residual(P_j): minimise |b - sum c_j w_j| by the modified
// Gram-Schmidt process on the w_j, which are nearly parallel, so that normal equations would lose the digits.
NeighbourStart Neighbours::start(Engine& engine, char label) const {
  NeighbourStart out;
  const auto found = kept_.find(label);
  if (found == kept_.end() || found->second.empty()) return out;
  Field b(dipoles_), residual, sum(dipoles_);
  engine.residual({}, b);
  residual = b;
  std::vector<Field> products, fields;
  for (const Field& kept : found->second) {
    Field x = kept, w(dipoles_);
    engine.residual(x, w);
    ++out.products;
    scale(w, -1);
    add(w, 1, b);
    const double whole = norm_of(w);
    for (std::size_t j = 0; j < products.size(); ++j) {
      const cplx part = dot_product(products[j], w);
      add(w, -part, products[j]);
      add(x, -part, fields[j]);
    }
    const double left = norm_of(w);
    if (!(left > least_part * whole)) continue;
    scale(w, 1 / left);
    scale(x, 1 / left);
    const cplx part = dot_product(w, residual);
    add(residual, -part, w);
    add(sum, part, x);
    products.push_back(std::move(w));
    fields.push_back(std::move(x));
  }
  if (norm_of(residual) < worst_start * norm_of(b)) out.polarization = std::move(sum);
  return out;
}

void Neighbours::keep(const Engine& engine, char label) {
  auto& list = kept_[label];
  list.emplace_front(dipoles_);
  engine.get_polarization(list.front());
  if (list.size() > most) list.pop_back();
}

}  // namespace umov::dda
