// Numbers of a case by their paths.
#include "parameters/variations.hpp"

#include "parameters/tree_reader.hpp"

namespace umov {

/// Items of a list whose name or region is the word, or the one of that number.
std::vector<std::size_t> TreeReader::items_called(const ParameterList::SubTables& tables, const void* target,
                                                  const std::string& word) {
  std::vector<std::size_t> found;
  const auto& infos = tables.items->infos_;
  for (std::size_t i = 0; i < tables.size(target); ++i)
    for (std::size_t k = 0; k < infos.size(); ++k) {
      if (infos[k].key != "name" && infos[k].key != "region") continue;
      const auto literal = tables.items->bindings_[k].write(tables.at(target, i));
      if (!literal.empty() && literal.front() == quoted(word)) found.push_back(i);
    }
  if (!found.empty()) return found;
  const auto number = parse_number(word);
  if (number && *number >= 1 && *number <= double(tables.size(target)) && std::floor(*number) == *number)
    found.push_back(std::size_t(*number) - 1);
  return found;
}

/// The key with its elements in brackets, from 1.
TreeReader::Found TreeReader::find_key(const ParameterList& list, const void* target, const std::string& key,
                                       Found out) {
  const std::string bare = key.substr(0, key.find('['));
  out.list = &list;
  out.target = target;
  out.at = 0;
  while (out.at < list.infos_.size() && list.infos_[out.at].name() != bare) ++out.at;
  if (out.at == list.infos_.size() || list.infos_[out.at].key.empty()) {
    std::vector<std::string> known;
    for (const auto& info : list.infos_)
      if (!info.key.empty()) known.push_back(info.name());
    const std::string hint = did_you_mean(bare, known);
    throw ValueError(
        fmt::format("names '{}', which is no parameter{}", shortened(bare), hint.empty() ? "" : "; " + hint));
  }
  for (std::size_t at = key.find('['); at != key.npos; at = key.find('[', at + 1)) {
    const auto end = key.find(']', at);
    const auto number = end == key.npos ? std::nullopt : parse_number(key.substr(at + 1, end - at - 1));
    if (!number || *number < 1 || std::floor(*number) != *number)
      throw ValueError(fmt::format("has '{}' for an element (they are counted from 1); write [1]",
                                   shortened(key.substr(at))));
    out.element.push_back(std::size_t(*number) - 1);
  }
  return out;
}

TreeReader::Found TreeReader::find(const ParameterList& root, const void* target, const std::string& name,
                                   bool paths) {
  const auto dot = name.find('.');
  const std::string first = name.substr(0, std::min(dot, name.find('[')));
  const auto* tables = root.list(first);
  if (!tables) {
    Found out = find_key(root, target, name, {});
    out.path = name, out.label = name;
    return out;
  }
  std::size_t item = 0;
  std::string rest, word;
  if (paths) {
    item = std::size_t(std::stoul(name.substr(name.find('[') + 1)));
    rest = name.substr(dot + 1);
    word = std::to_string(item + 1);
  } else {
    const auto last = name.rfind('.');
    if (dot == name.npos || last == dot)
      throw ValueError(
          fmt::format("names '{}', which is no number; write {}.NAME.KEY", shortened(name), first));
    word = name.substr(dot + 1, last - dot - 1);
    rest = name.substr(last + 1);
    const auto items = items_called(*tables, target, word);
    if (items.empty())
      throw ValueError(fmt::format("names {} '{}', which the case does not have; give its name or its number",
                                   first, shortened(word)));
    if (items.size() > 1)
      throw ValueError(fmt::format("names {} '{}', of which there are {}; give its number ({}.{}.{})", first,
                                   shortened(word), items.size(), first, items.front() + 1, rest));
    item = items.front();
  }
  if (item >= tables->size(target)) throw ValueError("names an item that is not there");
  Found out = find_key(*tables->items, tables->at(target, item), rest, {});
  out.path = fmt::format("{}[{}].{}", first, item, rest);
  if (paths)
    for (std::size_t k = 0; k < tables->items->infos_.size(); ++k) {
      const auto& key = tables->items->infos_[k].key;
      if (key != "name" && key != "region") continue;
      const auto literal = tables->items->bindings_[k].write(out.target);
      const std::string called = literal.empty() ? "" : literal.front().substr(1, literal.front().size() - 2);
      if (!called.empty() && items_called(*tables, target, called).size() == 1) word = called;
    }
  const auto number = parse_number(word);
  out.label = fmt::format("{}{}.{}", number ? first : "", word, rest);
  return out;
}

Value TreeReader::now(const Found& f) {
  const auto literal = f.list->bindings_[f.at].write(f.target);
  if (literal.empty() || literal.front().empty() || literal.front() == "[]")
    return Value{std::vector<Value>{}};
  return parse_nested(literal.front());
}

void TreeReader::set_number(const ParameterList& root, void* target, const std::string& path, double value) {
  const Found f = find(root, target, path, true);
  const auto& set = f.list->bindings_[f.at].set;
  if (f.element.empty()) return set(const_cast<void*>(f.target), as_written(value), 0);
  Value all = now(f);
  Value* at = &all;
  for (const std::size_t k : f.element) {
    auto* list = std::get_if<std::vector<Value>>(&at->data);
    if (!list || k >= list->size())
      throw ValueError(fmt::format("names element {} of '{}', which has {}; give all of them first", k + 1,
                                   info(f).key, list ? list->size() : 0));
    at = &(*list)[k];
  }
  *at = as_written(value);
  set(const_cast<void*>(f.target), all, 0);
}

namespace {

NumberPlace as_place(const TreeReader::Found& f) { return {f.path, f.label, TreeReader::info(f).unit}; }

}  // namespace

NumberPlace find_number(const ParameterList& list, const void* target, const std::string& name) {
  return as_place(TreeReader::find(list, target, name, false));
}

NumberPlace place_of(const ParameterList& list, const void* target, const std::string& path) {
  return as_place(TreeReader::find(list, target, path, true));
}

std::string numbered_name(const std::string& path) {
  const auto bracket = path.find('['), dot = path.find('.');
  if (bracket == path.npos || dot == path.npos || bracket > dot) return path;  // of a section, or an element
  return fmt::format("{}.{}{}", path.substr(0, bracket), std::stoul(path.substr(bracket + 1)) + 1,
                     path.substr(dot));
}

void set_number(const ParameterList& list, void* target, const std::string& path, double value) {
  TreeReader::set_number(list, target, path, value);
}

}  // namespace umov
