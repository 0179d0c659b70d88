// What the files of a case hold, as arrays: read by the kinds of file, not by families.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "core/error.hpp"
#include "results/hdf5_reader.hpp"
#include "view/folder.hpp"
#include "view/from_result.hpp"
#include "view/mesh_series.hpp"
#include "view/over_time.hpp"
#include "view/plane.hpp"
#include "view/reduce.hpp"
#include "view/split_table.hpp"

namespace umov::view {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t most_table_bytes = std::uintmax_t(1) << 28, most_log_bytes = 1 << 20;
constexpr double most_sites = 1 << 24;  ///< of a lattice that is shown in three dimensions

std::string text_of(const std::string& path, std::uintmax_t most) {
  std::error_code e;
  const auto size = fs::file_size(path, e);
  std::ifstream in(path, std::ios::binary);
  if (e || !in) throw BadInput(fmt::format("{} cannot be read; see to its permissions", path));
  if (size > most)
    throw BadInput(fmt::format("{} is left out (it has {} MB, {} are the most); make it smaller", path,
                               size >> 20, most >> 20));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The fields of a line of CSV, RFC 4180.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else if (c != '\r')
      out.back() += c;
  }
  return out;
}

Column column_of(const std::string& heading) {
  const auto open = heading.rfind(" [");
  if (open == std::string::npos || heading.back() != ']') return {heading, "1"};
  return {heading.substr(0, open), heading.substr(open + 2, heading.size() - open - 3)};
}

double number_of(const std::string& field, bool& good) {
  double v = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), v);
  if (error == std::errc() && end == field.data() + field.size()) return v;
  if (field == "nan" || field == "-nan" || field.empty()) return std::nan("");
  good = false;
  return 0;
}

/// Where an array of a case stands in the catalogue.
struct Place {
  Shelf& shelf;
  int case_id;
  std::string file;  ///< name of the file, without its ending
};

void add_number(const Place& at, const std::string& name, const std::string& unit, const std::string& text,
                double value) {
  ArrayInfo info;
  info.case_id = at.case_id;
  info.name = "numbers/" + name;
  info.label = name;
  info.text = text;
  info.unit = unit;
  info.kind = Kind::scalar;
  info.columns = {{"row", "1"}, {name, unit}};
  at.shelf.add_curve(std::move(info), {{0}, {value}});
}

/// A file of several rows is one curve with all of its columns, a single row is numbers.
void add_table(const Place& at, const std::string& path) {
  ReadTable t = read_table(path);
  if (t.columns.empty() || t.values[0].empty()) return;
  if (t.values[0].size() == 1) {
    for (std::size_t c = 0; c < t.columns.size(); ++c)
      add_number(at, at.file + "/" + t.columns[c].name, t.columns[c].unit, at.file, t.values[c][0]);
    return;
  }
  if (t.columns.size() < 2 || t.labelled) return;
  if (!peaks_in(t.columns).empty())
    add_peaks(at.shelf, at.case_id, "peaks/" + at.file, t.columns, t.values, false);
  const bool over_time = t.columns[0].name == "time";
  if (const auto rows = over_time ? rows_per_instant(t.values) : 0) {
    add_curve_over_time(at.shelf, at.case_id, at.file, t.columns, std::move(t.values), rows);
    return;
  }
  if (!one_way(t.values[0])) return add_split_table(at.shelf, at.case_id, at.file, t.columns, t.values);
  ArrayInfo info;
  info.case_id = at.case_id;
  info.name = "results/" + at.file;
  info.label = at.file;
  info.text = at.file + ".csv";
  info.unit = t.columns[1].unit;
  info.kind = Kind::curve;
  info.role = role_over(t.columns[0]);
  info.logarithmic = info.role == "pattern" && any_spans_decades(t.values);
  info.columns = t.columns;
  at.shelf.add_curve(std::move(info), std::move(t.values));
}

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
    Data d;
    d.parts.push_back({shape_of(r), box_means(value, {0, 0, 0}, n, r.size)});
    return d;
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

void add_hdf5(const Place& at, const std::string& path) {
  if (results::is_mesh_file(path)) return add_mesh_file(at.shelf, at.case_id, at.file, path);
  const auto file = results::list_hdf5(path);
  add_images(at, path, file);
  add_labels(at, path, file);
  add_numbers(at, path, file);
  add_planes(at.shelf, at.case_id, path, file);
  add_marks(at, path, file);
}

void add_text(const Place& at, const std::string& path) {
  ArrayInfo info;
  info.case_id = at.case_id;
  info.name = at.file;
  info.kind = Kind::text;
  at.shelf.add(std::move(info), [path](const Request&) {
    Data d;
    d.text = text_of(path, most_log_bytes);
    return d;
  });
}

/// The command in the first line of resolved.toml: `umov FAMILY resolved.toml`.
std::string family_of(const std::string& folder) {
  std::ifstream in(fs::path(folder) / "resolved.toml");
  std::string line;
  std::getline(in, line);
  const auto at = line.find("`umov ");
  if (at == std::string::npos) return "";
  const std::string rest = line.substr(at + 6, 40);
  return rest.substr(0, rest.find(' '));
}

void add_case(Shelf& shelf, int id, const CaseFolder& c, std::vector<std::string>& complaints) {
  CaseInfo info;
  info.id = id;
  info.name = c.name;
  info.family = family_of(c.path);
  info.state = c.unfinished ? "running" : "finished";
  info.changed = c.changed;
  info.folder = c.path;
  shelf.catalogue.cases.push_back(std::move(info));
  std::vector<fs::path> files;
  std::error_code e;
  for (auto at = fs::directory_iterator(c.path, e); !e && at != fs::directory_iterator(); at.increment(e))
    files.push_back(at->path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const Place place{shelf, id, file.stem().string()};
    const std::string ending = file.extension().string(), path = file.string();
    try {
      if (ending == ".csv") add_table(place, path);
      if (ending == ".vtkhdf" || ending == ".h5") add_hdf5(place, path);
      if (file.filename() == "log" || file.filename() == "resolved.toml") add_text(place, path);
    } catch (const Error& why) {
      complaints.push_back(why.what());
    }
  }
}

}  // namespace

ReadTable read_table(const std::string& path) {
  const std::string text = text_of(path, most_table_bytes);
  ReadTable all;
  std::vector<bool> good;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (line.empty() || line[0] == '#') continue;
    const auto fields = fields_of(line);
    if (all.columns.empty()) {
      for (const auto& f : fields) all.columns.push_back(column_of(f));
      all.values.resize(fields.size());
      good.assign(fields.size(), true);
      continue;
    }
    if (fields.size() != all.columns.size()) continue;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      bool number = true;
      all.values[c].push_back(number_of(fields[c], number));
      if (!number) good[c] = false;
    }
  }
  ReadTable out;
  out.labelled = !good.empty() && !good.front();
  for (std::size_t c = 0; c < all.columns.size(); ++c)
    if (good[c]) {
      out.columns.push_back(all.columns[c]);
      out.values.push_back(std::move(all.values[c]));
    }
  return out;
}

Shelf shelf_of(const std::vector<CaseFolder>& cases, std::vector<std::string>& complaints) {
  Shelf shelf;
  for (std::size_t i = 0; i < cases.size(); ++i) add_case(shelf, int(i), cases[i], complaints);
  return shelf;
}

}  // namespace umov::view
