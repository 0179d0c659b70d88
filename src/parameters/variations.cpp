#include "parameters/variations.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "parameters/tree.hpp"

namespace umov {

namespace {

/// A path that begins with an item of a list of tables.
struct ItemPath {
  std::string list, item, rest;  ///< "layer", "varistor" or a number from 1, "thickness"
  bool counted = false;          ///< "layer[0]"
};

ItemPath split_path(const Tree& tree, const std::string& path) {
  const auto dot = path.find('.');
  if (dot == path.npos) return {"", "", path};
  const auto bracket = path.find('[');
  const std::string first = path.substr(0, std::min(dot, bracket));
  const Tree* list = tree.find(first);
  if (!list || !std::holds_alternative<Tree::List>(list->data)) return {"", "", path};
  if (bracket < dot)
    return {first, std::to_string(std::stoul(path.substr(bracket + 1)) + 1), path.substr(dot + 1), true};
  const auto next = path.find('.', dot + 1);
  if (next == path.npos)
    throw ValueError(
        fmt::format("names '{}', which is no parameter; write {}.NAME.KEY", shortened(path), first));
  return {first, path.substr(dot + 1, next - dot - 1), path.substr(next + 1)};
}

/// The name or region of an item that no other of its list has; "" without one.
std::string own_name(const Tree& tree, const std::string& list, const std::string& item) {
  const Tree* found = tree.find(list + "." + item);
  if (!found || !found->table()) return "";
  for (const char* key : {"name", "region"}) {
    const auto entry = found->table()->find(key);
    const Value* value = entry == found->table()->end() ? nullptr : entry->second.value();
    const auto* word = value ? std::get_if<std::string>(&value->data) : nullptr;
    if (word) try {
        if (tree.find(list + "." + *word) == found) return *word;
      } catch (const ValueError&) {  // two are called so
      }
  }
  return "";
}

}  // namespace

std::string counted_path(const Tree& tree, const std::string& path) {
  const ItemPath p = split_path(tree, path);
  if (p.list.empty() || p.counted) return path;
  const Tree* item = tree.find(p.list + "." + p.item);
  if (!item) return path;
  const auto& all = std::get<Tree::List>(tree.find(p.list)->data);
  return fmt::format("{}[{}].{}", p.list, item - all.data(), p.rest);
}

std::string numbered_path(const std::string& path) {
  const auto bracket = path.find('['), dot = path.find('.');
  if (bracket == path.npos || dot == path.npos || bracket > dot) return path;  // of a section, or an element
  return fmt::format("{}.{}{}", path.substr(0, bracket), std::stoul(path.substr(bracket + 1)) + 1,
                     path.substr(dot));
}

std::string short_name(const Tree& tree, const std::string& path) {
  const ItemPath p = split_path(tree, path);
  if (p.list.empty()) return path;
  const std::string name = p.counted ? own_name(tree, p.list, p.item) : "";
  if (!name.empty()) return name + "." + p.rest;
  return fmt::format("{}{}.{}", parse_number(p.item) ? p.list : "", p.item, p.rest);
}

}  // namespace umov
