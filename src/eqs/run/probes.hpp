// Where the field of an electroquasistatic run is looked at: lines, surfaces, cuts, points.
#pragma once

#include <string>
#include <vector>

#include "eqs/observables/cut_field.hpp"
#include "eqs/observables/path.hpp"
#include "eqs/observables/surface_field.hpp"

namespace umov::eqs {

/// Located once, sampled at every saved time; points after every step.
struct Probes {
  std::vector<Path> lines;
  std::vector<SurfaceField> surfaces;
  std::vector<CutField> cuts;
  std::vector<mesh::Place> points;
  std::vector<std::string> warnings;  ///< of lines partly outside the mesh
};

/// Whether whole solutions are looked at, at saved times.
inline bool wants_fields(const Probes& p) {
  return !p.lines.empty() || !p.surfaces.empty() || !p.cuts.empty();
}

/// Throws BadInput for what lies wholly outside the mesh.
Probes place_probes(const Simulation&, const Problem&);

/// Appends the field at one time to the lines and surfaces of the outcome. `u`: potentials per space node, V;
/// `imaginary` as for a path.
void sample_lines(const Probes&, const Sampler&, const double* u, const double* imaginary, Outcome&);
std::vector<CutResult> sample_cuts(const Probes&, const Sampler&, const double* u, const double* imaginary,
                                   double time);
/// Potential and field at the points: instantaneous values, or of a complex field its magnitudes.
void sample_points(const Probes&, const Sampler&, const double* u, const double* imaginary, Record&);

}  // namespace umov::eqs
