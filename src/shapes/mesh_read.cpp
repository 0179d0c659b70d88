// Readers of triangle meshes: STL, text and binary, and OBJ.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/given_arrays.hpp"
#include "core/interruption.hpp"
#include "core/text.hpp"
#include "shapes/mesh.hpp"
#include "shapes/textfile.hpp"

namespace umov::shapes {
namespace {

/// Joins equal corners and leaves out triangles that have two equal ones.
class Builder {
 public:
  /// Triangles belong to it from here on.
  void name(std::string_view group) { mesh_.groups.emplace_back(trim(group)); }
  void add(const std::array<Vec3, 3>& corners) {
    stop_if_interrupted("while a mesh was read");
    std::array<int, 3> t;
    for (int c = 0; c < 3; ++c) {
      const auto [at, fresh] = known_.try_emplace(corners[c], int(mesh_.vertices.size()));
      if (fresh) mesh_.vertices.push_back(corners[c]);
      t[c] = at->second;
    }
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return;
    const auto& v = mesh_.vertices;
    if (!(norm(cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]])) > 0)) return;
    mesh_.triangles.push_back(t);
    mesh_.group.push_back(int(mesh_.groups.size()) - 1);
  }
  Mesh take(const std::string& path) {
    if (mesh_.triangles.empty()) throw BadInput(path + ": no triangles (the mesh is empty); check the file");
    return std::move(mesh_);
  }

 private:
  Mesh mesh_;
  std::map<Vec3, int> known_;
};

constexpr std::size_t stl_head = 84, stl_record = 50;

Mesh read_binary_stl(const std::string& path, const std::string& bytes) {
  Builder builder;
  for (std::size_t at = stl_head; at < bytes.size(); at += stl_record) {
    std::array<float, 9> x;
    std::memcpy(x.data(), bytes.data() + at + 12, sizeof x);
    std::array<Vec3, 3> corners;
    for (int i = 0; i < 9; ++i) {
      if (!std::isfinite(x[i]))
        throw BadInput(
            fmt::format("{}: triangle {} has a corner that is not finite (the file is damaged); export it "
                        "again",
                        path, (at - stl_head) / stl_record + 1));
      corners[i / 3][i % 3] = x[i];
    }
    builder.add(corners);
  }
  return builder.take(path);
}

Vec3 three_numbers(const TextFile& file, std::size_t line, std::string_view text) {
  Vec3 v;
  for (double& x : v)
    if (!take(text, x) || !std::isfinite(x))
      file.refuse(line, "a corner needs three numbers", "x y z", "correct the line");
  return v;
}

