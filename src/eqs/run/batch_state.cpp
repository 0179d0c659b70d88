#include "eqs/run/batch_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "run/file_contents.hpp"

namespace umov::eqs {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'E', 'Q', 'S', 'B', '0', '4'}, "umov eqs with variants"};

constexpr const char* rows_of = "variants";
constexpr const char* may_differ = "rows of one table differ in the varied numbers alone";

constexpr auto visit_head = [](auto& f, auto& s) {
  f(s.varied);
  f(s.reference);
  f(s.settings);
  f.each(s.columns, [&](auto& c) {
    f(c.name);
    f(c.unit);
    f(c.text);
  });
};

struct Keyed {
  std::uint64_t key = 0;
  BatchRow row;
};

constexpr auto visit_keyed = [](auto& f, auto& x) {
  f(x.key);
  f(x.row.values);
  f(x.row.converged);
  f(x.row.why_not);
  f(x.row.wall);
};

/// The files that a case reads.
template <class Case>
auto files_of(Case& s) {
  std::vector<decltype(&s.mesh.file)> files{&s.mesh.file};
  for (auto& m : s.materials) {
    files.push_back(&m.permittivity.file);
    files.push_back(&m.conductivity.file);
  }
  for (auto& e : s.electrodes) files.push_back(&e.waveform.file);
  return files;
}

/// What decides the numbers of a row. Files by their names alone: a resolved case has whole paths.
Simulation bare(Simulation s) {
  run::forget_place(s);
  for (std::string* file : files_of(s)) run::forget_folder(*file);
  const auto asked = s.outputs;
  s.outputs = {};
  s.outputs.interval = asked.interval;
  s.outputs.times = asked.times;
  s.outputs.lines = asked.lines;
  s.outputs.points = asked.points;
  s.outputs.surfaces = asked.surfaces;
  s.outputs.capacitance = asked.capacitance;
  return s;
}

/// A line per file that the case reads, with a digest of what is in it.
std::string contents(const Simulation& s) {
  std::vector<std::string> files;
  for (const std::string* file : files_of(s)) files.push_back(*file);
  return run::contents_of(files);
}

/// The numbers that a parameter sets, as text.
std::string line_of(const BatchParameter& p) {
  std::vector<std::string> paths = p.paths;
  std::sort(paths.begin(), paths.end());
  return "varied: " + join(paths, ", ") + "\n";
}

/// Which parameter is on each line of `varied`: in the order of the lines, as a user may change that of the
/// parameters.
std::vector<std::size_t> order_of_lines(const Batch& batch) {
  std::vector<std::size_t> order(batch.parameters.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return line_of(batch.parameters[a]) < line_of(batch.parameters[b]);
  });
  return order;
}

std::string varied_lines(const Batch& batch) {
  std::string out;
  for (const std::size_t p : order_of_lines(batch)) out += line_of(batch.parameters[p]);
  return out;
}

/// The whole case with these numbers: what follows from a varied one, an amplitude from an effective value,
/// follows from the same number on both sides of a comparison.
std::string settings_at(const Batch& batch, const std::vector<double>& reference) {
  const auto order = order_of_lines(batch);
  std::vector<double> numbers(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) numbers[order[i]] = reference[i];
  const Simulation sim = batch.at(numbers);
  return parameters().write_toml(case_of(bare(sim))) + contents(sim);
}

}  // namespace

BatchState begin_batch_state(const Batch& batch) {
  BatchState state;
  state.varied = varied_lines(batch);
  for (const std::size_t p : order_of_lines(batch)) state.reference.push_back(batch.variants.front()[p]);
  state.settings = settings_at(batch, state.reference);
  return state;
}

std::uint64_t variant_key(const Simulation& sim) {
  Digest digest;
  digest.add(resolved_toml(bare(sim)) + contents(sim));
  return digest.value();
}

run::BlockFile begin_file(const BatchState& state, const std::string& path) {
  std::vector<Packed> blocks{packed(state, visit_head)};
  for (const auto& [key, row] : state.rows) blocks.push_back(packed(Keyed{key, row}, visit_keyed));
  return run::BlockFile(path, format, blocks);
}

void add_row(run::BlockFile& file, std::uint64_t key, const BatchRow& row) {
  file.add(packed(Keyed{key, row}, visit_keyed));
}

BatchState load_batch_state(const std::string& path, const Batch& batch) {
  const auto blocks = run::read_blocks(path, format, 1);
  auto state = unpacked<BatchState>(blocks.front(), visit_head);
  run::require_same_settings(path, rows_of, may_differ, state.varied, varied_lines(batch));
  if (state.reference.size() != batch.parameters.size())
    throw BadInput(path + " is damaged (a number is missing); begin the batch anew");
  std::string here;
  try {
    here = settings_at(batch, state.reference);
  } catch (const BadInput& e) {
    run::refuse_settings(
        path, rows_of, may_differ,
        fmt::format("with the numbers of its first variant this one is refused: {}", e.what()));
  }
  run::require_same_settings(path, rows_of, may_differ, state.settings, here);
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    auto [key, row] = unpacked<Keyed>(blocks[b], visit_keyed);
    if (row.values.size() == state.columns.size()) state.rows[key] = std::move(row);
  }
  return state;
}

}  // namespace umov::eqs
