// Parsing units: a product of words with prefixes and powers.
#include "parameters/units.hpp"

#include <cctype>
#include <cmath>
#include <string>

namespace umov {

namespace {

struct Base {
  std::string_view name;
  Unit unit;
};

/// CODATA 2018, exact.
constexpr double elementary_charge = 1.602176634e-19;

constexpr Base bases[] = {{"m", {1, {1, 0, 0, 0}}},
                          {"s", {1, {0, 1, 0, 0}}},
                          {"V", {1, {0, 0, 1, 0}}},
                          {"A", {1, {0, 0, 0, 1}}},
                          {"S", {1, {0, 0, -1, 1}}},
                          {"Ohm", {1, {0, 0, 1, -1}}},
                          {"ohm", {1, {0, 0, 1, -1}}},
                          {"\xCE\xA9", {1, {0, 0, 1, -1}}},
                          {"F", {1, {0, 1, -1, 1}}},
                          {"C", {1, {0, 1, 0, 1}}},
                          {"J", {1, {0, 1, 1, 1}}},
                          {"W", {1, {0, 0, 1, 1}}},
                          {"Hz", {1, {0, -1, 0, 0}}},
                          {"eV", {elementary_charge, {0, 1, 1, 1}}},
                          {"micron", {1e-6, {1, 0, 0, 0}}},
                          {"microns", {1e-6, {1, 0, 0, 0}}},
                          {"angstrom", {1e-10, {1, 0, 0, 0}}},
                          {"Angstrom", {1e-10, {1, 0, 0, 0}}},
                          {"\xC3\x85", {1e-10, {1, 0, 0, 0}}}};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"f", 1e-15},       {"p", 1e-12},       {"n", 1e-9}, {"u", 1e-6},
                               {"\xC2\xB5", 1e-6}, {"\xCE\xBC", 1e-6}, {"m", 1e-3}, {"c", 1e-2},
                               {"k", 1e3},         {"M", 1e6},         {"G", 1e9},  {"T", 1e12}};

const Unit* find_base(std::string_view word) {
  for (const Base& b : bases)
    if (b.name == word) return &b.unit;
  return nullptr;
}

std::optional<Unit> find_word(std::string_view word) {
  if (const Unit* u = find_base(word)) return *u;
  for (const Prefix& p : prefixes)
    if (word.starts_with(p.name))
      if (const Unit* u = find_base(word.substr(p.name.size()))) return Unit{p.factor * u->factor, u->power};
  return std::nullopt;
}

void multiply(Unit& to, const Unit& by, int times) {
  to.factor *= std::pow(by.factor, times);
  for (std::size_t k = 0; k < to.power.size(); ++k) to.power[k] += times * by.power[k];
}

/// "⁻¹" and "²" as "^-1" and "^2", "·" as "*".
std::string plain(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> signs[] = {{"\xE2\x81\xBB\xC2\xB9", "^-1"},
                                                                            {"\xE2\x81\xBB\xC2\xB2", "^-2"},
                                                                            {"\xC2\xB2", "^2"},
                                                                            {"\xC2\xB7", "*"},
                                                                            {"\xE2\x8B\x85", "*"},
                                                                            {"**", "^"}};
  std::string out(text);
  for (const auto& [from, to] : signs)
    for (auto at = out.find(from); at != std::string::npos; at = out.find(from, at + to.size()))
      out.replace(at, from.size(), to);
  return out;
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<Unit> run() {
    const auto unit = product(0);
    blanks();
    return unit && at_ == text_.size() ? unit : std::nullopt;
  }

 private:
  std::optional<Unit> product(int depth) {
    if (depth > 4) return std::nullopt;
    Unit unit;
    int sign = 1;
    for (;;) {
      const auto one = factor(depth);
      if (!one) return std::nullopt;
      multiply(unit, *one, sign);
      blanks();
      if (at_ == text_.size() || text_[at_] == ')') return unit;
      sign = 1;
      if (text_[at_] == '*' || text_[at_] == '/') sign = text_[at_++] == '/' ? -1 : 1;
      blanks();
    }
  }
  std::optional<Unit> factor(int depth) {
    blanks();
    std::optional<Unit> unit;
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      unit = product(depth + 1);
      if (!unit || at_ == text_.size()) return std::nullopt;
      ++at_;
    } else if (at_ < text_.size() && text_[at_] == '1') {
      ++at_;
      unit = Unit{};
    } else {
      const std::size_t begin = at_;
      while (at_ < text_.size() && letter(text_[at_])) ++at_;
      unit = find_word(text_.substr(begin, at_ - begin));
    }
    if (!unit) return std::nullopt;
    const int times = power();
    if (times == 0) return std::nullopt;
    Unit raised;
    multiply(raised, *unit, times);
    return raised;
  }
  /// "^-1", "-1", "2"; 1 where there is none, 0 for what is no power.
  int power() {
    const bool hat = at_ < text_.size() && text_[at_] == '^';
    if (hat) ++at_;
    const bool minus = at_ < text_.size() && text_[at_] == '-';
    if (minus) ++at_;
    if (at_ == text_.size() || !std::isdigit(static_cast<unsigned char>(text_[at_])))
      return hat || minus ? 0 : 1;
    const int value = text_[at_++] - '0';
    return minus ? -value : value;
  }
  static bool letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  if (text == "-" || text == "1") return Unit{};
  const std::string ascii = plain(text);
  return UnitParser(ascii).run();
}

}  // namespace umov
