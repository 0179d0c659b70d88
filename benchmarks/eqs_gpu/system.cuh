// The benchmark's systems, assembled on the device by sorting: the rod mesh, first and second order.
#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cstdio>
#include <string>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "linalg/sparse/csr.hpp"
#include "mesh/eqm_file.hpp"
#include "mesh/tet_mesh.hpp"

namespace bench {
using namespace umov;
using backend::Cuda;

struct Space {
  mesh::TetMesh mesh;
  mesh::EdgeList edges;
  int order = 1, nodes = 0, unknowns = 0, vertex_unknowns = 0;
  std::vector<int> unknown;        // -1 low, -2 high
  std::vector<int> node_of_tet;    // nodes per element, element-major
  std::vector<double> permittivity;  // per element
  int per() const { return order == 1 ? 4 : 10; }
};

inline Space make_space(const std::string& path, int order, bool refined) {
  Space s;
  s.order = order;
  s.mesh = mesh::read_eqm(path);
  if (refined) s.mesh = mesh::refine(s.mesh);
  mesh::sort_by_place(s.mesh);
  if (order == 2) s.edges = mesh::find_edges(s.mesh);
  const int vertices = int(s.mesh.nodes.size());
  s.nodes = vertices + int(s.edges.ends.size());
  std::vector<char> side(s.nodes, 0);
  // an edge of a named triangle is a node of it
  std::vector<std::vector<int>> tets;
  for (std::size_t t = 0; t < s.mesh.triangles.size(); ++t) {
    const char mark = s.mesh.surfaces[s.mesh.triangle_group[t]].name == "high" ? 2 : 1;
    for (int v : s.mesh.triangles[t]) side[v] = mark;
    if (order == 2)
      for (int e = 0; e < 3; ++e) {
        const auto& tri = s.mesh.triangles[t];
        mesh::Edge ends{std::min(tri[e], tri[(e + 1) % 3]), std::max(tri[e], tri[(e + 1) % 3])};
        const auto at = std::lower_bound(s.edges.ends.begin(), s.edges.ends.end(), ends);
        side[vertices + (at - s.edges.ends.begin())] = mark;
      }
  }
  s.unknown.resize(s.nodes);
  for (int i = 0; i < s.nodes; ++i) {
    if (i == vertices) s.vertex_unknowns = s.unknowns;
    s.unknown[i] = side[i] ? -side[i] : s.unknowns++;
  }
  if (order == 1) s.vertex_unknowns = s.unknowns;
  const double eps[4] = {1, 4, 12, 4};
  for (std::size_t t = 0; t < s.mesh.tets.size(); ++t) {
    for (int k = 0; k < 4; ++k) s.node_of_tet.push_back(s.mesh.tets[t][k]);
    if (order == 2)
      for (int k = 0; k < 6; ++k) s.node_of_tet.push_back(vertices + s.edges.of_tet[t][k]);
    s.permittivity.push_back(eps[s.mesh.tet_group[t]]);
  }
  return s;
}

template <int N>
__device__ void element_matrix(const double* x, double eps, double (&m)[N][N]) {
  double g[4][3], v[3][3];
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) v[k][c] = x[3 * (k + 1) + c] - x[c];
  const double cx[3][3] = {{v[1][1] * v[2][2] - v[1][2] * v[2][1], v[1][2] * v[2][0] - v[1][0] * v[2][2],
                            v[1][0] * v[2][1] - v[1][1] * v[2][0]},
                           {v[2][1] * v[0][2] - v[2][2] * v[0][1], v[2][2] * v[0][0] - v[2][0] * v[0][2],
                            v[2][0] * v[0][1] - v[2][1] * v[0][0]},
                           {v[0][1] * v[1][2] - v[0][2] * v[1][1], v[0][2] * v[1][0] - v[0][0] * v[1][2],
                            v[0][0] * v[1][1] - v[0][1] * v[1][0]}};
  const double det = v[0][0] * cx[0][0] + v[0][1] * cx[0][1] + v[0][2] * cx[0][2];
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 3; ++k) g[k + 1][c] = cx[k][c] / det;
    g[0][c] = -g[1][c] - g[2][c] - g[3][c];
  }
  const double w = eps * fabs(det) / 6;
  double q[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) q[i][j] = w * (g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2]);
  if constexpr (N == 4) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) m[i][j] = q[i][j];
  } else {
    // gradients are linear: integrals of barycentric products over the four-point rule, exact for degree 2
    const double a = 0.58541019662496845446, b = 0.13819660112501051518;
    const int e[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 10; ++j) m[i][j] = 0;
    for (int p = 0; p < 4; ++p) {
      double l[4] = {b, b, b, b};
      l[p] = a;
      double d[10][4] = {};  // dN_i / dlambda_k
      for (int i = 0; i < 4; ++i) d[i][i] = 4 * l[i] - 1;
      for (int i = 0; i < 6; ++i) d[4 + i][e[i][0]] = 4 * l[e[i][1]], d[4 + i][e[i][1]] = 4 * l[e[i][0]];
      for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j) {
          double s = 0;
          for (int k = 0; k < 4; ++k)
            for (int n = 0; n < 4; ++n) s += d[i][k] * d[j][n] * q[k][n];
          m[i][j] += 0.25 * s;
        }
    }
  }
}

