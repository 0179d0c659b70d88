// Linear interpolation between the meshes of a lineage.
#include "eqs/model/nested.hpp"

#include <algorithm>
#include <utility>

namespace umov::eqs {

namespace {

/// Number of each unknown of the finest mesh among those that the first `nodes` nodes have; -1: they have it
/// not.
std::vector<int> numbers_of(const Problem& p, int nodes, int& count) {
  std::vector<int> number(p.vertex_unknowns, -1);
  for (int i = 0; i < nodes; ++i)
    if (const int u = p.unknown[p.lineage.number[i]]; u >= 0) number[u] = 0;
  count = 0;
  for (int& n : number)
    if (n == 0) n = count++;
  return number;
}

/// One column of weight 1 where `second` is -2, else 1/2 each of what is no -1.
struct Row {
  int first = -1, second = -1;
};

sparse::HostCsr from_rows(const std::vector<Row>& rows, int columns) {
  sparse::HostCsr p;
  p.rows = int(rows.size()), p.columns = columns;
  p.start.reserve(rows.size() + 1);
  p.start.push_back(0);
  const auto put = [&p](int column, double weight) { p.column.push_back(column), p.value.push_back(weight); };
  for (const Row& r : rows) {
    if (r.second == -2 || (r.first == r.second && r.first >= 0)) {
      put(r.first, 1);
    } else {
      const auto [low, high] = std::minmax(r.first, r.second);
      if (low >= 0) put(low, 0.5);
      if (high >= 0) put(high, 0.5);
    }
    p.start.push_back(int(p.column.size()));
  }
  return p;
}

}  // namespace

std::shared_ptr<const amg::Nested> nested_prolongations(const Problem& p) {
  const auto& line = p.lineage;
  if (p.share || line.nodes.size() < 2 || !p.base.empty()) return nullptr;
  auto out = std::make_shared<amg::Nested>();
  int rows = 0, columns = 0;
  std::vector<int> fine = numbers_of(p, line.nodes.back(), rows);
  for (std::size_t l = line.nodes.size() - 1; l > 0; --l) {
    const int corners = line.nodes[l - 1];
    std::vector<int> coarse = numbers_of(p, corners, columns);
    if (columns == 0) break;
    std::vector<Row> row(rows);
    const auto coarse_of = [&](int node) {
      const int u = p.unknown[line.number[node]];
      return u < 0 ? -1 : coarse[u];
    };
    for (int i = 0; i < line.nodes[l]; ++i) {
      const int u = p.unknown[line.number[i]];
      if (u < 0) continue;
      if (coarse[u] >= 0) {
        row[fine[u]] = {coarse[u], -2};
      } else {
        const auto& ends = line.parents[i - line.nodes[0]];
        row[fine[u]] = {coarse_of(ends[0]), coarse_of(ends[1])};
      }
    }
    out->push_back(from_rows(row, columns));
    std::swap(fine, coarse), rows = columns;
  }
  return out->empty() ? nullptr : out;
}

}  // namespace umov::eqs
