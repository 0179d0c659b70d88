// A fraction as a parameter may take it: a number, or per cent.
#include "parameters/value_fraction.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace umov {

Codec<double> fraction(Range range) {
  const auto read = [range](const Value& v) {
    const auto* s = std::get_if<std::string>(&v.data);
    if (s && !s->empty() && s->back() == '%') {
      const double percent = read_number(parse_scalar(s->substr(0, s->size() - 1)), {});
      if (range.contains(percent / 100)) return percent / 100;
      throw ValueError(fmt::format("is {} (must be {}); give e.g. \"1%\" or 0.01", *s, range.text()));
    }
    const double x = read_number(v, {});
    if (!range.contains(x))
      throw ValueError(
          fmt::format("is {} (must be {}); give e.g. \"1%\" or 0.01", shortest(x), range.text()));
    return x;
  };
  return {read,
          parse_scalar,
          [](const double& x) { return x == 0 ? std::string() : shortest(x); },
          range.text() + "; 0.01, \"1%\"",
          "FRACTION",
          false,
          false,
          schema::any_of({schema::number(range), schema::text()})};
}

}  // namespace umov
