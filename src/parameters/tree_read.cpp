// Trees of cases in TOML and in JSON, and trees as TOML again.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/toml.hpp"
#include "parameters/tree.hpp"

namespace umov {

namespace {

constexpr int most_levels = 32;  // of a case in JSON, as of values in TOML: trees are walked by recursion

[[noreturn]] void says_nothing(const std::string& name) {
  throw BadInput(name +
                 ": the case says nothing (it is empty, or comments only); write down what differs from "
                 "the defaults");
}

std::string place_in(const std::string& name, const toml::source_region& source) {
  return fmt::format("{}:{}", name, source.begin.line);
}

Tree tree_of(const toml::node& node, const std::string& name);

Tree content_of(const toml::node& node, const std::string& name) {
  if (const auto* b = node.as_boolean()) return Tree(b->get());
  if (const auto* i = node.as_integer()) return Tree(i->get());
  if (const auto* d = node.as_floating_point()) return Tree(d->get());
  if (const auto* s = node.as_string()) return Tree(s->get());
  Tree tree;
  if (const auto* table = node.as_table()) {
    for (auto&& [key, inner] : *table) {
      Tree& entry = std::get<Tree::Table>(tree.data)[std::string(key.str())] = tree_of(inner, name);
      entry.place = place_in(name, key.source());
    }
    return tree;
  }
  if (const auto* array = node.as_array()) {
    Tree::List items;
    for (const auto& item : *array) items.push_back(tree_of(item, name));
    return Tree(std::move(items));
  }
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  tree.data = Tree::Foreign{text.str()};
  return tree;
}

Tree tree_of(const toml::node& node, const std::string& name) {
  Tree tree = content_of(node, name);
  tree.place = place_in(name, node.source());
  return tree;
}

Tree case_of(const toml::table& root, const std::string& name) {
  if (root.empty()) says_nothing(name);
  Tree tree = tree_of(root, name);
  tree.place = name;
  return tree;
}

using Json = nlohmann::json;

/// Names as JSON pointers write them.
std::string escaped(const std::string& key) {
  std::string out;
  for (const char c : key) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

Tree content_of(const Json& json, const std::string& name, const std::string& pointer);

Tree tree_of(const Json& json, const std::string& name, const std::string& pointer) {
  Tree tree = content_of(json, name, pointer);
  tree.place = pointer.empty() ? name : name + ": " + pointer;
  return tree;
}

Tree content_of(const Json& json, const std::string& name, const std::string& pointer) {
  if (json.is_boolean()) return Tree(json.get<bool>());
  if (json.is_number_integer() && (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX))
    return Tree(json.get<std::int64_t>());
  if (json.is_number()) return Tree(json.get<double>());
  if (json.is_string()) return Tree(json.get<std::string>());
  Tree tree;
  if (json.is_object()) {
    for (const auto& [key, inner] : json.items())
      std::get<Tree::Table>(tree.data)[key] = tree_of(inner, name, pointer + "/" + escaped(key));
    return tree;
  }
  if (!json.is_array()) {
    tree.data = Tree::Foreign{"null"};
    return tree;
  }
  Tree::List items;
  for (const auto& item : json)
    items.push_back(tree_of(item, name, fmt::format("{}/{}", pointer, items.size())));
  return Tree(std::move(items));
}

/// Refuses while JSON is read what the library lets through: names that come twice, and what nests too deep.
class JsonWatch {
 public:
  explicit JsonWatch(const std::string& name) : name_(name) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > most_levels)
      throw BadInput(
          fmt::format("{}: not a case in JSON (it nests more than {} levels)", name_, most_levels));
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event != Json::parse_event_t::key) return true;
    const auto key = parsed.get<std::string>();
    if (!keys_.back().insert(key).second)
      throw BadInput(fmt::format("{}: not a case in JSON ('{}' comes twice in one object); leave one out",
                                 name_, shortened(key)));
    return true;
  }

 private:
  const std::string& name_;
  std::vector<std::set<std::string>> keys_;
};

