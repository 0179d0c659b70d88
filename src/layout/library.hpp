// A layout as a file of GDSII states it: structures of shapes, texts and references, in database units.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace umov::layout {

struct Point {
  std::int32_t x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

/// What a shape or text is on: its layer, and its datatype (of boxes, nodes and texts the type of that name).
struct LayerId {
  std::uint16_t layer = 0, datatype = 0;
  auto operator<=>(const LayerId&) const = default;
};

/// "1/0", as tools write it.
std::string to_string(const LayerId&);

/// A polygon (BOUNDARY, BOX), a line with a width (PATH) or points without area (NODE).
struct Shape {
  enum class Kind : std::uint8_t { boundary, box, path, node } kind = Kind::boundary;
  LayerId on;
  std::uint32_t first = 0,
                count = 0;  ///< of the structure's points; a polygon's first corner is not repeated
  std::uint32_t path = 0;   ///< of the structure's paths
};

/// How a path is drawn. Widths and lengths in database units.
struct PathStyle {
  enum class Ends : std::uint8_t { flush, round, half_width, given } ends = Ends::flush;
  double width = 0;
  bool absolute = false;      ///< the width is not magnified with the structure
  double begin = 0, end = 0;  ///< what ends of type 4 reach beyond the first and the last point
};

struct Text {
  LayerId on;
  Point at;
  std::string words;
};

/// A structure placed in another: mirrored about x, then magnified, turned (degrees) and moved, once or as an
/// array whose steps are those between neighbours.
struct Reference {
  std::uint32_t structure = 0;
  Point origin;
  bool mirrored = false, absolute_magnification = false, absolute_angle = false;
  double magnification = 1, angle = 0;
  std::uint16_t columns = 1, rows = 1;
  double column[2] = {0, 0}, row[2] = {0, 0};
};

struct Structure {
  std::string name;
  bool defined = false;  ///< false: referred to alone
  std::vector<Point> points;
  std::vector<Shape> shapes;
  std::vector<PathStyle> paths;
  std::vector<Text> texts;
  std::vector<Reference> references;
};

struct Library {
  std::string file, name;
  double meters_per_unit = 1e-9;  ///< of the database unit
  double user_per_unit = 1e-3;    ///< user units in a database unit
  std::vector<Structure> structures;
  std::size_t properties = 0;         ///< PROPATTR and PROPVALUE of elements, which nothing here reads
  std::vector<std::string> warnings;  ///< what of the file is not read, and what it lacks
};

/// Reads a file of GDSII, of any length. Throws BadInput with the byte and the structure where the file is no
/// such stream of records: what is cut short, of a wrong length, out of order, missing, doubled or not
/// finite.
Library read_gds(const std::string& path);

}  // namespace umov::layout
