// The rules behind "auto" of the linear solver.
#include "eqs/solve/solver_choice.hpp"

namespace umov::eqs {

std::string preconditioner_of(const Problem& p) {
  if (p.linear.preconditioner == "p-multigrid" && p.order == 1) return "amg";
  if (p.linear.preconditioner != "auto") return p.linear.preconditioner;
  return p.order == 1 ? "amg" : "p-multigrid";
}

bool matrix_free(const Problem& p) {
  if (p.linear.form != OperatorForm::automatic) return p.linear.form == OperatorForm::matrix_free;
  return p.order == 2 && preconditioner_of(p) == "p-multigrid";
}

int threads_of(const Problem& p, int asked) {
  // steps of layers on two loaded cores, one thread and two: 28 unknowns 8 and 48 ms, 175 34 and 77 ms, 1215
  // 366 and 380 ms, 4275 1.47 and 1.33 s
  constexpr int worth_two = 2000;
  return asked > 0 ? asked : p.unknowns < worth_two ? 1 : 0;
}

}  // namespace umov::eqs
