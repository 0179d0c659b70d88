// What pixels say about sources, monitors and the domain, put into the case.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "fdtd/model/picture.hpp"

namespace umov::fdtd {
namespace {

constexpr double cells_per_wavelength = 10;

/// Cells of the texels of each value of a channel, without repetition and in the order of the grid.
using CellSets = std::map<int, std::set<std::array<int, 3>>>;

void add_cells(std::set<std::array<int, 3>>& set, const Int3& texel, const Int3& texels, const Int3& cells) {
  std::array<std::array<int, 2>, 3> r;
  for (int a = 0; a < 3; ++a) r[a] = cells_of_texel(texel[a], texels[a], cells[a]);
  for (int k = r[2][0]; k < r[2][1]; ++k)
    for (int j = r[1][0]; j < r[1][1]; ++j)
      for (int i = r[0][0]; i < r[0][1]; ++i) set.insert({k, j, i});
}

std::vector<Int3> as_cells(const std::set<std::array<int, 3>>& set) {
  std::vector<Int3> cells;
  for (const auto& [k, j, i] : set) cells.push_back({i, j, k});
  return cells;
}

struct Marks {
  CellSets sources, monitors;  ///< by red, by blue
};
Marks find_marks(const PictureStack& stack, const Int3& cells) {
  Marks marks;
  const Int3 size = stack.size();
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        const std::uint8_t* t = stack.texel(x, y, z);
        if (t[0] > source_threshold) add_cells(marks.sources[t[0]], {x, y, z}, size, cells);
        if (t[2] > 0) add_cells(marks.monitors[t[2]], {x, y, z}, size, cells);
      }
  return marks;
}

double shortest_wavelength(const Simulation& s, const Marks& marks) {
  double shortest = 0;
  const auto take = [&](double w) { shortest = shortest == 0 ? w : std::min(shortest, w); };
  for (const auto& [red, cells] : marks.sources) take(s.picture->wavelength * red / 255);
  for (const auto& source : s.sources)
    if (source.waveform.frequency > 0) take(1 / source.waveform.frequency);
  return shortest > 0 ? shortest : s.picture->wavelength;
}

void append(Simulation& s, const Marks& marks) {
  const Component field = s.te ? Hz : Ez;
  for (const auto& [red, cells] : marks.sources) {
    SourceSpec source;
    source.kind = SourceSpec::Kind::shape;
    source.name = fmt::format("red-{}", red);
    source.component = field;
    source.waveform.kind = Waveform::Kind::continuous;
    source.waveform.frequency = 255 / (s.picture->wavelength * red);
    source.pixels = as_cells(cells);
    s.sources.push_back(std::move(source));
  }
  for (const auto& [blue, cells] : marks.monitors) {
    MonitorSpec monitor;
    monitor.kind = MonitorSpec::Kind::series;
    monitor.name = fmt::format("monitor-{}", blue);
    monitor.fields = {field};
    monitor.pixels = as_cells(cells);
    s.monitors.push_back(std::move(monitor));
  }
}

}  // namespace

void apply_picture(Simulation& s) {
  if (!s.picture || s.picture->applied) return;
  if (!(s.picture->wavelength > 0))
    throw BadInput(
        fmt::format("wavelength: {:g} (the wavelength of a full red must be positive) give it in units",
                    s.picture->wavelength));
  if (s.resolution < 0)
    throw BadInput(
        fmt::format("resolution: {:g} (cells per shortest wavelength) give 10 or more", s.resolution));
  for (const auto& walls : s.walls)
    if (is_mirror(walls[0]) || is_mirror(walls[1]))
      throw BadInput(
          "walls: a mirror with a picture (its pixels count from the corner of the whole domain) draw half "
          "and use pec or pmc at the plane");
  const PictureStack stack = read_pictures(*s.picture);
  const Int3 cells = picture_cells(*s.picture, stack);
  const bool deep = stack.layers.size() > 1 || s.picture->depth > 0;
  if (s.te && deep)
    throw BadInput("te: set for a stack of pictures (TE and TM exist in two dimensions) leave te out");
  const Marks marks = find_marks(stack, cells);
  const double per_wavelength = s.resolution > 0 ? s.resolution : cells_per_wavelength;
  s.resolution = per_wavelength / shortest_wavelength(s, marks);
  for (int a = 0; a < 3; ++a) s.size[a] = a < 2 || deep ? cells[a] / s.resolution : 0;
  append(s, marks);
  s.picture->applied = true;
}

}  // namespace umov::fdtd
