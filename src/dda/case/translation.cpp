// A case that was written for another program: its files, and its TOML.
#include "dda/case/translation.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/text.hpp"

namespace umov::dda {

namespace {

/// Calls `f` with each name in the case that may be one of the files.
template <class F>
void each_name(Case& c, const F& f) {
  f(c.simulation.shape.file);
  for (MaterialRequest& m : c.materials) f(m.nk_file);
  f(c.simulation.outputs.scat_grid_file);
}

/// The case with its files at other places.
Case renamed(const Translation& t, const std::string& before) {
  Case c = t.given;
  each_name(c, [&](std::string& name) {
    for (const Companion& file : t.files)
      if (name == file.name) {
        name = before + name;
        return;
      }
  });
  return c;
}

/// A line of TOML with the table that it stands in.
struct Line {
  std::string section, text;
  bool is_list = false;  ///< of a [[table]]
  int item = -1;         ///< and of which, from 0
};

std::vector<Line> lines_of(const std::string& toml) {
  std::vector<Line> out;
  std::istringstream in(toml);
  std::string section;
  bool list = false;
  std::map<std::string, int> items;
  for (std::string text; std::getline(in, text);) {
    if (text.starts_with("[")) {
      list = text.starts_with("[[");
      section = std::string(trim(text));
      if (list) out.push_back({section, "", true, items[section]++});
    } else if (!trim(text).empty() && text[0] != '#') {
      out.push_back({section, text, list, list ? items[section] - 1 : -1});
    }
  }
  return out;
}

/// "section.key" of a line "key = value" of "[section]" or "[[section]]"; `item` is put behind the section.
std::string name_of(const Line& line, const std::string& item = "") {
  const std::string key(trim(line.text.substr(0, line.text.find('='))));
  const std::size_t first = line.section.find_first_not_of('[');
  if (first == std::string::npos) return key;
  return line.section.substr(first, line.section.find(']') - first) + item + "." + key;
}

std::string with_origin(const Line& line, const Origins& origins) {
  auto at = origins.find(name_of(line, fmt::format("[{}]", line.item)));
  if (at == origins.end()) at = origins.find(name_of(line));
  const std::string text(trim(line.text.substr(0, line.text.find("  #"))));
  return at == origins.end() ? text : fmt::format("{}  # {}", text, at->second);
}

}  // namespace

std::string file_line(const std::string& path, std::size_t line) { return fmt::format("{}:{}", path, line); }

void place_files(Translation& t, const std::string& folder, const std::string& prefix, bool write) {
  const std::string before = (folder.empty() ? "" : folder + "/") + prefix;
  t.given = renamed(t, before);
  for (Companion& file : t.files) {
    file.name = before + file.name;
    if (write) write_file(file.name, file.text);
  }
}

std::string nk_text(const std::string& source, const std::vector<double>& wavelengths,
                    const std::vector<std::vector<cplx>>& axes) {
  std::string out = fmt::format("# index at the wavelengths of the case, from {}\n", source);
  out += axes.size() == 1 ? "wavelength_um,n,k\n" : "wavelength_um,n_x,k_x,n_y,k_y,n_z,k_z\n";
  for (std::size_t i = 0; i < wavelengths.size(); ++i) {
    out += shortest(wavelengths[i]);
    for (const auto& m : axes) out += fmt::format(",{},{}", shortest(m[i].real()), shortest(m[i].imag()));
    out += '\n';
  }
  return out;
}

std::string directions_text(const std::vector<std::array<double, 2>>& directions) {
  std::string out =
      fmt::format("# theta and phi of each direction\nglobal_type=pairs\nN={}\npairs=\n", directions.size());
  for (const auto& [theta, phi] : directions) out += fmt::format("{} {}\n", shortest(theta), shortest(phi));
  return out;
}

std::string to_toml(const Translation& t, const std::string& prefix) {
  constexpr const char* here = "/beside-this-case/";  // `path` writes absolute names: taken off again below
  const Case mine = renamed(t, here + prefix);
  const auto all = lines_of(parameters().write_toml(mine));
  std::set<std::string> defaults;
  for (const Line& line : lines_of(parameters().write_toml(Case())))
    if (!line.is_list) defaults.insert(line.section + line.text);

  std::string out =
      fmt::format("# {}, written for {}. Run it with `umov dda`; `--dry-run` prints every default.\n",
                  t.source, t.program);
  for (const std::string& remark : t.remarks) out += "# " + remark + "\n";
  out += "\n";
  std::string section;
  for (const Line& line : all) {
    const bool head = line.is_list && line.text.empty();
    if (!line.is_list && defaults.count(line.section + line.text)) continue;
    if (head || (!line.is_list && line.section != section)) out += "\n" + line.section + "\n";
    section = line.section;
    if (!head) out += with_origin(line, t.origins) + "\n";
  }
  for (std::size_t at; (at = out.find(here)) != std::string::npos;) out.erase(at, std::string(here).size());
  return out;
}

}  // namespace umov::dda
