// Potential and field at places inside elements.
#include "eqs/observables/sampler.hpp"

namespace umov::eqs {

using mesh::Place;

std::array<Vec3, 4> Sampler::gradients(int tet) const {
  const auto& t = problem_.mesh.tets[tet];
  const auto& x = problem_.mesh.nodes;
  const Vec3 a = x[t[1]] - x[t[0]], b = x[t[2]] - x[t[0]], c = x[t[3]] - x[t[0]];
  const double s = 1 / dot(a, cross(b, c));
  std::array<Vec3, 4> g;
  g[1] = s * cross(b, c);
  g[2] = s * cross(c, a);
  g[3] = s * cross(a, b);
  g[0] = -1.0 * (g[1] + g[2] + g[3]);
  return g;
}

double Sampler::potential(const double* u, const Place& p) const {
  const auto& l = p.weight;
  double sum = 0;
  if (problem_.order == 1) {
    for (int k = 0; k < 4; ++k) sum += l[k] * u[problem_.node(p.tet, k)];
    return sum;
  }
  for (int k = 0; k < 4; ++k) sum += l[k] * (2 * l[k] - 1) * u[problem_.node(p.tet, k)];
  for (int k = 0; k < 6; ++k)
    sum += 4 * l[mesh::tet_edges[k][0]] * l[mesh::tet_edges[k][1]] * u[problem_.node(p.tet, 4 + k)];
  return sum;
}

Vec3 Sampler::field(const double* u, const Place& p) const {
  const auto g = gradients(p.tet);
  const auto& l = p.weight;
  Vec3 sum{0, 0, 0};
  const auto add = [&](double s, const Vec3& v) { sum = sum - s * v; };
  if (problem_.order == 1) {
    for (int k = 0; k < 4; ++k) add(u[problem_.node(p.tet, k)], g[k]);
    return sum;
  }
  for (int k = 0; k < 4; ++k) add((4 * l[k] - 1) * u[problem_.node(p.tet, k)], g[k]);
  for (int k = 0; k < 6; ++k) {
    const int i = mesh::tet_edges[k][0], j = mesh::tet_edges[k][1];
    add(4 * u[problem_.node(p.tet, 4 + k)], l[i] * g[j] + l[j] * g[i]);
  }
  return sum;
}

std::vector<float> Sampler::element_fields(const double* u) const {
  const std::size_t n = problem_.mesh.tets.size();
  std::vector<float> out(3 * n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 e = field(u, {int(i), {0.25, 0.25, 0.25, 0.25}});
    for (int a = 0; a < 3; ++a) out[3 * i + a] = float(e[a]);
  }
  return out;
}

}  // namespace umov::eqs
