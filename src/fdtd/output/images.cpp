// Which values lie on which points of the images; they are copied slice by slice when the file is written.
#include "fdtd/output/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/names.hpp"
#include "parameters/kind_name.hpp"

namespace umov::fdtd {

namespace {

using Values = std::vector<double>;

constexpr const char* permittivity_name = "permittivity";

/// Whether the numbers of the run were floats.
bool is_single(const Outcome& o) { return o.simulation.precision == Precision::single_; }

/// Corner of the first voxel such that the points lie on `first`.
Vec3 corner(const Vec3& first, const Vec3& spacing) { return first - 0.5 * spacing; }

Vec3 offset_of(const Grid& g, Component c) { return {g.offset(c, 0), g.offset(c, 1), g.offset(c, 2)}; }

/// A block may hold one node more than the grid has cells (beside a magnetic wall), which is left out.
results::VoxelArray block_array(const Outcome& o, const std::string& name, const std::string& description,
                                const FieldBlock& block, const Values& values, const Int3& cells) {
  results::VoxelArray array{name, fdtd_unit::field, description, 1, false, {}, is_single(o)};
  const Int3 size = block.size;
  array.fill = [&values, size, cells](int z, std::span<double> slice) {
    for (int j = 0; j < cells[1]; ++j) {
      const auto row = values.begin() + (std::ptrdiff_t(z) * size[1] + j) * size[0];
      std::copy_n(row, cells[0], slice.begin() + std::ptrdiff_t(j) * cells[0]);
    }
  };
  return array;
}

void add_block(results::VoxelGrid& image, const Outcome& o, Component c, const FieldBlock& block) {
  const std::string name = word(c);
  const Vec3 offset = offset_of(o.grid, c);
  const std::string text = fmt::format(
      "{} after the last step, t = {:g}; it sits ({:g}, {:g}, {:g}) cells off "
      "the point",
      name, o.time, offset[0], offset[1], offset[2]);
  const bool is_complex = !block.imag.empty();
  image.arrays.push_back(block_array(o, is_complex ? name + "_re" : name,
                                     is_complex ? "real part of " + text : text, block, block.real,
                                     image.cells));
  if (is_complex)
    image.arrays.push_back(
        block_array(o, name + "_im", "imaginary part of " + text, block, block.imag, image.cells));
}

/// Nearest value of the permittivity's own, coarser or finer grid. Beside fields the points are nodes, and
/// the value is that of the cell above; alone it lies where the points are.
results::VoxelArray permittivity_array(const Outcome& o, const Int3& cells, bool above) {
  results::VoxelArray array{permittivity_name,
                            "1",
                            above ? "relative permittivity of the cell above the point"
                                  : "relative permittivity of the cell around the point",
                            1,
                            false,
                            {},
                            true};
  const auto& eps = o.permittivity;
  array.fill = [&eps, cells](int z, std::span<double> slice) {
    const auto nearest = [&](int i, int axis) {
      return std::min<index_t>(eps.size[axis] - 1, (2 * index_t(i) + 1) * eps.size[axis] / (2 * cells[axis]));
    };
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i)
        slice[std::size_t(j) * cells[0] + i] =
            eps.real[(nearest(z, 2) * eps.size[1] + nearest(j, 1)) * eps.size[0] + nearest(i, 0)];
  };
  return array;
}

bool filled(const FieldBlock& b) {
  return !b.real.empty() && b.real.size() == std::size_t(b.size[0]) * b.size[1] * b.size[2];
}

enum class ComplexPart { real, imaginary, magnitude };
/// The words are endings of the arrays' names.
constexpr KindName<ComplexPart> part_names[] = {
    {ComplexPart::real, "_re", "real part"},
    {ComplexPart::imaginary, "_im", "imaginary part"},
    {ComplexPart::magnitude, "_abs", "magnitude"},
};

double part_of(const cplx& v, ComplexPart part) {
  return part == ComplexPart::real ? v.real() : part == ComplexPart::imaginary ? v.imag() : std::abs(v);
}

/// Place of a plane of a frequency in the values that are here.
std::size_t first_of_plane(const FourierResult& f, std::size_t frequency, int z) {
  return (frequency * std::size_t(f.planes_here()) + std::size_t(z - f.first_plane)) *
         std::size_t(f.size[1]) * std::size_t(f.size[0]);
}

void add_part(results::VoxelGrid& image, const Outcome& o, const FourierResult& f, std::size_t c,
              std::size_t k, ComplexPart part) {
  const auto& name = named(part_names, part);
  const std::string component = word(f.components[c]);
  results::VoxelArray array{fmt::format("{}_{}{}", component, k, name.word),
                            fdtd_unit::spectrum,
                            fmt::format("{} of the Fourier transform of {} at f = {:.9g} c/unit", name.title,
                                        component, f.frequency[k]),
                            1,
                            false,
                            {},
                            is_single(o)};
  const auto& values = f.values[c];
  array.fill = [&f, &values, k, part](int z, std::span<double> slice) {
    const std::size_t first = first_of_plane(f, k, z);
    for (std::size_t i = 0; i < slice.size(); ++i) slice[i] = part_of(values[first + i], part);
  };
  image.arrays.push_back(std::move(array));
}

void add_intensity(results::VoxelGrid& image, const Outcome& o, const FourierResult& f, std::size_t k) {
  if (std::none_of(f.components.begin(), f.components.end(), [](Component c) { return is_electric(c); }))
    return;
  results::VoxelArray array{
      fmt::format("E_{}_squared", k),
      "(unit/c)^2",
      fmt::format("sum of |.|^2 over the electric components at f = {:.9g} c/unit", f.frequency[k]),
      1,
      false,
      {},
      is_single(o)};
  array.fill = [&f, k](int z, std::span<double> slice) {
    const std::size_t first = first_of_plane(f, k, z);
    for (std::size_t c = 0; c < f.components.size(); ++c)
      if (is_electric(f.components[c]))
        for (std::size_t i = 0; i < slice.size(); ++i) slice[i] += std::norm(f.values[c][first + i]);
  };
  image.arrays.push_back(std::move(array));
}

/// An image of cells that differ as one of equal ones, each with the value of the cell that its middle is in:
/// at most twice as many along an axis. `first`: of the image's cells on the grid; points are nodes
/// (`around`), or middles of cells.
results::VoxelGrid on_equal_cells(const results::VoxelGrid& image, const Grid& g, const Int3& first,
                                  bool around) {
  results::VoxelGrid equal = image;
  std::array<std::vector<int>, 3> from;
  for (int a = 0; a < 3; ++a) {
    const int n = image.cells[a];
    if (!g.active(a) || n == 1) {
      from[a].assign(std::size_t(n), 0);
      continue;
    }
    std::vector<double> ends;
    for (int i = 0; i <= n; ++i) {
      const double u = around ? first[a] + i - 0.5 : first[a] + double(i) * g.cells[a] / n;
      ends.push_back(g.place(a, u));
    }
    double least = ends.back() - ends.front();
    for (int i = 0; i < n; ++i) least = std::min(least, ends[std::size_t(i) + 1] - ends[std::size_t(i)]);
    const double length = ends.back() - ends.front();
    const int count = int(std::clamp(std::ceil(length / least), 1.0, 2.0 * n));
    for (int i = 0, at = 0; i < count; ++i) {
      while (at + 1 < n && ends[std::size_t(at) + 1] < ends.front() + length * (i + 0.5) / count) ++at;
      from[a].push_back(at);
    }
    equal.cells[a] = count;
    equal.spacing[a] = length / count;
    equal.origin[a] = ends.front();
  }
  for (std::size_t k = 0; k < image.arrays.size(); ++k)
    equal.arrays[k].fill = [fill = image.arrays[k].fill, from, nx = std::size_t(image.cells[0]),
                            ny = std::size_t(image.cells[1])](int z, std::span<double> slice) {
      std::vector<double> own(nx * ny);
      fill(from[2][std::size_t(z)], own);
      std::size_t at = 0;
      for (const int j : from[1])
        for (const int i : from[0]) slice[at++] = own[std::size_t(j) * nx + std::size_t(i)];
    };
  return equal;
}

}  // namespace

