// Particles read from files: ADDA's text format with one or several domains, DDSCAT 6 and 7; arrays
// (read_array.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/given_arrays.hpp"
#include "core/text.hpp"
#include "shapes/list_directed.hpp"
#include "shapes/recipe.hpp"
#include "shapes/textfile.hpp"

namespace umov::shapes {
namespace {

struct Layout {
  ShapeFormat format;
  const char* name;
  const char* columns;
  std::size_t first;        ///< line of the first dipole, from 0
  long long declared = -1;  ///< number of dipoles, or of domains, that the header promises
};

struct Row {
  long long x, y, z, material = 1;
  bool anisotropic = false, turned = false, extra = false;  ///< of DDSCAT's columns
};

bool three_numbers(std::string_view text) {
  ListRecord record(text);
  double number;
  return record.next(number) && record.next(number) && record.next(number);
}

/// JA IX IY IZ ICOMP(x,y,z), and in files of ANIFRMFIL three angles of the material's axes.
bool ddscat_row(std::string_view text, Row& row) {
  bool record_number = true;
  // A number that its format had no room for is printed as stars.
  const auto stars = trim(text).find_first_not_of('*');
  if (stars != text.npos && stars > 1 && stars == trim(text).find_first_of(" \t")) {
    text = trim(text);
    text.remove_prefix(stars);
    record_number = false;
  }
  ListRecord record(text);
  long long number, my, mz;
  if ((record_number && !record.next(number)) || !record.next(row.x) || !record.next(row.y) ||
      !record.next(row.z) || !record.next(row.material) || !record.next(my) || !record.next(mz))
    return false;
  row.anisotropic = my != row.material || mz != row.material;
  if (!record.number_follows()) return true;
  double angle[3];
  for (double& a : angle)
    if (!record.next(a)) row.extra = true;
  row.extra = row.extra || record.number_follows();
  row.turned = !row.extra && (angle[0] != 0 || angle[1] != 0 || angle[2] != 0);
  return true;
}

/// A number after the last column is an error (most often a missing "Nmat="); other text is a remark.
bool text_row(std::string_view text, bool several, Row& row) {
  if (!take(text, row.x) || !take(text, row.y) || !take(text, row.z)) return false;
  if (several && !take(text, row.material)) return false;
  double extra;
  return !take(text, extra);
}

/// A first line that no file of ADDA's has: such a file is DDSCAT's even where its first row is broken.
bool titled(const TextFile& file) {
  const std::string_view head = file.line(0);
  return !head.starts_with('#') && !head.starts_with("Nmat=") && !three_numbers(head) && !trim(head).empty();
}

/// DDSCAT's header has no mark: its lines 2 to 5 (6) start with numbers, and a row of seven columns follows.
/// Line 6 of DDSCAT 6 and line 7 of DDSCAT 7 are free text, so the rows decide between the two.
bool ddscat(const TextFile& file, Layout& layout) {
  double dipoles;
  ListRecord counts(file.line(1));
  if (file.leading_comments() > 1 || !counts.next(dipoles)) return false;
  for (std::size_t i : {2, 3, 4})
    if (!three_numbers(file.line(i))) return false;
  Row row;
  const long long declared = dipoles >= 0 && dipoles < 1e18 ? (long long)(dipoles) : -1;
  const char* columns = "JA IX IY IZ ICOMP(x,y,z)";
  const Layout six{ShapeFormat::ddscat6, "DDSCAT 6 format (FRMFIL)", columns, 6, declared};
  const Layout seven{ShapeFormat::ddscat7, "DDSCAT 7 format (FROM_FILE)", columns, 7, declared};
  const bool origin = three_numbers(file.line(5));
  if (ddscat_row(file.line(6), row))
    layout = six;
  else if (origin && ddscat_row(file.line(7), row))
    layout = seven;
  else if (titled(file) && !three_numbers(file.line(1)))
    layout = origin && !ListRecord(file.line(6)).number_follows() ? seven : six;
  else
    return false;
  return true;
}

Layout detect(const TextFile& file) {
  Layout layout;
  if (ddscat(file, layout)) return layout;
  std::size_t first = file.leading_comments();
  while (first < file.lines() && trim(file.line(first)).empty()) ++first;
  std::string_view head = file.line(first);
  long long declared;
  if (head.starts_with("Nmat=")) {
    head.remove_prefix(5);
    if (!take(head, declared))
      file.refuse(first, "broken number of domains", "Nmat=<n> is expected",
                  "write a whole number after Nmat=");
    return {ShapeFormat::text_ext, "ADDA text format (multi-domain)", "x y z material", first + 1, declared};
  }
  return {ShapeFormat::text, "ADDA text format (single domain)", "x y z", first};
}

bool parse(const Layout& layout, std::string_view text, Row& row) {
  if (layout.format == ShapeFormat::ddscat6 || layout.format == ShapeFormat::ddscat7)
    return ddscat_row(text, row);
  return text_row(text, layout.format == ShapeFormat::text_ext, row);
}

constexpr const char* no_list =
    "a shape file lists dipoles, \"x y z\" a line, which ADDA's tool pip makes of a mesh";

/// Lowest and highest coordinate so far.
struct Extent {
  long long low = LLONG_MAX, high = LLONG_MIN;
  bool add(long long v) {
    low = std::min(low, v);
    high = std::max(high, v);
    // A coordinate itself must fit into an int, else the difference could overflow.
    return low >= INT_MIN && high <= INT_MAX && high - low < max_edge;
  }
};

Voxel checked(const TextFile& file, const Layout& layout, std::size_t i, std::array<Extent, 3>& extent,
              Row& row) {
  if (!parse(layout, file.line(i), row)) {
    if (i == layout.first) refuse_other_kind(file.path(), file.text(), no_list, FileFormat::sites);
    file.refuse(i, "broken line", fmt::format("{}: {} is expected", layout.name, layout.columns),
                layout.format == ShapeFormat::text
                    ? "with several domains, put Nmat=<n> before the first dipole"
                : layout.format == ShapeFormat::text_ext
                    ? "correct the line or the header of the file"
                    : "write seven whole numbers in one line, or correct the header of the file");
  }
  if (row.anisotropic)
    file.refuse(
        i, "another composition along each axis", "ICOMP(x,y,z) must be equal",
        "give the material a diagonal tensor instead: `material.m` \"((re,im),(re,im),(re,im))\" (umov adda: "
        "-anisotr)");
  if (row.extra)
    file.refuse(i, "more columns than are read", fmt::format("{} is expected", layout.columns),
                "leave out the others");
  if (row.turned)
    file.refuse(i, "angles of the material's axes", "the last three columns, as for ANIFRMFIL, are not read",
                "turn the whole particle if they are all the same, or write 0 0 0 where the material is "
                "isotropic");
  if (row.material < 1 || row.material > max_materials)
    file.refuse(i, fmt::format("material number {} out of range", row.material),
                fmt::format("1 to {} are possible", max_materials), "number the materials from 1");
  const std::array<long long, 3> c{row.x, row.y, row.z};
  for (int k = 0; k < 3; ++k)
    if (!extent[k].add(c[k]))
      file.refuse(i, fmt::format("{} coordinate {} too far from the others", "xyz"[k], c[k]),
                  fmt::format("the box may be at most {} dipoles long", max_edge), "correct the coordinate");
  return {int(row.x), int(row.y), int(row.z), int(row.material), i + 1};
}

/// The box is filled line by line later; here only equal neighbours in sorted order tell of duplicates.
void refuse_duplicates(const TextFile& file, const std::vector<Voxel>& voxels) {
  const auto key = [&](std::size_t i) {
    const Voxel& v = voxels[i];
    return (std::uint64_t(v.z) * max_edge + std::uint64_t(v.y)) * max_edge + std::uint64_t(v.x);
  };
  std::vector<std::pair<std::uint64_t, std::size_t>> sorted(voxels.size());
  for (std::size_t i = 0; i < voxels.size(); ++i) sorted[i] = {key(i), i};
  if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
  std::size_t first = SIZE_MAX, twin = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].first == sorted[i - 1].first && sorted[i].second < first) {
      first = sorted[i].second;
      twin = sorted[i - 1].second;
    }
  if (first != SIZE_MAX)
    file.refuse(voxels[first].line - 1, "duplicate dipole",
                fmt::format("line {} has the same coordinates", voxels[twin].line), "remove one of the two");
}

