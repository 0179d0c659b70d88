// Second order over first order: the transfer, the element operator, and counts of iterations.
#include "linalg/p_multigrid.hpp"

#include <gtest/gtest.h>

#include <array>

#include "eqs/tuned/cpu/quadratic_operator.hpp"
#include "linalg/pcg.hpp"
#include "mesh/tet_mesh.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

using backend::Cpu;
using backend::Serial;

/// Laplace's equation on the unit cube, m^3 cells of six tetrahedra each, the faces x = 0 and x = 1 fixed.
struct Cube {
  mesh::TetMesh mesh;
  mesh::EdgeList edges;
  std::vector<int> unknown, dofs, parents;
  int unknowns = 0, vertices = 0;

  explicit Cube(int m) {
    const auto id = [m](int x, int y, int z) { return x + (m + 1) * (y + (m + 1) * z); };
    for (int z = 0; z <= m; ++z)
      for (int y = 0; y <= m; ++y)
        for (int x = 0; x <= m; ++x) mesh.nodes.push_back({double(x) / m, double(y) / m, double(z) / m});
    const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int z = 0; z < m; ++z)
      for (int y = 0; y < m; ++y)
        for (int x = 0; x < m; ++x)
          for (const auto& order : orders) {
            int at[3] = {x, y, z};
            mesh::Tet t;
            t[0] = id(x, y, z);
            for (int k = 0; k < 3; ++k) ++at[order[k]], t[k + 1] = id(at[0], at[1], at[2]);
            const bool even = (order[1] - order[0] + 3) % 3 == 1;
            if (!even) std::swap(t[2], t[3]);
            mesh.tets.push_back(t);
          }
    edges = mesh::find_edges(mesh);
    const int nodes = int(mesh.nodes.size());
    const auto fixed = [&](int node) { return mesh.nodes[node][0] == 0 || mesh.nodes[node][0] == 1; };
    for (int i = 0; i < nodes; ++i) unknown.push_back(fixed(i) ? -1 : unknowns++);
    vertices = unknowns;
    for (const auto& [a, b] : edges.ends) {
      const bool f = fixed(a) && fixed(b) && mesh.nodes[a][0] == mesh.nodes[b][0];
      unknown.push_back(f ? -1 : unknowns++);
      if (!f) parents.push_back(unknown[a]), parents.push_back(unknown[b]);
    }
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      for (int k = 0; k < 10; ++k)
        dofs.push_back(unknown[k < 4 ? mesh.tets[t][k] : nodes + edges.of_tet[t][k - 4]]);
  }

  /// V / 20 grad(lambda_i) . grad(lambda_j)
  std::array<double, 6> gram(int t) const {
    const auto& n = mesh.tets[t];
    const Vec3 a = mesh.nodes[n[1]] - mesh.nodes[n[0]], b = mesh.nodes[n[2]] - mesh.nodes[n[0]],
               c = mesh.nodes[n[3]] - mesh.nodes[n[0]];
    const Vec3 p = cross(b, c), q = cross(c, a), r = cross(a, b);
    const double f = 1 / (120 * dot(a, p));
    return {f * dot(p, p), f * dot(q, q), f * dot(r, r), f * dot(p, q), f * dot(p, r), f * dot(q, r)};
  }

  /// Assembled from quadrature of the shape functions' gradients: four points, exact for degree 2.
  sparse::HostCsr assemble() const {
    test::Rows rows(unknowns);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      const auto& n = mesh.tets[t];
      const Vec3 e[3] = {mesh.nodes[n[1]] - mesh.nodes[n[0]], mesh.nodes[n[2]] - mesh.nodes[n[0]],
                         mesh.nodes[n[3]] - mesh.nodes[n[0]]};
      const double det = dot(e[0], cross(e[1], e[2]));
      Vec3 grad[4] = {
          {}, (1 / det) * cross(e[1], e[2]), (1 / det) * cross(e[2], e[0]), (1 / det) * cross(e[0], e[1])};
      grad[0] = -1.0 * (grad[1] + grad[2] + grad[3]);
      const double near = (5 + 3 * std::sqrt(5.0)) / 20, far = (5 - std::sqrt(5.0)) / 20;
      for (int point = 0; point < 4; ++point) {
        double l[4] = {far, far, far, far};
        l[point] = near;
        Vec3 g[10];
        for (int k = 0; k < 4; ++k) g[k] = (4 * l[k] - 1) * grad[k];
        for (int k = 0; k < 6; ++k) {
          const int i = mesh::tet_edges[k][0], j = mesh::tet_edges[k][1];
          g[4 + k] = 4 * l[i] * grad[j] + 4 * l[j] * grad[i];
        }
        for (int i = 0; i < 10; ++i)
          for (int j = 0; j < 10; ++j) {
            const int u = dofs[t * 10 + i], v = dofs[t * 10 + j];
            if (u >= 0 && v >= 0) rows[u][v] += det / 24 * dot(g[i], g[j]);
          }
      }
    }
    return test::to_csr(rows, unknowns);
  }
  /// The first-order matrix: P^T A P.
  sparse::HostCsr coarse(const sparse::HostCsr& a) const {
    test::Rows p(unknowns), out(vertices);
    for (int i = 0; i < vertices; ++i) p[i][i] = 1;
    for (int e = 0; e < unknowns - vertices; ++e)
      for (int k = 0; k < 2; ++k)
        if (parents[2 * e + k] >= 0) p[vertices + e][parents[2 * e + k]] = 0.5;
    for (int i = 0; i < a.rows; ++i)
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        for (const auto& [r, u] : p[i])
          for (const auto& [c, v] : p[a.column[k]]) out[r][c] += u * a.value[k] * v;
    for (auto& row : out) std::erase_if(row, [](const auto& e) { return std::abs(e.second) < 1e-14; });
    return test::to_csr(out, vertices);
  }
};

