// The walk over one TOML case, shared by its reader and by the numbers named by their paths.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/parameters.hpp"
#include "parameters/toml.hpp"
#include "parameters/variations.hpp"

namespace umov {

namespace fs = std::filesystem;

inline Value to_value(const toml::node& node) {
  if (const auto* b = node.as_boolean()) return Value{b->get()};
  if (const auto* i = node.as_integer()) return Value{static_cast<long long>(i->get())};
  if (const auto* d = node.as_floating_point()) return Value{d->get()};
  if (const auto* s = node.as_string()) return Value{s->get()};
  if (const auto* a = node.as_array()) {
    std::vector<Value> items;
    for (const auto& item : *a) items.push_back(to_value(item));
    return Value{items};
  }
  throw ValueError("has a type that no parameter takes (a table, a date or a time)");
}

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

/// One walk over one file: names of places, unknown keys, values to their parameters.
class TomlReader {
 public:
  TomlReader(std::string path, Origins& origins, std::vector<Variation>* found = nullptr)
      : path_(std::move(path)), folder_(fs::path(path_).parent_path()), origins_(origins), found_(found) {}

  void read(const ParameterList& list, void* target) {
    const toml::table root = read_toml_file(path_);
    if (root.empty())
      throw BadInput(path_ +
                     ": the case says nothing (it is empty, or comments only); write down what differs from "
                     "the defaults, see --help");
    for (auto&& [key, node] : root) {
      const std::string name(key.str());
      const Place place{list, target, name, name, 0};
      if (const auto* tables = list.list(name)) {
        read_tables(*tables, node, target, "", "");
      } else if (const auto* array = node.as_array(); array && is_repeated(list, name)) {
        read_repeated(place, *array);
      } else if (is_section(list, name)) {
        if (!node.is_table()) fail(node, fmt::format("'{}' wants a table: [{}]", name, name));
        read_section(place, *node.as_table());
      } else {
        assign({list, target, "", "", 0}, name, node, key.source().begin.line);
      }
    }
  }

  // Numbers by their paths, for variations.hpp.
  struct Found {
    const ParameterList* list;
    std::size_t at;
    const void* target;
    std::string path, label;
    std::vector<std::size_t> element;  ///< from 0
  };
  /// `name` as in NumberPlace; with `paths` as in Origins, items in brackets and from 0.
  static Found find(const ParameterList& root, const void* target, const std::string& name, bool paths);
  static void set_number(const ParameterList& root, void* target, const std::string& path, double value);
  static const ParameterInfo& info(const Found& f) { return f.list->infos_[f.at]; }
  /// The value that is there now, of a parameter that is a list.
  static Value now(const Found& f);

 private:
  static std::vector<std::size_t> items_called(const ParameterList::SubTables& tables, const void* target,
                                               const std::string& word);
  static Found find_key(const ParameterList& list, const void* target, const std::string& key, Found so_far);
  /// Where keys are being read: the section of a list of parameters, or an item of a list of tables, which
  /// has no section; `origin` opens the names of its values, `title` is what messages call it.
  struct Place {
    const ParameterList& list;
    void* target;
    std::string section, origin;
    std::size_t occurrence;
    std::string title = section.empty() ? "" : "[" + section + "]";
  };

  [[noreturn]] void fail(const toml::node& node, const std::string& problem) const {
    throw BadInput(fmt::format("{}:{}: {}", path_, node.source().begin.line, problem));
  }

  static bool is_section(const ParameterList& list, const std::string& name) {
    return std::any_of(list.infos_.begin(), list.infos_.end(),
                       [&](const auto& i) { return !name.empty() && i.section == name && !i.key.empty(); });
  }
  static bool is_repeated(const ParameterList& list, const std::string& name) {
    return std::any_of(list.infos_.begin(), list.infos_.end(),
                       [&](const auto& i) { return i.section == name && i.repeatable; });
  }

  void read_repeated(Place place, const toml::array& tables) {
    for (const auto& item : tables) {
      if (!item.is_table()) fail(item, fmt::format("'{0}' wants tables: [[{0}]]", place.section));
      read_section(place, *item.as_table());
      ++place.occurrence;
    }
  }

  void read_section(const Place& place, const toml::table& table) {
    for (auto&& [key, node] : table) assign(place, std::string(key.str()), node, key.source().begin.line);
  }

  /// `title` is "material." and `origin` "material[0]." inside another item.
  void read_tables(const ParameterList::SubTables& tables, const toml::node& node, void* target,
                   const std::string& title, const std::string& origin) {
    const std::string name = title + tables.section;
    const auto* array = node.as_array();
    if (!array) fail(node, fmt::format("'{0}' wants tables: [[{0}]]", name));
    tables.clear(target);
    for (const auto& item : *array) {
      if (!item.is_table()) fail(item, fmt::format("'{0}' wants tables: [[{0}]]", name));
      const std::string here = fmt::format("{}{}[{}]", origin, tables.section, tables.size(target));
      origins_[here] = fmt::format("{}:{}", path_, item.source().begin.line);
      read_item({*tables.items, tables.append(target), "", here, 0, "[[" + name + "]]"}, *item.as_table(),
                name);
    }
  }

  void read_item(const Place& place, const toml::table& table, const std::string& name) {
    for (auto&& [key, node] : table) {
      const std::string word(key.str());
      if (const auto* inner = place.list.list(word))
        read_tables(*inner, node, place.target, name + ".", place.origin + ".");
      else
        assign(place, word, node, key.source().begin.line, name + ".");
    }
  }

  void assign(const Place& place, const std::string& key, const toml::node& node, std::size_t line,
              const std::string& prefix = "") {
    const auto& infos = place.list.infos_;
    std::size_t at = 0;
    while (at < infos.size() && !(infos[at].section == place.section && infos[at].key == key)) ++at;
    if (at == infos.size()) throw BadInput(unknown(place, key, line));
    const std::string where = fmt::format("{}:{}", path_, line);
    try {
      Value value = to_value(node);
      if (infos[at].is_path) value = beside(folder_, std::move(value));
      const auto& set = place.list.bindings_[at].set;
      const std::string path = prefix.empty() ? infos[at].name() : place.origin + "." + key;
      if (!found_ ||
          !take_list(value, path, where, [&](const Value& v) { set(place.target, v, place.occurrence); }))
        set(place.target, value, place.occurrence);
    } catch (const ValueError& e) {
      throw BadInput(fmt::format("{}: '{}{}' {}", where, prefix, infos[at].name(), e.what()));
    }
    origins_[prefix.empty() ? infos[at].name() : place.origin + "." + key] = where;
  }

  std::string unknown(const Place& place, const std::string& key, std::size_t line) const {
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
    if (hint.empty()) hint = "known here: " + alphabetical(here);
    return fmt::format("{}:{}: unknown key '{}'{}; {}", path_, line, shortened(key), where, hint);
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

  std::string path_;
  fs::path folder_;
  Origins& origins_;
  std::vector<Variation>* found_;
};

}  // namespace umov
