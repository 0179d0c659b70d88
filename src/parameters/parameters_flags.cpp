// Parameter tables: the command line, its help, and the manual's tables.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/console.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/parameters.hpp"

namespace umov {

namespace {

/// A switch's second spelling "--no-..." clears it; a first one of that form has a meaning of its own.
bool clears(const std::string& flag, std::size_t spelling) {
  return spelling > 0 && flag.rfind("--no-", 0) == 0;
}

/// Words that look like flags but are none. A negative number is a word.
bool looks_like_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !parse_number(word) && word != "--";
}

/// The text of a switch: "true" unless `--switch=false`, the other way round for `--no-switch`.
std::vector<std::string> switch_text(bool clears, const std::vector<std::string>& results) {
  const std::string last = results.empty() ? "true" : results.back();
  if (!clears || (last != "true" && last != "false")) return {last};
  return {last == "true" ? "false" : "true"};
}

}  // namespace

std::vector<std::string> ParameterList::read_flags(std::span<const std::string> args, void* target,
                                                   Origins& origins) const {
  for (const auto& word : args)
    if (!is_utf8(word))
      throw BadInput(
          fmt::format("'{}' on the command line is no text (bytes that are no UTF-8, which a case "
                      "cannot hold); rename what it names",
                      shortened(word)));
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::vector<CLI::Option*>> found(infos_.size());  // one per spelling
  for (std::size_t i = 0; i < infos_.size(); ++i)
    for (const auto& flag : infos_[i].flags) {
      if (infos_[i].is_switch)
        found[i].push_back(app.add_flag(flag));
      else
        found[i].push_back(app.add_option(flag, "")
                               ->expected(1)
                               ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                               ->allow_extra_args(false));
    }
  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch&) {
    throw BadInput(fmt::format("{}: wants a value (nothing follows it); see --help", args.back()));
  } catch (const CLI::ParseError& e) {
    throw BadInput(fmt::format("{} (reading the command line); see --help", e.what()));
  }

  std::vector<std::string> words = app.remaining(), known;
  for (const auto& info : infos_) known.insert(known.end(), info.flags.begin(), info.flags.end());
  for (const auto& word : words)
    if (looks_like_flag(word)) {
      const std::string name = word.substr(0, word.find('='));
      const std::string hint = did_you_mean(name, known);
      throw BadInput(fmt::format("unknown option '{}'; {}", shortened(name),
                                 hint.empty() ? "see --help for the list" : hint));
    }

  for (std::size_t i = 0; i < infos_.size(); ++i) {
    std::size_t occurrence = 0;
    for (std::size_t f = 0; f < found[i].size(); ++f) {
      const std::string& flag = infos_[i].flags[f];
      const auto* option = found[i][f];
      if (option->count() == 0) continue;
      const auto texts =
          infos_[i].is_switch ? switch_text(clears(flag, f), option->results()) : option->results();
      for (const auto& text : texts) {
        if (occurrence > 0 && !infos_[i].repeatable)
          throw BadInput(fmt::format("{}: given twice (once as {})", flag, origins.at(infos_[i].name())));
        try {
          bindings_[i].set(target, bindings_[i].from_text(text), occurrence++);
        } catch (const ValueError& e) {
          throw BadInput(fmt::format("{} {}: {}", flag, shortened(text), e.what()));
        }
        origins[infos_[i].name()] = flag;
      }
    }
  }
  return words;
}

namespace {

/// Breaks `text` into lines of at most `width` characters between words.
std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const auto& word : split(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::string facts(const ParameterInfo& info) {
  std::vector<std::string> parts;
  if (!info.unit.empty()) parts.push_back(info.unit);
  if (!info.values.empty() && !info.is_switch) parts.push_back(info.values);
  if (!info.default_text.empty() && !info.is_switch) parts.push_back("default " + info.default_text);
  if (info.is_switch && info.default_text == "true") parts.push_back("on by default");
  if (info.repeatable) parts.push_back("may be repeated");
  return join(parts, "; ");
}

std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + in_cell(text) + "`"; }

std::string title(const std::string& section) { return section.empty() ? "top level" : "[" + section + "]"; }

}  // namespace

std::string ParameterList::help() const {
  constexpr std::size_t column = 34, width = 100;
  std::string out;
  for (const auto& section : sections()) {
    out += fmt::format("\n{}\n", section.empty() ? "General" : title(section));
    for (const auto& info : infos_) {
      if (info.section != section || info.flags.empty()) continue;
      std::string left = "  " + join(info.flags, ", ");
      if (!info.metavar.empty()) left += " " + info.metavar;
      const std::string about = facts(info);
      const auto lines = wrap(info.help + (about.empty() ? "" : " (" + about + ")"), width - column);
      if (left.size() + 2 > column) {
        out += left + "\n";
        left.clear();
      }
      for (const auto& line : lines) {
        out += fmt::format("{:<{}}{}\n", left, column, line);
        left.clear();
      }
    }
  }
  return out;
}

std::string ParameterList::rows(const std::string& section) const {
  std::string out = "| key | flag | unit | values | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const auto& info : infos_) {
    if (info.section != section) continue;
    std::vector<std::string> flags;
    for (const auto& flag : info.flags)
      flags.push_back(code(info.metavar.empty() ? flag : flag + " " + info.metavar));
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", code(info.key), join(flags, "<br>"), info.unit,
                       in_cell(info.values), in_cell(info.default_text),
                       in_cell(info.help) + (info.repeatable ? " May be repeated." : ""));
  }
  return out + "\n";
}

std::string ParameterList::list_markdown(const SubTables& list, const std::string& prefix) const {
  const std::string name = prefix + list.section;
  std::string out = fmt::format("### `[[{}]]`\n\n{}\n\n{}", name, list.help, list.items->rows(""));
  for (const auto& inner : list.items->lists_) out += list.items->list_markdown(inner, name + ".");
  return out;
}

std::string ParameterList::markdown() const {
  std::string out;
  for (const auto& section : sections())
    out += fmt::format("### {}\n\n{}", section.empty() ? "Top level" : "`" + title(section) + "`",
                       rows(section));
  for (const auto& list : lists_) out += list_markdown(list, "");
  return out;
}

}  // namespace umov
