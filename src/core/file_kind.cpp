// Kinds of files that users give in each other's place.
#include "core/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov {

namespace {

constexpr std::size_t most_bytes = 1 << 16;  // that are looked at
constexpr std::size_t stl_head = 84, stl_record = 50;

constexpr const char* fdtd_body = "umov fdtd takes it as file of a body of shape \"mesh\"";
constexpr FileKind stl{FileFormat::stl, "a mesh of triangles (STL)", fdtd_body};
constexpr FileKind obj{FileFormat::obj, "a mesh of triangles (OBJ)", fdtd_body};
constexpr FileKind ply{FileFormat::ply, "a mesh (PLY)",
                       "export it as STL; umov fdtd takes that as file of a body"};
constexpr FileKind off{FileFormat::off, "a mesh (OFF)",
                       "export it as STL; umov fdtd takes that as file of a body"};
constexpr FileKind gmsh{FileFormat::gmsh, "a mesh of Gmsh's", "umov eqs takes it as mesh.file of a case"};
constexpr FileKind vtk{FileFormat::vtk, "a file of VTK's", "umov pmaxwell takes a directory of them"};
constexpr FileKind hdf5{FileFormat::hdf5, "an HDF5 file", "umov view shows those that a run has left"};
constexpr FileKind toml{FileFormat::toml, "a case of umov (TOML)",
                        "give it alone behind the command it is for, as in: umov dda case.toml"};
constexpr FileKind ddscat{FileFormat::ddscat, "DDSCAT's parameter file", "give it to umov ddscat"};
constexpr FileKind ddscat_index{FileFormat::ddscat_index, "DDSCAT's table of a refractive index",
                                "name it in a ddscat.par for umov ddscat, or write its wavelengths, n and k "
                                "as three columns"};
constexpr FileKind opendda{FileFormat::opendda, "OpenDDA's control file", "give it to umov opendda"};
constexpr FileKind sites{FileFormat::sites, "a list of dipoles",
                         "umov dda reads it as --shape-file, umov adda as -shape read"};

constexpr FileKind picture{
    FileFormat::picture, "a picture (PNG, JPEG, BMP, TIFF or TGA)",
    "umov fdtd takes one as its model, and writes a case of it: umov fdtd PICTURE --dry-run > case.toml"};

/// The lines that are neither empty nor remarks, in small letters.
std::vector<std::string> said(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = text.find_first_of("\r\n");
    const std::string_view line = trim(text.substr(0, end));
    if (!line.empty() && line.front() != '#') out.push_back(lower(line));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return out;
}

bool has(const std::vector<std::string>& lines, std::string_view words) {
  return std::ranges::any_of(lines, [&](const auto& line) { return line.find(words) != line.npos; });
}

bool begins(const std::vector<std::string>& lines, std::string_view word) {
  return std::ranges::any_of(lines, [&](const auto& line) { return line.starts_with(word); });
}

/// "[shape]" or "[[material]]", alone in its line but for a remark.
bool is_table(const std::string& line) {
  std::string_view name = trim(std::string_view(line).substr(0, line.find('#')));
  for (int brackets = line.starts_with("[[") ? 2 : 1; brackets > 0; --brackets) {
    if (!name.starts_with('[') || !name.ends_with(']')) return false;
    name = name.substr(1, name.size() - 2);
  }
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-.") == name.npos;
}

/// Three or more whole numbers and nothing else.
bool is_site(std::string_view line) {
  long long number;
  int count = 0;
  while (!trim(line).empty()) {
    if (!take(line, number)) return false;
    ++count;
  }
  return count >= 3;
}

const FileKind* of_lines(const std::vector<std::string>& lines) {
  if (lines.empty()) return nullptr;
  const std::string& first = lines[0];
  if (first.starts_with("solid") && (begins(lines, "facet") || begins(lines, "endsolid"))) return &stl;
  if (first == "ply") return &ply;
  if (first == "off") return &off;
  if (first == "$meshformat") return &gmsh;
  if (first.find("parameter file for v") != first.npos || has(lines, "cmdtrq")) return &ddscat;
  if (has(lines, "breakdown tolerance=")) return &opendda;
  if (lines.size() > 1 && lines[1].find("= columns") != std::string::npos) return &ddscat_index;
  if (std::ranges::any_of(lines, is_table)) return &toml;
  if (begins(lines, "v ") && begins(lines, "f ")) return &obj;
  const bool counted = first.starts_with("nmat=");
  return lines.size() > 1 && (counted || is_site(first)) && is_site(lines[1]) ? &sites : nullptr;
}

/// By the first bytes of the formats that have such; a BMP's are letters, and bytes that it leaves 0.
bool is_picture(std::string_view bytes) {
  using namespace std::string_view_literals;
  for (const auto first : {"\x89PNG\r\n\x1a\n"sv, "\xff\xd8\xff"sv, "II*\0"sv, "MM\0*"sv})
    if (bytes.starts_with(first)) return true;
  return bytes.starts_with("BM") && bytes.size() > 10 && bytes.substr(6, 4) == "\0\0\0\0"sv;
}

}  // namespace

bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < stl_head) return false;
  std::uint32_t count;
  std::memcpy(&count, bytes.data() + stl_head - sizeof count, sizeof count);
  return bytes.size() == stl_head + stl_record * std::size_t(count);
}

const FileKind* kind_of_file(const std::string& path, std::string_view content) {
  if (is_binary_stl(content)) return &stl;
  if (is_picture(content)) return &picture;
  if (content.starts_with("\x89HDF")) return &hdf5;
  if (content.starts_with("# vtk DataFile")) return &vtk;
  if (const FileKind* kind = of_lines(said(content.substr(0, most_bytes)))) return kind;
  const std::string name = lower(path);
  if (name.ends_with(".toml")) return &toml;
  if (name.ends_with(".stl")) return &stl;
  if (name.ends_with(".tga")) return &picture;
  return name.ends_with(".obj") ? &obj : nullptr;
}

void refuse_other_kind(const std::string& path, std::string_view content, const std::string& why,
                       FileFormat wanted) {
  const FileKind* kind = kind_of_file(path, content);
  if (kind && kind->format != wanted)
    throw BadInput(fmt::format("{} is {} ({}); {}", path, kind->name, why, kind->use));
}

void refuse_other_kind(const std::string& path, const std::string& why, FileFormat wanted) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return;
  std::ifstream in(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  refuse_other_kind(path, content, why, wanted);
}

}  // namespace umov