bool spans_grid(const Grid& g, const FieldBlock& b) {
  for (int a = 0; a < 3; ++a)
    if (b.size[a] < g.cells[a]) return false;
  return filled(b);
}

bool is_plane(const Grid& g, const FieldBlock& b, int axis) {
  for (int a = 0; a < 3; ++a)
    if (a == axis ? b.size[a] != 1 : b.size[a] < g.cells[a]) return false;
  return filled(b);
}

void add_offsets(results::Result& r, const Outcome& o) {
  const auto& images = r.voxels.arrays;
  const bool at_nodes =
      std::any_of(images.begin(), images.end(), [](const auto& a) { return a.name != permittivity_name; });
  if (!at_nodes) return;
  const auto add = [&](const std::string& image, const Vec3& offset) {
    r.add("offsets/" + image, "1",
          "from the point of the image to where the value is, in cells along x, y, z",
          Values(offset.begin(), offset.end()));
  };
  for (const auto& array : images) {
    if (array.name == permittivity_name)
      add(array.name, {o.grid.active(0) ? 0.5 : 0, o.grid.active(1) ? 0.5 : 0, o.grid.active(2) ? 0.5 : 0});
    for (int c = 0; c < components; ++c)
      if (array.name.substr(0, array.name.find('_')) == word(Component(c)))
        add(array.name, offset_of(o.grid, Component(c)));
  }
}

