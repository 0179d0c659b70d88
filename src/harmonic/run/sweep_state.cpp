// The finished rows of a sweep in one file, from which an interrupted run goes on.
#include "harmonic/run/sweep_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "harmonic/run/visit_row.hpp"
#include "run/state_file.hpp"

namespace umov::harmonic {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'H', 'A', 'R', 'M', '0', '2'}, "umov fdtd with [harmonic]"};

constexpr auto visit = [](auto& f, auto& s) {
  f(s.settings);
  f.each(s.rows, [&](auto& r) { visit_finished(f, r); });
};

/// The lines of `a` that `b` has not.
std::string only_in(const std::string& a, const std::string& b) {
  const auto there = split(b, '\n');
  std::vector<std::string> only;
  for (const std::string& line : split(a, '\n'))
    if (!line.empty() && line[0] != '#' && std::find(there.begin(), there.end(), line) == there.end())
      only.push_back("'" + line + "'");
  return only.empty() ? "nothing of the kind" : join(only, ", ");
}

}  // namespace

const FinishedRow* SweepState::find(const Row& row) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.row == row; });
  return at == rows.end() ? nullptr : &*at;
}

void save(const SweepState& state, const std::string& path) {
  run::save_state(path, format, 0, state, visit);
}

SweepState load_sweep_state(const std::string& path, const std::string& settings) {
  auto state = run::load_state<SweepState>(path, format, 0, visit, "settings");
  if (state.settings != settings)
    throw BadInput(fmt::format(
        "{}: the finished wavelengths are of another case: it has {}, this one {} (wavelengths and "
        "angles may differ, if the grid does not); continue with the case of that run, or give "
        "another folder",
        path, only_in(state.settings, settings), only_in(settings, state.settings)));
  return state;
}

}  // namespace umov::harmonic
