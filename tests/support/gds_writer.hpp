// Layouts of GDSII, written record by record: for tests of what reads them.
#pragma once

#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace umov::test {

/// A stream of records. The short names are those of the format.
class GdsWriter {
 public:
  using Points = std::vector<std::pair<int, int>>;

  explicit GdsWriter(double meters_per_unit = 1e-9, double user_per_unit = 1e-3) {
    shorts(0x00, {600});
    shorts(0x01, std::vector<int>(12, 1));
    text(0x02, "LIB");
    reals(0x03, {user_per_unit, meters_per_unit});
  }

  void record(int tag, int type, const std::string& data = "") {
    const std::size_t length = data.size() + 4;
    bytes += char(length >> 8), bytes += char(length & 255), bytes += char(tag), bytes += char(type);
    bytes += data;
  }
  void mark(int tag) { record(tag, 0); }
  void shorts(int tag, const std::vector<int>& values, int type = 2) {
    std::string data;
    for (const int v : values) data += char((v >> 8) & 255), data += char(v & 255);
    record(tag, type, data);
  }
  void longs(int tag, const std::vector<std::int64_t>& values) {
    std::string data;
    for (const std::int64_t v : values)
      for (int shift = 24; shift >= 0; shift -= 8) data += char((v >> shift) & 255);
    record(tag, 3, data);
  }
  void text(int tag, std::string words) {
    if (words.size() % 2) words += '\0';
    record(tag, 6, words);
  }
  void reals(int tag, const std::vector<double>& values) {
    std::string data;
    for (const double v : values) data += real(v);
    record(tag, 5, data);
  }
  /// Excess-64, base 16.
  static std::string real(double v) {
    std::string out(8, '\0');
    if (v == 0) return out;
    double mantissa = std::fabs(v);
    int exponent = 64;
    while (mantissa >= 1) mantissa /= 16, ++exponent;
    while (mantissa < 1.0 / 16) mantissa *= 16, --exponent;
    auto digits = std::uint64_t(std::ldexp(mantissa, 56));
    out[0] = char((v < 0 ? 128 : 0) | exponent);
    for (int i = 7; i > 0; --i, digits >>= 8) out[std::size_t(i)] = char(digits & 255);
    return out;
  }

