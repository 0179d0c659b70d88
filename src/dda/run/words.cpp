// Flags of `umov dda` and options of `umov adda` for the same things.
#include "dda/run/words.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace umov::dda {

namespace {

using krylov::Remedy;

std::string remedy(Remedy r, const krylov::Diagnosis& d, bool adda) {
  switch (r) {
    case Remedy::more_iterations:
      return adda ? "a larger -maxiter" : "a larger --max-iterations";
    case Remedy::other_solver:
      return fmt::format("{} {}", adda ? "-iter" : "--iter", join(d.solvers, " or "));
    case Remedy::double_precision:
      return adda ? "-ftype double" : "--ftype double";
    case Remedy::larger_epsilon:
      return adda ? "fewer digits of -eps" : "a larger --epsilon";
    case Remedy::zero_start:
      return adda ? "-init_field zero" : "--initial-field zero";
  }
  return {};
}

}  // namespace

std::string advice(const krylov::Diagnosis& d, Front front) {
  if (d.problem.empty() || d.remedies.empty()) return d.problem;
  std::vector<std::string> list;
  for (const Remedy r : d.remedies) list.push_back(remedy(r, d, front == Front::adda));
  const std::string last = list.back();
  list.pop_back();
  return d.problem + " Try " + (list.empty() ? last : join(list, ", ") + ", or " + last) + ".";
}

std::string how_to_resume(const std::string& folder, Front front) {
  return front == Front::adda ? fmt::format("-chp_load -chp_dir {}", folder) : "--resume " + folder;
}

}  // namespace umov::dda
