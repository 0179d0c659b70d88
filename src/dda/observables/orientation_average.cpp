// Orientation averaging: alpha from far fields, beta and gamma from new solutions.
#include "dda/observables/orientation_average.hpp"

#include <algorithm>

namespace umov::dda {
namespace {

/// Mueller matrices over theta, averaged over alpha.
void average_alpha(const AverageRequest& request, const OrientedScattering& s, std::span<double> result) {
  const auto& alphas = request.angles.alpha.values;
  std::vector<double> data;
  data.reserve(alphas.size() * result.size());
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    const auto rows = observe_plane(s.frame, request.plane, request.theta_intervals, false, alphas[a]);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const Mueller m =
          mueller_matrix(amplitude_matrix(s.frame, rows[t], s.y.amplitudes[a][t], s.x.amplitudes[a][t]));
      data.insert(data.end(), m.begin(), m.end());
    }
  }
  romberg_average(request.angles.alpha.axis, result.size(), data, result);
}

}  // namespace

std::vector<std::vector<CVec3>> amplitudes_for_alphas(const FarFieldSums& sums, const FarFieldScale& scale,
                                                      const BeamFrame& frame, const AverageRequest& request) {
  std::vector<std::vector<CVec3>> out;
  if (request.theta_intervals == 0) return out;
  for (double alpha : request.angles.alpha.values) {
    const auto rows = observe_plane(frame, request.plane, request.theta_intervals, false, alpha);
    out.push_back(observed_amplitudes(sums, scale, frame, rows));
  }
  return out;
}

OrientationAverage average_over_orientations(const AverageRequest& request, const OrientationSolver& solve) {
  const OrientationAngles& angles = request.angles;
  const std::size_t rows = request.theta_intervals == 0 ? 0 : request.theta_intervals + 1;
  Romberg2dRequest romberg;
  romberg.outer = angles.beta.axis;
  romberg.inner = angles.gamma.axis;
  romberg.outer_name = "BETA";
  romberg.inner_name = "GAMMA";
  romberg.block = 2 + 16 * rows;
  // gamma and alpha turn about the same axis at beta = 0 and 180, so the full range of alpha covers gamma
  romberg.single_at_poles = std::abs(angles.alpha.max - angles.alpha.min - 360) < 360e-15;
  auto result = romberg_average_2d(romberg, [&](std::size_t b, std::size_t g, std::span<double> value) {
    const OrientedScattering s = solve(angles.beta.values[b], angles.gamma.values[g]);
    value[0] = (s.y.cext + s.x.cext) / 2;
    value[1] = (s.y.cabs + s.x.cabs) / 2;
    if (rows != 0) average_alpha(request, s, value.subspan(2));
  });
  OrientationAverage out;
  out.cext = result.value[0];
  out.cabs = result.value[1];
  for (std::size_t t = 0; t < rows; ++t) {
    out.theta.push_back(t * (180.0 / request.theta_intervals));
    Mueller m;
    std::copy_n(result.value.begin() + 2 + 16 * t, 16, m.begin());
    out.mueller.push_back(m);
  }
  out.log = {"log_orient_avg", std::move(result.log)};
  out.converged = result.converged;
  return out;
}

}  // namespace umov::dda
