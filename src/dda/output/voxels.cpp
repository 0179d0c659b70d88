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

using Starts = std::shared_ptr<const std::vector<std::size_t>>;

/// Number of the first dipole of each z slice: dipoles count occupied sites, x fastest.
Starts slice_starts(const shapes::Particle& p) {
  return std::make_shared<const std::vector<std::size_t>>(shapes::dipoles_below(p));
}

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

/// `field(dipole)` is a complex vector.
template <class Field>
void add_vector_field(results::VoxelGrid& g, const shapes::Particle& p, const Starts& starts,
                      const std::string& name, const std::string& unit, const std::string& text,
                      const Field& field, bool intensity) {
  g.arrays.push_back(
      {name + "_re", unit, text + ", real part", 3, false, per_dipole(p, starts, [field](std::size_t i) {
         const CVec3 v = field(i);
         return Vec3{v[0].real(), v[1].real(), v[2].real()};
       })});
  g.arrays.push_back(
      {name + "_im", unit, text + ", imaginary part", 3, false, per_dipole(p, starts, [field](std::size_t i) {
         const CVec3 v = field(i);
         return Vec3{v[0].imag(), v[1].imag(), v[2].imag()};
       })});
  if (!intensity) return;
  g.arrays.push_back(
      {name + "_squared", unit, "|" + text + "|^2", 1, false, per_dipole(p, starts, [field](std::size_t i) {
         const CVec3 v = field(i);
         return std::array<double, 1>{std::norm(v[0]) + std::norm(v[1]) + std::norm(v[2])};
       })});
}

std::string for_incidence(char label) { return fmt::format(" for incidence {}", label); }

/// What a polarization's fields are stored as; both are called with the number of a dipole.
template <class Field>
void add_polarization(results::VoxelGrid& g, const shapes::Particle& p, const Starts& starts, char label,
                      const Field& field) {
  add_vector_field(g, p, starts, fmt::format("polarization_{}", label), "um^3",
                   "dipole polarization P / E0" + for_incidence(label), field, false);
}
template <class Field>
void add_internal_field(results::VoxelGrid& g, const shapes::Particle& p, const Starts& starts, char label,
                        const Field& field) {
  add_vector_field(g, p, starts, fmt::format("E_{}", label), "1",
                   "internal field E / E0" + for_incidence(label), field, true);
}

}  // namespace

results::VoxelGrid lattice_image(const shapes::Particle& p) {
  results::VoxelGrid g;
  g.cells = p.box;
  g.spacing = p.spacing;
  for (int c = 0; c < 3; ++c) g.origin[c] = -0.5 * p.box[c] * p.spacing[c];
  return g;
}

results::VoxelGrid fields_image(const shapes::Particle& p, char label, const PlaneFields& f) {
  results::VoxelGrid g = lattice_image(p);
  const auto of = [&f](const std::span<const CVec3> PlaneFields::*field) {
    return [&f, field](std::size_t dipole) { return (f.*field)[dipole - std::size_t(f.first_dipole)]; };
  };
  const auto starts = slice_starts(p);
  add_polarization(g, p, starts, label, of(&PlaneFields::polarization));
  add_internal_field(g, p, starts, label, of(&PlaneFields::internal));
  return g;
}

void add_voxels(results::Result& r, const Outcome& o) {
  const auto& p = o.particle;
  results::VoxelGrid& g = r.voxels;
  g = lattice_image(p);
  g.arrays.push_back(
      {"material", "1", "material of the voxel, 0 = void", 1, true, [&p](int z, std::span<double> slice) {
         const auto* first = p.material.data() + z * slice.size();
         std::copy(first, first + slice.size(), slice.begin());
       }});
  const auto starts = slice_starts(p);
  for (const auto& pol : o.polarizations) {
    const auto whole = [&](const std::vector<CVec3>& field) {
      return !field.empty() && field.size() == starts->back();
    };
    const auto of = [](const std::vector<CVec3>& field) {
      return [&field](std::size_t dipole) { return field[dipole]; };
    };
    if (whole(pol.polarization)) add_polarization(g, p, starts, pol.label, of(pol.polarization));
    if (whole(pol.internal_field)) add_internal_field(g, p, starts, pol.label, of(pol.internal_field));
    if (whole(pol.incident) && whole(pol.internal_field))
      add_vector_field(
          g, p, starts, fmt::format("E_scattered_{}", pol.label), "1",
          fmt::format("internal field less the incident one, E / E0, for incidence {}", pol.label),
          [&pol](std::size_t i) {
            CVec3 v = pol.internal_field[i];
            for (int c = 0; c < 3; ++c) v[c] -= pol.incident[i][c];
            return v;
          },
          true);
  }
}

}  // namespace umov::dda
