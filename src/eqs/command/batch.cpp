// From a case with lists to its variants.
#include "eqs/command/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::eqs {

namespace {

bool by_flag(const Origins& origins, const std::string& path) {
  const auto origin = origins.find(path);
  return origin != origins.end() && origin->second.starts_with('-');
}

/// What is left of a file's tree where flags are read already: what they say, or have replaced, is not read
/// again over the case that has it.
Tree without_replaced(Tree tree, const Origins& origins) {
  auto& top = std::get<Tree::Table>(tree.data);
  const auto stays = [&](const std::string& path) { return origins.count(path) && !by_flag(origins, path); };
  for (auto& [name, what] : top)
    if (auto* section = std::get_if<Tree::Table>(&what.data))
      std::erase_if(*section, [&, first = name + "."](const auto& key) { return !stays(first + key.first); });
  std::erase_if(top, [&](const auto& entry) {
    return std::holds_alternative<Tree::List>(entry.second.data) && !stays(entry.first + "[0]");
  });
  return tree;
}

/// A list that a flag has replaced is no axis.
std::vector<sweep::Axis> axes_in_place(const FileCase& file, const Tree& left, const Case& whole,
                                       const Origins& origins) {
  std::vector<sweep::Axis> out;
  for (const Variation& v : file.in_place) {
    if (!origins.count(v.path) || by_flag(origins, v.path)) continue;
    if (whole.batch.design == cases::Design::table)
      throw BadInput(
          fmt::format("{}: a list stands where one number is wanted (the variants are those of the table "
                      "'{}'); write one number, and a [[vary]] for the table's column",
                      v.place, whole.batch.table));
    if (!left.contains(v.path))
      throw BadInput(v.place +
                     ": the list is of an item that a flag has taken away (no such item is left); leave the "
                     "flag or the list out");
    out.push_back(sweep::axis_in_place(v));
  }
  return out;
}

/// Paths count items from 0, as origins do, and one that a flag has set is none.
std::vector<sweep::Axis> axes_of(const FileCase& file, const Tree& left, const Case& whole,
                                 const Origins& origins) {
  auto axes = axes_in_place(file, left, whole, origins);
  axes.insert(axes.end(), file.axes.begin(), file.axes.end());
  for (sweep::Axis& axis : axes) {
    for (std::string& path : axis.paths) try {
        if (!axis.named && &path == &axis.paths.front()) axis.name = short_name(left, path);
        path = counted_path(left, path);
      } catch (const ValueError& e) {
        throw BadInput(fmt::format("{}: the path {}", axis.place, e.what()));
      }
    std::erase_if(axis.paths, [&](const std::string& path) { return by_flag(origins, path); });
  }
  std::erase_if(axes, [](const sweep::Axis& axis) { return axis.paths.empty(); });
  if (axes.empty())
    throw BadInput(
        "every list of the case is replaced by a flag (no number is left to vary); leave a flag out");
  return axes;
}

/// A harmonic analysis is at the frequency of its electrodes: where that is varied, so is `time.frequency`,
/// and the resolved case stands for the same variants.
void take_frequency(std::vector<sweep::Axis>& axes, const Case& whole, const Origins& origins) {
  if (whole.simulation.analysis != Analysis::harmonic || origins.count("time.frequency")) return;
  for (auto& axis : axes)
    for (const std::string& path : axis.paths)
      if (path.starts_with("electrode[") && path.ends_with("].frequency"))
        return axis.paths.push_back("time.frequency");
}

}  // namespace

FileCase read_case(const std::string& path, Case& c, Origins& origins) {
  FileCase file{tree_of_toml_file(path), std::filesystem::path(path).parent_path().string(), {}, {}};
  file.axes = sweep::take_axes(file.tree);
  read_varied(parameters(), file.tree, &c, origins, file.folder, file.in_place);
  c.varied = file.is_batch();
  return file;
}

Batch make_batch(const FileCase& file, const Case& whole, const Origins& origins) {
  Batch batch;
  batch.spec = whole.batch;
  batch.machine = whole.machine;
  Tree left = without_replaced(file.tree, origins);
  auto axes = axes_of(file, left, whole, origins);
  take_frequency(axes, whole, origins);
  batch.sweep = sweep::make_sweep("eqs", parameters(), std::move(left), std::move(axes), whole.batch);
  batch.every_gpu = !origins.count("machine.device") && !whole.device_by_number;
  batch.at = [whole, origins, folder = file.folder](const Tree& tree) {
    Case one = whole;
    Origins places = origins;
    parameters().read(tree, one, places, folder);
    return finish_case(one, places);
  };
  for (std::size_t k = 0; k < batch.sweep.cases; ++k) try {
      batch.cases.push_back(batch.at(batch.sweep.case_of(k)));
    } catch (const BadInput& e) {
      throw BadInput(fmt::format("variant {} ({}): {}", k + 1, batch.sweep.describe(k), e.what()));
    }
  return batch;
}

std::string resolved_toml(const Batch& batch) {
  Case c = case_of(batch.cases.front(), batch.machine);
  c.batch = batch.spec;
  c.varied = true;
  const auto varied = [&](const std::string& path) {
    return std::ranges::any_of(batch.sweep.axes, [&](const sweep::Axis& axis) {
      return std::ranges::find(axis.paths, path) != axis.paths.end();
    });
  };
  // what follows from a varied number is not written down as if it had been given
  for (std::size_t i = 0; i < c.electrodes.size(); ++i) {
    auto& e = c.electrodes[i];
    if (varied(fmt::format("electrode[{}].rms", i))) e.amplitude.reset();
    if (varied("time.frequency") && e.frequency == c.simulation.time.frequency) e.frequency.reset();
  }
  Tree vary;
  auto axes = batch.sweep.axes;
  for (sweep::Axis& axis : axes) {
    for (std::string& path : axis.paths) path = numbered_path(path);
    if (batch.spec.design == cases::Design::table) axis.values.clear();
  }
  sweep::put_axes(vary, axes);
  return "# The batch as it was run: every default filled in. `umov eqs resolved.toml` repeats it.\n" +
         parameters().write_toml(c) + "\n" + toml_text(vary);
}

bool is_response(const BatchSpec& spec, const std::string& column) {
  return spec.response.empty() ? column.ends_with(" peak")
                               : std::ranges::find(spec.response, column) != spec.response.end();
}

}  // namespace umov::eqs
