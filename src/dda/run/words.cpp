// Sentences about solves that did not converge.
#include "dda/run/words.hpp"

#include "core/text.hpp"

namespace umov::dda {

namespace {

using krylov::Remedy;

std::string remedy(Remedy r, const krylov::Diagnosis& d, Front front) {
  switch (r) {
    case Remedy::more_iterations:
      return "a larger `solver.max_iterations`";
    case Remedy::other_solver:
      return "`solver.name` " + join(d.solvers, " or ");
    case Remedy::double_precision:
      return "`machine.precision = 'double'`";
    case Remedy::larger_epsilon:
      return front == Front::adda ? "fewer digits of `solver.epsilon`" : "a larger `solver.epsilon`";
    case Remedy::zero_start:
      return "`solver.initial = 'zero'`";
  }
  return {};
}

}  // namespace

std::string advice(const krylov::Diagnosis& d, Front front) {
  if (d.problem.empty() || d.remedies.empty()) return d.problem;
  std::vector<std::string> list;
  for (const Remedy r : d.remedies) list.push_back(remedy(r, d, front));
  const std::string last = list.back();
  list.pop_back();
  return d.problem + " Try " + (list.empty() ? last : join(list, ", ") + ", or " + last) + ".";
}

}  // namespace umov::dda
