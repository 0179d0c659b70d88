// Records of ddscat.par as Fortran's list-directed READ takes them.
#include "dda/ddscat/record.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/columns.hpp"

namespace umov::dda::ddscat {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// A Fortran real: 1.5D0, 1.e-3, +2.
std::optional<double> real(std::string text) {
  for (char& c : text)
    if (c == 'd' || c == 'D') c = 'e';
  std::string_view view = text;
  if (!view.empty() && view.front() == '+') view.remove_prefix(1);
  return parse_number(view);
}

}  // namespace

void Record::refuse(const std::string& problem) const { throw BadInput(place_ + ": " + problem); }

void Record::skip() {
  while (!rest_.empty() && blank(rest_.front())) rest_.remove_prefix(1);
}

std::string Record::take(const std::string& what) {
  if (again_ > 0) return --again_, value_;
  skip();
  if (!first_ && !rest_.empty() && rest_.front() == ',') {
    rest_.remove_prefix(1);
    skip();
  }
  first_ = false;
  again_ = times(what) - 1;
  value_ = one(what);
  return value_;
}

long Record::times(const std::string& what) {
  std::size_t n = 0;
  while (n < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[n]))) ++n;
  if (n == 0 || n == rest_.size() || rest_[n] != '*') return 1;
  const auto count = parse_number(rest_.substr(0, n));
  if (!count || *count < 1 || *count > 255)
    refuse(fmt::format("{}: '{}*' repeats no number of times from 1 to 255", what,
                       shortened(std::string(rest_.substr(0, n)))));
  rest_.remove_prefix(n + 1);
  if (rest_.empty() || blank(rest_.front()) || rest_.front() == ',')
    refuse(fmt::format("{}: no value after '*'; give it, as in 3*1.0", what));
  return long(*count);
}

std::string Record::one(const std::string& what) {
  if (rest_.empty() || rest_.front() == '/') refuse(fmt::format("{} is missing; give it in this line", what));
  std::size_t n = 0;
  std::string word;
  if (rest_.front() == '\'' || rest_.front() == '"') {
    n = rest_.find(rest_.front(), 1);
    if (n == std::string_view::npos) refuse(fmt::format("{}: the quotation has no end", what));
    word = std::string(rest_.substr(1, n - 1));
    ++n;
  } else if (rest_.front() == '(') {
    n = rest_.find(')');
    if (n == std::string_view::npos) refuse(fmt::format("{}: the parenthesis has no end", what));
    word = std::string(rest_.substr(0, ++n));
  } else {
    while (n < rest_.size() && !blank(rest_[n]) && rest_[n] != ',' && rest_[n] != '/') ++n;
    word = std::string(rest_.substr(0, n));
  }
  rest_.remove_prefix(n);
  return word;
}

double Record::number(const std::string& what) {
  const std::string text = take(what);
  if (const auto x = real(text)) return *x;
  refuse(fmt::format("{} is '{}', not a number; correct it (the lines must come in the order of DDSCAT 7.3)",
                     what, shortened(text)));
}

double Record::positive(const std::string& what) {
  const double x = number(what);
  if (!(x > 0)) refuse(fmt::format("{} is {} (must be positive); correct it", what, x));
  return x;
}

long Record::whole(const std::string& what, long least, long most) {
  const double x = number(what);
  if (x != std::floor(x) || x < double(least) || x > double(most))
    refuse(fmt::format("{} is {} (a whole number from {} to {}); correct it", what, x, least, most));
  return long(x);
}

std::string Record::word(const std::string& what) {
  std::string text(trim(take(what)));
  return text;
}

cplx Record::complex(const std::string& what) {
  const std::string text = take(what);
  if (text.size() > 2 && text.front() == '(') {
    const auto parts = split(std::string_view(text).substr(1, text.size() - 2), ',');
    if (parts.size() == 2) {
      const auto re = real(std::string(trim(parts[0]))), im = real(std::string(trim(parts[1])));
      if (re && im) return {*re, *im};
    }
  }
  refuse(fmt::format("{} is '{}', not a complex number; write (re,im)", what, shortened(text)));
}

Records::Records(const std::string& path) : path_(path), lines_(read_lines(path, "DDSCAT's input")) {}

bool Records::at_end() const {
  for (std::size_t i = at_; i < lines_.size(); ++i)
    if (!trim(lines_[i]).empty()) return false;
  return true;
}

Record Records::next(const std::string& what) {
  while (at_ < lines_.size() && trim(lines_[at_]).empty()) ++at_;
  return skip_line(what);
}

Record Records::skip_line(const std::string& what) {
  if (at_ >= lines_.size())
    throw BadInput(fmt::format("{}:{}: the file ends before {}; give the lines of DDSCAT 7.3", path_,
                               lines_.size(), what));
  ++at_;
  return {fmt::format("{}:{}", path_, at_), lines_[at_ - 1]};
}

}  // namespace umov::dda::ddscat
