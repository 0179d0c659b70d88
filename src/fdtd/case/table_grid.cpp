// Parameters of `umov fdtd`: cells that differ.
#include <fmt/format.h>

#include "cases/declare.hpp"
#include "fdtd/case/case.hpp"

namespace umov::fdtd {
namespace {

using cases::declare;

using Table = ParameterTable<Case>;

AxisGrid::Part part_of(const Value& v, const std::vector<double>& x) {
  if (x.size() != 3) throw ValueError("wants parts [from, to, edge], not " + describe(v));
  return {x[0], x[1], x[2]};
}

/// A list of numbers is that of all lines, one of lists has parts.
Codec<AxisGrid> axis_grid() {
  const auto numbers = list_of(number({}));
  return {[numbers](const Value& v) {
            AxisGrid grid;
            for (const Value& item : read_list(v)) {
              const bool part = std::holds_alternative<std::vector<Value>>(item.data);
              if (part)
                grid.parts.push_back(part_of(item, numbers.read(item)));
              else
                grid.lines.push_back(read_number(item, {}));
            }
            if (!grid.lines.empty() && !grid.parts.empty())
              throw ValueError("wants numbers, which are all lines, or parts [from, to, edge], not both in " +
                               describe(v));
            return grid;
          },
          parse_nested,
          [](const AxisGrid& grid) {
            std::string out;
            for (const double x : grid.lines) out += (out.empty() ? "" : ", ") + number({}).write(x);
            for (const auto& p : grid.parts)
              out += fmt::format("{}[{}, {}, {}]", out.empty() ? "" : ", ", number({}).write(p.from),
                                 number({}).write(p.to), number({}).write(p.edge));
            return out.empty() ? "" : "[" + out + "]";
          },
          "parts [from, to, edge], or the places of all lines",
          "[FROM,TO,EDGE],...",
          false,
          false,
          schema::list(schema::any_of({schema::number({}), schema::list(schema::number({}), 3, 3)}))};
}

}  // namespace

void add_grid_parameters(Table& t) {
  const char* s = "grid";
  for (int a = 0; a < 3; ++a)
    t.add(
        declare(s, std::string(1, "xyz"[a]), {}, "unit",
                fmt::format("Cells along {} that differ: parts in which no cell is longer than an edge, with "
                            "lines at their ends, or all lines from one end of the domain to the other.",
                            "xyz"[a]),
                "cells of 1 / resolution, or by the materials"),
        axis_grid(), [a](auto& c) -> auto& { return c.simulation.grid.axis[a]; });
  t.add(declare(s, "cells_per_wavelength", {}, "cells",
                "Cells per wavelength in every material at the sources' highest carrier, with lines on the "
                "bounds of all bodies; 0: the grid is not chosen by the materials."),
        number(Range::at_least(0)), UMOV_SIM(grid.cells_per_wavelength));
  t.add(declare(s, "growth", {}, "", "Most by which the edges of neighbouring cells differ, a factor."),
        number(Range::between(1.02, 2.0)), UMOV_SIM(grid.growth));
  t.add(declare(s, "across", {}, "cells", "Cells at least between two surfaces, where the materials choose."),
        integer<int>(Range::between(1, 1000)), UMOV_SIM(grid.across));
  t.add(declare(s, "least_edge", {}, "unit",
                "Surfaces and ends of parts nearer to each other than this share a line; 0: a tenth of the "
                "shortest edge that is asked for."),
        number(Range::at_least(0)), UMOV_SIM(grid.least_edge));
}

}  // namespace umov::fdtd
