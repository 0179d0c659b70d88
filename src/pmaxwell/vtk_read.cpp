// Reader of rectilinear grids with complex numbers in VTK's legacy format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "pmaxwell/vtk_file.hpp"
#include "pmaxwell/vtk_text.hpp"

namespace umov::pmaxwell {

namespace {

constexpr long long most_points = 1'000'000'000'000;

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path) {}

  ComplexGrid read() {
    head();
    for (auto words = file_.words(); !words.empty(); words = file_.words()) section(words);
    for (int axis = 0; axis < 3; ++axis)
      if (out_.axes[axis].empty())
        file_.refuse_file(
            fmt::format("has no {}_COORDINATES (a rectilinear grid has them along x, y and z)", "XYZ"[axis]));
    if (points_ < 0)
      file_.refuse_file(
          "has no point data (it ends before POINT_DATA); write SCALARS with two numbers a point");
    assemble();
    return std::move(out_);
  }

 private:
  struct Data {
    std::string name;
    int components;
    std::vector<float> values;
  };

  void head() {
    std::string_view line;
    if (!file_.next(line)) file_.refuse_file("is empty; give a VTK legacy file of a rectilinear grid");
    if (!line.starts_with("# vtk DataFile Version"))
      file_.refuse(
          "is no VTK legacy file (the first line is '# vtk DataFile Version 3.0'; .vtr is another format); "
          "save it as "
          "a legacy .vtk file");
    if (!file_.next(line)) file_.refuse_file("ends after its first line; write the file anew, whole");
    out_.title = std::string(trim(line));
    const auto format = file_.words();
    const std::string word = format.empty() ? "" : upper(format[0]);
    if (word != "ASCII" && word != "BINARY")
      file_.refuse(fmt::format("the third line is '{}'; it says ASCII or BINARY",
                               format.empty() ? "" : shortened(format[0])));
    file_.binary = word == "BINARY";
    const auto set = file_.words();
    if (set.size() != 2 || upper(set[0]) != "DATASET" || upper(set[1]) != "RECTILINEAR_GRID")
      file_.refuse(
          fmt::format("'{}' in place of DATASET RECTILINEAR_GRID (other data sets are not read); save a "
                      "rectilinear grid",
                      shortened(join(set, " "))));
  }

  void section(const std::vector<std::string>& words) {
    const std::string key = upper(words[0]);
    if (key == "DIMENSIONS") return dimensions(words);
    if (key == "METADATA") return skip_metadata();
    if (key == "FIELD") return field(words);
    if (key.ends_with("_COORDINATES") && key.size() == 13) return coordinates(words, key[0] - 'X');
    if (key == "POINT_DATA") return point_data(words);
    if (key == "SCALARS" && points_ >= 0) return scalars(words);
    if (points_ >= 0 && !data_.empty())
      file_.refuse(
          fmt::format("'{}' behind the {} numbers of '{}' (more bytes than the grid has points, or data of "
                      "another kind); check the sizes",
                      shortened(words[0]), data_.back().values.size(), shortened(data_.back().name)));
    file_.refuse(
        fmt::format("'{}' is not read (DIMENSIONS, coordinates and POINT_DATA with SCALARS or a FIELD are)",
                    shortened(words[0])));
  }

  long long whole(const std::vector<std::string>& words, std::size_t at, long long least, long long most) {
    const auto n = at < words.size() ? parse_integer(words[at]) : std::nullopt;
    if (!n || *n < least || *n > most)
      file_.refuse(
          fmt::format("'{}' lacks a whole number from {} to {}", shortened(join(words, " ")), least, most));
    return *n;
  }

  NumberType type(const std::vector<std::string>& words, std::size_t at) {
    const std::string word = at < words.size() ? words[at] : "";
    if (upper(word) == "FLOAT") return NumberType::single;
    if (upper(word) == "DOUBLE") return NumberType::twofold;
    if (points_ < 0 && upper(word) == "INT") return NumberType::single;  // of the whole data set: passed over
    file_.refuse(fmt::format("the numbers are of type '{}' (single precision is wanted); write float",
                             shortened(word)));
  }

  void dimensions(const std::vector<std::string>& words) {
    if (size_[0] > 0) file_.refuse("DIMENSIONS are there twice; leave one out");
    for (int axis = 0; axis < 3; ++axis) size_[axis] = whole(words, axis + 1, 1, 100'000'000);
    if (double(size_[0]) * double(size_[1]) * double(size_[2]) > double(most_points))
      file_.refuse("the grid has more points than any machine holds");
  }

