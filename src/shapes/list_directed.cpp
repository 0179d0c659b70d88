#include "shapes/list_directed.hpp"

#include <cctype>
#include <optional>

#include "core/text.hpp"

namespace umov::shapes {
namespace {

constexpr long long most_repeats = 1000;  // no line of any format has so many values

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

void skip_blanks(std::string_view& text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
}

/// A Fortran real: the exponent begins with e, d or q, or with its sign alone.
std::optional<double> real(std::string_view word) {
  std::string c_form;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = char(std::tolower(static_cast<unsigned char>(word[i])));
    const bool sign = c == '+' || c == '-';
    if (sign && i > 0 && c_form.back() != 'e') {
      if (c_form.find('e') != std::string::npos) return std::nullopt;
      c_form += 'e';
    }
    c_form += c == 'd' || c == 'q' ? 'e' : c;
  }
  if (c_form.find_first_not_of("0123456789.e+-") != std::string::npos) return std::nullopt;
  return parse_number(c_form);
}

}  // namespace

bool ListRecord::take_word(std::string& word) {
  skip_blanks(rest_);
  if (!first_ && !rest_.empty() && rest_.front() == ',') {
    rest_.remove_prefix(1);
    skip_blanks(rest_);
  }
  first_ = false;
  word.clear();
  if (rest_.empty() || rest_.front() == '/') {
    ended_ = true;
    return false;
  }
  std::size_t n = 0;
  while (n < rest_.size() && !blank(rest_[n]) && rest_[n] != ',' && rest_[n] != '/') ++n;
  word = std::string(rest_.substr(0, n));  // empty where two commas leave a value out
  rest_.remove_prefix(n);
  return true;
}

bool ListRecord::value(std::string& word) {
  if (repeats_ > 0) {
    --repeats_;
    word = repeated_;
    return true;
  }
  if (ended_ || !take_word(word)) return false;
  const auto star = word.find('*');
  if (star == word.npos) return true;
  const auto count = parse_integer(std::string_view(word).substr(0, star));
  if (!count || *count < 1 || *count > most_repeats) return true;  // no number, says who reads it
  repeated_ = word.substr(star + 1);
  repeats_ = *count - 1;
  word = repeated_;
  return true;
}

bool ListRecord::next(long long& number) {
  std::string word;
  if (!value(word)) return false;
  const auto whole = parse_integer(word);
  if (!whole) return false;
  number = *whole;
  return true;
}

bool ListRecord::next(double& number) {
  std::string word;
  if (!value(word)) return false;
  const auto found = real(word);
  if (!found) return false;
  number = *found;
  return true;
}

bool ListRecord::number_follows() const {
  ListRecord ahead = *this;
  double ignored;
  return ahead.next(ignored);
}

}  // namespace umov::shapes