TEST(QuadraticOperator, EqualsTheAssembledMatrixForAnySizeOfPatchesAndThreads) {
  const Cube cube(5);
  const auto a = cube.assemble();
  const auto x = test::random_vector(a.rows, 1);
  const auto exact = test::times(a, x);
  std::vector<double> first;
  for (const int threads : {1, 3})
    for (const int patch : {64, 300, 100000}) {
      Cpu dev(threads);
      const auto patches =
          eqs::cpu::make_patches(cube.dofs.data(), int(cube.mesh.tets.size()), cube.unknowns, 16, patch);
      eqs::cpu::QuadraticOperator<double> op(dev, patches, [&](int t) { return cube.gram(t); });
      std::vector<double> y(a.rows, -1);
      op.apply(x.data(), y.data());
      for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(y[i], exact[i], 1e-14);
      eqs::cpu::QuadraticOperator<float> single(dev, patches, [&](int t) { return cube.gram(t); });
      std::vector<float> xf(x.begin(), x.end()), yf(a.rows, -1);
      single.apply(xf.data(), yf.data());
      // some 28 products of numbers up to 2, rounded at 6e-8
      for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(yf[i], exact[i], 5e-6);
      // the bits depend on the patches, not on the threads
      if (patch != 300) continue;
      if (first.empty()) first = y;
      EXPECT_EQ(first, y);
    }
}