  void begin(const std::string& name) {
    shorts(0x05, std::vector<int>(12, 1));
    text(0x06, name);
  }
  void end() { mark(0x07); }
  void xy(const Points& points) {
    std::vector<std::int64_t> values;
    for (const auto& [x, y] : points) values.push_back(x), values.push_back(y);
    longs(0x10, values);
  }
  /// The first corner is repeated at the end.
  void polygon(int layer, int datatype, Points points) {
    points.push_back(points.front());
    mark(0x08), shorts(0x0d, {layer}), shorts(0x0e, {datatype}), xy(points), mark(0x11);
  }
  void rectangle(int layer, int datatype, int x0, int y0, int x1, int y1) {
    polygon(layer, datatype, {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
  }
  void box(int layer, int type, int x0, int y0, int x1, int y1) {
    mark(0x2d), shorts(0x0d, {layer}), shorts(0x2e, {type});
    xy({{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}), mark(0x11);
  }
  void node(int layer, int type, const Points& points) {
    mark(0x15), shorts(0x0d, {layer}), shorts(0x2a, {type}), xy(points), mark(0x11);
  }
  /// Type 4 has extensions.
  void path(int layer, int datatype, int type, int width, const Points& points, int before = 0,
            int after = 0) {
    mark(0x09), shorts(0x0d, {layer}), shorts(0x0e, {datatype}), shorts(0x21, {type}), longs(0x0f, {width});
    if (type == 4) longs(0x30, {before}), longs(0x31, {after});
    xy(points), mark(0x11);
  }
  void label(int layer, int type, int x, int y, const std::string& words) {
    mark(0x0c), shorts(0x0d, {layer}), shorts(0x16, {type}), xy({{x, y}}), text(0x19, words), mark(0x11);
  }
  void turn(int bits, double magnification, double angle) {
    shorts(0x1a, {bits}, 1);
    if (magnification != 1) reals(0x1b, {magnification});
    if (angle != 0) reals(0x1c, {angle});
  }
  void place(const std::string& name, int x, int y, bool mirrored = false, double magnification = 1,
             double angle = 0, int bits = 0) {
    mark(0x0a), text(0x12, name), turn(bits | (mirrored ? 0x8000 : 0), magnification, angle);
    xy({{x, y}}), mark(0x11);
  }
  /// `points`: the origin, and where one more column and row would be.
  void array(const std::string& name, int columns, int rows, const Points& points, bool mirrored = false,
             double magnification = 1, double angle = 0) {
    mark(0x0b), text(0x12, name), turn(mirrored ? 0x8000 : 0, magnification, angle);
    shorts(0x13, {columns, rows}), xy(points), mark(0x11);
  }
  void finish() { mark(0x04); }
  void save(const std::string& path) const { std::ofstream(path, std::ios::binary) << bytes; }

  std::string bytes;
};

/// Every kind of element, polygon and reference, each on a layer of its own. tests/data/layout/samples.gds is
/// this, and figures.csv beside it what KLayout and gdspy read in it.
inline GdsWriter gds_samples() {
  GdsWriter w;
  w.begin("unit");
  w.polygon(40, 0, {{0, 0}, {1000, 0}, {1000, 400}, {300, 400}, {300, 700}, {0, 700}});
  w.path(41, 0, 2, 200, {{0, 0}, {1500, 0}});
  w.end();
  w.begin("middle");
  w.place("unit", 5000, 0, true, 1.5, 30);
  w.array("unit", 3, 2, {{0, 0}, {9000, 3000}, {-2000, 8000}}, false, 1, 30);
  w.end();
  w.begin("TOP");
  w.rectangle(1, 0, 0, 0, 3000, 2000);
  w.rectangle(1, 0, 2000, 1000, 5000, 4000);                      // overlaps
  w.rectangle(1, 0, 5000, 1000, 6000, 4000);                      // touches
  w.polygon(2, 0, {{0, 0}, {2000, 2000}, {2000, 0}, {0, 2000}});  // crosses itself
  w.polygon(3, 0,
            {{0, 0},
             {6000, 0},
             {6000, 6000},
             {3000, 6000},
             {3000, 4000},
             {4000, 4000},
             {4000, 2000},
             {2000, 2000},
             {2000, 4000},
             {3000, 4000},
             {3000, 6000},
             {0, 6000}});  // a hole and its seam
  w.polygon(4, 0,
            {{0, 0}, {0, 0}, {1000, 0}, {1000, 0}, {1000, 1000}, {1500, 1000}, {1000, 1000}, {0, 1000}});
  w.polygon(5, 0,
            {{0, 0},
             {4000, 0},
             {4000, 4000},
             {1000, 4000},
             {1000, 1000},
             {3000, 1000},
             {3000, 3000},
             {0, 3000}});  // runs twice around its middle
  w.polygon(6, 7,
            {{0, 0},
             {1000, 0},
             {1000, 1000},
             {2000, 1000},
             {2000, 2000},
             {1000, 2000},
             {1000, 1000},
             {0, 1000}});  // touches itself in a corner
  const GdsWriter::Points bent{{0, 0}, {10000, 0}, {10000, 5000}, {15000, 8000}};
  w.path(10, 0, 0, 500, bent);
  w.path(10, 1, 1, 500, bent);
  w.path(10, 2, 2, 500, bent);
  w.path(10, 4, 4, 500, bent, 300, -200);
  w.path(11, 0, 0, 500, {{0, 0}, {5000, 0}, {1000, 2000}});  // a sharp corner
  w.path(11, 2, 2, 500, {{0, 0}});
  w.path(11, 1, 1, 500, {{0, 0}});
  w.path(12, 0, 0, -400, {{0, 0}, {3000, 4000}});
  w.path(13, 0, 0, 0, {{0, 0}, {3000, 4000}});
  w.box(20, 3, 0, 0, 1000, 500);
  w.node(21, 0, {{0, 0}, {1000, 0}});
  w.label(30, 1, 0, 250, "o1");
  w.place("middle", 20000, 0);
  w.place("middle", 20000, 30000, false, 0.5, -45);
  w.end();
  w.finish();
  return w;
}

}  // namespace umov::test
