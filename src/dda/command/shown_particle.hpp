// A particle and its fields as viewers are shown them: a lattice thinned to what memory is worth, floats.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shapes/particle.hpp"
#include "view/stored.hpp"

namespace umov::dda {

/// The lattice. Where its fields would take more than 512 MiB, every n-th site along each axis stands for its
/// neighbours.
struct ShownParticle {
  explicit ShownParticle(const shapes::Particle&);

  Int3 cells{0, 0, 0};
  Vec3 origin{0, 0, 0}, spacing{1, 1, 1};
  std::vector<std::int32_t> slot;      ///< [nz][ny][nx]: place in the lists below; -1: void
  std::vector<std::size_t> dipole;     ///< number in the particle
  std::vector<std::uint8_t> material;  ///< from 1
};

/// A complex vector per shown dipole: real and imaginary parts of x, y, z.
using ShownField = std::vector<std::array<float, 6>>;

/// What viewers see of the field of one incident polarization.
enum class FieldPart { squared, scattered_squared, re_x, re_y, re_z, im_x, im_y, im_z };
inline constexpr int field_parts = 8;

/// The internal and the incident field at one moment; either may be empty, which is shown as nothing there.
struct ShownFields {
  std::shared_ptr<const ShownParticle> particle;
  ShownField internal, incident;
  double step = 0;
};

/// Its array but for the id: "results/E_Y_squared", ...
view::ArrayInfo field_info(const ShownParticle&, char label, FieldPart);
view::Maker field_maker(std::shared_ptr<const ShownFields>, FieldPart);

/// The materials on cuts.
view::ArrayInfo material_info(const ShownParticle&);
view::Maker material_maker(std::shared_ptr<const ShownParticle>);

}  // namespace umov::dda
