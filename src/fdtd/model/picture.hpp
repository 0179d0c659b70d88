// Pictures as a model (Lively 2016): how pixels map to cells, permittivity, sources and monitors.
#pragma once

#include <cstdint>

#include "core/given_arrays.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/model/ground.hpp"
#include "fdtd/model/materials.hpp"
#include "shapes/picture.hpp"

namespace umov::fdtd {

/// A red above this is a source.
inline constexpr int source_threshold = 128;

/// A stack of pictures of one size; layer 0 is at the lowest z. Or an array of permittivities, real or
/// complex: [y][x] or [z][y][x], the lowest first.
struct PictureStack {
  int width = 0, height = 0;
  std::vector<shapes::Picture> layers;
  std::shared_ptr<const GivenArrays> permittivity;
  int depth = 0;  ///< of the array

  /// Channels of the texel in column x from the left, y from the BOTTOM (the top row is +y), layer z.
  const std::uint8_t* texel(int x, int y, int z) const { return layers[z].pixel(x, height - 1 - y); }
  Int3 size() const { return {width, height, permittivity ? depth : int(layers.size())}; }
};

/// Throws BadInput naming the file: unreadable, grey, or of another size than the first; permittivities that
/// are not positive, or gain.
PictureStack read_pictures(const PictureSpec&);

/// Cells of the domain: as asked, or one per texel; z is 1 for a single picture without depth.
Int3 picture_cells(const PictureSpec&, const PictureStack&);

/// Permittivity of a green; 1 for 0 in either mapping.
double green_permittivity(const PictureSpec&, int green);

/// The permittivity of the texels, as exact rectangles over the extent. Adds their materials to the list.
std::unique_ptr<Ground> make_texel_ground(const PictureSpec&, const Extent&, MaterialList&);

}  // namespace umov::fdtd
