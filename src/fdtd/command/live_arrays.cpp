// Which arrays a run in time offers, and what they are made of.
#include "fdtd/command/live_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fdtd/kind_names.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/output/marks.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/sources/waveform.hpp"
#include "fdtd/wall_kind.hpp"
#include "view/from_result.hpp"

namespace umov::fdtd {

namespace {

constexpr std::size_t model_cells = 1 << 20;

view::ArrayInfo grid_info(const Grid& g) {
  view::ArrayInfo info;
  info.shape = {g.cells[0], g.cells[1], g.cells[2]};
  info.origin = g.origin;
  info.spacing = {g.dx, g.dx, g.dx};
  info.length_unit = fdtd_unit::length;
  return info;
}

/// The low corner of the first value's cell: a component lies in the middle of its own; what is made of
/// several takes the mean of their places.
Vec3 corner_of(const Grid& g, unsigned set) {
  Vec3 sum{0, 0, 0};
  int n = 0;
  for (int c = 0; c < components; ++c)
    if (set >> c & 1u) {
      const Vec3 at = g.position(c, {0, 0, 0});
      for (int a = 0; a < 3; ++a) sum[a] += at[a];
      ++n;
    }
  for (int a = 0; a < 3; ++a) sum[a] = sum[a] / std::max(n, 1) - (g.active(a) ? 0.5 * g.dx : 0);
  return sum;
}

struct Listed {
  LiveField field;
  std::string name, text, role;
};

/// The fields of a mode: each component, then what is made of E and of H where they have several.
std::vector<Listed> fields_of(Mode mode) {
  std::vector<Listed> list;
  unsigned sets[2] = {0, 0};
  for (int c = 0; c < components; ++c) {
    if (!has_component(mode, c)) continue;
    const std::string name = word(Component(c));
    list.push_back({{LiveField::Kind::component, 1u << c}, name, "field " + name, "component"});
    sets[is_electric(c) ? 0 : 1] |= 1u << c;
  }
  for (int f = 0; f < 2; ++f) {
    const std::string letter = f == 0 ? "E" : "H";
    using Kind = LiveField::Kind;
    list.push_back({{Kind::magnitude, sets[f]}, letter + "_magnitude", "|" + letter + "|", "magnitude"});
    list.push_back({{Kind::intensity, sets[f]}, letter + "_intensity", "|" + letter + "|^2", "intensity"});
    list.push_back({{Kind::rms, sets[f]},
                    letter + "_rms",
                    "root mean square of |" + letter + "| over the frames since it was asked for",
                    "rms"});
  }
  return list;
}

void add_permittivity(view::Shelf& shelf, const Prepared& p) {
  double frequency = 0;
  for (const auto& source : p.sim.sources) frequency = std::max(frequency, peak_frequency(source.waveform));
  const FieldBlock eps = sample_permittivity(*p.scene, p.grid, frequency, model_cells);
  if (eps.real.empty()) return;
  view::ArrayInfo info = grid_info(p.grid);
  info.name = "model/permittivity";
  info.label = "permittivity";
  info.text = "relative permittivity at the highest frequency of the sources";
  info.role = "model";
  for (int a = 0; a < 3; ++a) {
    info.shape[std::size_t(a)] = eps.size[a];
    info.spacing[a] = p.grid.dx * p.grid.cells[a] / eps.size[a];
  }
  info.is_signed = std::any_of(eps.real.begin(), eps.real.end(), [](double v) { return v < 0; });
  shelf.add(std::move(info),
            view::stored_field(std::make_shared<const std::vector<float>>(eps.real.begin(), eps.real.end()),
                               eps.size));
}

void add_layers(view::Catalogue& c, const Prepared& p) {
  const double depth = p.sim.pml.layers * p.grid.dx;
  for (int a = 0; a < dimensions(p.grid.mode); ++a)
    for (int side = 0; side < 2; ++side) {
      if (p.sim.walls[a][side] != WallKind::pml) continue;
      view::Mark m;
      m.role = "layer";
      m.text = "absorbing layers";
      m.name = fmt::format("{}{}", side ? '+' : '-', axis_name(a));
      for (int b = 0; b < 3; ++b) {
        m.size[b] = p.grid.active(b) ? p.grid.dx * p.grid.cells[b] : 0;
        m.center[b] = p.grid.origin[b] + 0.5 * m.size[b];
      }
      const double extent = m.size[a];
      m.size[a] = depth;
      m.center[a] = p.grid.origin[a] + (side ? extent - 0.5 * depth : 0.5 * depth);
      c.marks.push_back(std::move(m));
    }
}

void add_marks(view::Catalogue& c, const Prepared& p) {
  Outcome o;
  o.simulation = p.sim;
  o.grid = p.grid;
  for (const Mark& mark : marks_of(o)) {
    view::Mark m;
    m.role = mark.source ? "source" : "monitor";
    m.name = mark.name;
    m.text = mark.text;
    m.center = mark.center;
    m.size = mark.size;
    m.arrow = mark.arrow;
    m.dashed = mark.dashed;
    if (mark.pixels) m.cells = *mark.pixels;
    for (int a = 0; a < 3; ++a) m.raster[a] = mark.raster[a] > 0 ? mark.raster[a] : p.grid.cells[a];
    c.marks.push_back(std::move(m));
  }
  add_layers(c, p);
}

}  // namespace

view::Shelf live_shelf(const Prepared& p, const March& m, std::vector<LiveField>& fields) {
  view::Shelf shelf;
  fields.clear();
  for (const Listed& f : fields_of(p.grid.mode)) {
    view::ArrayInfo info = grid_info(p.grid);
    info.origin = corner_of(p.grid, f.field.components);
    info.name = "fields/" + f.name;
    info.label = f.name;
    info.text = f.text + (turns(p.sim.walls[0][0]) ? " (the real part of components)" : "");
    info.role = f.role;
    info.unit = fdtd_unit::field;
    info.live = true;
    info.is_signed = f.field.kind == LiveField::Kind::component;
    shelf.add(std::move(info));
    fields.push_back(f.field);
  }
  add_permittivity(shelf, p);
  add_marks(shelf.catalogue, p);
  view::CaseInfo info;
  info.name = m.phase == Phase::reference ? "reference run" : "run";
  info.family = "fdtd";
  info.state = "running";
  info.folder = p.machine.output_dir;
  info.text = p.machine.command_line;
  shelf.catalogue.cases.push_back(std::move(info));
  return shelf;
}

std::vector<float> sample_field(const Engine& engine, const LiveField& field, const view::Request& r) {
  const bool squares = field.kind != LiveField::Kind::component;
  auto values = engine.sample({field.components, squares, r.lo, r.hi, r.size});
  if (field.kind == LiveField::Kind::magnitude)
    for (float& v : values) v = std::sqrt(v);
  return values;
}

view::Shelf monitor_curves(const Prepared& p, const March& m, const Engine& engine) {
  Outcome o;
  o.simulation = p.sim;
  o.grid = p.grid;
  o.steps = engine.step();
  o.time = double(o.steps) * p.grid.dt;
  m.monitors->collect(engine, m.reference, o);
  auto result = to_result(o);
  result.voxels = {};
  view::Shelf all, curves;
  view::add_result(all, result, fdtd_unit::length);
  for (auto& info : all.catalogue.arrays) {
    if (info.kind != view::Kind::curve) continue;
    info.live = true;
    auto maker = std::move(all.makers.at(info.id));
    curves.add(std::move(info), std::move(maker));
  }
  return curves;
}

}  // namespace umov::fdtd
