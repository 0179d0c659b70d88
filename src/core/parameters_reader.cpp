// Parameter tables: the reader of TOML cases.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/parameters.hpp"
#include "core/text.hpp"
#include "core/toml.hpp"

namespace umov {

namespace fs = std::filesystem;

namespace {

Value to_value(const toml::node& node) {
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
Value beside(const fs::path& folder, Value value) {
  if (auto* list = std::get_if<std::vector<Value>>(&value.data))
    for (auto& item : *list) item = beside(folder, item);
  auto* name = std::get_if<std::string>(&value.data);
  if (!name || name->empty() || folder.empty() || fs::path(*name).is_absolute()) return value;
  const fs::path there = (folder / *name).lexically_normal();
  std::error_code ignored;
  if (fs::exists(there, ignored) || !fs::exists(*name, ignored)) *name = there.string();
  return value;
}

std::string alphabetical(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return join(names, ", ");
}

}  // namespace

/// One walk over one file: names of places, unknown keys, values to their parameters.
class TomlReader {
 public:
  TomlReader(std::string path, Origins& origins)
      : path_(std::move(path)), folder_(fs::path(path_).parent_path()), origins_(origins) {}

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
      place.list.bindings_[at].set(place.target, value, place.occurrence);
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

  std::string path_;
  fs::path folder_;
  Origins& origins_;
};

void ParameterList::read_toml(const std::string& path, void* target, Origins& origins) const {
  TomlReader(path, origins).read(*this, target);
}

}  // namespace umov
