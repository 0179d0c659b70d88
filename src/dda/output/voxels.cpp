// Fields of a dipole run on its voxels, slice by slice.
#include "dda/output/voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace umov::dda {
namespace {

/// Number of the first dipole of each z slice: dipoles count occupied sites, x fastest.
std::shared_ptr<std::vector<std::size_t>> slice_starts(const shapes::Particle& p) {
  auto starts = std::make_shared<std::vector<std::size_t>>(p.box[2] + 1, 0);
  const std::size_t area = std::size_t(p.box[0]) * p.box[1];
  for (int z = 0; z < p.box[2]; ++z) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < area; ++i) n += p.material[z * area + i] != 0;
    (*starts)[z + 1] = (*starts)[z] + n;
  }
  return starts;
}

using Starts = std::shared_ptr<std::vector<std::size_t>>;

/// Spreads `value(dipole)` (an array of doubles) over the occupied sites of a slice.
template <class Value>
auto per_dipole(const shapes::Particle& p, Starts starts, Value value) {
  return [&p, starts = std::move(starts), value = std::move(value)](int z, std::span<double> slice) {
    const std::size_t area = std::size_t(p.box[0]) * p.box[1];
    std::size_t dipole = (*starts)[z];
    for (std::size_t i = 0; i < area; ++i) {
      if (p.material[z * area + i] == 0) continue;
      const auto v = value(dipole++);
      std::copy(v.begin(), v.end(), slice.begin() + i * v.size());
    }
  };
}

void add_vector_field(results::VoxelGrid& g, const shapes::Particle& p, const Starts& starts,
                      const std::string& name, const std::string& unit, const std::string& text,
                      std::shared_ptr<const std::vector<CVec3>> field, bool intensity) {
  g.arrays.push_back(
      {name + "_re", unit, text + ", real part", 3, false, per_dipole(p, starts, [field](std::size_t i) {
         const auto& v = (*field)[i];
         return Vec3{v[0].real(), v[1].real(), v[2].real()};
       })});
  g.arrays.push_back(
      {name + "_im", unit, text + ", imaginary part", 3, false, per_dipole(p, starts, [field](std::size_t i) {
         const auto& v = (*field)[i];
         return Vec3{v[0].imag(), v[1].imag(), v[2].imag()};
       })});
  if (!intensity) return;
  g.arrays.push_back(
      {name + "_squared", unit, "|" + text + "|^2", 1, false, per_dipole(p, starts, [field](std::size_t i) {
         const auto& v = (*field)[i];
         return std::array<double, 1>{std::norm(v[0]) + std::norm(v[1]) + std::norm(v[2])};
       })});
}

std::shared_ptr<const std::vector<CVec3>> difference(const std::vector<CVec3>& a,
                                                     const std::vector<CVec3>& b) {
  auto out = std::make_shared<std::vector<CVec3>>(a);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 3; ++c) (*out)[i][c] -= b[i][c];
  return out;
}

/// Borrows a vector owned by the Outcome.
std::shared_ptr<const std::vector<CVec3>> borrow(const std::vector<CVec3>& v) {
  return {std::shared_ptr<void>(), &v};
}

}  // namespace

void add_voxels(results::Result& r, const Outcome& o) {
  const auto& p = o.particle;
  results::VoxelGrid& g = r.voxels;
  g.cells = p.box;
  g.spacing = p.spacing;
  for (int c = 0; c < 3; ++c) g.origin[c] = -0.5 * p.box[c] * p.spacing[c];
  g.arrays.push_back(
      {"material", "1", "material of the voxel, 0 = void", 1, true, [&p](int z, std::span<double> slice) {
         const auto* first = p.material.data() + z * slice.size();
         std::copy(first, first + slice.size(), slice.begin());
       }});
  const auto starts = slice_starts(p);
  for (const auto& pol : o.polarizations) {
    const std::string end = fmt::format("_{}", pol.label);
    const std::string incidence = fmt::format(" for incidence {}", pol.label);
    if (pol.polarization.size() == starts->back())
      add_vector_field(g, p, starts, "polarization" + end, "um^3", "dipole polarization P / E0" + incidence,
                       borrow(pol.polarization), false);
    if (pol.internal_field.size() == starts->back() && !pol.internal_field.empty())
      add_vector_field(g, p, starts, "E" + end, "1", "internal field E / E0" + incidence,
                       borrow(pol.internal_field), true);
    if (pol.incident.size() == starts->back() && pol.internal_field.size() == starts->back())
      add_vector_field(g, p, starts, "E_scattered" + end, "1",
                       "internal field less the incident one, E / E0," + incidence,
                       difference(pol.internal_field, pol.incident), true);
  }
}

}  // namespace umov::dda
