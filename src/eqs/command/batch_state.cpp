#include "eqs/command/batch_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace umov::eqs {

namespace {

constexpr const char* rows_of = "variants";
constexpr const char* may_differ = "rows of one table differ in the varied numbers alone";

sweep::Keys keys() { return {"eqs", parameters(), false}; }

/// All that a case says, its files by whole paths.
Tree resolved(const Simulation& sim) {
  return sweep::with_whole_paths(tree_of_toml(parameters().write_toml(case_of(sim)), "the case"), "");
}

/// The parameters of each axis, a line for each. A user may change the order of both.
std::string varied_lines(const std::vector<sweep::Axis>& axes) {
  std::vector<std::string> lines;
  for (const sweep::Axis& axis : axes) {
    auto paths = axis.paths;
    std::ranges::sort(paths);
    lines.push_back("varied: " + join(paths, ", ") + "\n");
  }
  std::ranges::sort(lines);
  return join(lines, "");
}

/// Axes with one value each.
using Reference = std::vector<sweep::Axis>;

/// The whole case with these values: what follows from a varied one, an amplitude from an effective value,
/// follows from the same one on both sides of a comparison.
std::string settings_at(const Batch& batch, const Reference& reference) {
  Tree tree = batch.sweep.base;
  for (const sweep::Axis& axis : reference)
    for (const std::string& path : axis.paths) tree.set(path, axis.values.front());
  return keys().text(resolved(batch.at(tree)));
}

}  // namespace

std::vector<std::uint64_t> variant_keys(const Batch& batch) {
  std::vector<std::uint64_t> out;
  sweep::Keys digests = keys();
  for (const Simulation& sim : batch.cases) out.push_back(digests.of(resolved(sim)));
  return out;
}

sweep::State begin_batch_state(const Batch& batch) {
  Reference reference = batch.sweep.axes;
  for (std::size_t i = 0; i < reference.size(); ++i) reference[i].values = {batch.sweep.value(i, 0)};
  Tree tree;
  sweep::put_axes(tree, reference);
  sweep::State state;
  state.identity = {"eqs", toml_text(tree), {}, 0, settings_at(batch, reference)};
  return state;
}

sweep::State load_batch_state(const std::string& path, const Batch& batch) {
  sweep::State state = sweep::read_state_file(path);
  Tree tree = tree_of_toml(state.identity.text, path);
  const Reference reference = sweep::take_axes(tree);
  run::require_same_settings(path, rows_of, may_differ, varied_lines(reference),
                             varied_lines(batch.sweep.axes));
  std::string here;
  try {
    here = settings_at(batch, reference);
  } catch (const BadInput& e) {
    run::refuse_settings(
        path, rows_of, may_differ,
        fmt::format("with the numbers of its first variant this one is refused: {}", e.what()));
  }
  run::require_same_settings(path, rows_of, may_differ, state.identity.settings, here);
  return state;
}

}  // namespace umov::eqs
