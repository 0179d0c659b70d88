// Cases of a sweep as trees, their checks and what tells them apart.
#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "run/file_contents.hpp"
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

Tree without_places(const ParameterList& table, const Tree& whole) {
  Tree out = whole;
  auto& sections = std::get<Tree::Table>(out.data);
  for (auto& [section, tree] : sections)
    if (auto* entries = std::get_if<Tree::Table>(&tree.data))
      std::erase_if(*entries,
                    [&](const auto& entry) { return says_where(table, section + "." + entry.first); });
  std::erase_if(sections,
                [](const auto& entry) { return entry.second.table() && entry.second.table()->empty(); });
  return out;
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

Tree Sweep::case_of(std::size_t k) const {
  Tree tree = base;
  const auto at = values_of_case(axes, k);
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (const std::string& path : axes[i].paths) tree.set(path, axes[i].values[at[i]], axes[i].place);
  return tree;
}

Sweep make_sweep(const Family& family, Tree base, std::vector<Axis> axes) {
  if (axes.empty())
    throw BadInput("nothing varies (there is no axis); give --set PATH=VALUES, or [[vary]] in the case");
  Sweep s{family.name(), std::move(base), std::move(axes), 0};
  s.cases = count_cases(s.axes);
  std::set<std::string> names;
  for (const Axis& axis : s.axes) {
    refuse_name(axis);
    if (!names.insert(axis.name).second)
      throw BadInput(
          fmt::format("{}: '{}' is varied twice (each parameter has one axis); keep one, or give "
                      "the other another name",
                      axis.place, axis.name));
  }
  check_paths(family.parameters(), s);
  for (Axis& axis : s.axes)
    if (const auto* info = family.parameters().find(axis.paths.front()); info && axis.numbers())
      axis.unit = info->unit;
  return s;
}

void check_cases(const Sweep& s, const Family& family, const std::vector<std::size_t>& cases, bool planned) {
  for (const std::size_t k : cases) try {
      const Tree tree = s.case_of(k);
      refuse_ranks(tree);
      planned ? void(family.plan(tree)) : family.check(tree);
    } catch (const BadInput& e) {
      throw BadInput(fmt::format("case {} ({}): {}", k + 1, describe_case(s.axes, k), e.what()));
    }
}

std::string resolved_toml(const Sweep& s) {
  Tree whole = s.base;
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

std::uint64_t Keys::of(std::size_t k) {
  Tree tree = without_places(table_, sweep_.case_of(k));
  std::string contents;
  change_texts(tree, [&](std::string& text) {
    if (!fs::path(text).is_absolute() || !is_file(text)) return;
    const auto [found, unknown] = contents_.try_emplace(text, 0);
    if (unknown) {
      Digest digest;
      digest.add_file(text);
      found->second = digest.value();
    }
    contents += fmt::format("{:016x}\n", found->second);
    run::forget_folder(text);
  });
  Digest digest;
  digest.add(fmt::format("{}\n{}\n{}\n{}", sweep_.family, run::version(), toml_text(tree), contents));
  return digest.value();
}

}  // namespace umov::sweep
