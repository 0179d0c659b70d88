// The walk of a reader over the tree of a case.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/parameters.hpp"
#include "parameters/tree.hpp"
#include "parameters/variations.hpp"

namespace umov {

namespace fs = std::filesystem;

/// Every text of the value as a file seen from the current folder. One that lies beside the case is meant
/// before one of the same name here.
inline Value beside(const fs::path& folder, Value value) {
  if (auto* list = std::get_if<std::vector<Value>>(&value.data))
    for (auto& item : *list) item = beside(folder, item);
  auto* name = std::get_if<std::string>(&value.data);
  if (!name || name->empty() || folder.empty() || fs::path(*name).is_absolute()) return value;
  const fs::path there = (folder / *name).lexically_normal();
  std::error_code ignored;
  if (fs::exists(there, ignored) || !fs::exists(*name, ignored)) *name = there.string();
  return value;
}

/// A number as a file would have it: whole ones are integers, which numbers of any kind are read from.
inline Value as_written(double x) {
  return std::floor(x) == x && std::abs(x) < 1e15 ? Value{static_cast<long long>(x)} : Value{x};
}

inline std::string alphabetical(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return join(names, ", ");
}

/// One walk over one tree: names of places, unknown keys, values to their parameters.
class TreeReader {
 public:
  /// A file named in the tree is looked for in `folder` first.
  TreeReader(const fs::path& folder, Origins& origins, std::vector<Variation>* found = nullptr)
      : folder_(folder), origins_(origins), found_(found) {}

  void read(const ParameterList& list, const Tree& root, void* target) {
    if (!root.table()) fail(root, "a case is a table of names and values");
    for (const auto& [name, tree] : *root.table()) {
      const Place place{list, target, name, name, 0};
      if (const auto* tables = list.list(name)) {
        read_tables(*tables, tree, target, "", "");
      } else if (tree.is_list() && is_repeated(list, name)) {
        read_repeated(place, tree);
      } else if (is_section(list, name)) {
        if (!tree.table()) fail(tree, fmt::format("'{}' wants a table: [{}]", name, name));
        read_section(place, *tree.table());
      } else {
        assign({list, target, "", "", 0}, name, tree);
      }
    }
  }

 private:
  /// Where keys are being read: the section of a list of parameters, or an item of a list of tables, which
  /// has no section; `origin` opens the names of its values, `title` is what messages call it.
  struct Place {
    const ParameterList& list;
    void* target;
    std::string section, origin;
    std::size_t occurrence;
    std::string title = section.empty() ? "" : "[" + section + "]";
  };

  [[noreturn]] static void fail(const Tree& tree, const std::string& problem) {
    throw BadInput(at(tree) + problem);
  }
  /// "case.toml:14: ".
  static std::string at(const Tree& tree) { return tree.place.empty() ? "" : tree.place + ": "; }

  static bool is_section(const ParameterList& list, const std::string& name) {
    return std::any_of(list.infos_.begin(), list.infos_.end(),
                       [&](const auto& i) { return !name.empty() && i.section == name && !i.key.empty(); });
  }
  static bool is_repeated(const ParameterList& list, const std::string& name) {
    return std::any_of(list.infos_.begin(), list.infos_.end(),
                       [&](const auto& i) { return i.section == name && i.repeatable; });
  }

  void read_repeated(Place place, const Tree& tables) {
    for (const auto& item : tables.items()) {
      if (!item.table()) fail(item, fmt::format("'{0}' wants tables: [[{0}]]", place.section));
      read_section(place, *item.table());
      ++place.occurrence;
    }
  }

  void read_section(const Place& place, const Tree::Table& table) {
    for (const auto& [key, tree] : table) assign(place, key, tree);
  }

  /// `title` is "material." and `origin` "material[0]." inside another item.
  void read_tables(const ParameterList::SubTables& tables, const Tree& tree, void* target,
                   const std::string& title, const std::string& origin) {
    const std::string name = title + tables.section;
    if (!tree.is_list()) fail(tree, fmt::format("'{0}' wants tables: [[{0}]]", name));
    tables.clear(target);
    for (const auto& item : tree.items()) {
      if (!item.table()) fail(item, fmt::format("'{0}' wants tables: [[{0}]]", name));
      const std::string here = fmt::format("{}{}[{}]", origin, tables.section, tables.size(target));
      origins_[here] = item.place;
      read_item({*tables.items, tables.append(target), "", here, 0, "[[" + name + "]]"}, *item.table(), name);
    }
  }

