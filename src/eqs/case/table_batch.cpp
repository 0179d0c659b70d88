// Parameters of `umov eqs` that make variants of a case.
#include "cases/declare.hpp"
#include "eqs/case/case.hpp"

namespace umov::eqs {

using cases::declare;

void add_batch_parameters(ParameterTable<Case>& t) {
  const char* s = "batch";
  cases::add_design_parameters(
      t, UMOV_CASE(batch),
      "Columns of variants.csv to which a response surface is fitted; none is the largest |E| of every "
      "material.");
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

}  // namespace umov::eqs
