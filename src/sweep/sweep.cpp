// Cases of a sweep as trees, their checks and what tells them apart.
#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/file_contents.hpp"
#include "core/text.hpp"
#include "run/version.hpp"

namespace umov::sweep {

namespace fs = std::filesystem;

namespace {

using Change = std::function<void(std::string&)>;

void change_texts(Value& v, const Change& change) {
  if (auto* text = std::get_if<std::string>(&v.data)) change(*text);
  if (auto* list = std::get_if<std::vector<Value>>(&v.data))
    for (Value& item : *list) change_texts(item, change);
}

void change_texts(Tree& tree, const Change& change) {
  if (auto* table = std::get_if<Tree::Table>(&tree.data))
    for (auto& [key, entry] : *table) change_texts(entry, change);
  if (auto* list = std::get_if<Tree::List>(&tree.data))
    for (Tree& item : *list) change_texts(item, change);
  if (auto* value = std::get_if<Value>(&tree.data)) change_texts(*value, change);
}

/// A text with a dot or a slash may be the name of a file; a word may not, whatever lies in the folder.
bool is_file(const fs::path& path) {
  std::error_code ignored;
  return path.string().find_first_of("./") != std::string::npos && fs::is_regular_file(path, ignored);
}

/// Whether a parameter says where or how a case runs, and changes no result.
bool says_where(const ParameterList& table, const std::string& path) {
  const ParameterInfo* info = table.find(path);
  return info && info->concern == Concern::machine;
}

bool is_nothing(const Tree& tree) {
  const auto* list = std::get_if<Tree::List>(&tree.data);
  return (tree.table() && tree.empty()) || (list && std::all_of(list->begin(), list->end(), is_nothing));
}

/// Takes parameters of which `idle` holds from sections and from items of lists, and what is then empty.
void take_parameters(Tree& tree, const std::string& path,
                     const std::function<bool(const std::string&)>& idle) {
  if (auto* list = std::get_if<Tree::List>(&tree.data))
    for (std::size_t i = 0; i < list->size(); ++i)
      take_parameters((*list)[i], fmt::format("{}[{}]", path, i), idle);
  auto* table = std::get_if<Tree::Table>(&tree.data);
  if (!table) return;
  const auto name_of = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  for (auto& [key, entry] : *table) take_parameters(entry, name_of(key), idle);
  std::erase_if(*table, [&](const auto& entry) {
    return is_nothing(entry.second) || (entry.second.value() && idle(name_of(entry.first)));
  });
}

void refuse_where(const ParameterList& table, const Axis& axis, const std::string& path) {
  if (path.starts_with("vary"))
    throw BadInput(fmt::format("{} names the axes themselves; name a parameter of the case", axis.place));
  if (!says_where(table, path)) return;
  throw BadInput(fmt::format("{} varies '{}' ({}); leave it out", axis.place, path,
                             path == "output.folder"
                                 ? "the cases of a sweep have one folder, that of --output"
                                 : "it says where or how a case runs, which changes no result"));
}

/// Whether what is set by one path is what another sets, or a part of it, however they are spelled: then it
/// matters which comes last.
bool overlap(const Tree& base, const std::string& a, const std::string& b) {
  const auto after = [&](const std::string& first, const std::string& last) {
    Tree tree = base;
    tree.set(first, "set by " + first);
    tree.set(last, "set by " + last);
    return toml_text(tree);
  };
  try {
    return a == b || after(a, b) != after(b, a);
  } catch (const ValueError&) {  // what the second is a part of is gone
    return true;
  }
}

/// Sets every path once, so that one that leads nowhere is found; no two may lead to one place.
void check_paths(const ParameterList& table, const Sweep& s) {
  Tree probe = s.base;
  std::vector<std::string> before;
  for (const Axis& axis : s.axes)
    for (const std::string& path : axis.paths) {
      refuse_where(table, axis, path);
      try {
        probe.set(path, axis.values.front(), axis.place);
      } catch (const ValueError& e) {
        throw BadInput(fmt::format("{}: the path {}", axis.place, e.what()));
      }
      for (const std::string& other : before)
        if (overlap(s.base, other, path))
          throw BadInput(
              fmt::format("{}: '{}' is varied twice ({} parameter has one axis); keep one", axis.place, path,
                          other == path ? "each" : "'" + other + "' is the same, or a part, and a"));
      before.push_back(path);
    }
}

/// The names of axes are columns, and arrays of a file.
void refuse_name(const Axis& axis) {
  static const std::set<std::string> taken{"", ".", "..", "case", "status", "message"};
  if (taken.count(axis.name))
    throw BadInput(
        fmt::format("{}: '{}' cannot be the name of an axis (it {}); give another", axis.place, axis.name,
                    axis.name.find_first_not_of('.') == std::string::npos ? "names no column"
                                                                          : "is a column of every sweep"));
}

/// Shards share a sweep among machines; a case of it is computed by one rank.
void refuse_ranks(const Tree& tree) {
  for (const char* path : {"machine.ranks", "machine.gpus"}) {
    const Tree* said = tree.find(path);
    const Value* value = said ? said->value() : nullptr;
    const auto* n = value ? std::get_if<long long>(&value->data) : nullptr;
    if (value && (!n || *n > 1))
      throw BadInput(fmt::format("{}: '{}' (a case of a sweep is computed on one rank); leave it out",
                                 said->place, path));
  }
}

}  // namespace

Value Sweep::value(std::size_t axis, std::size_t k) const {
  return points.empty() ? axes[axis].values[places_of_case(axes, k)[axis]] : written(points[k][axis]);
}

double Sweep::number(std::size_t axis, std::size_t k) const {
  if (!points.empty()) return points[k][axis];
  const std::size_t place = places_of_case(axes, k)[axis];
  return axes[axis].numbers() ? read_number(axes[axis].values[place], {}) : double(place + 1);
}

Tree Sweep::case_of(std::size_t k) const {
  Tree tree = base;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (const std::string& path : axes[i].paths) tree.set(path, value(i, k), axes[i].place);
  return tree;
}

std::string Sweep::describe(std::size_t k) const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < axes.size(); ++i)
    words.push_back(fmt::format("{} = {}", axes[i].name, text_of(value(i, k))));
  return join(words, ", ");
}

