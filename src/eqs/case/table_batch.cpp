// Parameters of `umov eqs` that make variants of a case.
#include "cases/declare.hpp"
#include "eqs/case/case.hpp"

namespace umov::eqs {

using cases::declare;
using cases::item;

void add_batch_parameters(ParameterTable<Case>& t) {
  const char* s = "batch";
  t.add(
      declare(s, "design", {"--design"}, "",
              "Which variants. all: every value of a parameter with every value of the others; "
              "latin-hypercube: spread over the box between the smallest and the largest; table: of a file."),
      choice<Design>(
          {{"all", Design::all}, {"latin-hypercube", Design::latin_hypercube}, {"table", Design::table}}),
      UMOV_CASE(batch.design));
  t.add(declare(s, "variants", {"--variants"}, "", "latin-hypercube: how many."),
        integer<int>(Range::between(0, 100000)), UMOV_CASE(batch.variants));
  t.add(declare(s, "seed", {"--seed"}, "", "latin-hypercube: another one for every number."),
        integer<int>(Range::at_least(0)), UMOV_CASE(batch.seed));
  t.add(declare(s, "table", {}, "", "table: CSV file, a column for each [[vary]] under its name.", "none"),
        path(), UMOV_CASE(batch.table));
  t.add(declare(
            s, "response", {}, "",
            "Columns of variants.csv to which a response surface is fitted; none is the largest |E| of every "
            "material."),
        list_of(text("NAME")), UMOV_CASE(batch.response));
  t.add(declare(s, "goal", {"--goal"}, "", "What is looked for on the surfaces."),
        choice<Goal>({{"minimum", Goal::minimum}, {"maximum", Goal::maximum}}), UMOV_CASE(batch.goal));
  t.add(declare(s, "surface", {"--surface"}, "",
                "What is fitted. linear, quadratic, cubic: polynomials by least squares; rbf: radial basis "
                "functions through all variants; auto: which foretells left-out variants best; none."),
        choice<SurfaceChoice>({{"auto", SurfaceChoice::automatic},
                               {"none", SurfaceChoice::none},
                               {"linear", SurfaceChoice::linear},
                               {"quadratic", SurfaceChoice::quadratic},
                               {"cubic", SurfaceChoice::cubic},
                               {"rbf", SurfaceChoice::rbf}}),
        UMOV_CASE(batch.surface));
  t.add(declare(s, "workers", {"--workers"}, "",
                "Variants computed at a time on each device; 0: by the model's size."),
        integer<int>(Range::between(0, 256)), UMOV_CASE(batch.workers));
  t.add(declare(s, "folders", {"--folders"}, "",
                "Keep all results of every variant in a folder of its own, without the fields over time."),
        boolean(), UMOV_CASE(batch.folders));
}

void add_compare_parameters(ParameterTable<Case>& t) {
  const char* s = "compare";
  t.add(declare(s, "", {"--compare"}, "",
                "Run the case by the methods B to J, and fixed steps of several lengths, and compare them."),
        boolean(), UMOV_CASE(compare.wanted));
  t.add(declare(s, "methods", {"--methods"}, "", "Which of B to J; none is all."), list_of(text("LETTER")),
        UMOV_CASE(compare.methods));
  t.add(declare(s, "errors", {"--errors", "--no-errors"}, "",
                "Take errors of fixed steps, and a reference for them and for the methods."),
        boolean(), UMOV_CASE(compare.errors));
  t.add(declare(
            s, "steps", {"--compare-steps"}, "s",
            "Lengths of the fixed steps whose errors are taken; none is a twentieth of a period, halved four "
            "times."),
        numbers(Range::above(0)), UMOV_CASE(compare.steps));
}

void add_vary(ParameterTable<Case>& t) {
  ParameterTable<VaryCase> v;
  v.add(
      item("parameter", "",
           "Which number: \"time.tolerance\", \"layer.NAME.thickness\", \"part.3.radius\" (the third part), "
           "\"material.NAME.conductivity_parameters[3]\"; of several, all get the same value."),
      list_of(text("NAME")), UMOV_CASE(parameters));
  v.add(item("name", "", "Its name in tables and pictures.", "that of the parameter, shortened"),
        text("NAME"), UMOV_CASE(name));
  v.add(item("values", "", "Its values: a list, or a range \"from:to:count\".", "by the table"),
        optional_of(number_list()), UMOV_CASE(values));
  v.add(item("logarithmic", "", "Spread it, and fit over it, by its logarithm."), boolean(),
        UMOV_CASE(logarithmic));
  t.add_list("vary", "A number of the case that differs from variant to variant.", v, UMOV_CASE(vary));
}

}  // namespace umov::eqs