void compare_with_header(Recipe& r, const Layout& layout, const std::string& path) {
  if (layout.format == ShapeFormat::text) return;
  if (layout.format == ShapeFormat::text_ext) {
    if (layout.declared != r.materials)
      r.warnings.push_back(
          fmt::format("{} declares Nmat={}, but its highest material number is {}, which is used", path,
                      layout.declared, r.materials));
    return;
  }
  const long long found = (long long)(r.voxels.size());
  if (layout.declared == found) return;
  throw BadInput(fmt::format("{}:2: {} dipoles are announced, but {} lines with dipoles follow ({}); {}",
                             path, layout.declared, found,
                             found < layout.declared ? "the file is cut off, or its header is another one's"
                                                     : "DDSCAT would leave out the last ones",
                             "correct the file"));
}

}  // namespace

Recipe read(const Arguments& a) {
  if (const auto array = read_arrays(a.file())) return read_array(*array);
  const TextFile file(a.file());
  const Layout layout = detect(file);
  Recipe r;
  r.before = fmt::format("specified by file {} - {}; size along x-axis:", a.file(), layout.name);
  r.symmetry = {};  // a file is taken as it is, without looking for symmetry
  std::array<Extent, 3> extent;
  for (std::size_t i = layout.first; i < file.lines(); ++i) {
    if (trim(file.line(i)).empty()) continue;
    Row row;
    r.voxels.push_back(checked(file, layout, i, extent, row));
    r.materials = std::max(r.materials, r.voxels.back().material);
  }
  if (r.voxels.empty()) refuse_other_kind(a.file(), file.text(), no_list, FileFormat::sites);
  if (r.voxels.empty())
    throw BadInput(fmt::format(
        "no dipoles in {} (nothing follows its header); give a file with one dipole per line", a.file()));
  std::array<Vec3, 2> ends;
  for (int k = 0; k < 3; ++k) ends[0][k] = double(extent[k].low), ends[1][k] = double(extent[k].high);
  const bool seven = layout.format == ShapeFormat::ddscat7;
  if (seven || layout.format == ShapeFormat::ddscat6)
    check_ddscat_header(file, seven, a.rectangular(), ends, r.warnings);
  for (auto& v : r.voxels) {
    v.x -= int(extent[0].low);
    v.y -= int(extent[1].low);
    v.z -= int(extent[2].low);
  }
  refuse_duplicates(file, r.voxels);
  for (int k = 0; k < 3; ++k) r.box[k] = int(extent[k].high - extent[k].low + 1);
  compare_with_header(r, layout, a.file());
  return r;
}

}  // namespace umov::shapes
