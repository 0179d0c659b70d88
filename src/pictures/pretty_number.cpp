// Numbers as people write them; apart, as what only names things draws nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pictures/plot.hpp"

namespace umov::pictures {
namespace {

/// A true minus sign instead of the hyphen.
std::string with_minus(std::string s) {
  if (!s.empty() && s[0] == '-') s = "−" + s.substr(1);
  return s;
}

}  // namespace

std::string superscript(int n) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = n < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(n))) out += digits[c - '0'];
  return out;
}

std::string pretty_number(double value, int digits) {
  if (value == 0) return "0";
  const int exponent = int(std::floor(std::log10(std::abs(value)) + 1e-12));
  if (exponent >= -3 && exponent < 6)
    return with_minus(fmt::format("{:.{}g}", value, std::max(digits, exponent + 1)));
  const double mantissa = value / std::pow(10.0, exponent);
  const std::string power = "10" + superscript(exponent);
  const std::string lead = with_minus(fmt::format("{:.{}g}", mantissa, digits));
  return lead == "1" ? power : lead + " × " + power;
}

}  // namespace umov::pictures
