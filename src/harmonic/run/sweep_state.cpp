// The finished rows of a sweep in one file, from which an interrupted run goes on.
#include "harmonic/run/sweep_state.hpp"

#include <algorithm>

#include "harmonic/run/visit_row.hpp"

namespace umov::harmonic {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'H', 'A', 'R', 'M', '0', '4'}, "umov fdtd with [harmonic]"};
constexpr auto visit = [](auto& f, auto& row) { visit_finished(f, row); };

}  // namespace

const FinishedRow* SweepState::find(const Row& row) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.row == row; });
  return at == rows.end() ? nullptr : &*at;
}

std::size_t SweepState::put(FinishedRow row) {
  const FinishedRow* known = find(row.row);
  const std::size_t at = known ? std::size_t(known - rows.data()) : rows.size();
  if (!known) rows.emplace_back();
  rows[at] = std::move(row);
  return at;
}

run::BlockFile begin_file(const SweepState& state, const std::string& path) {
  std::vector<Packed> blocks{packed(state.settings, as_it_is)};
  for (const FinishedRow& row : state.rows) blocks.push_back(packed(row, visit));
  return run::BlockFile(path, format, blocks);
}

void add_row(run::BlockFile& file, const FinishedRow& row) { file.add(packed(row, visit)); }

SweepState load_sweep_state(const std::string& path, const std::string& settings) {
  const auto blocks = run::read_blocks(path, format, 1);
  SweepState state{unpacked<std::string>(blocks.front(), as_it_is), {}};
  run::require_same_settings(path, "wavelengths", "wavelengths and angles may differ, if the grid does not",
                             state.settings, settings);
  for (std::size_t b = 1; b < blocks.size(); ++b) state.put(unpacked<FinishedRow>(blocks[b], visit));
  return state;
}

}  // namespace umov::harmonic
