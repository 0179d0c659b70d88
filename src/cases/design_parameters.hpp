// Which cases of a case with varied parameters are computed, and what is fitted to their results: [batch].
#pragma once

#include <string>
#include <vector>

#include "cases/declare.hpp"

namespace umov::cases {

/// Which combinations of the parameters' values are computed.
enum class Design {
  all,              ///< every value of one with every value of the others
  latin_hypercube,  ///< as many as asked for, spread over the box between the smallest and largest values
  table             ///< the rows of a file
};

/// What is looked for in a response.
enum class Goal { minimum, maximum };

/// What is fitted to a response (linalg/response_surface.hpp).
enum class SurfaceChoice { automatic, none, linear, quadratic, cubic, rbf };

struct DesignSpec {
  Design design = Design::all;
  int variants = 0;  ///< latin_hypercube
  int seed = 1;      ///< of it
  std::string table;
  std::vector<std::string> response;  ///< columns of the table of cases
  Goal goal = Goal::minimum;
  SurfaceChoice surface = SurfaceChoice::automatic;
};

/// `spec` takes a case and returns its DesignSpec; `response` says what the key is and which columns it has
/// by itself.
template <class Case, class Spec>
void add_design_parameters(ParameterTable<Case>& t, Spec spec, const std::string& response) {
  const char* s = "batch";
  t.add(
      declare(s, "design", {"--design"}, "",
              "Which variants. all: every value of a parameter with every value of the others; "
              "latin-hypercube: spread over the box between the smallest and the largest; table: of a file."),
      choice<Design>(
          {{"all", Design::all}, {"latin-hypercube", Design::latin_hypercube}, {"table", Design::table}}),
      [spec](auto& c) -> auto& { return spec(c).design; });
  t.add(
      declare(s, "variants", {"--variants"}, "", "latin-hypercube: how many."),
      integer<int>(Range::between(0, 100000)), [spec](auto& c) -> auto& { return spec(c).variants; });
  t.add(
      declare(s, "seed", {"--seed"}, "", "latin-hypercube: another one for every number."),
      integer<int>(Range::at_least(0)), [spec](auto& c) -> auto& { return spec(c).seed; });
  t.add(
      declare(s, "table", {"--table"}, "", "table: CSV file, a column for each [[vary]] under its name.",
              "none"),
      path(), [spec](auto& c) -> auto& { return spec(c).table; });
  t.add(
      declare(s, "response", {"--response"}, "", response),
      list_of(text("NAME")), [spec](auto& c) -> auto& { return spec(c).response; });
  t.add(
      declare(s, "goal", {"--goal"}, "", "What is looked for on the surfaces."),
      choice<Goal>({{"minimum", Goal::minimum}, {"maximum", Goal::maximum}}), [spec](auto& c) -> auto& {
        return spec(c).goal;
      });
  t.add(
      declare(s, "surface", {"--surface"}, "",
              "What is fitted. linear, quadratic, cubic: polynomials by least squares; rbf: radial basis "
              "functions through all variants; auto: which foretells left-out variants best; none."),
      choice<SurfaceChoice>({{"auto", SurfaceChoice::automatic},
                             {"none", SurfaceChoice::none},
                             {"linear", SurfaceChoice::linear},
                             {"quadratic", SurfaceChoice::quadratic},
                             {"cubic", SurfaceChoice::cubic},
                             {"rbf", SurfaceChoice::rbf}}),
      [spec](auto& c) -> auto& { return spec(c).surface; });
}

}  // namespace umov::cases