Sweep make_sweep(const std::string& family, const ParameterList& table, Tree base, std::vector<Axis> axes,
                 cases::DesignSpec design) {
  if (axes.empty())
    throw BadInput("nothing varies (there is no axis); give --set PATH=VALUES, or [[vary]] in the case");
  Sweep s{family, std::move(base), std::move(axes), 0, std::move(design), {}};
  std::set<std::string> names;
  for (const Axis& axis : s.axes) {
    refuse_name(axis);
    if (!names.insert(axis.name).second)
      throw BadInput(fmt::format("{}: '{}' is varied twice (each parameter has one axis); keep one{}",
                                 axis.place, axis.name,
                                 axis.named ? ", or give the other another name" : ""));
  }
  for (Axis& axis : s.axes)  // of a table's no value is known yet
    if (const auto* info = table.find(axis.paths.front()); info && axis.numbers()) axis.unit = info->unit;
  s.points = points_of(s.design, s.axes);
  s.cases = s.points.empty() ? count_cases(s.axes) : s.points.size();
  check_paths(table, s);
  return s;
}

void check_cases(const Sweep& s, const Family& family, const std::vector<std::size_t>& cases, bool planned) {
  for (const std::size_t k : cases) try {
      const Tree tree = s.case_of(k);
      refuse_ranks(tree);
      planned ? void(family.plan(tree)) : family.check(tree);
    } catch (const BadInput& e) {
      throw BadInput(fmt::format("case {} ({}): {}", k + 1, s.describe(k), e.what()));
    }
}

namespace {

/// A table's file may be gone later: its rows are axes that go together.
Sweep without_table(Sweep s) {
  if (s.design.design != cases::Design::table) return s;
  for (std::size_t i = 0; i < s.axes.size(); ++i) {
    s.axes[i].together = true;
    s.axes[i].values.clear();
    for (const auto& point : s.points) s.axes[i].values.push_back(written(point[i]));
  }
  s.design.design = cases::Design::all;
  s.design.table.clear();
  s.points.clear();
  return s;
}

}  // namespace

std::string resolved_toml(const Sweep& whole_sweep) {
  const Sweep s = without_table(whole_sweep);
  Tree whole = s.base;
  put_design(whole, s.design);
  put_axes(whole, s.axes);
  return fmt::format("# A sweep of `umov {}`: `umov sweep resolved.toml --output DIR` repeats it.\n{}",
                     s.family, toml_text(whole));
}

Tree with_whole_paths(Tree tree, const std::string& folder) {
  change_texts(tree, [&](std::string& text) {
    if (text.empty() || fs::path(text).is_absolute()) return;
    const fs::path beside = fs::path(folder) / text;
    for (const fs::path& path : {beside, fs::path(text)})
      if (is_file(path)) {
        text = fs::absolute(path).lexically_normal().string();
        return;
      }
  });
  return tree;
}

Tree without_folders(Tree tree) {
  change_texts(tree, [](std::string& text) {
    if (fs::path(text).is_absolute()) forget_folder(text);
  });
  return tree;
}

Keys::Contents Keys::Contents::of(const std::string& path) {
  std::error_code ignored;
  Digest digest;
  const auto size = fs::file_size(path, ignored);
  const auto written = fs::last_write_time(path, ignored);  // before its content is read
  add_contents(digest, path);
  return {digest.value(), size, written};
}

Files Keys::files() const {
  Files out;
  for (const auto& [path, contents] : contents_) out[path] = contents.digest;
  return out;
}

void Keys::require_unchanged(const Tree& said) const {
  Tree tree = said;
  change_texts(tree, [&](std::string& text) {
    const auto known = contents_.find(text);
    if (known == contents_.end()) return;
    std::error_code ignored;
    const Contents& before = known->second;
    if (fs::file_size(text, ignored) == before.size && fs::last_write_time(text, ignored) == before.written)
      return;
    if (Contents::of(text).digest != before.digest)
      throw BadInput(
          fmt::format("{} was changed while the sweep ran (its rows would be of two versions); continue with "
                      "--resume, which computes anew what reads it",
                      text));
  });
}

std::string Keys::text(const Tree& said) {
  Tree tree = said;
  take_parameters(tree, "", [&](const std::string& path) {
    const ParameterInfo* info = table_.find(path);
    if (!info || info->concern == Concern::machine) return info != nullptr;
    return !outputs_ && (info->concern == Concern::output || info->concern == Concern::record);
  });
  std::string contents;
  change_texts(tree, [&](std::string& text) {
    if (!fs::path(text).is_absolute() || !is_file(text)) return;
    const auto [found, unknown] = contents_.try_emplace(text);
    if (unknown) found->second = Contents::of(text);
    contents += fmt::format("contents of {}: {:016x}\n", file_name(text), found->second.digest);
    forget_folder(text);
  });
  return toml_text(tree) + "\n" + contents;
}

std::uint64_t Keys::of(const Tree& said) {
  Digest digest;
  digest.add(fmt::format("{}\n{}\n{}", family_, run::version(), text(said)));
  return digest.value();
}

}  // namespace umov::sweep
