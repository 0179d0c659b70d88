// Cases as data: a tree of values, each with the place where it was said, whatever it was said in.
#pragma once

#include <concepts>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parameters/value.hpp"

namespace umov {

/// A value, a table of trees by their names, or a list of trees. A new one is an empty table.
///
///     Tree disk;
///     disk.set("kind", "sphere"), disk.set("radius", .5);
///     Tree ring;
///     ring.set("domain.size", {4, 3});
///     ring.push_back("body", disk);
struct Tree {
  using Table = std::map<std::string, Tree>;
  using List = std::vector<Tree>;
  /// A date, a time or null: what no parameter takes. `text` is how it was written.
  struct Foreign {
    std::string text;
  };

  /// A list of values alone is a Value; one with a table or another foreign thing in it is a List.
  std::variant<Table, Value, List, Foreign> data;
  std::string place;  ///< "case.toml:14", "case.json: /body/0/radius", "argument 'wavelength'"; "": nowhere

  Tree() = default;
  Tree(Value value) : data(std::move(value)) {}
  Tree(const char* text) : data(Value{std::string(text)}) {}
  Tree(std::string text) : data(Value{std::move(text)}) {}
  template <std::same_as<bool> B>
  Tree(B on) : data(Value{on}) {}
  template <std::integral I>
  requires(!std::same_as<I, bool>) Tree(I number) : data(Value{static_cast<long long>(number)}) {}
  template <std::floating_point F>
  Tree(F number) : data(Value{static_cast<double>(number)}) {}
  Tree(std::initializer_list<double> numbers) : Tree(std::vector<double>(numbers)) {}
  template <class T>
  Tree(const std::vector<T>& items) : Tree(List(items.begin(), items.end())) {}
  /// A Value where all items are values.
  Tree(List items);

  const Table* table() const { return std::get_if<Table>(&data); }
  const Value* value() const { return std::get_if<Value>(&data); }
  bool is_list() const;
  bool empty() const;
  /// Everything in it as one value. Throws ValueError where a table or what no parameter takes is in it.
  Value as_value() const;
  /// The items of a list, those of a Value with the place of the whole. A list of none for what is no list.
  List items() const;

  /// What a path names, as users write it: "source.amplitude"; "body[0].radius" (items of lists of tables
  /// from 0); "body.disk.radius" (by the item's `name` or `region`); "body.2.radius" (by its number, from 1);
  /// "point.tip.at[3]" (an element of a list of values, from 1). nullptr where nothing is there. Throws
  /// ValueError for a path that is none, and for a name that two items have. An element is not found: it has
  /// no tree of its own.
  const Tree* find(const std::string& path) const;
  bool contains(const std::string& path) const { return find(path) != nullptr; }

  /// Puts a tree in the place that a path names; tables on the way that are not there are made, items of
  /// lists are not. What has no place of its own is said at `place`, by itself "argument 'PATH'".
  Tree& set(const std::string& path, Tree what, const std::string& place = "");
  /// Adds an item to the list at a path, which is made where nothing is there.
  Tree& push_back(const std::string& path, Tree item, const std::string& place = "");

 private:
  /// What a path leads to, and the elements of a list of values that it then asks for.
  struct Spot {
    Tree* tree = nullptr;
    std::vector<std::size_t> elements;
    std::string word;  ///< the last one of the path
  };
  Spot look(const std::string& path, bool make);
};

/// The tree of a case in TOML, or of its text; `name` is for its places. Throw BadInput with file and line
/// for what cannot be read, and for a case that says nothing.
Tree tree_of_toml_file(const std::string& path);
Tree tree_of_toml(const std::string& text, const std::string& name);

/// The same in JSON: objects are tables. A name twice in an object is refused, as in TOML.
Tree tree_of_json(const std::string& text, const std::string& name);

/// The tree in TOML, which tree_of_toml reads back, but for nulls and places. Throws ValueError where the
/// tree is no table.
std::string toml_text(const Tree&);

}  // namespace umov
