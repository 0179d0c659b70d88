// Directions of plane and grid, amplitudes in both frames, integrals over phi.
#include "dda/run/matrices.hpp"

#include "dda/observables/phi_integration.hpp"

namespace umov::dda {

int theta_intervals(const Prepared& p) {
  const int given = p.sim.outputs.ntheta;
  return given ? given : default_theta_intervals(p.particle.sites());
}

Directions make_directions(const Prepared& p, const Angles& angles) {
  Directions d;
  if (p.plane) {
    const Vec3 in_plane = *p.plane == Plane::yz ? p.frame.pol_y : p.frame.plane_x;
    d.plane = observe_plane(p.frame, *p.plane, theta_intervals(p), needs_full_circle(p.symmetry, in_plane));
  }
  if (angles.grid) d.grid = observe_grid(p.frame, *angles.grid);
  return d;
}

Amplitudes amplitudes(const Prepared& p, const Solution& solution, const Directions& d, bool turned) {
  const auto in = [&](const std::vector<Observation>& directions) {
    return observed_amplitudes(solution.shared_far_field(), p.far_field_scale(), solution.incident.frame,
                               directions, turned);
  };
  Amplitudes a;
  if (p.plane) a.plane = in(d.plane);
  if (p.grid) a.grid = in(d.grid);
  return a;
}

std::vector<PhiIntegral> phi_integrals(const Prepared& p, const Angles& angles,
                                       const std::vector<ScatteringRow>& grid) {
  const int mask = p.sim.outputs.phi_integr;
  return mask && angles.grid ? integrate_over_phi(mask, *angles.grid, grid) : std::vector<PhiIntegral>{};
}

void tabulate(const Prepared& p, const Angles& angles, const Directions& d, const Amplitudes& y,
              const Amplitudes& x, Outcome& out) {
  if (p.plane) out.plane = scattering_rows(p.frame, d.plane, y.plane, x.plane);
  if (p.grid) out.grid = scattering_rows(p.frame, d.grid, y.grid, x.grid);
  out.phi_integrals = phi_integrals(p, angles, out.grid);
}

}  // namespace umov::dda