/// What the library's message says behind the place.
std::string reason(const Json::exception& e) {
  const std::string whole = e.what();
  const auto column = whole.find("column ");
  const auto colon = whole.find(": ", column == whole.npos ? 0 : column);
  return shortened(colon == whole.npos ? whole : whole.substr(colon + 2));
}

bool is_bare(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](const unsigned char c) {
    return c < 128 && (std::isalnum(c) || c == '_' || c == '-');
  });
}

std::string key_text(const std::string& key) { return is_bare(key) ? key : quoted(key); }

/// A number as TOML writes it, such that it is read as one with a fraction again.
std::string number_text(double x) {
  const std::string text = shortest(x);
  return text.find_first_of(".eni") == text.npos ? text + ".0" : text;
}

template <class Items, class Text>
std::string bracketed(const Items& items, const Text& text) {
  std::vector<std::string> words;
  for (const auto& item : items) words.push_back(text(item));
  return "[" + join(words, ", ") + "]";
}

std::string literal(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value.data)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<long long>(&value.data)) return std::to_string(*i);
  if (const auto* d = std::get_if<double>(&value.data)) return number_text(*d);
  if (const auto* s = std::get_if<std::string>(&value.data)) return quoted(*s);
  return bracketed(std::get<std::vector<Value>>(value.data), [](const Value& v) { return literal(v); });
}

/// Anything on one line: tables in braces.
std::string inline_text(const Tree& tree) {
  if (const auto* value = tree.value()) return literal(*value);
  if (const auto* foreign = std::get_if<Tree::Foreign>(&tree.data)) return foreign->text;
  if (const auto* list = std::get_if<Tree::List>(&tree.data)) return bracketed(*list, inline_text);
  std::vector<std::string> words;
  for (const auto& [key, inner] : *tree.table()) words.push_back(key_text(key) + " = " + inline_text(inner));
  return "{" + join(words, ", ") + "}";
}

/// A list that is written as [[name]], one a table.
bool is_of_tables(const Tree& tree) {
  const auto* list = std::get_if<Tree::List>(&tree.data);
  return list && std::all_of(list->begin(), list->end(), [](const Tree& item) { return item.table(); });
}

std::string table_text(const Tree::Table& table, const std::string& prefix) {
  std::string out;
  for (const auto& [key, tree] : table)
    if (!tree.table() && !is_of_tables(tree)) out += key_text(key) + " = " + inline_text(tree) + "\n";
  for (const auto& [key, tree] : table) {
    const std::string name = prefix + key_text(key);
    if (tree.table()) out += fmt::format("\n[{}]\n{}", name, table_text(*tree.table(), name + "."));
    if (is_of_tables(tree))
      for (const auto& item : std::get<Tree::List>(tree.data))
        out += fmt::format("\n[[{}]]\n{}", name, table_text(*item.table(), name + "."));
  }
  return out;
}

}  // namespace

Tree tree_of_toml_file(const std::string& path) { return case_of(read_toml_file(path), path); }

Tree tree_of_toml(const std::string& text, const std::string& name) {
  return case_of(parse_toml(text, name), name);
}

Tree tree_of_json(const std::string& text, const std::string& name) {
  try {
    const Json root = Json::parse(text, JsonWatch(name));
    if (!root.is_object())
      throw BadInput(name + ": not a case in JSON (it is no object); write {\"name\": value}");
    if (root.empty()) says_nothing(name);
    return tree_of(root, name, "");
  } catch (const Json::parse_error& e) {
    const auto end = text.begin() + std::ptrdiff_t(std::min(e.byte, text.size()));
    throw BadInput(
        fmt::format("{}:{}: not valid JSON ({})", name, 1 + std::count(text.begin(), end, '\n'), reason(e)));
  } catch (const Json::exception& e) {
    throw BadInput(fmt::format("{}: not valid JSON ({})", name, reason(e)));
  }
}

std::string toml_text(const Tree& tree) {
  if (!tree.table()) throw ValueError("is no table, which a case in TOML is");
  return table_text(*tree.table(), "");
}

}  // namespace umov
