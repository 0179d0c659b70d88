// Compiling source groups into lists of targets, and filling rows of their values.
#include "fdtd/source_list.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace umov::fdtd {

namespace {

struct Entry {
  int column;
  cplx weight;
};
struct Target {
  bool hard = false;
  std::vector<Entry> entries;
};
using Targets = std::map<std::pair<int, index_t>, Target>;

int feed_of(CompiledSources& all, const Problem& p, int table, int table_imag) {
  for (std::size_t f = 0; f < all.feeds.size(); ++f)
    if (all.feeds[f].table == table && all.feeds[f].table_imag == table_imag) return int(f);
  all.feeds.push_back({table, table_imag, all.columns});
  all.columns += p.tables.at(table).columns;
  return int(all.feeds.size()) - 1;
}

void add_group(const SourceGroup& g, int offset, Targets& targets) {
  for (std::size_t p = 0; p < g.cells.size(); ++p) {
    Target& t = targets[{g.component, g.cells[p]}];
    if (g.hard) t = {true, {}};
    for (int tap = 0; tap < g.taps; ++tap) {
      const std::size_t w = p * g.taps + tap;
      const double imag = g.weights_imag.empty() ? 0 : g.weights_imag[w];
      t.entries.push_back({offset + g.columns[p] + tap, {g.weights[w], imag}});
    }
  }
}

SourceList flatten(const Targets& targets) {
  SourceList list;
  for (const auto& [place, target] : targets) {
    list.component.push_back(std::uint8_t(place.first));
    list.cell.push_back(place.second);
    list.hard.push_back(target.hard);
    list.any_hard |= target.hard;
    for (const Entry& e : target.entries) {
      list.column.push_back(e.column);
      list.weight.push_back(e.weight);
    }
    list.first.push_back(index_t(list.column.size()));
  }
  return list;
}

}  // namespace

CompiledSources compile_sources(const Problem& p) {
  CompiledSources all;
  for (const Field f : {Field::E, Field::H}) {
    Targets targets;
    std::vector<int> feeds;
    for (const SourceGroup& g : p.sources) {
      if (field_of(g.component) != f) continue;
      const int feed = feed_of(all, p, g.table, p.complex_fields ? g.table_imag : -1);
      feeds.push_back(feed);
      add_group(g, all.feeds[feed].offset, targets);
    }
    SourceList& list = f == Field::E ? all.electric : all.magnetic;
    list = flatten(targets);
    std::sort(feeds.begin(), feeds.end());
    feeds.erase(std::unique(feeds.begin(), feeds.end()), feeds.end());
    list.feeds = feeds;
  }
  return all;
}

std::vector<char> fill_rows(const Problem& p, const CompiledSources& all, long first, long steps,
                            std::vector<cplx>& rows) {
  rows.assign(std::size_t(steps) * all.columns, 0);
  std::vector<char> active(all.feeds.size(), 0);
  for (std::size_t t = 0; t < p.tables.size(); ++t) {
    const int width = p.tables[t].columns;
    std::vector<double> values(std::size_t(steps) * width, 0);
    p.tables[t].fill(first, steps, values.data());
    const bool any = std::any_of(values.begin(), values.end(), [](double v) { return v != 0; });
    for (std::size_t f = 0; f < all.feeds.size(); ++f) {
      const SourceFeed& feed = all.feeds[f];
      for (const bool imag : {false, true}) {
        if ((imag ? feed.table_imag : feed.table) != int(t)) continue;
        active[f] |= any;
        for (long s = 0; s < steps; ++s)
          for (int c = 0; c < width; ++c) {
            cplx& value = rows[std::size_t(s) * all.columns + feed.offset + c];
            value +=
                imag ? cplx(0, values[std::size_t(s) * width + c]) : cplx(values[std::size_t(s) * width + c]);
          }
      }
    }
  }
  return active;
}

}  // namespace umov::fdtd
