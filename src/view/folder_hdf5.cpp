// What files of HDF5 hold, as arrays: images and their labels, numbers, marks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>

#include "results/hdf5_reader.hpp"
#include "view/folder_place.hpp"
#include "view/from_result.hpp"
#include "view/mesh_series.hpp"
#include "view/plane.hpp"
#include "view/reduce.hpp"

namespace umov::view {

namespace {

constexpr double most_sites = 1 << 24;  ///< of a lattice that is shown in three dimensions

/// How an image is best shown, by what its name says.
std::string role_of(const results::StoredImage& image) {
  const std::string& name = image.name;
  if (image.is_label) return "material";
  if (name.find("permittivity") != std::string::npos) return "model";
  if (name.find("potential") != std::string::npos) return "potential";
  if (name.ends_with("_abs")) return "magnitude";
  if (name.find("intensity") != std::string::npos || name.find("|^2") != std::string::npos ||
      name.find("_squared") != std::string::npos)
    return "intensity";
  return "component";
}

/// The labels of a file, if it has some: where they are 0 there is nothing, and no other image has a value.
std::optional<results::StoredImage> labels_of(const results::StoredFile& file) {
  for (const auto& image : file.images)
    if (image.is_label && image.components == 1) return image;
  return std::nullopt;
}

Maker image_maker(const std::string& path, const results::StoredImage& image, int component,
                  const std::optional<results::StoredImage>& labels) {
  return [path, image, component, labels](const Request& r) {
    const auto cells = results::read_image(path, image, component, r.lo, r.hi);
    // Files have 0 there, which is no field: means of boxes at the surface would be too small.
    const auto there = labels ? results::read_image(path, *labels, 0, r.lo, r.hi) : std::vector<float>();
    const Int3 n{r.hi[0] - r.lo[0], r.hi[1] - r.lo[1], r.hi[2] - r.lo[2]};
    const auto value = [&](int i, int j, int k) {
      const auto at = std::size_t(i) + std::size_t(n[0]) * (std::size_t(j) + std::size_t(n[1]) * k);
      return there.empty() || there[at] != 0 ? double(cells[at]) : std::nan("");
    };
    return reduced(r, value, {0, 0, 0}, n);
  };
}

/// "lengths in um, ..." among what a file says of itself.
std::string length_unit_of(const results::StoredFile& file) {
  const std::string begin = "lengths in ";
  for (const auto& [name, text] : file.attributes)
    if (name == "conventions" && text.starts_with(begin))
      return text.substr(begin.size(), text.find_first_of(",; ", begin.size()) - begin.size());
  return "1";
}

/// Where the values of an image are, from its points, in cells: `offsets/NAME`. Files of before say it in
/// words.
Vec3 offset_of(const std::string& path, const results::StoredFile& file, const results::StoredImage& image) {
  const std::string name = "offsets/" + image.name;
  for (const auto& a : file.arrays)
    if (a.name == name && a.shape == std::vector<std::size_t>{3}) {
      const auto numbers = results::read_list(path, name);
      return {numbers[0], numbers[1], numbers[2]};
    }
  static constexpr std::string_view sits = "it sits (", above = "of the cell above the point";
  const auto begin = image.description.find(sits);
  Vec3 offset{0, 0, 0};
  if (begin != std::string::npos) {
    std::istringstream numbers(image.description.substr(begin + sits.size()));
    char between = 0;
    for (double& v : offset) numbers >> v >> between;
    return numbers ? offset : Vec3{0, 0, 0};
  }
  // Without fields beside it, an image of the permittivity lay at the points whatever its description said.
  const bool at_nodes = std::any_of(file.images.begin(), file.images.end(), [](const auto& other) {
    return other.description.find(sits) != std::string::npos;
  });
  if (at_nodes && image.description.ends_with(above))
    for (int a = 0; a < 3; ++a) offset[a] = file.cells[a] > 1 ? 0.5 : 0;
  return offset;
}

void add_images(const Place& at, const std::string& path, const results::StoredFile& file) {
  const auto labels = labels_of(file);
  for (const auto& image : file.images) {
    const Vec3 offset = offset_of(path, file, image);
    for (int c = 0; c < image.components; ++c) {
      ArrayInfo info;
      info.case_id = at.case_id;
      info.label = image.components == 3  ? image.name + "_" + "xyz"[c]
                   : image.components > 1 ? fmt::format("{}_{}", image.name, c)
                                          : image.name;
      info.name = at.file + "/" + info.label;
      info.text = image.description;
      info.unit = image.unit;
      info.role = role_of(image);
      info.shape = {file.cells[0], file.cells[1], file.cells[2]};
      info.spacing = file.spacing;
      for (int a = 0; a < 3; ++a) info.origin[a] = file.origin[a] + offset[a] * file.spacing[a];
      info.length_unit = length_unit_of(file);
      info.is_signed = info.role == "component" || info.role == "potential";
      at.shelf.add(std::move(info), image_maker(path, image, c, labels));
    }
  }
}

/// Boxes of the sites that have a label: a particle and its materials.
void add_labels(const Place& at, const std::string& path, const results::StoredFile& file) {
  for (const auto& image : file.images) {
    if (!image.is_label || image.components != 1 ||
        double(file.cells[0]) * file.cells[1] * file.cells[2] > most_sites)
      continue;
    const auto values = results::read_image(path, image, 0, {0, 0, 0}, file.cells);
    const auto sites = labelled_sites(
        [&](int i, int j, int k) {
          return int(values[std::size_t(i) +
                            std::size_t(file.cells[0]) * (std::size_t(j) + std::size_t(file.cells[1]) * k)]);
        },
        file.cells, file.origin, file.spacing);
    if (sites.columns[3].empty()) continue;
    ArrayInfo info = points_info(sites, length_unit_of(file), image.name);
    info.case_id = at.case_id;
    info.name = at.file + "/" + image.name + " in 3D";
    at.shelf.add_curve(std::move(info), sites.columns);
  }
}

void add_numbers(const Place& at, const std::string& path, const results::StoredFile& file) {
  for (const auto& a : file.arrays) {
    if (a.shape.empty()) add_number(at, a.name, a.unit, a.description, a.value);
    // Other lists stand in the tables.
    if (a.shape.size() == 1 && a.shape[0] >= 2 && a.name.starts_with("solver/") &&
        a.name.ends_with("/residual"))
      add_list(at.shelf, {a.name, a.unit, a.description, a.shape, std::vector<double>{}},
               results::read_list(path, a.name), at.case_id);
  }
}

/// marks/ROLE/NAME: centre, extents and arrow.
void add_marks(const Place& at, const std::string& path, const results::StoredFile& file) {
  for (const auto& a : file.arrays) {
    const auto slash = a.name.find('/', 6);
    if (!a.name.starts_with("marks/") || slash == std::string::npos ||
        a.shape != std::vector<std::size_t>{3, 3})
      continue;
    const auto rows = results::read_list(path, a.name);
    Mark m;
    m.case_id = at.case_id;
    m.role = a.name.substr(6, slash - 6);
    m.name = a.name.substr(slash + 1);
    m.text = a.description;
    std::copy_n(rows.begin(), 3, m.center.begin());
    std::copy_n(rows.begin() + 3, 3, m.size.begin());
    std::copy_n(rows.begin() + 6, 3, m.arrow.begin());
    at.shelf.catalogue.marks.push_back(std::move(m));
  }
}

}  // namespace

BatchRoles roles_in(const std::string& folder) {
  const auto path = std::filesystem::path(folder) / "results.h5";
  std::error_code e;
  if (!std::filesystem::is_regular_file(path, e)) return {};
  return batch_roles(results::list_hdf5(path.string()).attributes);
}

void add_hdf5(const Place& at, const std::string& path) {
  if (results::is_mesh_file(path)) return add_mesh_file(at.shelf, at.case_id, at.file, path);
  const auto file = results::list_hdf5(path);
  add_images(at, path, file);
  add_labels(at, path, file);
  add_numbers(at, path, file);
  add_planes(at.shelf, at.case_id, path, file);
  add_marks(at, path, file);
}

}  // namespace umov::view
