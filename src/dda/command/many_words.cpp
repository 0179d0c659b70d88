// The words of a run of many cases.
#include "dda/command/many_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "command/perform.hpp"
#include "core/console.hpp"

namespace umov::dda {

namespace {

double first_number(const std::string& text) {
  const auto at = text.find_first_of("0123456789");
  return at == text.npos ? 0 : std::strtod(text.c_str() + at, nullptr);
}

}  // namespace

void CaseWarnings::say(const std::string& text) {
  if (!is_new_(text)) return;
  warn(text);
  keep(text);
}

void CaseWarnings::say_largest(const std::vector<std::string>& texts) {
  std::map<std::string, std::pair<std::string, int>> largest;
  for (const std::string& text : texts) {
    auto& [most, times] = largest.try_emplace(run::without_numbers(text), text, 0).first->second;
    if (first_number(text) > first_number(most)) most = text;
    ++times;
  }
  for (const std::string& text : texts) {
    const auto& [most, times] = largest.at(run::without_numbers(text));
    if (!is_new_(text)) continue;
    const bool differ = times > 1 && std::count(texts.begin(), texts.end(), most) < times;
    const std::string said = differ ? fmt::format("{} [the largest of {} cases]", most, times) : most;
    warn(said);
    keep(said);
  }
}

namespace {

std::ptrdiff_t unconverged(const ManyOutcome& o) {
  return std::count_if(o.rows.begin(), o.rows.end(), [](const CaseRow& row) { return !row.converged; });
}

/// Iterations that starts from neighbours have saved at most, by the rate at which each solve converged from
/// its start; what a start leaves is what converges slowest.
std::string savings(const ManyOutcome& o) {
  double done = 0, saved = 0;
  std::size_t solves = 0, from = 0;
  for (const CaseRow& row : o.rows)
    for (const PolarizationRow& p : row.polarizations) {
      ++solves;
      done += double(p.iterations);
      if (!p.from_neighbours) continue;
      ++from;
      const double fallen = std::log(p.start_residual / p.residual);
      if (p.iterations > 0 && fallen > 0)
        saved += double(p.iterations) * -std::log(p.start_residual) / fallen;
    }
  if (from == 0) return "";
  return fmt::format(
      "starts: {} of {} solves began from solutions before; {:.0f} iterations in all, without them up to "
      "{:.0f} more\n",
      from, solves, done, saved);
}

}  // namespace

std::string missed_words(const ManyOutcome& o, const std::string& folder) {
  if (o.converged()) return "";
  const auto& outputs = o.cases.front().outputs;
  const std::string which = outputs.csv ? fmt::format(": column converged of {}/cases.csv says which", folder)
                            : outputs.hdf5 ? fmt::format(": converged in {}/results.h5 says which", folder)
                                           : "";
  return fmt::format("{} of {} cases have not converged{}", unconverged(o), o.rows.size(), which);
}

std::string summary(const ManyOutcome& o) {
  std::size_t best = 0;
  const auto cext = [](const CaseRow& row) {
    double sum = 0;
    for (const auto& p : row.polarizations) sum += p.cross.cext / double(row.polarizations.size());
    return sum;
  };
  for (std::size_t i = 0; i < o.rows.size(); ++i)
    if (cext(o.rows[i]) > cext(o.rows[best])) best = i;
  const auto missed = unconverged(o);
  std::string out = fmt::format(
      "{} cases{}{}: Cext from unpolarised light is largest in case {}, {:.10g} um^2 at "
      "wavelength {:.6g} um\n",
      o.rows.size(), o.taken_over ? fmt::format(", {} of them taken over", o.taken_over) : "",
      missed ? fmt::format(", {} NOT CONVERGED", missed) : "", best + 1, cext(o.rows[best]),
      o.cases[best].vacuum_wavelength());
  if (o.shared > 0)
    out += fmt::format("tables: {} cases used the interaction tensor and preconditioner of the case before\n",
                       o.shared);
  return out + savings(o) + o.ranks;
}

}  // namespace umov::dda
