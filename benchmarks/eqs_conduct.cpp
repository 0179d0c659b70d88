#include "eqs_conduct.hpp"

#include "eqs/command/front.hpp"

namespace umov::bench {

eqs::Problem problem_of(const std::vector<std::string>& words) {
  eqs::Simulation sim = eqs::parse(words).simulation;
  sim.linear.form = eqs::OperatorForm::assembled;
  return eqs::make_problem(sim);
}

}  // namespace umov::bench
