// A directory of `umov pmaxwell`: forty files of VTK, one per array.
#include "pmaxwell/directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "pmaxwell/vtk_file.hpp"

namespace umov::pmaxwell {

namespace {

namespace fs = std::filesystem;

void require_files(const std::string& folder, const Layout& layout) {
  std::error_code code;
  if (!fs::is_directory(folder, code))
    throw BadInput(fmt::format(
        "{}: is no directory (the forty files E_xy.vtk to H_bnd_y.vtk should lie in it); make one "
        "with `umov pmaxwell --from case.toml {}`",
        folder, folder));
  std::vector<std::string> missing;
  for (int a = 0; a < array_count; ++a)
    if (!fs::exists(file_of(folder, a, layout), code)) missing.push_back(name_of(a, layout) + ".vtk");
  if (missing.empty()) return;
  std::sort(missing.begin(), missing.end());
  const std::size_t all = missing.size();
  if (all > 5) missing.resize(5);
  throw BadInput(
      fmt::format("{}: {}{} (of the forty files {} {} not there); see docs/guide/pmaxwell.md for their names",
                  folder, join(missing, ", "), all > 5 ? ", ..." : "", all, all > 1 ? "are" : "is"));
}

std::string times(const Int3& n) { return fmt::format("{} x {} x {}", n[0], n[1], n[2]); }

/// The grid that most files have the size of.
Int3 grid_of(const std::string& folder, const std::array<Int3, array_count>& points) {
  std::map<Int3, int> votes;
  for (int a = 0; a < array_count; ++a)
    if (const Int3 cells = cells_of(is_electric(a), component_of(a), points[a]);
        cells[0] > 0 && cells[1] > 0 && cells[2] > 0)
      ++votes[cells];
  Int3 best{0, 0, 0};
  int most = 0;
  for (const auto& [cells, count] : votes)
    if (count > most) {
      most = count;
      best = cells;
    }
  if (most == 0)
    throw BadInput(fmt::format(
        "{}: no file has the size of a staggered grid (E_xy.vtk has {} points; parts of Ex have one "
        "more than there are cells along y and z); see docs/guide/pmaxwell.md",
        folder, times(points[array_of(field_e, 0, 2)])));
  return best;
}

/// What the first lines of a file say; zeros: nothing.
Int3 dimensions_of(const std::string& path) {
  std::string head(1024, ' ');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), std::streamsize(head.size()));
  const auto at = head.find("DIMENSIONS");
  Int3 n{0, 0, 0};
  if (at != head.npos) std::istringstream(head.substr(at + 10)) >> n[0] >> n[1] >> n[2];
  return n;
}

/// Arrays of a staggered grid have six sizes; programs with one for all pad them.
void refuse_one_size(const std::string& folder, const Layout& layout) {
  const Int3 first = dimensions_of(file_of(folder, 0, layout));
  if (first[0] < 1) return;
  for (int a = 1; a < array_count; ++a)
    if (dimensions_of(file_of(folder, a, layout)) != first) return;
  throw BadInput(fmt::format(
      "{}: all forty files have {} points (on a staggered grid E has one point more than there are cells "
      "across "
      "its own direction, H along it: they must differ); write each in its size, without padding, see "
      "docs/guide/pmaxwell.md",
      folder, times(first)));
}

void check_sizes(const std::string& folder, const System& s, const std::array<Int3, array_count>& points) {
  for (int a = 0; a < array_count; ++a) {
    const Int3 wanted = s.points(a);
    if (points[a] == wanted) continue;
    throw BadInput(fmt::format(
        "{}: has {} points (the grid of most files has {} cells, on which {} has {}: {}); write "
        "it in that size, x fastest",
        file_of(folder, a, s.layout), times(points[a]), times(s.cells), name_of(a, s.layout), times(wanted),
        is_electric(a) ? "E has one point more across its own direction"
                       : "H has one point more along its own direction"));
  }
}

void require_faradays_minus(const std::string& folder, const System& s) {
  if (!lacks_faradays_minus(s)) return;
  throw BadInput(
      fmt::format("{}: {}", folder,
                  s.layout.minus_in_s_h
                      ? "every s_H is positive (it multiplies + curl E, so that Faraday's minus is in it); "
                        "`layout = 'derivative'` reads directories that older versions of umov wrote, "
                        "`faraday = 'added'` one "
                        "whose step subtracts"
                      : "every s_H is negative (the step subtracts s_H times curl E); leave out "
                        "`layout = 'derivative'` or `faraday = 'added'`"));
}

