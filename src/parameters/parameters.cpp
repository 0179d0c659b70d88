// Parameter tables: declarations and their TOML writer.
#include "parameters/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/error.hpp"
#include "core/file_contents.hpp"
#include "core/text.hpp"
#include "parameters/tree.hpp"

namespace umov {

std::string ParameterInfo::name() const {
  if (key.empty()) return flags.front();
  return section.empty() ? key : section + "." + key;
}

void ParameterList::append(ParameterInfo info, Binding binding, const void* defaults) {
  if (info.concern == Concern::by_section)
    info.concern = info.section == "output" ? Concern::output : Concern::result;
  if (defaults) {
    const auto literals = binding.write(defaults);
    info.default_text = join(literals, ", ");
    if (info.default_text.empty() || info.default_text == "\"\"") info.default_text = info.when_unset;
  }
  infos_.push_back(std::move(info));
  bindings_.push_back(std::move(binding));
}

void ParameterList::include(const ParameterList& other, const std::function<void*(void*)>& part) {
  const auto in = [part](const void* s) -> const void* { return part(const_cast<void*>(s)); };
  for (std::size_t i = 0; i < other.infos_.size(); ++i) {
    if (other.infos_[i].key.empty()) continue;
    Binding own = other.bindings_[i];
    own.set = [part, set = own.set](void* s, const Value& v, std::size_t k) { set(part(s), v, k); };
    if (own.idle) own.idle = [in, idle = own.idle](const void* s) { return idle(in(s)); };
    if (own.write) own.write = [in, write = own.write](const void* s) { return write(in(s)); };
    infos_.push_back(other.infos_[i]);
    bindings_.push_back(std::move(own));
  }
  for (SubTables list : other.lists_) {
    list.clear = [part, clear = list.clear](void* s) { clear(part(s)); };
    list.append = [part, append = list.append](void* s) { return append(part(s)); };
    list.size = [in, size = list.size](const void* s) { return size(in(s)); };
    list.at = [in, at = list.at](const void* s, std::size_t i) { return at(in(s), i); };
    lists_.push_back(std::move(list));
  }
}

std::vector<std::string> ParameterList::sections() const {
  std::vector<std::string> names;
  for (const auto& info : infos_)
    if (std::find(names.begin(), names.end(), info.section) == names.end()) names.push_back(info.section);
  return names;
}

std::vector<std::string> ParameterList::top_names() const {
  std::vector<std::string> names;
  for (const auto& info : infos_)
    if (!info.key.empty()) names.push_back(info.section.empty() ? info.key : info.section);
  for (const auto& list : lists_) names.push_back(list.section);
  return names;
}

const ParameterInfo* ParameterList::find(const std::string& path) const {
  const auto dot = path.find('.'), last = path.rfind('.');
  const std::string first = path.substr(0, std::min(dot, path.find('[')));
  if (const auto* tables = list(first); tables && dot != path.npos) {
    std::string rest = path.substr(dot + 1);
    if (path[first.size()] == '.') rest = rest.substr(std::min(rest.find('.'), rest.size() - 1) + 1);
    return tables->items->find(rest);
  }
  std::string key = last == path.npos ? path : path.substr(last + 1);
  key = key.substr(0, key.find('['));
  for (const auto& info : infos_)
    if (info.key == key && info.section == (dot == path.npos ? "" : first)) return &info;
  return nullptr;
}

const ParameterList::SubTables* ParameterList::list(const std::string& section) const {
  for (const auto& list : lists_)
    if (list.section == section) return &list;
  return nullptr;
}

std::string ParameterList::section_toml(const std::string& section, const void* source,
                                        const Writing& writing) const {
  std::string body;
  std::vector<std::string> items;  // of a repeatable section, one [[section]] each
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    const auto& info = infos_[i];
    if (info.section != section || info.key.empty() || !bindings_[i].write) continue;
    if (!idle_because(i, source).empty()) continue;
    const std::string unit = info.unit.empty() ? "" : "  # " + info.unit;
    const auto literals = bindings_[i].write(source);
    if (info.repeatable && items.size() < literals.size()) items.resize(literals.size());
    for (std::size_t k = 0; k < literals.size(); ++k) {
      std::string& place = info.repeatable ? items[k] : body;
      const auto literal = writing(info, literals[k]);
      if (!literal) continue;
      if (!literal->empty())
        place += fmt::format("{} = {}{}\n", info.key, *literal, unit);
      else if (!info.repeatable)
        place += fmt::format("# {} = {}\n", info.key, info.when_unset);
    }
  }
  for (const auto& item : items) body += fmt::format("\n[[{}]]\n{}", section, item);
  return body;
}

