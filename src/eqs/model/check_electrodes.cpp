// Electrodes that drive nothing, and planes of symmetry that lie on them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/model/model_parts.hpp"
#include "eqs/model/waveform.hpp"

namespace umov::eqs {

namespace {

using Kind = WaveformSpec::Kind;

/// The waveform is 0 at all times.
bool is_zero(const Electrode& e) {
  return e.kind == ElectrodeSpec::Kind::ground || largest_value(e.waveform) == 0;
}

bool same(const Electrode& a, const Electrode& b) {
  if (is_zero(a) || is_zero(b)) return is_zero(a) && is_zero(b);
  const auto& [v, w] = std::tie(a.waveform, b.waveform);
  return v.kind == w.kind && v.amplitude == w.amplitude && v.frequency == w.frequency && v.phase == w.phase &&
         v.ramp == w.ramp && v.ramp_time == w.ramp_time && v.rise == w.rise && v.front == w.front &&
         v.tail == w.tail && v.time == w.time && v.values == w.values;
}

double area_of(const mesh::TetMesh& m, const mesh::Tri& t) {
  const auto& x = m.nodes;
  return 0.5 * norm(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]));
}

/// Faces of elements in the plane: the model lies on one side of it, so all are outer ones. Summed in blocks,
/// whatever the threads.
double area_in_plane(const mesh::TetMesh& m, const std::vector<char>& in_plane) {
  static constexpr int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  constexpr std::size_t block = 65536;
  std::vector<double> area((m.tets.size() + block - 1) / block, 0.0);
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < area.size(); ++b)
    for (std::size_t i = b * block; i < std::min(m.tets.size(), (b + 1) * block); ++i)
      for (const auto& f : face) {
        const mesh::Tri tri{m.tets[i][f[0]], m.tets[i][f[1]], m.tets[i][f[2]]};
        if (in_plane[tri[0]] && in_plane[tri[1]] && in_plane[tri[2]]) area[b] += area_of(m, tri);
      }
  return std::accumulate(area.begin(), area.end(), 0.0);
}

}  // namespace

void check_driven(Problem& p) {
  const Electrode* first = nullptr;
  bool given = false;  // a voltage of 0, as a list of voltages may begin with
  for (const auto& e : p.electrodes) {
    if (e.kind == ElectrodeSpec::Kind::floating) {
      // currents know no given charge
      if (e.charge != 0 && (p.analysis == Analysis::electrostatic || p.analysis == Analysis::transient))
        return;
      continue;
    }
    if (!first) first = &e;
    if (!same(*first, e)) return;
    given = given || e.kind == ElectrodeSpec::Kind::driven;
  }
  if (given && is_zero(*first)) {
    p.warnings.push_back("every electrode is at 0 V (so that there is no field): what is found is zero");
    return;
  }
  throw BadInput(fmt::format(
      "electrode '{}' is at the only potential there is (nothing is at another, so there is no field); {}",
      first->name,
      is_zero(*first) ? "give an electrode an amplitude"
                      : "ground what surrounds it: an electrode with kind = \"ground\""));
}

void check_symmetry_planes(const Simulation& s, const ElectrodeSurfaces& surfaces, Problem& p) {
  const auto& m = p.mesh;
  double extent = 0;
  for (const Vec3& x : m.nodes) extent = std::max({extent, std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
  for (const auto& axis : s.symmetry) {
    std::vector<char> in_plane;
    for (const Vec3& x : m.nodes) in_plane.push_back(std::abs(x[axis[0] - 'x']) <= 1e-9 * extent);
    const double whole = area_in_plane(m, in_plane);
    for (std::size_t e = 0; e < surfaces.size(); ++e) {
      double area = 0;
      for (std::size_t k = 0; k < m.triangles.size(); ++k) {
        const auto& t = m.triangles[k];
        if (in_plane[t[0]] && in_plane[t[1]] && in_plane[t[2]] &&
            std::find(surfaces[e].begin(), surfaces[e].end(), m.triangle_group[k]) != surfaces[e].end())
          area += area_of(m, t);
      }
      if (area == 0) continue;
      const std::string plane = axis + " = 0";
      if (area > 0.999 * whole)
        throw BadInput(
            fmt::format("the plane of symmetry {} is electrode '{}' (no field passes it, so nothing is "
                        "mirrored there, and charges and "
                        "currents would come out twofold); leave '{}' out of mesh.symmetry",
                        plane, p.electrodes[e].name, axis));
      p.warnings.push_back(fmt::format(
          "electrode '{}' covers {:.0f} % of the plane of symmetry {} (a conductor as thin as paper is "
          "meant, with its "
          "mirror image: both sides' charges and currents count); leave '{}' out of mesh.symmetry if not",
          p.electrodes[e].name, 100 * area / whole, plane, axis));
    }
  }
}

}  // namespace umov::eqs
