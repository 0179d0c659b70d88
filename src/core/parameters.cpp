// Parameter tables: declarations, their TOML reader and writer.
#include "core/parameters.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov {

std::string ParameterInfo::name() const {
  if (key.empty()) return flags.front();
  return section.empty() ? key : section + "." + key;
}

void ParameterList::append(ParameterInfo info, Binding binding, const void* defaults) {
  if (defaults) {
    const auto literals = binding.write(defaults);
    info.default_text = join(literals, ", ");
    if (info.default_text.empty() || info.default_text == "\"\"") info.default_text = info.when_unset;
  }
  infos_.push_back(std::move(info));
  bindings_.push_back(std::move(binding));
}

std::vector<std::string> ParameterList::sections() const {
  std::vector<std::string> names;
  for (const auto& info : infos_)
    if (std::find(names.begin(), names.end(), info.section) == names.end()) names.push_back(info.section);
  return names;
}

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

/// One walk over one file: names of places, unknown keys, values to their parameters.
class TomlReader {
 public:
  using Setter = std::function<void(std::size_t parameter, const Value&, std::size_t occurrence)>;

  TomlReader(std::string path, const std::vector<ParameterInfo>& infos, Setter set, Origins& origins)
      : path_(std::move(path)), infos_(infos), set_(std::move(set)), origins_(origins) {}

  void read() {
    const toml::table root = parse();
    for (auto&& [key, node] : root) {
      const std::string name(key.str());
      if (const auto* tables = node.as_array(); tables && is_list(name)) {
        read_list(name, *tables);
      } else if (is_section(name)) {
        if (!node.is_table()) fail(node, fmt::format("'{}' wants a table: [{}]", name, name));
        read_section(name, *node.as_table(), 0);
      } else {
        assign("", name, node, key.source().begin.line, 0);
      }
    }
  }

 private:
  toml::table parse() const {
    std::error_code ignored;
    if (!std::filesystem::exists(path_, ignored))
      throw BadInput(fmt::format("{}: no such file (the case to run); give the path of a TOML file", path_));
    if (std::filesystem::is_directory(path_, ignored))
      throw BadInput(fmt::format("{}: is a folder (the case to run is a TOML file)", path_));
    try {
      return toml::parse_file(path_);
    } catch (const toml::parse_error& e) {
      throw BadInput(
          fmt::format("{}:{}: not valid TOML ({})", path_, e.source().begin.line, e.description()));
    }
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& problem) const {
    throw BadInput(fmt::format("{}:{}: {}", path_, node.source().begin.line, problem));
  }

  bool is_section(const std::string& name) const {
    return std::any_of(infos_.begin(), infos_.end(),
                       [&](const auto& i) { return !name.empty() && i.section == name && !i.key.empty(); });
  }
  bool is_list(const std::string& name) const {
    return std::any_of(infos_.begin(), infos_.end(),
                       [&](const auto& i) { return i.section == name && i.repeatable; });
  }

  void read_list(const std::string& name, const toml::array& tables) {
    std::size_t occurrence = 0;
    for (const auto& item : tables) {
      if (!item.is_table()) fail(item, fmt::format("'{}' wants tables: [[{}]]", name, name));
      read_section(name, *item.as_table(), occurrence++);
    }
  }

  void read_section(const std::string& section, const toml::table& table, std::size_t occurrence) {
    for (auto&& [key, node] : table)
      assign(section, std::string(key.str()), node, key.source().begin.line, occurrence);
  }

  void assign(const std::string& section, const std::string& key, const toml::node& node, std::size_t line,
              std::size_t occurrence) {
    std::size_t at = 0;
    while (at < infos_.size() && !(infos_[at].section == section && infos_[at].key == key)) ++at;
    if (at == infos_.size()) throw BadInput(unknown(section, key, line));
    const std::string place = fmt::format("{}:{}", path_, line);
    try {
      set_(at, to_value(node), occurrence);
    } catch (const ValueError& e) {
      throw BadInput(fmt::format("{}: '{}' {}", place, infos_[at].name(), e.what()));
    }
    origins_[infos_[at].name()] = place;
  }

  std::string unknown(const std::string& section, const std::string& key, std::size_t line) const {
    std::vector<std::string> here;
    std::string elsewhere;
    for (const auto& info : infos_) {
      if (info.key.empty()) continue;
      if (info.section == section)
        here.push_back(info.key);
      else if (info.key == key && elsewhere.empty())
        elsewhere = info.section.empty() ? "the top level" : "[" + info.section + "]";
      if (section.empty() && !info.section.empty()) here.push_back(info.section);
    }
    const std::string where = section.empty() ? "" : fmt::format(" in [{}]", section);
    std::string hint = did_you_mean(key, here);
    if (hint.empty() && !elsewhere.empty()) hint = fmt::format("it belongs in {}", elsewhere);
    if (hint.empty()) hint = "known here: " + known(here);
    return fmt::format("{}:{}: unknown key '{}'{}; {}", path_, line, key, where, hint);
  }

  static std::string known(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return join(names, ", ");
  }

  std::string path_;
  const std::vector<ParameterInfo>& infos_;
  Setter set_;
  Origins& origins_;
};

}  // namespace

void ParameterList::read_toml(const std::string& path, void* target, Origins& origins) const {
  const auto set = [&](std::size_t i, const Value& v, std::size_t n) { bindings_[i].set(target, v, n); };
  TomlReader(path, infos_, set, origins).read();
}

std::string ParameterList::write_toml(const void* source) const {
  std::string out;
  for (const auto& section : sections()) {
    std::string body;
    bool list = false;
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      const auto& info = infos_[i];
      if (info.section != section || info.key.empty()) continue;
      list = list || info.repeatable;
      const std::string unit = info.unit.empty() ? "" : "  # " + info.unit;
      for (const auto& literal : bindings_[i].write(source)) {
        if (info.repeatable) body += fmt::format("\n[[{}]]\n", section);
        if (literal.empty())
          body += fmt::format("# {} = {}\n", info.key, info.when_unset);
        else
          body += fmt::format("{} = {}{}\n", info.key, literal, unit);
      }
    }
    if (body.empty()) continue;
    if (!section.empty() && !list) out += fmt::format("\n[{}]\n", section);
    out += body;
  }
  return out;
}

}  // namespace umov