template <int N>
__global__ void spread(int tets, const int* node, const int* unknown, const double* x, const double* eps,
                       int unknowns, unsigned long long* key, double* value) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tets) return;
  double p[12], m[N][N];
  for (int k = 0; k < 4; ++k)
    for (int c = 0; c < 3; ++c) p[3 * k + c] = x[3 * size_t(node[size_t(t) * N + k]) + c];
  element_matrix<N>(p, eps[t], m);
  // column `unknowns` collects what goes to the right-hand side
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      const int r = unknown[node[size_t(t) * N + i]], c = unknown[node[size_t(t) * N + j]];
      const size_t to = (size_t(t) * N + i) * N + j;
      key[to] = r < 0 || c == -1 ? ~0ull : (unsigned long long)(r) << 32 | unsigned(c == -2 ? unknowns : c);
      value[to] = m[i][j];
    }
}

struct System {
  sparse::Csr<Cuda, double> a;
  Cuda::Array<double> b;
};

__global__ inline void unpack(long n, int unknowns, const unsigned long long* key, const double* value,
                              const int* at, int* count, int* column, double* out, double* b) {
  const long k = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (k >= n || key[k] == ~0ull) return;
  const int r = int(key[k] >> 32), c = int(key[k] & 0xffffffffu);
  if (c == unknowns)
    b[r] = -value[k];
  else if (out)
    column[at[k]] = c, out[at[k]] = value[k];
  else
    atomicAdd(count + r, 1);
}
struct IsEntry {
  const unsigned long long* key;
  int unknowns;
  int* to;
  __device__ void operator()(index_t k) const {
    to[k] = key[k] != ~0ull && int(key[k] & 0xffffffffu) != unknowns;
  }
};

template <int N>
System assemble(Cuda& dev, const Space& s) {
  const int tets = int(s.mesh.tets.size());
  const size_t all = size_t(tets) * N * N;
  auto node = dev.allocate<int>(s.node_of_tet.size());
  auto unknown = dev.allocate<int>(s.unknown.size());
  auto x = dev.allocate<double>(3 * s.mesh.nodes.size()), eps = dev.allocate<double>(tets);
  dev.upload(node.data(), s.node_of_tet.data(), s.node_of_tet.size());
  dev.upload(unknown.data(), s.unknown.data(), s.unknown.size());
  dev.upload(x.data(), s.mesh.nodes[0].data(), 3 * s.mesh.nodes.size());
  dev.upload(eps.data(), s.permittivity.data(), tets);
  using Key = unsigned long long;
  auto key = dev.allocate<Key>(all), key2 = dev.allocate<Key>(all);
  auto value = dev.allocate<double>(all), value2 = dev.allocate<double>(all);
  spread<N><<<(tets + 127) / 128, 128, 0, dev.stream()>>>(tets, node.data(), unknown.data(), x.data(), eps.data(),
                                                          s.unknowns, key.data(), value.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  size_t bytes = 0;
  int bits = 1;
  while ((1l << bits) <= s.unknowns) ++bits;
  UMOV_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, key.data(), key2.data(), value.data(), value2.data(), long(all), 0, 64, dev.stream()));
  {
    auto work = dev.allocate<char>(bytes);
    UMOV_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(work.data(), bytes, key.data(), key2.data(), value.data(),
                                    value2.data(), long(all), 0, 64, dev.stream()));
  }
  auto runs = dev.allocate<long>(1);
  UMOV_CUDA_CHECK(cub::DeviceReduce::ReduceByKey(nullptr, bytes, key2.data(), key.data(), value2.data(), value.data(), runs.data(),
                                 cuda::std::plus<>{}, long(all), dev.stream()));
  {
    auto work = dev.allocate<char>(bytes);
    UMOV_CUDA_CHECK(cub::DeviceReduce::ReduceByKey(work.data(), bytes, key2.data(), key.data(), value2.data(), value.data(),
                                   runs.data(), cuda::std::plus<>{}, long(all), dev.stream()));
  }
  long n = 0;
  dev.download(&n, runs.data(), 1);
  System out;
  out.b = dev.allocate<double>(s.unknowns);
  dev.fill_zero(out.b.data(), s.unknowns);
  out.a.rows = out.a.columns = s.unknowns;
  out.a.start = dev.allocate<int>(s.unknowns + 1);
  dev.fill_zero(out.a.start.data(), s.unknowns + 1);
  auto at = dev.allocate<int>(n);
  dev.for_each(n, IsEntry{key.data(), s.unknowns, at.data()});
  const long entries = dev.exclusive_scan(at.data(), n);
  unpack<<<(n + 255) / 256, 256, 0, dev.stream()>>>(n, s.unknowns, key.data(), value.data(), at.data(),
                                                    out.a.start.data(), nullptr, nullptr, out.b.data());
  dev.exclusive_scan(out.a.start.data(), s.unknowns + 1);
  out.a.column = dev.allocate<int>(entries);
  out.a.value = dev.allocate<double>(entries);
  unpack<<<(n + 255) / 256, 256, 0, dev.stream()>>>(n, s.unknowns, key.data(), value.data(), at.data(), nullptr,
                                                    out.a.column.data(), out.a.value.data(), out.b.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  dev.synchronize();
  std::printf("system: %d unknowns, %ld entries\n", s.unknowns, entries);
  return out;
}

}  // namespace bench
