// Layouts of GDSII: what is accepted has shapes that can be counted, placed, merged, cut and grown.
#include <cmath>
#include <stdexcept>

#include "fuzz/target.hpp"
#include "layout/region.hpp"

namespace umov {

FUZZ_TARGET(gds, ".gds") {
  const layout::Library library = layout::read_gds(path);
  const layout::Hierarchy hierarchy(library);
  const auto top = hierarchy.top("");
  std::set<layout::LayerId> layers;
  for (const auto& [id, count] : hierarchy.counts(top)) layers.insert(id);
  constexpr double most = 2000;
  hierarchy.texts(top, most);
  const layout::Box window{{-2e4, -2e4}, {2e4, 2e4}};
  layout::Region all(window);
  hierarchy.flatten(
      top, layers, window, [&](const layout::LayerId&, std::span<const layout::Place> p) { all.add(p); },
      most);
  layout::Region inside = all.within(window);
  const double area = inside.area();
  if (!(area >= 0 && area <= 4.0001 * 4e8)) throw std::logic_error("a part of a window is larger than it");
  inside.grow(10);
  if (!(inside.area() >= area)) throw std::logic_error("a region has grown smaller");
}

}  // namespace umov