/// The end of a file's title, which readers of VTK pass over.
std::string mark_of(const Layout& layout) { return fmt::format("(layout {})", word(layout)); }

/// Both layouts have the same forty names, for exchanged parts.
void check_mark(const std::string& path, const std::string& title, const Layout& layout) {
  Layout other = layout;
  other.by_driving_field = !layout.by_driving_field;
  if (!title.ends_with(mark_of(other))) return;
  throw BadInput(fmt::format(
      "{}: was written in the layout '{}' by its title (the run reads '{}', in which its name means "
      "another part); give `layout = '{}'` if all forty files are of it, or write it anew in this one",
      path, word(other), word(layout), word(other)));
}

void negate(std::vector<Value>& values) {
  for (auto& v : values) v = Value(0) - v;
}

}  // namespace

std::string file_of(const std::string& folder, int array, const Layout& layout) {
  return folder + "/" + name_of(array, layout) + ".vtk";
}

void require_vacant(const std::string& folder, int end, const Layout& layout) {
  std::error_code code;
  std::vector<std::string> there;
  for (int a = 0; a < end; ++a)
    if (fs::exists(file_of(folder, a, layout), code)) there.push_back(name_of(a, layout) + ".vtk");
  if (there.empty()) return;
  std::sort(there.begin(), there.end());
  const std::size_t more = there.size() - 1;
  throw BadInput(fmt::format("{}: {}{} there ({} would be written over); give another folder, or `force`",
                             folder, there.front(), more > 0 ? fmt::format(" and {} more are", more) : " is",
                             more > 0 ? "they" : "it"));
}

System read_directory(const std::string& folder, const Layout& layout,
                      const std::function<void(const std::string&)>& read) {
  require_files(folder, layout);
  refuse_one_size(folder, layout);
  System out;
  out.layout = layout;
  std::array<Int3, array_count> points;
  std::array<std::string, array_count> titles;
  for (int a = 0; a < array_count; ++a) {
    const std::string path = file_of(folder, a, layout);
    if (read) read(path);
    std::error_code code;
    const auto bytes = fs::is_regular_file(path, code) ? fs::file_size(path, code) : 0;
    if (!code && bytes > (1 << 24))  // the text of the file and its numbers
      require_memory(2 * bytes, path, "use a machine with more memory");
    ComplexGrid grid = read_complex_grid(path);
    if (const int other = array_named(grid.name, layout); other >= 0 && other != a)
      throw BadInput(fmt::format(
          "{}: holds '{}' by the name of its data (the files may be exchanged); give each its own "
          "name",
          path, grid.name));
    titles[a] = std::move(grid.title);
    points[a] = grid.points();
    out.arrays[a] = std::move(grid.values);
    if (is_negated(a, layout)) negate(out.arrays[a]);
    if (a == array_of(field_e, 1, 2)) out.nodes[0] = std::move(grid.axes[0]);
    if (a == array_of(field_e, 0, 1)) {
      out.nodes[1] = std::move(grid.axes[1]);
      out.nodes[2] = std::move(grid.axes[2]);
    }
  }
  out.cells = grid_of(folder, points);
  check_sizes(folder, out, points);
  require_faradays_minus(folder, out);
  for (int a = 0; a < array_count; ++a) check_mark(file_of(folder, a, layout), titles[a], layout);
  return out;
}

std::array<std::vector<double>, 3> axes_of(int array, const std::array<std::vector<double>, 3>& nodes) {
  Int3 cells;
  for (int axis = 0; axis < 3; ++axis) cells[axis] = int(nodes[axis].size()) - 1;
  const Int3 points = points_of(is_electric(array), component_of(array), cells);
  std::array<std::vector<double>, 3> out;
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < points[axis]; ++i)
      out[axis].push_back(points[axis] > cells[axis] ? nodes[axis][i]
                                                     : (nodes[axis][i] + nodes[axis][i + 1]) / 2);
  return out;
}

void write_array(const std::string& folder, int array, const Layout& layout,
                 const std::array<std::vector<double>, 3>& nodes, const std::string& title,
                 std::vector<Value> values, bool text) {
  if (is_negated(array, layout)) negate(values);
  write_grid(file_of(folder, array, layout), title + " " + mark_of(layout), axes_of(array, nodes),
             name_of(array, layout), 2, {reinterpret_cast<const float*>(values.data()), 2 * values.size()},
             text);
}

}  // namespace umov::pmaxwell
