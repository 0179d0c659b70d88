// Coefficients of the time integrators.
#include "eqs/integrators/tableau.hpp"

#include <array>

#include "eqs/integrators/stabilised_scheme.hpp"

namespace umov::eqs {

namespace {

Tableau sdirk3() {
  Tableau t;
  t.stages = 4;
  t.gamma = 0.25;
  t.c = {1.0 / 4, 11.0 / 28, 1.0 / 3, 1};
  t.a = {{{1.0 / 4, 0, 0, 0},
          {1.0 / 7, 1.0 / 4, 0, 0},
          {61.0 / 144, -49.0 / 144, 1.0 / 4, 0},
          {0, 0, 0.75, 0.25}}};
  t.b = t.a[3];
  t.embedded = {-61.0 / 600, 49.0 / 600, 79.0 / 100, 23.0 / 100};
  // 0.04 of a third difference that does not see the stages' own errors of order 1 (docs/theory/eqs.md)
  t.watch_start = -134.0 / 330;
  t.watch = {488.0 / 330, -392.0 / 330, 9.0 / 330, 29.0 / 330};
  t.order = 3;
  t.embedded_order = 2;
  return t;
}

Tableau implicit_euler() {
  Tableau t;
  t.stages = 2;
  t.gamma = 1;
  t.c = {0, 1, 0, 0};
  t.a[1] = {0, 1, 0, 0};
  t.b = {0, 1, 0, 0};
  t.embedded = {0.5, 0.5, 0, 0};
  t.order = 1;
  t.embedded_order = 2;
  return t;
}

/// Weights of the third divided difference over the stages' times, by the factor `size`.
std::array<double, 4> third_difference(const std::array<double, 4>& c, double size) {
  std::array<double, 4> w{};
  for (int s = 0; s < 4; ++s) {
    w[s] = size;
    for (int j = 0; j < 4; ++j)
      if (j != s) w[s] /= c[s] - c[j];
  }
  return w;
}

Tableau esdirk3() {
  // gamma: the root of 6 g^3 - 18 g^2 + 9 g - 1 for which the method is L-stable; the rest follows from
  // order 3, stage order 2 and c3
  const double g = 0.435866521508458999416019451194, c2 = 2 * g, c3 = 0.6;
  const double a32 = c3 * (c3 - c2) / (4 * g), b3 = (1 - 6 * g + 6 * g * g) / (3 * c3 * (c3 - c2));
  const double b2 = (-2 + 3 * c3 + 6 * g * (1 - c3)) / (12 * g * (c3 - c2));
  Tableau t;
  t.stages = 4;
  t.gamma = g;
  t.c = {0, c2, c3, 1};
  t.a[1] = {g, g, 0, 0};
  t.a[2] = {c3 - a32 - g, a32, g, 0};
  t.a[3] = {1 - b2 - b3 - g, b2, b3, g};
  t.b = t.a[3];
  t.embedded = {2756255671327.0 / 12835298489170.0, -10771552573575.0 / 22201958757719.0,
                9247589265047.0 / 10645013368117.0, 2193209047091.0 / 5459859503100.0};
  t.watch = third_difference(t.c, 0.018);  // docs/theory/eqs.md
  t.order = 3;
  t.embedded_order = 2;
  return t;
}

}  // namespace

Tableau tableau(Scheme s) {
  if (s == Scheme::implicit_euler) return implicit_euler();
  if (is_stabilised(s)) {
    Tableau orders;
    orders.order = orders.embedded_order = 2;
    return orders;
  }
  return s == Scheme::esdirk3 ? esdirk3() : sdirk3();
}

}  // namespace umov::eqs
