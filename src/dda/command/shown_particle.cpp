// Thinned lattices, and cuts of what lies on them.
#include "dda/command/shown_particle.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "view/reduce.hpp"

namespace umov::dda {

namespace {

/// Two polarizations, each with internal and incident field, and the slots.
constexpr double most_bytes = 512.0 * 1024 * 1024, bytes_per_site = 4 * sizeof(ShownField::value_type) + 16;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* part_names[] = {
    "_squared", "_scattered_squared", "_re_x", "_re_y", "_re_z", "_im_x", "_im_y", "_im_z"};

double value_of(const ShownFields& f, std::size_t at, FieldPart part) {
  if (f.internal.empty()) return nothing;
  const auto& e = f.internal[at];
  double sum = 0;
  switch (part) {
    case FieldPart::squared:
      for (const float v : e) sum += double(v) * v;
      return sum;
    case FieldPart::scattered_squared:
      if (f.incident.empty()) return nothing;
      for (std::size_t c = 0; c < 6; ++c) sum += std::pow(double(e[c]) - f.incident[at][c], 2);
      return sum;
    default:
      return e[std::size_t(part) - std::size_t(FieldPart::re_x)];
  }
}

/// A cut of value(slot); NaN outside of the particle.
template <class Value>
view::Data cut_of(const ShownParticle& p, const view::Request& r, const Value& value) {
  const auto at = [&](int i, int j, int k) {
    const auto s =
        p.slot[std::size_t(i) + std::size_t(p.cells[0]) * (std::size_t(j) + std::size_t(p.cells[1]) * k)];
    return s < 0 ? nothing : value(std::size_t(s));
  };
  return view::reduced(r, at, r.lo, r.hi);
}

view::ArrayInfo on_lattice(const ShownParticle& p) {
  view::ArrayInfo info;
  info.shape = {p.cells[0], p.cells[1], p.cells[2]};
  info.origin = p.origin;
  info.spacing = p.spacing;
  info.length_unit = "um";
  return info;
}

}  // namespace

ShownParticle::ShownParticle(const shapes::Particle& p) {
  int n = 1;
  while (bytes_per_site * double(p.sites()) / (double(n) * n * n) > most_bytes) ++n;
  for (int a = 0; a < 3; ++a) {
    cells[a] = (p.box[a] + n - 1) / n;
    origin[a] = -0.5 * p.box[a] * p.spacing[a];
    spacing[a] = n * p.spacing[a];
  }
  slot.assign(std::size_t(cells[0]) * cells[1] * cells[2], -1);
  std::size_t number = 0, site = 0;
  for (int k = 0; k < p.box[2]; ++k)
    for (int j = 0; j < p.box[1]; ++j)
      for (int i = 0; i < p.box[0]; ++i, ++site) {
        const auto m = p.material[site];
        if (m == 0) continue;
        if (i % n == 0 && j % n == 0 && k % n == 0) {
          slot[std::size_t(i / n) + std::size_t(cells[0]) * (j / n + std::size_t(cells[1]) * (k / n))] =
              std::int32_t(dipole.size());
          dipole.push_back(number);
          material.push_back(m);
        }
        ++number;
      }
}

view::ArrayInfo field_info(const ShownParticle& p, char label, FieldPart part) {
  const bool squared = part == FieldPart::squared, scattered = part == FieldPart::scattered_squared;
  view::ArrayInfo info = on_lattice(p);
  info.label = scattered ? fmt::format("E_scattered_{}_squared", label)
                         : fmt::format("E_{}{}", label, part_names[int(part)]);
  info.name = "results/" + info.label;
  info.text = scattered
                  ? fmt::format("|internal field less the incident one, E / E0|^2 for incidence {}", label)
              : squared ? fmt::format("|internal field E / E0|^2 for incidence {}", label)
                        : fmt::format("internal field E / E0 for incidence {}", label);
  info.role = squared || scattered ? "intensity" : "component";
  info.is_signed = !squared && !scattered;
  info.live = true;
  return info;
}

view::Maker field_maker(std::shared_ptr<const ShownFields> fields, FieldPart part) {
  return [fields = std::move(fields), part](const view::Request& r) {
    view::Data d = cut_of(*fields->particle, r, [&](std::size_t s) { return value_of(*fields, s, part); });
    d.step = fields->step;
    return d;
  };
}

view::ArrayInfo material_info(const ShownParticle& p) {
  view::ArrayInfo info = on_lattice(p);
  info.name = "results/material";
  info.label = "material";
  info.text = "material of the voxel, 0 = void";
  info.role = "material";
  return info;
}

view::Maker material_maker(std::shared_ptr<const ShownParticle> particle) {
  return [p = std::move(particle)](const view::Request& r) {
    return cut_of(*p, r, [&](std::size_t s) { return double(p->material[s]); });
  };
}

}  // namespace umov::dda
