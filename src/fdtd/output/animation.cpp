// Frames as indices into one palette, packed by giflib.
#include "fdtd/output/animation.hpp"

#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/output/pictures.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

/// Palette: `levels` colours of the field (odd, so that zero is white), the outline over each of them, ink
/// for the caption in `greys` steps, and the colour of void. Few levels keep runs long and files small.
constexpr int levels = 81, greys = 12, outline_first = levels, grey_first = 2 * levels,
              void_index = grey_first + greys, palette_size = 256;
constexpr int most_across = 800, caption_height = 26, hundredths_per_frame = 8;
using Indices = std::vector<GifByteType>;

struct PictureSize {
  int columns, rows;  ///< of the reduced field
  int factor;         ///< pixels per value
  int width() const { return columns * factor; }
  int height() const { return rows * factor; }
};

PictureSize size_of(const Raster& r) {
  const int longest = std::max(r.columns, r.rows);
  if (longest > most_across) {
    const double scale = double(most_across) / longest;
    return {std::max(1, int(r.columns * scale)), std::max(1, int(r.rows * scale)), 1};
  }
  return {r.columns, r.rows, std::max(1, std::min(8, 640 / longest))};
}

/// Unlike `reduced`, keeps the aspect ratio.
Raster resized(const Raster& r, const PictureSize& to) {
  Raster out = r;
  out.columns = to.columns;
  out.rows = to.rows;
  if (r.columns == out.columns && r.rows == out.rows) return out;
  out.values.clear();
  for (int row = 0; row < out.rows; ++row)
    for (int column = 0; column < out.columns; ++column) {
      double extreme = 0;
      for (int j = row * index_t(r.rows) / out.rows; j < (row + 1) * index_t(r.rows) / out.rows; ++j)
        for (int i = column * index_t(r.columns) / out.columns;
             i < (column + 1) * index_t(r.columns) / out.columns; ++i)
          if (!(std::abs(r.at(i, j)) <= std::abs(extreme))) extreme = r.at(i, j);
      out.values.push_back(extreme);
    }
  return out;
}

/// For every pixel of the picture (first row on top) whether an outline passes: the permittivity lies on
/// different sides of a level here and in the next pixel to the right or below.
std::vector<bool> outline_mask(const Outcome& o, const Snapshot& first, const PictureSize& size) {
  std::vector<bool> mask(std::size_t(size.width()) * size.height(), false);
  const Raster eps = permittivity_raster(o, snapshot_cut(o.grid, first), snapshot_depth(o, first));
  if (eps.empty() || eps.rows < 2) return mask;
  const auto edges = outline_levels(eps);
  const auto side = [&](int x, int y) {
    const int column = int(index_t(x) * eps.columns / size.width());
    const int row = int(index_t(size.height() - 1 - y) * eps.rows / size.height());
    return std::lower_bound(edges.begin(), edges.end(), eps.at(column, row)) - edges.begin();
  };
  for (int y = 0; y + 1 < size.height(); ++y)
    for (int x = 0; x + 1 < size.width(); ++x)
      mask[std::size_t(y) * size.width() + x] = side(x, y) != side(x + 1, y) || side(x, y) != side(x, y + 1);
  return mask;
}

std::vector<GifColorType> palette(const ColorScale& scale) {
  std::vector<GifColorType> colors(palette_size, GifColorType{255, 255, 255});
  const auto byte = [](double v) { return GifByteType(std::lround(255 * std::clamp(v, 0.0, 1.0))); };
  const auto set = [&](int i, Color c) { colors[i] = {byte(c.r), byte(c.g), byte(c.b)}; };
  const Color line = rgb(0x4d5866);
  for (int i = 0; i < levels; ++i) {
    const Color c = color_at(scale.map, double(i) / (levels - 1));
    set(i, c);
    set(outline_first + i,
        {0.45 * c.r + 0.55 * line.r, 0.45 * c.g + 0.55 * line.g, 0.45 * c.b + 0.55 * line.b});
  }
  for (int i = 0; i < greys; ++i) {
    const double t = double(i) / (greys - 1);
    set(grey_first + i, {1 + t * (ink::text.r - 1), 1 + t * (ink::text.g - 1), 1 + t * (ink::text.b - 1)});
  }
  set(void_index, ink::empty);
  return colors;
}

Indices field_indices(const Raster& field, const PictureSize& size, const ColorScale& scale,
                      const std::vector<bool>& outline) {
  Indices out(outline.size());
  for (int y = 0; y < size.height(); ++y)
    for (int x = 0; x < size.width(); ++x) {
      const std::size_t at = std::size_t(y) * size.width() + x;
      const double v = field.at(x / size.factor, size.rows - 1 - y / size.factor);
      const double t = std::clamp((v - scale.low) / (scale.high - scale.low), 0.0, 1.0);
      out[at] = std::isnan(v)
                    ? void_index
                    : GifByteType(std::lround(t * (levels - 1)) + (outline[at] ? outline_first : 0));
    }
  return out;
}

/// The line of text below a frame, drawn by Cairo and turned into greys.
Indices caption_indices(const std::string& text, int width) {
  // A canvas has `resolution` pixels per unit.
  Canvas c((width + Canvas::resolution - 1) / Canvas::resolution, caption_height / Canvas::resolution);
  c.text({4, 9.5}, text, 7.5, ink::text);
  const auto dark = c.darkness();
  const int pixels = int(c.width()) * Canvas::resolution;
  Indices out;
  for (int y = 0; y < caption_height; ++y)
    for (int x = 0; x < width; ++x)
      out.push_back(GifByteType(grey_first + std::lround((greys - 1) * dark[std::size_t(y) * pixels + x])));
  return out;
}

