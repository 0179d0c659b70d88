// Sources, monitors and the domain as pixels describe them, put into the case.
#include <fmt/format.h>

#include <map>

#include "core/error.hpp"
#include "fdtd/model/picture.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

constexpr double cells_per_wavelength = 10;  ///< of a full red

/// Texels of each value of a channel.
using Marks = std::map<int, std::vector<Int3>>;

struct Drawn {
  Int3 raster;
  Marks sources, monitors;  ///< by red, by blue
};
Drawn find_marks(const PictureStack& stack) {
  Drawn drawn;
  drawn.raster = stack.size();
  for (int z = 0; z < drawn.raster[2]; ++z)
    for (int y = 0; y < drawn.raster[1]; ++y)
      for (int x = 0; x < drawn.raster[0]; ++x) {
        const std::uint8_t* t = stack.texel(x, y, z);
        if (t[0] > source_threshold) drawn.sources[t[0]].push_back({x, y, z});
        if (t[2] > 0) drawn.monitors[t[2]].push_back({x, y, z});
      }
  return drawn;
}

void append(Simulation& s, const Drawn& drawn) {
  const Component field = s.te ? Hz : Ez;
  for (const auto& [red, texels] : drawn.sources) {
    SourceSpec source;
    source.kind = SourceSpec::Kind::shape;
    source.name = fmt::format("red-{}", red);
    source.component = field;
    source.waveform.kind = Waveform::Kind::continuous;
    source.waveform.frequency = 255 / (s.picture->wavelength * red);
    source.pixels = texels;
    source.raster = drawn.raster;
    s.sources.push_back(std::move(source));
  }
  for (const auto& [blue, texels] : drawn.monitors) {
    MonitorSpec monitor;
    monitor.kind = MonitorSpec::Kind::series;
    monitor.name = fmt::format("monitor-{}", blue);
    monitor.fields = {field};
    monitor.pixels = texels;
    monitor.raster = drawn.raster;
    s.monitors.push_back(std::move(monitor));
  }
}

}  // namespace

void apply_picture(Simulation& s) {
  if (!s.picture || s.picture->applied) return;
  if (!(s.picture->wavelength > 0))
    throw BadInput(
        fmt::format("wavelength: {:g} (the wavelength of a full red must be positive); give it in units",
                    s.picture->wavelength));
  if (s.resolution < 0)
    throw BadInput(fmt::format("resolution: {:g} (cells per wavelength); give 10 or more", s.resolution));
  for (const auto& walls : s.walls)
    if (is_mirror(walls[0]) || is_mirror(walls[1]))
      throw BadInput(
          "walls: a mirror with a picture (its pixels count from the corner of the whole domain); draw half "
          "and use pec or pmc at the plane");
  const PictureStack stack = read_pictures(*s.picture);
  const Int3 cells = picture_cells(*s.picture, stack);
  const bool deep = stack.size()[2] > 1 || s.picture->depth > 0;
  if (s.te && deep)
    throw BadInput("te: set for a stack of pictures (TE and TM exist in two dimensions); leave te out");
  // The scale hangs on the wavelength alone: what else is drawn or added must not change the size of a cell.
  s.resolution = (s.resolution > 0 ? s.resolution : cells_per_wavelength) / s.picture->wavelength;
  for (int a = 0; a < 3; ++a) s.size[a] = a < 2 || deep ? cells[a] / s.resolution : 0;
  if (!stack.permittivity) append(s, find_marks(stack));
  s.picture->applied = true;
}

}  // namespace umov::fdtd
