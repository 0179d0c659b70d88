// The rules behind "auto" of the linear solver.
#include "eqs/solver_choice.hpp"

namespace umov::eqs {

std::string preconditioner_of(const Problem& p) {
  if (p.linear.preconditioner == "p-multigrid" && p.order == 1) return "amg";
  if (p.linear.preconditioner != "auto") return p.linear.preconditioner;
  return p.order == 1 ? "amg" : "p-multigrid";
}

bool matrix_free(const Problem& p) {
  if (p.share) return false;
  if (p.linear.form != OperatorForm::automatic) return p.linear.form == OperatorForm::matrix_free;
  return p.order == 2 && preconditioner_of(p) == "p-multigrid";
}

}  // namespace umov::eqs
