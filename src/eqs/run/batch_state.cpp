#include "eqs/run/batch_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "run/file_contents.hpp"
#include "run/state_file.hpp"

namespace umov::eqs {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'E', 'Q', 'S', 'B', '0', '3'}, "umov eqs with variants"};

/// As in the file: keys and rows side by side.
struct Stored {
  std::string varied;
  std::vector<double> reference;
  std::string settings;
  std::vector<BatchColumn> columns;
  std::vector<std::uint64_t> keys;
  std::vector<BatchRow> rows;
};

constexpr auto visit = [](auto& f, auto& s) {
  f(s.varied);
  f(s.reference);
  f(s.settings);
  f.each(s.columns, [&](auto& c) {
    f(c.name);
    f(c.unit);
    f(c.text);
  });
  f(s.keys);
  f.each(s.rows, [&](auto& r) {
    f(r.values);
    f(r.converged);
    f(r.why_not);
    f(r.wall);
  });
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

/// The lines of a text with the table that each is in, and which of several: "[[layer]] 2: thickness =
/// 0.001".
std::vector<std::string> entries_of(const std::string& text) {
  std::vector<std::string> out;
  std::map<std::string, int> tables;
  std::string place;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      const int number = ++tables[line];
      place = line + (line.rfind("[[", 0) == 0 ? fmt::format(" {}: ", number) : ": ");
    } else {
      out.push_back((line.find(" = ") == line.npos ? "" : place) + line.substr(0, line.rfind("  # ")));
    }
  }
  return out;
}

/// The entries of `a` that `b` has not.
std::string only_in(const std::string& a, const std::string& b) {
  const auto there = entries_of(b);
  std::vector<std::string> only;
  for (const std::string& entry : entries_of(a))
    if (std::find(there.begin(), there.end(), entry) == there.end()) only.push_back("'" + entry + "'");
  return only.empty() ? "nothing of the kind" : join(only, ", ");
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

[[noreturn]] void refuse_other_case(const std::string& path, const std::string& difference) {
  throw BadInput(fmt::format(
      "{}: the finished variants are of another case: {} (rows of one table differ in the varied numbers "
      "alone); continue with the case of that run, or give another folder",
      path, difference));
}

void require_same(const std::string& path, const std::string& stored, const std::string& here) {
  if (stored != here)
    refuse_other_case(path,
                      fmt::format("it has {}, this one {}", only_in(stored, here), only_in(here, stored)));
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

void save(const BatchState& state, const std::string& path) {
  Stored stored{state.varied, state.reference, state.settings, state.columns, {}, {}};
  for (const auto& [key, row] : state.rows) {
    stored.keys.push_back(key);
    stored.rows.push_back(row);
  }
  run::save_state(path, format, 0, stored, visit);
}

BatchState load_batch_state(const std::string& path, const Batch& batch) {
  auto stored = run::load_state<Stored>(path, format, 0, visit, "settings");
  require_same(path, stored.varied, varied_lines(batch));
  if (stored.reference.size() != batch.parameters.size())
    throw BadInput(path + " is damaged (a number is missing); begin the batch anew");
  std::string here;
  try {
    here = settings_at(batch, stored.reference);
  } catch (const BadInput& e) {
    refuse_other_case(path,
                      fmt::format("with the numbers of its first variant this one is refused: {}", e.what()));
  }
  require_same(path, stored.settings, here);
  BatchState out;
  out.varied = std::move(stored.varied);
  out.reference = std::move(stored.reference);
  out.settings = std::move(stored.settings);
  out.columns = std::move(stored.columns);
  for (std::size_t i = 0; i < std::min(stored.keys.size(), stored.rows.size()); ++i)
    if (stored.rows[i].values.size() == out.columns.size())
      out.rows[stored.keys[i]] = std::move(stored.rows[i]);
  return out;
}

}  // namespace umov::eqs
