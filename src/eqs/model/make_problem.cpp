// From a case to the discretised problem.
#include <algorithm>

#include "core/error.hpp"
#include "core/large_memory.hpp"
#include "core/text.hpp"
#include "eqs/model/model_parts.hpp"
#include "eqs/model/rank_share.hpp"
#include "eqs/model/steady_drive.hpp"
#include "eqs/model/waveform.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_file.hpp"
#include "mesh/round/round_skin.hpp"

namespace umov::eqs {

namespace {

double largest_extent(const mesh::MeshReport& report) {
  const Vec3 size = report.high - report.low;
  return std::max({size[0], size[1], size[2]});
}

double extent_of(const mesh::TetMesh& m) {
  Vec3 low = m.nodes.front(), high = low;
  for (const Vec3& x : m.nodes)
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], x[a]), high[a] = std::max(high[a], x[a]);
  return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

void check_symmetry(const Simulation& s, const mesh::MeshReport& report, const std::string& source) {
  for (const auto& axis : s.symmetry) {
    const int a = axis[0] - 'x';
    const double margin = 1e-6 * (report.high[a] - report.low[a]);
    if (report.low[a] < -margin && report.high[a] > margin)
      throw BadInput("'" + source + "' reaches to both sides of the symmetry plane " + axis + " = 0 (from " +
                     shortest(report.low[a]) + " to " + shortest(report.high[a]) +
                     " m); mesh one side only or drop the plane");
    const double reach = 1e-6 * largest_extent(report);
    if (report.low[a] > reach || report.high[a] < -reach)
      throw BadInput("'" + source + "' does not reach the symmetry plane " + axis + " = 0 (from " +
                     shortest(report.low[a]) + " to " + shortest(report.high[a]) +
                     " m: mirrored there, it would be two models); move it or drop the plane");
  }
}

void check_analysis(const Simulation& s, const Problem& p) {
  if (p.analysis == Analysis::harmonic)
    for (const auto& m : p.materials)
      if (m.nonlinear())
        throw BadInput(
            "material '" + m.name +
            "' depends on the field (a harmonic analysis is linear); use a transient one or constants");
  if (p.analysis == Analysis::harmonic) common_frequency(s.electrodes);
  if (p.analysis == Analysis::harmonic)
    for (const auto& e : p.electrodes)
      if (e.kind == ElectrodeSpec::Kind::driven && e.waveform.kind != WaveformSpec::Kind::sine)
        throw BadInput(
            "electrode '" + e.name +
            "' is not driven by a sine (a harmonic analysis has one frequency); use a transient one");
}

void check_operator(const Problem& p) {
  if (p.linear.form == OperatorForm::matrix_free && p.order == 2 && p.linear.preconditioner == "amg")
    throw BadInput(
        "operator = \"matrix-free\" has no second-order matrix for preconditioner = \"amg\"; take "
        "\"p-multigrid\", or operator = \"assembled\"");
}

/// How fast things change, 1/s: permittivities take part as rate * eps beside conductivities. In time, about
/// the inverse of a step.
double rate_of(const Simulation& s) {
  if (s.analysis == Analysis::conduction) return 0;
  if (s.analysis == Analysis::harmonic) return 2 * pi * common_frequency(s.electrodes);
  const double end = s.time.moment().value_or(0);
  return end > 0 ? 1000 / end : 1e5;
}

void take_electrodes(const Simulation& s, Problem& p) {
  p.electrodes.clear();
  for (const auto& e : s.electrodes) {
    p.electrodes.push_back({e.name, e.kind, e.waveform, e.charge, -1});
    if (e.kind == ElectrodeSpec::Kind::driven)
      check_waveform(p.electrodes.back().waveform, "electrode '" + e.name + "'");
  }
  if (p.steady_state()) take_steady_drive(1 / s.time.frequency, p);
}

void refine_mesh(const Simulation& s, Problem& p) {
  if (s.mesh.refine == 0) {
    mesh::refine_and_sort(p.mesh, 0);
    return;
  }
  mesh::RoundSkin skin(p.mesh, s.mesh.geometry ? &*s.mesh.geometry : nullptr);
  p.lineage = mesh::refine_and_sort(p.mesh, s.mesh.refine, &skin);
  if (const auto said = mesh::round_warning(p.mesh.source, skin.report()); !said.empty())
    p.warnings.push_back(said);
}

}  // namespace

int Problem::own_unknowns() const { return share ? share->unknowns : unknowns; }
int Problem::own_elements() const { return share ? share->elements : int(mesh.tets.size()); }

Problem make_problem(const Simulation& s) {
  check_simulation(s);
  Problem p;
  static_cast<Settings&>(p) = s;
  p.mesh = s.mesh.geometry ? mesh::build_mesh(*s.mesh.geometry) : mesh::read_gmsh(s.mesh.file, s.mesh.unit);
  p.order = s.mesh.order ? s.mesh.order : p.mesh.second_order ? 2 : 1;
  const mesh::MeshReport report = mesh::check(p.mesh);
  p.warnings = report.warnings;
  check_operator(p);
  check_symmetry(s, report, p.mesh.source);
  p.symmetry_factor = double(1 << s.symmetry.size());

  take_electrodes(s, p);
  std::vector<int> material_of_group;
  const ElectrodeSurfaces surfaces = resolve_groups(s, p, material_of_group);
  check_analysis(s, p);
  p.rate = rate_of(s);
  const auto fill = [&] {
    p.material.clear();
    resize_large(p.material, p.mesh.tet_group.size());
#pragma omp parallel for schedule(static)
    for (std::size_t t = 0; t < p.mesh.tet_group.size(); ++t)
      p.material[t] = material_of_group[p.mesh.tet_group[t]];
  };
  fill();
  note_thin(s, s.mesh.refine, p);
  refine_mesh(s, p);
  if (p.order == 2) p.edges = mesh::find_edges(p.mesh);
  fill();
  number_unknowns(p, surfaces);
  check_connected(p);
  find_islands(p);
  note_pieces(p);
  check_driven(p);
  check_symmetry_planes(s, surfaces, p);
  note_case(s, largest_extent(report), p);
  check_stabilised(s, p);
  return p;
}

Problem make_problem(const Simulation& s, Problem p) {
  check_simulation(s);
  static_cast<Settings&>(p) = s;
  p.warnings.clear();
  take_electrodes(s, p);
  take_materials(s, p);
  check_analysis(s, p);
  p.rate = rate_of(s);
  const auto unknown = p.unknown, base = p.base;
  const auto good = p.good;
  const auto patterns = p.patterns;
  renumber(p);
  if (p.unknown == unknown && p.base == base && p.good == good) p.patterns = patterns;
  check_connected(p);
  find_islands(p);
  check_driven(p);
  note_case(s, extent_of(p.mesh), p);
  note_thin(s, 0, p);
  check_stabilised(s, p);
  return p;
}

}  // namespace umov::eqs
