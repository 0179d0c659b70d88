// Trees of values: what paths name, and building by hand.
#include "parameters/tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace umov {

namespace {

std::string quote(const std::string& word) { return "'" + shortened(word) + "'"; }

/// One word of a path, and the numbers in brackets behind it.
struct Step {
  std::string word;
  std::vector<std::size_t> brackets;
};

std::size_t number_in(const std::string& text, const std::string& path) {
  const auto number = parse_integer(text);
  if (!number || *number < 0)
    throw ValueError(fmt::format("{} is no path (in brackets is {}, no number); write list[0].key",
                                 quote(path), quote(text)));
  return std::size_t(*number);
}

std::vector<Step> steps_of(const std::string& path) {
  std::vector<Step> steps;
  for (const auto& part : split(path, '.')) {
    Step step;
    auto at = part.find('[');
    step.word = part.substr(0, at);
    while (at != part.npos) {
      const auto end = part.find(']', at);
      if (end == part.npos)
        throw ValueError(
            fmt::format("{} is no path (a bracket is not closed); write list[0].key", quote(path)));
      step.brackets.push_back(number_in(part.substr(at + 1, end - at - 1), path));
      at = end + 1 == part.size() ? part.npos : end + 1;
      if (at != part.npos && part[at] != '[')
        throw ValueError(
            fmt::format("{} is no path (a dot is missing behind a bracket); write list[0].key", quote(path)));
    }
    if (step.word.empty())
      throw ValueError(fmt::format("{} is no path (a word of it is empty); write section.key", quote(path)));
    steps.push_back(std::move(step));
  }
  return steps;
}

bool is_called(const Tree& item, const std::string& word) {
  const auto* table = item.table();
  if (!table) return false;
  return std::any_of(table->begin(), table->end(), [&](const auto& entry) {
    const auto* value = entry.second.value();
    const auto* name = value ? std::get_if<std::string>(&value->data) : nullptr;
    return (entry.first == "name" || entry.first == "region") && name && *name == word;
  });
}

/// The item of that name or number; nullptr where there is none.
Tree* item_called(Tree::List& items, const std::string& list, const std::string& word) {
  Tree* found = nullptr;
  for (auto& item : items) {
    if (!is_called(item, word)) continue;
    if (found)
      throw ValueError(fmt::format("names {} {}, of which there are several; give its number ({}.1)", list,
                                   quote(word), list));
    found = &item;
  }
  if (found) return found;
  const auto number = parse_integer(word);
  return number && *number >= 1 && *number <= static_cast<long long>(items.size())
             ? &items[std::size_t(*number) - 1]
             : nullptr;
}

[[noreturn]] void no_item(const std::string& list, const std::string& word) {
  throw ValueError(fmt::format("names {} {}, which the case does not have; give its name or its number", list,
                               quote(word)));
}

/// The element of a list of values, from 1. Throws ValueError where it has none.
Value& element_of(Value& value, std::size_t number, const std::string& word) {
  auto* list = std::get_if<std::vector<Value>>(&value.data);
  if (number < 1) throw ValueError(fmt::format("names element 0 of '{}'; elements count from 1", word));
  if (!list || number > list->size())
    throw ValueError(fmt::format("names element {} of '{}', which has {}; give all of them first", number,
                                 word, list ? list->size() : 0));
  return (*list)[number - 1];
}

/// The entry of a table; nullptr where there is none, or no table.
Tree* entry_of(Tree& tree, const std::string& word, bool make) {
  auto* table = std::get_if<Tree::Table>(&tree.data);
  if (!table || (!make && !table->count(word))) return nullptr;
  return &(*table)[word];
}

bool is_plain(const Tree& tree) { return tree.value() != nullptr; }

}  // namespace

Tree::Tree(List list) {
  if (!std::all_of(list.begin(), list.end(), is_plain)) {
    data = std::move(list);
    return;
  }
  std::vector<Value> values;
  for (auto& item : list) values.push_back(std::move(std::get<Value>(item.data)));
  data = Value{std::move(values)};
}

bool Tree::is_list() const {
  return std::holds_alternative<List>(data) ||
         (value() && std::holds_alternative<std::vector<Value>>(value()->data));
}

bool Tree::empty() const {
  if (table()) return table()->empty();
  return is_list() && items().empty();
}

Value Tree::as_value() const {
  if (value()) return *value();
  if (!is_list()) throw ValueError("has a type that no parameter takes (a table, a date or a time)");
  std::vector<Value> out;
  for (const auto& item : std::get<List>(data)) out.push_back(item.as_value());
  return Value{out};
}

Tree::List Tree::items() const {
  if (const auto* list = std::get_if<List>(&data)) return *list;
  List out;
  if (!is_list()) return out;
  for (const auto& item : std::get<std::vector<Value>>(value()->data)) {
    out.emplace_back(item);
    out.back().place = place;
  }
  return out;
}

/// The way goes word by word: to a table's entry, or to an item of the list that the word before led to;
/// numbers in brackets lead to items as long as there are lists of tables.
Tree::Spot Tree::look(const std::string& path, bool make) {
  Spot spot{this, {}, ""};
  for (const auto& step : steps_of(path)) {
    if (!spot.elements.empty()) return {};
    auto* items = std::get_if<List>(&spot.tree->data);
    Tree* next = items ? item_called(*items, spot.word, step.word) : entry_of(*spot.tree, step.word, make);
    if (!next && items && make) no_item(spot.word, step.word);
    if (!next) return {};
    std::size_t used = 0;
    for (; used < step.brackets.size(); ++used) {
      items = std::get_if<List>(&next->data);
      if (!items) break;
      const std::size_t at = step.brackets[used];
      if (at >= items->size() && make) no_item(step.word, std::to_string(at + 1));
      if (at >= items->size()) return {};
      next = &(*items)[at];
    }
    spot = {next, {step.brackets.begin() + std::ptrdiff_t(used), step.brackets.end()}, step.word};
  }
  return spot;
}

const Tree* Tree::find(const std::string& path) const {
  const Spot spot = const_cast<Tree*>(this)->look(path, false);
  return spot.elements.empty() ? spot.tree : nullptr;
}

Tree& Tree::set(const std::string& path, Tree what, const std::string& said) {
  if (what.place.empty()) what.place = said.empty() ? "argument '" + path + "'" : said;
  const Spot spot = look(path, true);
  if (!spot.tree)
    throw ValueError(fmt::format("{} cannot be set (a value is on its way, no table)", quote(path)));
  if (spot.elements.empty()) {
    *spot.tree = std::move(what);
    return *this;
  }
  Value all = spot.tree->value() ? *spot.tree->value() : Value{std::vector<Value>{}};
  Value* element = &all;
  for (const std::size_t number : spot.elements) element = &element_of(*element, number, spot.word);
  *element = what.as_value();
  spot.tree->data = std::move(all);
  spot.tree->place = what.place;
  return *this;
}

Tree& Tree::push_back(const std::string& path, Tree item, const std::string& said) {
  if (item.place.empty()) item.place = said.empty() ? "argument '" + path + "'" : said;
  const Tree* there = find(path);
  if (there && !there->is_list()) throw ValueError(fmt::format("{} is no list", quote(path)));
  List items = there ? there->items() : List{};
  const std::string first = there ? there->place : item.place;
  items.push_back(std::move(item));
  Tree list{std::move(items)};
  list.place = first;
  return set(path, std::move(list));
}

}  // namespace umov