results::VoxelGrid domain_image(const Outcome& o) {
  results::VoxelGrid image;
  image.repeat_flat = true;
  const bool fields = std::any_of(o.final_fields.begin(), o.final_fields.end(),
                                  [&](const auto& f) { return spans_grid(o.grid, f.second); });
  if (!fields && !filled(o.permittivity)) return image;
  image.cells = fields ? o.grid.cells : o.permittivity.size;
  Vec3 first = o.grid.origin;
  for (int a = 0; a < 3; ++a) {
    image.spacing[a] = o.grid.active(a) ? o.grid.length(a) / image.cells[a] : o.grid.dx;
    if (!fields && o.grid.active(a)) first[a] += 0.5 * image.spacing[a];
  }
  image.origin = corner(first, image.spacing);
  if (filled(o.permittivity)) image.arrays.push_back(permittivity_array(o, image.cells, fields));
  for (const auto& [component, block] : o.final_fields)
    if (spans_grid(o.grid, block)) add_block(image, o, component, block);
  return o.grid.graded() ? on_equal_cells(image, o.grid, {0, 0, 0}, fields) : image;
}

results::VoxelGrid plane_image(const Outcome& o, int axis) {
  results::VoxelGrid image;
  image.repeat_flat = true;
  if (dimensions(o.grid.mode) < 3) return image;
  image.cells = o.grid.cells;
  image.cells[axis] = 1;
  image.spacing = {o.grid.dx, o.grid.dx, o.grid.dx};
  Vec3 first = o.grid.origin;
  first[axis] = o.grid.place(axis, o.grid.cells[axis] / 2);
  image.origin = corner(first, image.spacing);
  for (const auto& [component, block] : o.final_fields)
    if (is_plane(o.grid, block, axis) && !spans_grid(o.grid, block)) add_block(image, o, component, block);
  return o.grid.graded() ? on_equal_cells(image, o.grid, {0, 0, 0}, true) : image;
}

results::VoxelGrid fourier_image(const Outcome& o, const FourierResult& f) {
  results::VoxelGrid image;
  image.repeat_flat = true;
  image.cells = f.size;
  image.spacing = {o.grid.dx, o.grid.dx, o.grid.dx};
  image.origin = corner(f.origin, image.spacing);
  for (std::size_t k = 0; k < f.frequency.size(); ++k) {
    add_intensity(image, o, f, k);
    for (std::size_t c = 0; c < f.components.size(); ++c)
      for (const ComplexPart part : {ComplexPart::real, ComplexPart::imaginary, ComplexPart::magnitude})
        add_part(image, o, f, c, k, part);
  }
  // its region has equal cells (validate_graded.cpp)
  for (int a = 0; o.grid.graded() && a < dimensions(o.grid.mode); ++a) {
    const int node = int(std::lround(o.grid.index(a, f.origin[a])));
    image.spacing[a] = o.grid.edge(a, std::min(node, o.grid.cells[a] - 1));
  }
  if (o.grid.graded()) image.origin = corner(f.origin, image.spacing);
  return image;
}

}  // namespace umov::fdtd
