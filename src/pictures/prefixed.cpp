#include "pictures/prefixed.hpp"

#include <cmath>

namespace umov::pictures {

Scaled prefixed(double largest, const std::string& unit) {
  static constexpr struct {
    double size;
    const char* prefix;
  } prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"},   {1, ""},      {1e-3, "m"},
                  {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}, {1e-15, "f"}, {1e-18, "a"}};
  if (!(largest > 0) || !std::isfinite(largest) || unit == "1") return {1, unit};
  for (const auto& p : prefixes)
    if (largest >= 0.9995 * p.size) return {1 / p.size, p.prefix + unit};
  return {1, unit};
}

}  // namespace umov::pictures
