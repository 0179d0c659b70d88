// Residuals of sectors and what they make of that of the whole.
#include "dda/mirror/sector_progress.hpp"

#include <algorithm>

namespace umov::dda {

std::string sector_name(const Parity& parity) {
  std::string name;
  for (int a = 0; a < 3; ++a)
    if (parity[a] != 0)
      name += std::string(name.empty() ? "" : ", ") + "xyz"[a] + (parity[a] > 0 ? " even" : " odd");
  return name;
}

void SectorProgress::take(const SolveReport& part, std::size_t i) {
  const double of_sector = part.true_residual >= 0 ? part.true_residual : part.residual;
  // where a later sector begins, the one before has ended
  for (std::size_t k = i == 0 ? 0 : 1; k < part.history.size(); ++k)
    report.history.push_back(residual(i, part.history[k]));
  if (i == 0) {
    report.start = part.start;
    report.initial_residual = residual(0, part.initial_residual);
    report.status = SolveStatus::converged;
    report.sectors = int(sectors.size());
  }
  report.residual = residual(i, part.residual);
  report.true_residual = part.true_residual >= 0 ? residual(i, of_sector) : -1;
  squares[i] = of_sector * of_sector * sectors[i].norm2;
  report.iterations += part.iterations;
  report.products += part.products;
  report.preconditionings += part.preconditionings;
  report.refreshes += part.refreshes;
  report.seconds += part.seconds;
  report.seconds_products += part.seconds_products;
  report.seconds_preconditioning += part.seconds_preconditioning;
  report.seconds_set_up += part.seconds_set_up;
  report.blocks += part.blocks;
  report.block = std::max(report.block, part.block);
  report.block_iterations += part.block_iterations;
  report.preconditioner = part.preconditioner;
  for (const auto& note : part.notes)
    report.notes.push_back("sector " + sector_name(sectors[i].parity) + ": " + note);
  if (part.status == SolveStatus::converged) return;
  report.status = part.status;
  report.diagnosis = part.diagnosis;
}

}  // namespace umov::dda