int append(GifFileType* gif, const GifByteType* bytes, int count) {
  static_cast<std::string*>(gif->UserData)->append(reinterpret_cast<const char*>(bytes), std::size_t(count));
  return count;
}

/// giflib's writer into memory; closes itself.
class GifWriter {
 public:
  GifWriter(std::string& out, int width, int height, const std::vector<GifColorType>& colors)
      : width_(width),
        height_(height),
        map_(GifMakeMapObject(int(colors.size()), colors.data()), GifFreeMapObject) {
    int code = 0;
    gif_ = EGifOpen(&out, append, &code);
    if (!gif_ || !map_) throw MachineFailure("an animation failed (giflib has no memory); make fewer frames");
    EGifSetGifVersion(gif_, true);
    check(EGifPutScreenDesc(gif_, width, height, 8, 0, map_.get()));
    const GifByteType forever[] = {1, 0, 0};
    check(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(gif_, sizeof forever, forever));
    check(EGifPutExtensionTrailer(gif_));
  }
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;
  ~GifWriter() {
    int code = 0;
    if (gif_) EGifCloseFile(gif_, &code);
  }
  void frame(std::span<GifByteType> indices, int delay) {
    GraphicsControlBlock control{DISPOSE_DO_NOT, false, delay, NO_TRANSPARENT_COLOR};
    GifByteType packed[4];
    EGifGCBToExtension(&control, packed);
    check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, sizeof packed, packed));
    check(EGifPutImageDesc(gif_, 0, 0, width_, height_, false, nullptr));
    for (int y = 0; y < height_; ++y)
      check(EGifPutLine(gif_, indices.data() + std::size_t(y) * width_, width_));
  }
  void close() {
    int code = 0;
    const int result = EGifCloseFile(gif_, &code);
    gif_ = nullptr;
    check(result);
  }

 private:
  void check(int result) {
    if (result == GIF_ERROR)
      throw MachineFailure("an animation failed (giflib refused a frame); make fewer frames");
  }
  int width_, height_;
  std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map_;
  GifFileType* gif_ = nullptr;
};

/// Mean of each value and the next along the columns, `last` beyond the end: from nodes to the middles of
/// cells.
Raster between_columns(const Raster& r, int cells, const std::function<double(int row)>& last) {
  Raster out = r;
  out.columns = cells;
  out.values.clear();
  for (int j = 0; j < r.rows; ++j)
    for (int i = 0; i < cells; ++i)
      out.values.push_back(0.5 * (r.at(i, j) + (i + 1 < r.columns ? r.at(i + 1, j) : last(j))));
  return out;
}

Raster turned_over(const Raster& r) {
  Raster out = r;
  std::swap(out.columns, out.rows);
  out.values.clear();
  for (int i = 0; i < r.columns; ++i)
    for (int j = 0; j < r.rows; ++j) out.values.push_back(r.at(i, j));
  return out;
}

/// The frame on the cells of the grid, over which the outline is drawn: where its component lies on nodes,
/// that would otherwise be half a cell off. Beyond the last node lies a wall, on which such components are
/// zero, or the first node again.
Raster on_cells(const Outcome& o, const Snapshot& frame) {
  Raster r = snapshot_raster(o, frame);
  const Cut cut = snapshot_cut(o.grid, frame);
  for (const int axis : {cut.u, cut.v}) {
    const bool column = axis == cut.u;
    const int n = column ? r.columns : r.rows, cells = o.grid.cells[axis];
    if (r.empty() || !o.grid.active(axis) || o.grid.offset(frame.component, axis) != 0 || n < cells) continue;
    if (!column) r = turned_over(r);
    const Raster before = r;
    r = between_columns(before, cells, [&](int row) {
      const WallKind wall = o.simulation.walls[axis][1];
      return turns(wall) ? before.at(cells - 1, row) : wraps(wall) ? before.at(0, row) : 0.0;
    });
    if (!column) r = turned_over(r);
  }
  return r;
}

/// A single row or column is a curve, which an animation of colours would not show.
bool has_area(const Raster& r) { return r.columns > 1 && r.rows > 1; }

}  // namespace

bool write_animation(const Outcome& o, const std::string& path) {
  if (o.frames.empty()) return false;
  const Snapshot& first = o.frames.front();
  const Raster shape = on_cells(o, first);
  if (shape.empty() || !has_area(shape)) return false;
  std::vector<double> all;
  for (const auto& f : o.frames) all.insert(all.end(), f.values.begin(), f.values.end());
  const ColorScale scale = symmetric_scale(all);
  const PictureSize size = size_of(shape);
  const auto outline = outline_mask(o, first, size);
  std::string bytes;
  GifWriter gif(bytes, size.width(), size.height() + caption_height, palette(scale));
  for (const auto& f : o.frames) {
    if (f.component != first.component || f.size != first.size || f.values.size() != first.values.size())
      continue;
    Indices indices = field_indices(resized(on_cells(o, f), size), size, scale, outline);
    const Indices text =
        caption_indices(fmt::format("{}   t = {}", word(f.component), pretty_number(f.time)), size.width());
    indices.insert(indices.end(), text.begin(), text.end());
    gif.frame(indices, hundredths_per_frame);
  }
  gif.close();
  write_file(path, bytes);
  return true;
}

}  // namespace umov::fdtd
