// Parser of angle files: lines, sections, keys with their types and ranges.
#include "dda/observables/angle_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::dda {
namespace {

/// Without a remark at its end.
std::string_view content(std::string_view text) { return trim(text.substr(0, text.find('#'))); }

bool is_name(std::string_view text) {
  for (const char c : text)
    if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
  return !text.empty();
}

template <class List, class Name>
std::string suggest(const std::string& word, const List& list, Name name, const char* end) {
  std::vector<std::string> names;
  for (const auto& item : list)
    if (!name(item).empty()) names.push_back(name(item));
  const std::string close = nearest(word, names);
  if (!close.empty()) return fmt::format("did you mean '{}{}'?", close, end);
  std::string all;
  for (const auto& n : names) all += fmt::format("{}'{}{}'", all.empty() ? "" : ", ", n, end);
  return all.empty() ? "begin with a section" : "known are " + all;
}

}  // namespace

AngleFile::AngleFile(const std::string& path, const AngleSections& sections)
    : path_(path), sections_(sections) {
  std::ifstream in(path);
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(path, ignored))
    throw BadInput(fmt::format("{}: cannot be opened (no such file, or not readable); check the path", path));
  for (std::string text; std::getline(in, text);) {
    ++line_;
    if (const auto plain = content(text); !plain.empty()) read_line(plain);
  }
}

void AngleFile::refuse(const std::string& message) const {
  throw BadInput(fmt::format("{}:{}: {}", path_, line_, message));
}

void AngleFile::read_line(std::string_view text) {
  if (text.back() == ':' && is_name(text.substr(0, text.size() - 1)))
    return begin_section(std::string(text.substr(0, text.size() - 1)));
  const auto equals = text.find('=');
  if (equals != text.npos && is_name(trim(text.substr(0, equals))))
    return read_key(std::string(trim(text.substr(0, equals))), trim(text.substr(equals + 1)));
  if (list_ != nullptr) return read_row(text);
  refuse(
      fmt::format("'{}' is neither a section nor a key with its value ('theta:', 'min=0'); correct it, or "
                  "begin remarks with #",
                  shortened(text)));
}

void AngleFile::begin_section(const std::string& name) {
  if (sections_.count(name) == 0)
    refuse(fmt::format("unknown section '{}:'; {}", shortened(name),
                       suggest(
                           name, sections_, [](const auto& s) { return s.first; }, ":")));
  if (!start_.emplace(name, line_).second)
    refuse(fmt::format("'{}:' begins a second time (the first is in line {}); leave one out", name,
                       start_[name]));
  section_ = name;
  list_ = nullptr;
}

const AngleKey& AngleFile::known(const std::string& name) const {
  const auto at = sections_.find(section_);
  static const std::vector<AngleKey> none;
  const auto& keys = at == sections_.end() ? none : at->second;
  for (const AngleKey& key : keys)
    if (key.name == name) return key;
  refuse(fmt::format("unknown key '{}='{}; {}", shortened(name),
                     section_.empty() ? "" : " of '" + section_ + ":'",
                     suggest(
                         name, keys, [](const AngleKey& k) { return k.name; }, "=")));
}

void AngleFile::read_key(const std::string& name, std::string_view value) {
  const AngleKey& key = known(name);
  Entry entry;
  entry.line = line_;
  entry.word = std::string(value);
  list_ = nullptr;
  switch (key.value) {
    case AngleValue::number:
    case AngleValue::integer: {
      const auto number = parse_number(value);
      if (!number) refuse(fmt::format("'{}=' needs 1 finite number, not '{}'", name, shortened(value)));
      if (key.value == AngleValue::integer && (*number != std::floor(*number) || std::abs(*number) > 1e15))
        refuse(fmt::format("'{}=' needs a whole number, not '{}'", name, shortened(value)));
      entry.number = *number;
      break;
    }
    case AngleValue::flag:
      if (value != "true" && value != "false")
        refuse(fmt::format("'{}={}' is neither true nor false", name, shortened(value)));
      entry.number = value == "true";
      break;
    case AngleValue::word:
      if (value.empty()) refuse(fmt::format("'{}=' has no value", name));
      break;
    case AngleValue::list:
      if (!value.empty())
        refuse(fmt::format("'{}=' is followed by lines of numbers, not by '{}'", name, shortened(value)));
      list_ = &key;
      break;
  }
  const auto [at, fresh] = keys_[section_].emplace(name, entry);
  if (!fresh)
    refuse(fmt::format("'{}=' is given a second time (the first is in line {}); leave one out", name,
                       at->second.line));
}

void AngleFile::read_row(std::string_view text) {
  std::vector<double> row(list_->columns);
  std::string_view rest = text;
  bool good = true;
  for (double& v : row) good = good && take(rest, v) && std::isfinite(v);
  if (!good || !trim(rest).empty())
    refuse(fmt::format("the list of angles needs {} finite number{} in a line, not '{}'", row.size(),
                       row.size() == 1 ? "" : "s", shortened(text)));
  keys_[section_][list_->name].rows.push_back(std::move(row));
}

std::string AngleFile::where(const std::string& section) const {
  return fmt::format("{}:{}", path_, start_.at(section));
}

std::string AngleFile::where(const std::string& section, const std::string& key) const {
  return fmt::format("{}:{}", path_, entry(section, key).line);
}

const AngleFile::Entry& AngleFile::entry(const std::string& section, const std::string& key) const {
  const auto start = start_.find(section);
  if (start == start_.end())
    throw BadInput(fmt::format("{}:{}: no line begins with '{}:'; give this section", path_, line_, section));
  const auto keys = keys_.find(section);
  if (keys != keys_.end())
    if (const auto at = keys->second.find(key); at != keys->second.end()) return at->second;
  throw BadInput(fmt::format("{}:{}: no line begins with '{}='{}; give one", path_,
                             section.empty() ? line_ : start->second, key,
                             section.empty() ? "" : " in the section '" + section + ":'"));
}

double AngleFile::number(const std::string& section, const std::string& key) const {
  return entry(section, key).number;
}
long AngleFile::integer(const std::string& section, const std::string& key) const {
  return long(entry(section, key).number);
}
bool AngleFile::flag(const std::string& section, const std::string& key) const {
  return entry(section, key).number != 0;
}
const std::string& AngleFile::word(const std::string& section, const std::string& key) const {
  return entry(section, key).word;
}
const std::vector<std::vector<double>>& AngleFile::rows(const std::string& section,
                                                        const std::string& key) const {
  return entry(section, key).rows;
}

}  // namespace umov::dda