bool same_letters(std::string_view one, std::string_view other) {
  return std::ranges::equal(
      one, other, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

/// Takes a keyword away, in capitals or not.
bool starts(std::string_view& text, std::string_view word) {
  text = trim(text);
  if (!same_letters(text.substr(0, word.size()), word) ||
      (text.size() > word.size() && text[word.size()] != ' ' && text[word.size()] != '\t'))
    return false;
  text.remove_prefix(word.size());
  return true;
}

Mesh read_text_stl(const std::string& path) {
  const TextFile file(path);
  Builder builder;
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < file.lines(); ++i) {
    std::string_view text = file.line(i);
    if (starts(text, "solid")) builder.name(text);
    if (starts(text, "vertex")) corners.push_back(three_numbers(file, i, text));
    if (starts(text, "endfacet")) {
      if (corners.size() != 3)
        file.refuse(i, fmt::format("a facet of {} corners", corners.size()), "facets of STL are triangles",
                    "export the mesh again");
      builder.add({corners[0], corners[1], corners[2]});
      corners.clear();
    }
  }
  if (!corners.empty())
    file.refuse(file.lines() - 1, "the file ends within a facet", "endfacet is missing",
                "export the mesh again");
  return builder.take(path);
}

/// "7", "7/1" or "7//3", counted from 1, or from the end when negative.
int corner_of_face(const TextFile& file, std::size_t line, std::string_view word, std::size_t vertices) {
  const auto number = parse_integer(word.substr(0, word.find('/')));
  const long long index = !number ? 0 : *number < 0 ? (long long)(vertices) + *number + 1 : *number;
  if (index < 1 || index > (long long)(vertices))
    file.refuse(line, fmt::format("'{}' is not a vertex", word),
                fmt::format("{} were given so far", vertices), "correct the face");
  return int(index - 1);
}

/// A line with those that a backslash at its end continues it by; `last` becomes the last of them.
std::string whole_line(const TextFile& file, std::size_t& last) {
  std::string text(trim(file.line(last)));
  while (text.ends_with('\\') && !text.starts_with('#') && last + 1 < file.lines()) {
    text.back() = ' ';
    text += trim(file.line(++last));
  }
  return text;
}

Mesh read_obj(const std::string& path) {
  const TextFile file(path);
  Builder builder;
  std::vector<Vec3> vertices;
  for (std::size_t i = 0; i < file.lines(); ++i) {
    const std::string line = whole_line(file, i);
    std::string_view text = line;
    if (starts(text, "o") || starts(text, "g")) builder.name(text);
    if (starts(text, "v")) vertices.push_back(three_numbers(file, i, text));
    if (!starts(text, "f")) continue;
    std::vector<int> face;
    for (text = trim(text); !text.empty(); text = trim(text)) {
      const auto end = std::min(text.find_first_of(" \t"), text.size());
      face.push_back(corner_of_face(file, i, text.substr(0, end), vertices.size()));
      text.remove_prefix(end);
    }
    if (face.size() < 3) file.refuse(i, "a face of fewer than three corners", "it has no area", "remove it");
    for (std::size_t c = 2; c < face.size(); ++c)
      builder.add({vertices[face[0]], vertices[face[c - 1]], vertices[face[c]]});
  }
  return builder.take(path);
}

/// `vertices` [n][3] and `faces` [m][3], numbers of vertices from 0.
Mesh mesh_of(const GivenArrays& given) {
  const GivenArray &vertices = given.at("vertices"), &faces = given.at("faces");
  const auto of_three = [](const GivenArray& a) { return a.shape.size() == 2 && a.shape[1] == 3; };
  if (!of_three(vertices) || !of_three(faces) || !faces.is_whole())
    throw BadInput(given.said +
                   ": no triangles (wanted are vertices [n][3] and faces [m][3], whole numbers); give these");
  const auto count = (long long)(vertices.shape[0]);
  Builder builder;
  for (std::size_t t = 0; t < faces.shape[0]; ++t) {
    std::array<Vec3, 3> corners;
    for (std::size_t c = 0; c < 3; ++c) {
      const long long at = faces.whole(3 * t + c);
      if (at < 0 || at >= count)
        throw BadInput(
            fmt::format("{}: a triangle with the corner {} (there are {} vertices, from 0); correct it",
                        given.said, at, count));
      for (int k = 0; k < 3; ++k) corners[c][k] = vertices.real(3 * std::size_t(at) + std::size_t(k));
      for (const double x : corners[c])
        if (!std::isfinite(x))
          throw BadInput(fmt::format("{}: vertex {} is not finite; correct it", given.said, at));
    }
    builder.add(corners);
  }
  return builder.take(given.said);
}

bool ends_with(const std::string& path, const char* ending) {
  return path.size() > 4 && same_letters(std::string_view(path).substr(path.size() - 4), ending);
}

}  // namespace

Mesh read_mesh(const std::string& path) {
  if (path.empty()) throw BadInput("it has no file (a mesh is read from STL or OBJ); set file");
  if (const auto given = given_arrays(path)) return mesh_of(*given);
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw BadInput(path + ": cannot be read (no such file, or no permission); check the name of the mesh");
  if (ends_with(path, ".obj")) return read_obj(path);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (is_binary_stl(bytes)) return read_binary_stl(path, bytes);
  const std::string_view word = "facet";
  if (std::ranges::search(bytes, word, {}, [](unsigned char c) { return std::tolower(c); }).empty())
    throw BadInput(path +
                   ": not a mesh this program reads (neither STL, whole and in text or binary, nor *.obj); "
                   "convert it to "
                   "STL");
  return read_text_stl(path);
}

}  // namespace umov::shapes
