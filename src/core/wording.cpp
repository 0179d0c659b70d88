// Marks of parameters in texts, replaced by what the user writes.
#include "core/wording.hpp"

#include <algorithm>
#include <utility>

namespace umov {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

/// Without the quotes of a text, or the brackets and blanks of a list.
std::string plain(std::string_view value) {
  const auto enclosed = [&](char first, char last) {
    return value.size() > 1 && value.front() == first && value.back() == last;
  };
  const bool list = enclosed('[', ']');
  if (list || enclosed('\'', '\'')) value = value.substr(1, value.size() - 2);
  std::string out(value);
  if (list) std::erase(out, ' ');
  return out;
}

/// What the mark within backquotes is spelled as; "": it is none.
std::string spelled(std::string_view mark, const Spelling& spelling) {
  const std::string_view equals = " = ";
  const auto at = mark.find(equals);
  const std::string_view name = mark.substr(0, at);
  if (!is_name(name)) return "";
  return spelling(std::string(name), at == mark.npos ? "" : plain(mark.substr(at + equals.size())));
}

Spelling& current() {
  static Spelling spelling;
  return spelling;
}

}  // namespace

std::string worded(std::string_view text, const Spelling& spelling) {
  if (!spelling) return std::string(text);
  std::string out;
  for (auto begin = text.find('`'); begin != text.npos; begin = text.find('`')) {
    const auto end = text.find('`', begin + 1);
    const std::string words =
        end == text.npos ? "" : spelled(text.substr(begin + 1, end - begin - 1), spelling);
    out += text.substr(0, begin);
    out += words.empty() ? "`" : words;
    text.remove_prefix(words.empty() ? begin + 1 : end + 1);
  }
  return out.append(text);
}

void speak(Spelling spelling) { current() = std::move(spelling); }

std::string worded(std::string_view text) { return worded(text, current()); }

}  // namespace umov
