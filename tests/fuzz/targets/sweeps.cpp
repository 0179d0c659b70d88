// Sweeps: axes as flags and tables, and the state of one.
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "fuzz/target.hpp"
#include "support/temp_folder.hpp"
#include "sweep/state.hpp"
#include "sweep/table.hpp"

namespace umov {
namespace {

std::string last_case(const std::vector<sweep::Axis>& axes) {
  const std::size_t n = sweep::count_cases(axes);
  return sweep::Sweep{"", {}, axes, n}.describe(n - 1);
}

/// Each line as what stands behind --set.
FUZZ_TARGET(sweep_axes, ".txt") {
  std::ifstream in(path);
  std::vector<sweep::Axis> axes;
  for (std::string line; std::getline(in, line) && axes.size() < 4;)
    axes.push_back(sweep::parse_axis(line, "--set"));
  if (axes.empty()) return;
  last_case(axes);
}

/// Tables of a case; those that are read are written, and read as the same.
FUZZ_TARGET(sweep_tables, ".toml") {
  Tree base = tree_of_toml_file(path);
  const auto axes = sweep::take_axes(base);
  sweep::put_axes(base, axes);
  Tree again = tree_of_toml(toml_text(base), "again.toml");
  const auto back = sweep::take_axes(again);
  if (back.size() != axes.size() || last_case(back) != last_case(axes))
    throw std::logic_error("axes are read as others than they were written");
}

/// What is read makes a table.
FUZZ_TARGET(sweep_state, ".state") {
  const test::TempFolder folder;
  std::filesystem::copy_file(path, sweep::state_file(folder.path.string()));
  const auto state = sweep::read_state(folder.path.string());
  const auto s = sweep::sweep_of(state.identity, "resolved.toml");
  if (s.cases > 10000) return;
  sweep::Rows rows(s.cases);
  for (const auto& row : state.rows) rows[row.number] = row.row;
  sweep::to_result(s, rows, state.shard.cases(s.cases));
}

}  // namespace
}  // namespace umov
