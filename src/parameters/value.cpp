// Parsers of scalars, lists and nested lists, and ranges in words.
#include "parameters/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace umov {

std::string Range::text() const {
  const bool bounded_low = std::isfinite(low), bounded_high = std::isfinite(high);
  if (bounded_low && bounded_high)
    return low_open ? fmt::format("> {}, <= {}", low, high) : fmt::format("{} to {}", low, high);
  if (bounded_low) return fmt::format("{} {}", low_open ? ">" : ">=", low);
  if (bounded_high) return fmt::format("<= {}", high);
  return "";
}

std::string describe(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value.data)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<long long>(&value.data)) return fmt::format("{}", *i);
  if (const auto* d = std::get_if<double>(&value.data)) return shortest(*d);
  if (const auto* s = std::get_if<std::string>(&value.data))
    return fmt::format("the text '{}'", shortened(*s));
  return fmt::format("a list of {}", std::get<std::vector<Value>>(value.data).size());
}

std::string sweep_hint(const Value& value, bool of_lists) {
  const auto is_list = [](const Value& v) { return std::holds_alternative<std::vector<Value>>(v.data); };
  const auto* text = std::get_if<std::string>(&value.data);
  const bool several =
      text ? !of_lists && (text->find(',') != text->npos || std::ranges::count(*text, ':') == 2)
           : is_list(value) && (!of_lists || std::ranges::any_of(read_list(value), is_list));
  return several ? "; `umov sweep` computes a case for each of several values" : "";
}

namespace {

void check_range(double x, const Range& range) {
  if (!range.contains(x))
    throw ValueError(fmt::format("{} is out of range (allowed: {})", shortest(x), range.text()));
}

}  // namespace

double read_number(const Value& value, const Range& range) {
  double x = std::nan("");
  if (const auto* i = std::get_if<long long>(&value.data)) {
    x = static_cast<double>(*i);
  } else if (const auto* d = std::get_if<double>(&value.data)) {
    x = *d;
  } else {
    throw ValueError(fmt::format("wants a number, not {}{}", describe(value), sweep_hint(value)));
  }
  if (!std::isfinite(x)) throw ValueError(fmt::format("wants a finite number, not {}", describe(value)));
  check_range(x, range);
  return x;
}

long long read_integer(const Value& value, const Range& range) {
  std::optional<long long> x;
  if (const auto* i = std::get_if<long long>(&value.data)) x = *i;
  if (!x) throw ValueError(fmt::format("wants a whole number, not {}{}", describe(value), sweep_hint(value)));
  check_range(static_cast<double>(*x), range);
  return *x;
}

std::string read_choice(const Value& value, const std::vector<std::string>& words) {
  const auto* s = std::get_if<std::string>(&value.data);
  const std::string list = join(words, ", "), several = sweep_hint(value);
  if (!s) throw ValueError(fmt::format("wants one of {}, not {}{}", list, describe(value), several));
  if (std::find(words.begin(), words.end(), *s) != words.end()) return *s;
  const std::string hint = did_you_mean(*s, words);
  throw ValueError(fmt::format("'{}' is unknown (choose from {}){}{}", shortened(*s), list,
                               hint.empty() ? several : "; ", hint));
}

std::vector<Value> read_list(const Value& value) {
  if (const auto* list = std::get_if<std::vector<Value>>(&value.data)) return *list;
  return {value};
}

std::string bracketed(const std::vector<std::string>& literals) {
  return fmt::format("[{}]", join(literals, ", "));
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else if (static_cast<unsigned char>(c) == 0xc2 && next >= 0x80 && next < 0xa0) {
      out += fmt::format("\\u{:04X}", unsigned(next));  // U+0080 to U+009F: controls, too
      ++i;
    } else {
      out += c;
    }
  }
  return out + '"';
}

namespace {

/// Recursive descent over `item (, item)*` with item = ( list ) | [ list ] | text, or "text" where quotes are
/// read.
class NestedParser {
 public:
  explicit NestedParser(const std::string& text, bool quotes = false) : text_(text), quotes_(quotes) {}

  std::vector<Value> items() { return list('\0'); }
  Value whole() {
    std::vector<Value> all = items();
    return all.size() == 1 ? all[0] : Value{all};
  }

 private:
  std::vector<Value> list(char closing) {
    constexpr int most_levels = 32;
    if (++level_ > most_levels) throw ValueError(fmt::format("nests more than {} lists", most_levels));
    std::vector<Value> items = items_until(closing);
    --level_;
    return items;
  }

  std::vector<Value> items_until(char closing) {
    std::vector<Value> items;
    for (;;) {
      items.push_back(item());
      if (at_ == text_.size()) {
        if (closing) throw ValueError(fmt::format("'{}' lacks a closing '{}'", shortened(text_), closing));
        return items;
      }
      const char c = text_[at_++];
      if (c == ',') continue;
      if (c == closing) return items;
      throw ValueError(fmt::format("'{}' has an unexpected '{}' at position {}{}", shortened(text_), c, at_,
                                   quotes_ ? "; put a text with brackets or commas in double quotes" : ""));
    }
  }

  Value item() {
    skip_blanks();
    if (at_ < text_.size() && (text_[at_] == '(' || text_[at_] == '[')) {
      const char closing = text_[at_++] == '(' ? ')' : ']';
      Value inner{list(closing)};
      skip_blanks();
      return inner;
    }
    if (quotes_ && at_ < text_.size() && text_[at_] == '"') return quoted_item();
    const std::size_t end = std::min(text_.find_first_of(",()[]", at_), text_.size());
    const std::string word(trim(std::string_view(text_).substr(at_, end - at_)));
    if (word.empty())
      throw ValueError(fmt::format("'{}' has an empty place at position {}", shortened(text_), at_ + 1));
    at_ = end;
    return parse_scalar(word);
  }

  Value quoted_item() {
    const std::size_t begin = at_ + 1, end = text_.find('"', begin);
    if (end == std::string::npos)
      throw ValueError(fmt::format("'{}' lacks a closing '\"'", shortened(text_)));
    at_ = end + 1;
    skip_blanks();
    return Value{text_.substr(begin, end - begin)};
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  const std::string& text_;
  bool quotes_;
  std::size_t at_ = 0;
  int level_ = 0;
};

}  // namespace

Value parse_scalar(const std::string& text) {
  if (const auto whole = parse_integer(text)) return Value{*whole};
  if (const auto number = parse_number(text)) return Value{*number};
  return Value{text};
}

Value parse_nested(const std::string& text) { return NestedParser(text).whole(); }
std::vector<Value> parse_items(const std::string& text) { return NestedParser(text, true).items(); }

}  // namespace umov
