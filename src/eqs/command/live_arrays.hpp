// An electroquasistatic run as named arrays for viewers: its mesh, fields, curves.
#pragma once

#include <memory>
#include <vector>

#include "eqs/outcome.hpp"
#include "eqs/problem.hpp"
#include "results/mesh_reader.hpp"
#include "view/mesh_series.hpp"
#include "view/over_time.hpp"

namespace umov::eqs {

/// The mesh as viewers are shown it: points of the space, regions by their materials, conductors by
/// electrode.
std::shared_ptr<const results::StoredMesh> mesh_of(const Problem&, double period);

/// What is shown of fields: potential, |E|, and the density of the lost power where something conducts.
std::vector<view::MeshShown> shown_of(const Problem&);
/// Those of one moment. `potential` per space node, V; `field` in the middle of each element, [element][x, y,
/// z].
view::KeptInstants::All values_of(const Problem&, const double* potential, const std::vector<float>& field);

/// Curves over time and along paths, and the largest fields, as far as the run is. The same list for an
/// outcome without any records.
struct LiveCurve {
  view::ArrayInfo info;
  view::Maker maker;
};
std::vector<LiveCurve> live_curves(const Outcome&);

}  // namespace umov::eqs
