// The dispersion formulas of the refractiveindex.info database: their values and how many coefficients they
// have.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "materials/nk_blocks.hpp"

namespace umov::materials {

namespace {

/// c0 + c1 w^c2 + c3 w^c4 ...
double powers(const std::vector<double>& c, std::size_t first, double w) {
  double sum = 0;
  for (std::size_t i = first; i + 1 < c.size(); i += 2) sum += c[i] * std::pow(w, c[i + 1]);
  return sum;
}

}  // namespace

double DispersionFormula::n(double w) const {
  const auto& c = coefficients;
  const auto at = [&](std::size_t i) { return i < c.size() ? c[i] : 0; };
  const double w2 = w * w;
  double sum = at(0);
  switch (kind) {
    case 1:  // Sellmeier: n^2 - 1 = c0 + sum c1 w^2 / (w^2 - c2^2)
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * w2 / (w2 - at(i + 1) * at(i + 1));
      return std::sqrt(1 + sum);
    case 2:  // Sellmeier-2: the same with w^2 - c2
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) * w2 / (w2 - at(i + 1));
      return std::sqrt(1 + sum);
    case 3:  // polynomial: n^2 = c0 + sum c1 w^c2
      return std::sqrt(sum + powers(c, 1, w));
    case 4:  // n^2 = c0 + c1 w^c2 / (w^2 - c3^c4) + c5 w^c6 / (w^2 - c7^c8) + sum c9 w^c10
      for (std::size_t i = 1; i < std::min<std::size_t>(c.size(), 9); i += 4)
        sum += at(i) * std::pow(w, at(i + 1)) / (w2 - std::pow(at(i + 2), at(i + 3)));
      return std::sqrt(sum + powers(c, 9, w));
    case 5:  // Cauchy: n = c0 + sum c1 w^c2
      return sum + powers(c, 1, w);
    case 6:  // gases: n - 1 = c0 + sum c1 / (c2 - w^-2)
      for (std::size_t i = 1; i < c.size(); i += 2) sum += at(i) / (at(i + 1) - 1 / w2);
      return 1 + sum;
    case 7: {  // Herzberger: n = c0 + c1 / (w^2 - 0.028) + c2 / (w^2 - 0.028)^2 + c3 w^2 + c4 w^4 + c5 w^6
      const double pole = 1 / (w2 - 0.028);
      return sum + at(1) * pole + at(2) * pole * pole + w2 * (at(3) + w2 * (at(4) + w2 * at(5)));
    }
    case 8: {  // retro: (n^2 - 1) / (n^2 + 2) = c0 + c1 w^2 / (w^2 - c2) + c3 w^2
      const double ratio = sum + at(1) * w2 / (w2 - at(2)) + at(3) * w2;
      return std::sqrt((1 + 2 * ratio) / (1 - ratio));
    }
    default:  // 9, exotic: n^2 = c0 + c1 / (w^2 - c2) + c3 (w - c4) / ((w - c4)^2 + c5)
      return std::sqrt(sum + at(1) / (w2 - at(2)) +
                       at(3) * (w - at(4)) / ((w - at(4)) * (w - at(4)) + at(5)));
  }
}

namespace {

/// Coefficients come in whole terms ("Dispersion formulas" of the database): a constant, then terms of
/// `first_terms` numbers while they are at most `first_most`, then of two.
struct Counts {
  std::size_t least, first_most, first_terms, most;
  const char* terms;

  bool allow(std::size_t n) const {
    if (n < least || n > most) return false;
    return n <= first_most ? (n - least) % first_terms == 0 : (n - first_most) % 2 == 0;
  }
};

constexpr std::array<Counts, formulas> all_counts{{
    {1, 17, 2, 17, "a constant and up to eight pairs of strength and resonance"},
    {1, 17, 2, 17, "a constant and up to eight pairs of strength and square of a resonance"},
    {1, 17, 2, 17, "a constant and up to eight pairs of factor and power"},
    {1, 9, 4, 17,
     "a constant, up to two resonances of four numbers, then up to four pairs of factor and power"},
    {1, 11, 2, 11, "a constant and up to five pairs of factor and power"},
    {1, 11, 2, 11, "a constant and up to five pairs of strength and resonance"},
    {5, 6, 1, 6, "Herzberger's five, and one of the sixth power"},
    {4, 4, 1, 4, "the four of the retro formula"},
    {6, 6, 1, 6, "the six of the exotic formula"},
}};

}  // namespace

std::string wrong_count(const DispersionFormula& formula) {
  const Counts& counts = all_counts[std::size_t(formula.kind - 1)];
  const std::size_t given = formula.coefficients.size();
  if (counts.allow(given)) return "";
  std::string numbers;
  for (std::size_t n = counts.least; n <= counts.most; ++n)
    if (counts.allow(n))
      numbers += fmt::format("{}{}", numbers.empty() ? "" : n == counts.most ? " or " : ", ", n);
  return fmt::format("{} coefficients for formula {} (it has {}: {}); complete them, zeros included", given,
                     formula.kind, numbers, counts.terms);
}

}  // namespace umov::materials
