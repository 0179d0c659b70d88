#include "eqs/run/batch_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "front/state_file.hpp"

namespace umov::eqs {

namespace {

constexpr front::StateFormat format{{'U', 'M', 'E', 'Q', 'S', 'B', '0', '1'}, "umov eqs with variants"};

/// As in the file: keys and rows side by side.
struct Stored {
  std::string settings;
  std::vector<BatchColumn> columns;
  std::vector<std::uint64_t> keys;
  std::vector<BatchRow> rows;
};

constexpr auto visit = [](auto& f, auto& s) {
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

/// What decides the numbers of a row.
Simulation bare(Simulation s) {
  front::forget_place(s);
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
  std::vector<std::string> files{s.mesh.file};
  for (const auto& m : s.materials) {
    files.push_back(m.permittivity.file);
    files.push_back(m.conductivity.file);
  }
  for (const auto& e : s.electrodes) files.push_back(e.waveform.file);
  std::string out;
  for (const std::string& file : files) {
    if (file.empty()) continue;
    Digest digest;
    digest.add_file(file);
    out += fmt::format("contents of {}: {:016x}\n", file, digest.value());
  }
  return out;
}

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

std::string shared_settings(const Batch& batch) {
  Case c = case_of(bare(batch.cases.front()));
  // the first values stand for all: the numbers of a variant belong to its row
  for (const auto& p : batch.parameters)
    for (const auto& path : p.paths) set_number(parameters(), &c, path, p.values.front());
  std::string out = parameters().write_toml(c) + contents(batch.cases.front());
  for (const auto& p : batch.parameters) out += "varied: " + join(p.paths, ", ") + "\n";
  return out;
}

std::uint64_t variant_key(const Simulation& sim) {
  Digest digest;
  digest.add(resolved_toml(bare(sim)) + contents(sim));
  return digest.value();
}

void save(const BatchState& state, const std::string& path) {
  Stored stored{state.settings, state.columns, {}, {}};
  for (const auto& [key, row] : state.rows) {
    stored.keys.push_back(key);
    stored.rows.push_back(row);
  }
  front::save_state(path, format, 0, stored, visit);
}

BatchState load_batch_state(const std::string& path, const std::string& settings) {
  auto stored = front::load_state<Stored>(path, format, 0, visit, "settings");
  if (stored.settings != settings)
    throw BadInput(
        fmt::format("{}: the finished variants are of another case: it has {}, this one {} (rows of one "
                    "table differ in the "
                    "varied numbers alone); continue with the case of that run, or give another folder",
                    path, only_in(stored.settings, settings), only_in(settings, stored.settings)));
  BatchState out{std::move(stored.settings), std::move(stored.columns), {}};
  for (std::size_t i = 0; i < std::min(stored.keys.size(), stored.rows.size()); ++i)
    if (stored.rows[i].values.size() == out.columns.size())
      out.rows[stored.keys[i]] = std::move(stored.rows[i]);
  return out;
}

}  // namespace umov::eqs
