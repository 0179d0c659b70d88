// The average of a dipole run over orientations.
#include "run/dda_course.hpp"

namespace umov::run {

void DdaRun::average() {
  AverageRequest request;
  request.angles = load_orientation_angles(sim_.orientation.average_file);
  request.plane = plane_.value_or(Plane::yz);
  if (matrices_)
    request.theta_intervals =
        sim_.outputs.ntheta ? sim_.outputs.ntheta : default_theta_intervals(out_.particle.sites());
  out_.angle_notes.push_back(describe(request.angles));
  const auto averaged = average_over_orientations(request, [&](double beta, double gamma) {
    orient({0, beta, gamma, false, ""});
    OrientedScattering s;
    s.frame = frame_;
    s.y = oriented('Y', request);
    s.x = oriented('X', request);
    return s;
  });
  PolarizationResult mean;
  mean.label = ' ';
  mean.cross.cext = averaged.cext;
  mean.cross.cabs = averaged.cabs;
  out_.polarizations = {mean};
  out_.orientation_log = averaged.log.text;
  for (std::size_t i = 0; i < averaged.theta.size(); ++i) {
    ScatteringRow row;
    row.theta = averaged.theta[i];
    row.mueller = averaged.mueller[i];
    out_.plane.push_back(row);
  }
}

OrientedPolarization DdaRun::oriented(char label, const AverageRequest& request) {
  const auto result = solve(label);
  const auto sums = far_field();
  CrossSections cross;
  extinction_and_absorption(label, sums, result.alpha, cross);
  OrientedPolarization o{cross.cext, cross.cabs, {}};
  if (request.theta_intervals) o.amplitudes = amplitudes_for_alphas(sums, scale(), frame_, request);
  return o;
}

}  // namespace umov::run
