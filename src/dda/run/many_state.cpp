// The finished rows of many cases in one file.
#include "dda/run/many_state.hpp"

#include <algorithm>
#include <vector>

#include "core/bytes.hpp"
#include "run/block_file.hpp"

namespace umov::dda {

namespace {

constexpr run::StateFormat format{{'U', 'M', 'D', 'D', 'A', 'L', '0', '4'}, "umov dda with lists"};

/// As in the file: keys and rows side by side.
struct Stored {
  std::string settings;
  std::vector<std::uint64_t> keys;
  std::vector<CaseRow> rows;
  std::uint64_t under_way = 0;
};

template <class File, class Row>
void visit_row(File& f, Row& row) {
  f(row.eq_radius);
  f(row.dpl);
  for (auto& edge : row.spacing) f(edge);
  f(row.dipoles);
  f(row.orientations);
  f(row.symmetry_used);
  f(row.converged);
  f(row.extra);
  f.each(row.polarizations, [&](auto& p) {
    f(p.label);
    f(p.cross);
    f(p.status);
    f(p.iterations);
    f(p.products);
    f(p.start_residual);
    f(p.residual);
    f(p.seconds);
    f(p.from_neighbours);
  });
}

template <class File, class State>
void visit(File& f, State& s) {
  f(s.settings);
  f(s.keys);
  f(s.under_way);
  f.each(s.rows, [&](auto& row) { visit_row(f, row); });
}

}  // namespace

std::vector<std::byte> packed(const CaseRow& row) {
  MemoryWriter to;
  visit_row(to, row);
  return to.take();
}

CaseRow unpacked(std::span<const std::byte> bytes) {
  CaseRow row;
  MemoryReader from(bytes);
  visit_row(from, row);
  from.finish();
  return row;
}

void save(const ManyState& state, const std::string& path) {
  Stored stored{state.settings, {}, {}, state.under_way};
  for (const auto& [key, row] : state.rows) {
    stored.keys.push_back(key);
    stored.rows.push_back(row);
  }
  run::save_state(path, format, 0, stored, [](auto& f, auto& s) { visit(f, s); });
}

ManyState load_many_state(const std::string& path, const std::string& settings) {
  auto stored = run::load_state<Stored>(
      path, format, 0, [](auto& f, auto& s) { visit(f, s); }, "settings");
  run::require_same_settings(path, "rows", "rows of one table differ in the values of the lists alone",
                             stored.settings, settings);
  ManyState out{std::move(stored.settings), {}, stored.under_way};
  for (std::size_t i = 0; i < std::min(stored.keys.size(), stored.rows.size()); ++i)
    out.rows[stored.keys[i]] = std::move(stored.rows[i]);
  return out;
}

}  // namespace umov::dda