  void coordinates(const std::vector<std::string>& words, int axis) {
    if (axis < 0 || axis > 2) file_.refuse("these coordinates are of no axis; X, Y and Z have some");
    const long long n = whole(words, 1, 1, 100'000'000);
    if (n != size_[axis])
      file_.refuse(fmt::format("{} coordinates along {} (DIMENSIONS says {}); make them agree", n,
                               "xyz"[axis], size_[axis]));
    const std::string what = fmt::format("the {} coordinates", "xyz"[axis]);
    auto values = file_.doubles(n, type(words, 2), what);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]) || (i > 0 && !(values[i] > values[i - 1])))
        file_.refuse_file(fmt::format("{} do not ascend (number {} is {:g}{}); write finite, ascending ones",
                                      what, i, values[i],
                                      i > 0 ? fmt::format(" after {:g}", values[i - 1]) : ""));
    out_.axes[axis] = std::move(values);
  }

  void point_data(const std::vector<std::string>& words) {
    if (size_[0] == 0) file_.refuse("POINT_DATA before DIMENSIONS; exchange them");
    points_ = whole(words, 1, 0, most_points);
    if (points_ != size_[0] * size_[1] * size_[2])
      file_.refuse(fmt::format("POINT_DATA of {} points (DIMENSIONS has {} x {} x {}); make them agree",
                               points_, size_[0], size_[1], size_[2]));
  }

  void read_data(const std::string& name, int components, long long tuples, NumberType kind) {
    if (points_ < 0) {  // of the whole data set, not of points
      (void)file_.doubles(components * tuples, kind, "the field data");
      return;
    }
    if (kind != NumberType::single)
      file_.refuse(
          fmt::format("'{}' has numbers of type double (complex single precision is wanted); write float",
                      shortened(name)));
    if (tuples != points_)
      file_.refuse(fmt::format("'{}' has {} tuples (there are {} points); make them agree", shortened(name),
                               tuples, points_));
    data_.push_back({name, components,
                     file_.floats(components * tuples, fmt::format("the numbers of '{}'", shortened(name)))});
  }

  void scalars(const std::vector<std::string>& words) {
    if (words.size() < 3) file_.refuse("SCALARS without a name and a type");
    const int components = words.size() > 3 ? int(whole(words, 3, 1, 4)) : 1;
    const NumberType kind = type(words, 2);
    const auto table = file_.words();
    if (table.size() != 2 || upper(table[0]) != "LOOKUP_TABLE")
      file_.refuse("SCALARS are followed by a line 'LOOKUP_TABLE default'; write one");
    read_data(words[1], components, points_, kind);
  }

  void field(const std::vector<std::string>& words) {
    const long long arrays = whole(words, 2, 0, 1000);
    for (long long a = 0; a < arrays; ++a) {
      auto line = file_.words();
      while (!line.empty() && upper(line[0]) == "METADATA") {
        skip_metadata();
        line = file_.words();
      }
      if (line.size() != 4) file_.refuse("an array of a FIELD is 'NAME COMPONENTS TUPLES TYPE'");
      read_data(line[0], int(whole(line, 1, 0, 100)), whole(line, 2, 0, most_points), type(line, 3));
    }
  }

  /// A block that ends with an empty line.
  void skip_metadata() {
    std::string_view line;
    while (file_.next(line) && !trim(line).empty()) {
    }
  }

  void assemble() {
    const bool pair = data_.size() == 2 && data_[0].components == 1 && data_[1].components == 1;
    if (!pair && (data_.size() != 1 || data_[0].components != 2))
      file_.refuse_file(
          fmt::format("has {} (complex numbers are one array of two numbers a point, or two arrays of one: "
                      "real, then imaginary part); write 'SCALARS NAME float 2'",
                      data_.empty() ? "no data"
                                    : fmt::format("{} array(s), the first of {} number(s) a point",
                                                  data_.size(), data_[0].components)));
    out_.name = data_[0].name;
    out_.values.resize(points_);
    const auto &first = data_[0].values, &second = pair ? data_[1].values : first;
    for (long long i = 0; i < points_; ++i) {
      out_.values[i] =
          pair ? Complex<float>(first[i], second[i]) : Complex<float>(first[2 * i], first[2 * i + 1]);
      if (!std::isfinite(out_.values[i].re) || !std::isfinite(out_.values[i].im))
        file_.refuse_file(
            fmt::format("the value at point ({}, {}, {}) is {:g} + {:g} i (fields and coefficients are "
                        "finite); mend what wrote it",
                        i % size_[0], i / size_[0] % size_[1], i / size_[0] / size_[1], out_.values[i].re,
                        out_.values[i].im));
    }
  }

  VtkText file_;
  ComplexGrid out_;
  long long size_[3] = {0, 0, 0};
  long long points_ = -1;
  std::vector<Data> data_;
};

}  // namespace

ComplexGrid read_complex_grid(const std::string& path) { return Reader(path).read(); }

}  // namespace umov::pmaxwell