TEST(PMultigrid, TransfersAreTransposesOfOneAnother) {
  const Cube cube(4);
  Serial dev;
  const auto a = cube.assemble();
  const auto a1 = cube.coarse(a);
  sparse::RowsOperator<Serial, double> op(dev, a.view());
  amg::Options options;
  std::vector<double> inverse(a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) inverse[i] = 1 / a.value[k];
  amg::Hierarchy<Serial, double> hierarchy(dev, options);
  hierarchy.setup(a1.view());
  linalg::PMultigrid<Serial, double, sparse::RowsOperator<Serial, double>> cycle(dev, options);
  cycle.setup(op, inverse.data(), cube.vertices, cube.parents.data(), hierarchy);
  // then the cycle is symmetric
  const auto u = test::random_vector(a.rows, 1), v = test::random_vector(a.rows, 2);
  std::vector<double> mu(a.rows), mv(a.rows);
  cycle.apply(u.data(), mu.data());
  cycle.apply(v.data(), mv.data());
  double umv = 0, vmu = 0, umu = 0;
  for (int i = 0; i < a.rows; ++i) umv += u[i] * mv[i], vmu += v[i] * mu[i], umu += u[i] * mu[i];
  EXPECT_NEAR(umv, vmu, 1e-12 * umu);
  EXPECT_GT(umu, 0);
}

TEST(PMultigrid, TakesAlmostTheSameIterationsAtEverySizeAndFindsTheLinearField) {
  std::vector<int> counts;
  for (const int m : {4, 8, 16}) {
    const Cube cube(m);
    Cpu dev;
    const auto patches =
        eqs::cpu::make_patches(cube.dofs.data(), int(cube.mesh.tets.size()), cube.unknowns, 16, 1024);
    const auto gram = [&](int t) { return cube.gram(t); };
    eqs::cpu::QuadraticOperator<double> op(dev, patches, gram);
    eqs::cpu::QuadraticOperator<float> single(dev, patches, gram);
    const auto a = cube.assemble();
    const auto a1 = cube.coarse(a);
    std::vector<float> inverse(a.rows);
    for (int i = 0; i < a.rows; ++i)
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        if (a.column[k] == i) inverse[i] = float(1 / a.value[k]);
    amg::Options options;
    amg::Hierarchy<Cpu, float> hierarchy(dev, options);
    hierarchy.setup(a1.view());
    linalg::PMultigrid<Cpu, float, eqs::cpu::QuadraticOperator<float>> cycle(dev, options);
    cycle.setup(single, inverse.data(), cube.vertices, cube.parents.data(), hierarchy);
    // u = x, which second-order elements hold: b = -A_fixed u_fixed by applying all of it to the exact field
    std::vector<double> b(a.rows, 0.0), x(a.rows), exact(a.rows);
    const int nodes = int(cube.mesh.nodes.size());
    const auto field = [&](int node) {
      if (node < nodes) return cube.mesh.nodes[node][0];
      const auto& [p, q] = cube.edges.ends[node - nodes];
      return (cube.mesh.nodes[p][0] + cube.mesh.nodes[q][0]) / 2;
    };
    for (std::size_t i = 0; i < cube.unknown.size(); ++i)
      if (cube.unknown[i] >= 0) exact[cube.unknown[i]] = field(int(i));
    for (std::size_t t = 0; t < cube.mesh.tets.size(); ++t) {
      double u[10], y[10];
      for (int k = 0; k < 10; ++k)
        u[k] = cube.dofs[t * 10 + k] >= 0
                   ? 0
                   : field(k < 4 ? cube.mesh.tets[t][k] : nodes + cube.edges.of_tet[t][k - 4]);
      const auto g = cube.gram(int(t));
      eqs::quadratic_stiffness(g.data(), u, y);
      for (int k = 0; k < 10; ++k)
        if (cube.dofs[t * 10 + k] >= 0) b[cube.dofs[t * 10 + k]] -= y[k];
    }
    linalg::Pcg<Cpu, float> pcg(dev, a.rows);
    linalg::PcgSettings settings;
    settings.from_zero = true;
    const auto info = pcg.solve(op, cycle, b.data(), x.data(), settings);
    ASSERT_TRUE(info.converged) << info.why_not;
    counts.push_back(info.iterations);
    for (int i = 0; i < a.rows; ++i) ASSERT_NEAR(x[i], exact[i], 1e-9);
  }
  EXPECT_LE(counts[2], counts[0] + 5);
  EXPECT_LE(counts[2], 22);
}

}  // namespace
}  // namespace umov
