// Location of points in the mesh, once, and samples at saved times.
#include "eqs/run/probes.hpp"

#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "eqs/kernels/ellipse.hpp"
namespace umov::eqs {

namespace {

mesh::Place place_point(const PointSpec& point, const mesh::Locator& locator) {
  const auto place = locator.find(point.at);
  if (!place)
    throw BadInput(
        "point '" + point.name +
        "' lies outside the mesh (lengths of a case are in metres; the inside of conductors is no part of "
        "the mesh); correct its place");
  return *place;
}

/// Those of the case, or one through the middle of the model.
std::vector<CutSpec> cuts_of(const Simulation& sim, const Problem& problem) {
  if (!sim.outputs.cuts.empty()) return sim.outputs.cuts;
  auto symmetry = sim.symmetry;
  if (sim.mesh.geometry)
    symmetry.insert(symmetry.end(), sim.mesh.geometry->cut.begin(), sim.mesh.geometry->cut.end());
  return {middle_cut(problem, symmetry)};
}

double magnitude(double real, double imaginary) { return std::hypot(real, imaginary); }
Vec3 magnitude(const Vec3& e, const Vec3& f) {
  return {std::hypot(e[0], f[0]), std::hypot(e[1], f[1]), std::hypot(e[2], f[2])};
}

}  // namespace

Probes place_probes(const Simulation& sim, const Problem& problem) {
  const auto& o = sim.outputs;
  Probes probes;
  if (!o.lines.empty() || !o.points.empty()) {
    const mesh::Locator locator(problem.mesh);
    for (const auto& line : o.lines) probes.lines.emplace_back(line, problem, locator);
    for (const auto& point : o.points) probes.points.push_back(place_point(point, locator));
  }
  for (const Path& line : probes.lines)
    if (const std::string outside = line.outside(); !outside.empty()) probes.warnings.push_back(outside);
  for (const auto& surface : o.surfaces) probes.surfaces.emplace_back(surface, problem);
  if (o.pictures)
    for (const auto& cut : cuts_of(sim, problem)) probes.cuts.emplace_back(cut, problem);
  return probes;
}

void sample_lines(const Probes& probes, const Sampler& sampler, const double* u, const double* imaginary,
                  Outcome& out) {
  for (std::size_t i = 0; i < probes.lines.size(); ++i)
    probes.lines[i].sample(sampler, u, imaginary, out.lines[i]);
  for (std::size_t i = 0; i < probes.surfaces.size(); ++i)
    probes.surfaces[i].sample(sampler, u, imaginary, out.surfaces[i]);
}

std::vector<CutResult> sample_cuts(const Probes& probes, const Sampler& sampler, const double* u,
                                   const double* imaginary, double time) {
  std::vector<CutResult> cuts;
  for (const auto& cut : probes.cuts) cuts.push_back(cut.sample(sampler, u, imaginary, time));
  return cuts;
}

void sample_points(const Probes& probes, const Sampler& sampler, const double* u, const double* imaginary,
                   Record& r) {
  for (const auto& place : probes.points) {
    const double potential = sampler.potential(u, place);
    const Vec3 field = sampler.field(u, place);
    r.point_potential.push_back(imaginary ? magnitude(potential, sampler.potential(imaginary, place))
                                          : potential);
    if (!imaginary) {
      r.point_field.push_back(field);
      continue;
    }
    const Vec3 other = sampler.field(imaginary, place);
    r.point_field.push_back(magnitude(field, other));
    r.point_peak.push_back(peak_of(field, other));
  }
}

}  // namespace umov::eqs