  void read_item(const Place& place, const Tree::Table& table, const std::string& name) {
    for (const auto& [key, tree] : table) {
      if (const auto* inner = place.list.list(key))
        read_tables(*inner, tree, place.target, name + ".", place.origin + ".");
      else
        assign(place, key, tree, name + ".");
    }
  }

  void assign(const Place& place, const std::string& key, const Tree& tree, const std::string& prefix = "") {
    const auto& infos = place.list.infos_;
    std::size_t i = 0;
    while (i < infos.size() && !(infos[i].section == place.section && infos[i].key == key)) ++i;
    if (i == infos.size()) throw BadInput(unknown(place, key, tree));
    const std::string path = prefix.empty() ? infos[i].name() : place.origin + "." + key;
    try {
      Value value = tree.as_value();
      if (infos[i].is_path) value = beside(folder_, std::move(value));
      const auto& set = place.list.bindings_[i].set;
      if (!found_ || !take_list(value, path, tree.place,
                                [&](const Value& v) { set(place.target, v, place.occurrence); }))
        set(place.target, value, place.occurrence);
    } catch (const ValueError& e) {
      throw BadInput(fmt::format("{}'{}{}' {}", at(tree), prefix, infos[i].name(), e.what()));
    }
    origins_[path] = tree.place;
  }

  std::string unknown(const Place& place, const std::string& key, const Tree& tree) const {
    const bool top = place.section.empty();
    std::vector<std::string> here;
    std::string elsewhere;
    for (const auto& info : place.list.infos_) {
      if (info.key.empty()) continue;
      if (info.section == place.section)
        here.push_back(info.key);
      else if (info.key == key && elsewhere.empty())
        elsewhere = info.section.empty() ? "the top level" : "[" + info.section + "]";
      if (top && !info.section.empty()) here.push_back(info.section);
    }
    if (top)
      for (const auto& list : place.list.lists_) here.push_back(list.section);
    const std::string where = place.title.empty() ? "" : " in " + place.title;
    std::string hint = did_you_mean(key, here);
    if (hint.empty() && !elsewhere.empty()) hint = fmt::format("it belongs in {}", elsewhere);
    if (top && key == "vary") hint = "umov sweep varies parameters; give it this case";
    if (hint.empty()) hint = "known here: " + alphabetical(here);
    return fmt::format("{}unknown key '{}'{}; {}", at(tree), shortened(key), where, hint);
  }

  /// Of a parameter that is about to be refused: ranges have 1 or 0.5 in them.
  template <class Set>
  static bool takes_number(const Set& set) {
    for (const double probe : {1.0, 0.5}) try {
        set(as_written(probe));
        return true;
      } catch (const ValueError&) {
      }
    return false;
  }

  /// Several numbers where `set` wants one: false for whatever else it is.
  template <class Set>
  bool take_list(const Value& value, const std::string& path, const std::string& where, const Set& set) {
    const auto* text = std::get_if<std::string>(&value.data);
    const auto* list = std::get_if<std::vector<Value>>(&value.data);
    const auto is_number = [](const Value& v) {
      return std::holds_alternative<long long>(v.data) || std::holds_alternative<double>(v.data);
    };
    if (list ? list->empty() || !std::all_of(list->begin(), list->end(), is_number)
             : !text || std::count(text->begin(), text->end(), ':') != 2)
      return false;
    try {
      set(value);
      return true;  // the parameter is a list, or a text, itself
    } catch (const ValueError&) {
    }
    if (list) {
      try {
        set(list->front());
      } catch (const ValueError&) {
        if (takes_number(set)) throw;  // but not this one
        return false;
      }
    }
    const NumberList values = number_list().read(value);
    set(as_written(values.front()));
    found_->push_back({path, where, values});
    return true;
  }

  fs::path folder_;
  Origins& origins_;
  std::vector<Variation>* found_;
};

}  // namespace umov
