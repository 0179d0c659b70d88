// Rows of fields: every value at its own place on the grid of Yee.
#include "fdtd/output/field_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iterator>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/snapshot.hpp"
#include "fdtd/output/images.hpp"

namespace umov::fdtd {

namespace {

/// Values [z][y][x] of a component; the first one is of cell `start`.
struct Block {
  Component component;
  double time;
  Int3 size;
  Int3 start;
  std::function<cplx(std::size_t)> value;
  bool is_complex, single;
};

void write_block(const Grid& g, const Block& b, const std::string& path) {
  AtomicFile file(path);
  const int axes = dimensions(g.mode), digits = b.single ? 9 : 17;
  const Vec3 first = g.position(b.component, b.start);
  const auto place = [&](int a, int i) {
    return g.graded(a) ? g.place(a, b.start[a] + i + g.offset(b.component, a)) : first[a] + g.dx * i;
  };
  const std::string name = word(b.component);
  std::string line = fmt::format("# {} at time {:.9g} unit/c\n", name, b.time);
  for (int a = 0; a < axes; ++a) line += fmt::format("{} [unit],", axis_name(a));
  line += b.is_complex ? fmt::format("{0}_re,{0}_im\n", name) : name + "\n";
  file.write(line);
  std::size_t at = 0;
  for (int k = 0; k < b.size[2]; ++k)
    for (int j = 0; j < b.size[1]; ++j)
      for (int i = 0; i < b.size[0]; ++i, ++at) {
        const Int3 ijk{i, j, k};
        line.clear();
        for (int a = 0; a < axes; ++a) fmt::format_to(std::back_inserter(line), "{:.12g},", place(a, ijk[a]));
        const cplx v = b.value(at);
        fmt::format_to(std::back_inserter(line), "{:.{}g}", v.real(), digits);
        if (b.is_complex) fmt::format_to(std::back_inserter(line), ",{:.{}g}", v.imag(), digits);
        file.write(line += '\n');
      }
  file.commit();
}

/// The axis across which a block is one plane through the middle of space; -1: it is the whole.
int plane_axis(const Grid& g, const FieldBlock& b) {
  for (int a = 0; a < 3 && dimensions(g.mode) == 3; ++a)
    if (is_plane(g, b, a)) return a;
  return -1;
}

Block block_of(const Outcome& o, Component c, const FieldBlock& f, int plane) {
  Int3 start{0, 0, 0};
  if (plane >= 0) start[plane] = o.grid.cells[plane] / 2;
  const double half = is_electric(c) ? 0 : 0.5;  // H is known half a step before E
  return {c,
          o.time - half * o.grid.dt,
          f.size,
          start,
          [&f](std::size_t i) { return cplx(f.real[i], f.imag.empty() ? 0 : f.imag[i]); },
          !f.imag.empty(),
          o.simulation.precision == Precision::single_};
}

/// A plane of space lies on the layer of the component's points nearest to where it was asked for.
Block block_of(const Outcome& o, const Snapshot& s) {
  const Grid& g = o.grid;
  Int3 start{0, 0, 0};
  const auto* m = find_monitor(o.simulation, s.name);
  if (m && dimensions(g.mode) == 3) {
    const auto& cut = m->own<SnapshotSpec>();
    const double at = g.index(cut.plane, cut.plane_at) - g.offset(s.component, cut.plane);
    start[cut.plane] = int(std::lround(at));
  }
  return {s.component, s.time, s.size, start, [&s](std::size_t i) { return cplx(s.values[i]); }, false, true};
}

}  // namespace

void check_field_tables(const Grid& g) {
  const double cells = double(g.cell_count());
  double rows = cells;
  if (dimensions(g.mode) == 3) {
    rows = 0;
    for (int a = 0; a < 3; ++a) rows = std::max(rows, cells / g.cells[a]);
  }
  if (rows > most_field_rows)
    throw BadInput(fmt::format(
        "`output.field_csv`: a table of {:.3g} rows a field (one for each of {} x {} x {} cells{}; {:.0e} "
        "are the most); leave it out: results.vtkhdf has the fields in a tenth of the bytes",
        rows, g.cells[0], g.cells[1], g.cells[2], dimensions(g.mode) == 3 ? " of the largest plane" : "",
        most_field_rows));
}

void write_field_tables(const Outcome& o, const std::string& folder) {
  UniqueNames unique;
  const auto place = [&](const std::string& name) {
    return (std::filesystem::path(folder) / (unique(name) + ".csv")).string();
  };
  for (const auto& [c, f] : o.final_fields) {
    const int plane = plane_axis(o.grid, f);
    if (f.real.empty() || (plane < 0 && dimensions(o.grid.mode) == 3)) continue;
    const std::string name = fmt::format("field-{}", word(c));
    write_block(o.grid, block_of(o, c, f, plane), place(plane < 0 ? name : name + "-" + axis_name(plane)));
  }
  for (const Snapshot& s : o.snapshots)
    write_block(o.grid, block_of(o, s),
                place(fmt::format("snapshot-{}-{}-{:06d}", s.name, word(s.component), s.step)));
}

}  // namespace umov::fdtd