std::string ParameterList::list_toml(const SubTables& list, const void* source, const std::string& prefix,
                                     const Writing& writing) const {
  const std::string name = prefix + list.section;
  std::string out;
  for (std::size_t i = 0; i < list.size(source); ++i) {
    const void* item = list.at(source, i);
    out += fmt::format("\n[[{}]]\n{}", name, list.items->section_toml("", item, writing));
    for (const auto& inner : list.items->lists_)
      out += list.items->list_toml(inner, item, name + ".", writing);
  }
  return out;
}

std::size_t ParameterList::number_of(const std::string& name) const {
  for (std::size_t i = 0; i < infos_.size(); ++i)
    if (infos_[i].name() == name) return i;
  throw std::logic_error("no parameter '" + name + "' was declared");
}

void ParameterList::refuse_idle(const void* target, const Origins& origins, const void* before) const {
  refuse_idle(target, origins, before, "", "");
}

/// `prefix` is "body[1]." for an item, `title` " of body 2".
void ParameterList::refuse_idle(const void* target, const Origins& origins, const void* before,
                                const std::string& prefix, const std::string& title) const {
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    const auto origin = origins.find(prefix + infos_[i].name());
    const std::string why = origin == origins.end() ? "" : idle_because(i, target);
    if (why.empty()) continue;
    const bool flag = origin->second[0] == '-';
    if (!flag && before && idle_because(i, before).empty()) continue;
    throw BadInput(flag ? fmt::format("{} has no effect ({}); leave it out", origin->second, why)
                        : fmt::format("{}: '{}'{} has no effect ({}); leave it out", origin->second,
                                      infos_[i].name(), title, why));
  }
  for (const auto& list : lists_)
    for (std::size_t i = 0; i < list.size(target); ++i)
      list.items->refuse_idle(list.at(target, i), origins, nullptr,
                              fmt::format("{}{}[{}].", prefix, list.section, i),
                              fmt::format(" of {} {}{}", list.section, i + 1, title));
}

void ParameterList::set(const std::string& name, void* target, const Value& value) const {
  bindings_[number_of(name)].set(target, value, 0);
}

std::vector<std::string> ParameterList::listed() const {
  std::vector<std::string> names;
  for (const auto& info : infos_)
    if (info.listed) names.push_back(info.name());
  return names;
}

std::vector<std::string> ParameterList::literals(const std::vector<std::string>& names,
                                                 const void* source) const {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(bindings_[number_of(name)].write(source).front());
  return out;
}

namespace {

/// A literal of one path or of several, without their folders; the paths are added to `files`. What stands in
/// place of a path, as the points of a table, remains.
std::string without_folders(const std::string& literal, std::vector<std::string>& files) {
  const Value paths = tree_of_toml("file = " + literal, "").find("file")->as_value();
  const auto is_text = [](const Value& v) { return std::holds_alternative<std::string>(v.data); };
  const auto all = read_list(paths);
  if (!std::ranges::all_of(all, is_text)) return literal;
  std::vector<std::string> names;
  for (const Value& path : all) {
    files.push_back(text().read(path));
    names.push_back(quoted(file_name(files.back())));
  }
  return std::holds_alternative<std::string>(paths.data) ? names.front() : bracketed(names);
}

}  // namespace

std::string ParameterList::identity(const void* source, const std::vector<Concern>& concerns,
                                    const std::vector<std::string>& others) const {
  std::vector<std::string> files;
  const auto counts = [&](const ParameterInfo& info) {
    return std::ranges::count(concerns, info.concern) && !std::ranges::count(others, info.name());
  };
  const std::string text =
      toml(source, [&](const ParameterInfo& info, const std::string& literal) -> std::optional<std::string> {
        if (!counts(info)) return {};
        return info.is_path && !literal.empty() ? without_folders(literal, files) : literal;
      });
  return text + contents_of(files);
}

std::string ParameterList::write_toml(const void* source) const {
  return toml(source,
              [](const ParameterInfo&, const std::string& literal) { return std::optional(literal); });
}

std::string ParameterList::toml(const void* source, const Writing& writing) const {
  std::string out;
  for (const auto& section : sections()) {
    const std::string body = section_toml(section, source, writing);
    if (body.empty()) continue;
    const bool opened = section.empty() || body.rfind("\n[[", 0) == 0;
    if (!opened) out += fmt::format("\n[{}]\n", section);
    out += body;
  }
  for (const auto& list : lists_) out += list_toml(list, source, "", writing);
  return out;
}

}  // namespace umov
